import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';

test('an uncaught error is logged, and the process continues', async () => {
  const program = `
    import { logUncaughtErrors } from '${new URL('./last-resort.js', import.meta.url)}';
    import { EventEmitter } from 'node:events';
    logUncaughtErrors({ error: ({ err }) => console.log(err.message) });
    setTimeout(() => new EventEmitter().emit('error', new Error('an event')));
    setTimeout(() => { throw new Error('a callback'); }, 1);
    setTimeout(() => Promise.reject(new Error('a promise')), 2);
    setTimeout(() => console.log('still there'), 50);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  assert.deepEqual(stdout.trim().split('\n'), ['an event', 'a callback', 'a promise', 'still there']);
});
