/** Runs the test files that are its arguments, three at a time, with servers that are lent to one after the other. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';
import { openKeepers } from './support/keepers.js';

/** Bytes that all tests at a time take at most, by far. */
const room = 8 * 1024 ** 3;

/** Where tests keep their data: in memory where there is much of it, since what they write is soon removed. */
function temporaryFolder(): string {
  const memory = '/dev/shm';
  const isWanted = !process.env.TMPDIR && existsSync(memory);
  const { bavail, bsize } = statfsSync(isWanted ? memory : tmpdir());
  const folder = mkdtempSync(join(isWanted && bavail * bsize > room ? memory : tmpdir(), 'cartulary-'));
  // A PostgreSQL that a test starts runs as another user.
  chmodSync(folder, 0o711);
  return folder;
}

const folder = temporaryFolder();
process.env.TMPDIR = folder;
const keepers = await openKeepers();
process.env.TEST_KEEPERS = keepers.path;
// Backwards: the shortest, those of src, come last, so that no long one ends alone.
const files = process.argv.slice(2).map((file) => resolve(file));
const stopping = new AbortController();
// A Ctrl-C reaches the tests too; what was started here ends after them.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => stopping.abort());
const tests = run({ files: files.sort().reverse(), concurrency: 3, signal: stopping.signal });
tests.on('test:fail', () => {
  process.exitCode = 1;
});
for await (const text of tests.compose(process.stdout.isTTY ? new spec() : tap)) process.stdout.write(text);
await keepers.close();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
