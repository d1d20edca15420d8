import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SessionQueue } from './session-queue.js';

test('a clock that is set back stops neither heavy units nor the work of idle times', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 10_000_000 });
  const queue = new SessionQueue(1_000);
  const run: string[] = [];
  const add = (name: string, isHeavy: boolean): void =>
    queue.add({ connection: { isHeavy, endSilent() {} }, run: () => void run.push(name) });
  add('light', false);
  await sleep(20);
  t.mock.timers.setTime(1_000_000);
  for (const name of ['heavy 1', 'heavy 2', 'heavy 3']) add(name, true);
  await sleep(100);
  assert.deepEqual(run, ['light', 'heavy 1', 'heavy 2', 'heavy 3']);
  t.mock.timers.setTime(0);
  assert.ok(queue.idleMs() > 0);
});
