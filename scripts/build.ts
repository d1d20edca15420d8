import { chmod } from 'node:fs/promises';
import { makeEmbeddedArchive } from '@cartulary/database';
import { makeLetterPairs } from '@cartulary/formats';
import { buildPages } from './pages.js';

/** The steps of `npm run build` after the compiler. Each step runs only if its output is outdated. */
try {
  // The compiler writes files without the executable bit, which `npx cartulary` needs.
  const executable = chmod(new URL('../../apps/server/dist/src/cli/cli.js', import.meta.url), 0o755);
  await Promise.all([buildPages(), makeEmbeddedArchive(), makeLetterPairs(), executable]);
} catch (error) {
  process.stderr.write(`The build failed: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
