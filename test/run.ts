/** Runs the test files that are its arguments, three at a time, with servers that are lent to one after the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openKeepers } from './support/keepers.js';

const keepers = await openKeepers();
const tests = spawn(process.execPath, ['--test', '--test-concurrency=3', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_KEEPERS: keepers.path },
});
// A Ctrl-C reaches it too; what was started here ends after it.
process.on('SIGINT', () => {});
const [code] = await once(tests, 'close');
await keepers.close();
process.exitCode = code ?? 1;
