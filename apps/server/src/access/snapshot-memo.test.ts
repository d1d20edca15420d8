import assert from 'node:assert/strict';
import test from 'node:test';
import type { Caller } from './caller.js';
import { onceSeen } from './once-seen.js';

const callerAt = (at: string | undefined): Caller => ({ at }) as Caller;

/** What is found says how many times something was. */
function counter(): (caller: Caller, at: string | undefined, key?: string) => Promise<number> {
  const seen = onceSeen<number>();
  let count = 0;
  return (caller, at, key = 'key') => seen(caller, at, key, async () => ++count);
}

test('what a caller sees as of a snapshot is found once for each key', async () => {
  const find = counter();
  const caller = callerAt('1');
  assert.deepEqual(await Promise.all([find(caller, '1'), find(caller, '1')]), [1, 1]);
  assert.equal(await find(caller, '1', 'another'), 2);
  assert.equal(await find(caller, '1'), 1);
});

test('another caller, another snapshot and none find anew', async () => {
  const find = counter();
  const caller = callerAt('1');
  assert.equal(await find(caller, '1'), 1);
  assert.equal(await find(callerAt('1'), '1'), 2);
  assert.equal(await find(caller, '2'), 3);
  assert.equal(await find(caller, undefined), 4);
  const unknown = callerAt(undefined);
  assert.deepEqual([await find(unknown, undefined), await find(unknown, undefined)], [5, 6]);
});

test('what has failed is tried again', async () => {
  const seen = onceSeen<string>();
  const caller = callerAt('1');
  await assert.rejects(
    seen(caller, '1', 'key', async () => Promise.reject(new Error('lost'))),
    /lost/,
  );
  assert.equal(await seen(caller, '1', 'key', async () => 'found'), 'found');
});
