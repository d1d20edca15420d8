import assert from 'node:assert/strict';
import test from 'node:test';
import { BackgroundTasks } from './background-tasks.js';

const logOf = (lines: unknown[]): any => ({ warn: (...line: unknown[]) => lines.push(line) });

test('works run one after the other, a failure is logged, and a stop waits for the running one alone', async () => {
  const lines: unknown[] = [];
  const background = new BackgroundTasks(logOf(lines), 'it failed');
  const done: string[] = [];
  let finish = (): void => {};
  const error = new Error('no');
  background.run(() => Promise.reject(error));
  const begun = new Promise<void>((begin) => {
    background.run(async () => {
      begin();
      await new Promise<void>((resolve) => (finish = resolve));
      done.push('first');
    });
  });
  background.run(async () => done.push('second'));
  await begun;
  assert.deepEqual(lines, [[{ err: error }, 'it failed']]);
  const stopped = background.stop();
  finish();
  await stopped;
  assert.deepEqual(done, ['first']);
});

test('work is repeated at intervals, and done once after a delay, until the stop', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const background = new BackgroundTasks(logOf([]), 'it failed');
  let [often, once] = [0, 0];
  background.every(100, async () => often++);
  background.after(250, async () => once++);
  for (let at = 0; at < 500; at += 50) t.mock.timers.tick(50);
  await new Promise(setImmediate);
  assert.deepEqual([often, once], [5, 1]);
  await background.stop();
  t.mock.timers.tick(1_000);
  await new Promise(setImmediate);
  assert.deepEqual([often, once], [5, 1]);
});
