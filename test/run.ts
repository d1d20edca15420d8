/** Runs the test files that are its arguments, three at a time, with servers that are lent to one after the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
const tests = spawn(process.execPath, ['--test', '--test-concurrency=3', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_KEEPERS: keepers.path },
});
// A Ctrl-C reaches it too; what was started here ends after it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => tests.kill());
const [code] = await once(tests, 'close');
await keepers.close();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exitCode = code ?? 1;
