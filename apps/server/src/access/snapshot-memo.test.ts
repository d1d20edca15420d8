import assert from 'node:assert/strict';
import test from 'node:test';
import type { Caller } from './caller.js';
import { createSnapshotMemo } from './snapshot-memo.js';

const callerAt = (at: string | undefined): Caller => ({ at }) as Caller;

/** The result is the number of computations so far. */
function counter(): (caller: Caller, at: string | undefined, key?: string) => Promise<number> {
  const seen = createSnapshotMemo<number>();
  let count = 0;
  return (caller, at, key = 'key') => seen(caller, at, key, async () => ++count);
}

test('a result as of a snapshot is computed once for each key', async () => {
  const find = counter();
  const caller = callerAt('1');
  assert.deepEqual(await Promise.all([find(caller, '1'), find(caller, '1')]), [1, 1]);
  assert.equal(await find(caller, '1', 'another'), 2);
  assert.equal(await find(caller, '1'), 1);
});

test('another caller, another snapshot or none compute a new result', async () => {
  const find = counter();
  const caller = callerAt('1');
  assert.equal(await find(caller, '1'), 1);
  assert.equal(await find(callerAt('1'), '1'), 2);
  assert.equal(await find(caller, '2'), 3);
  assert.equal(await find(caller, undefined), 4);
  const unknown = callerAt(undefined);
  assert.deepEqual([await find(unknown, undefined), await find(unknown, undefined)], [5, 6]);
});

test('a failed computation is repeated', async () => {
  const seen = createSnapshotMemo<string>();
  const caller = callerAt('1');
  await assert.rejects(
    seen(caller, '1', 'key', async () => Promise.reject(new Error('lost'))),
    /lost/,
  );
  assert.equal(await seen(caller, '1', 'key', async () => 'found'), 'found');
});
