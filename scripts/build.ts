import { makeEmbeddedArchive } from '../src/db/embedded-archive.js';
import { buildPages } from './web.js';

/** What `npm run build` makes beside the compiled programs; each step only when it is stale. */
try {
  await Promise.all([buildPages(), makeEmbeddedArchive()]);
} catch (error) {
  process.stderr.write(`The build failed: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
