import { chmod } from 'node:fs/promises';
import { makeEmbeddedArchive } from '../src/db/embedded-archive.js';
import { makeDrawnFonts } from '../src/fonts/drawn.js';
import { makeLetterPairs } from '../src/transfer/readers/language-pairs.js';
import { buildPages } from './web.js';

/** What `npm run build` makes beside the compiled programs; each step only when it is stale. */
try {
  // The compiler makes no programs: `npx cartulary` would find it only the first time.
  const tool = chmod(new URL('../src/cli.js', import.meta.url), 0o755);
  await Promise.all([buildPages(), makeEmbeddedArchive(), makeDrawnFonts(), makeLetterPairs(), tool]);
} catch (error) {
  process.stderr.write(`The build failed: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
