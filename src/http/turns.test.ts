import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createTurns } from './turns.js';

test('no more than the limit run at once, in the order of their coming', async () => {
  const turns = createTurns(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const { signal } = new AbortController();
  const all = [0, 1, 2, 3].map((n) =>
    turns(async () => {
      begun.push(n);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (n === 0) throw new Error('one fails');
    }, signal),
  );
  const settled = Promise.allSettled(all);
  await setImmediate();
  assert.deepEqual(begun, [0, 1]);
  ends[0]!();
  await setImmediate();
  assert.deepEqual(begun, [0, 1, 2]);
  ends[1]!();
  await setImmediate();
  assert.deepEqual(begun, [0, 1, 2, 3]);
  ends[2]!();
  ends[3]!();
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
});

test('who leaves while waiting gives up the turn', async () => {
  const turns = createTurns(1);
  const { signal } = new AbortController();
  let end = (): void => {};
  const first = turns(() => new Promise<void>((resolve) => (end = resolve)), signal);
  const leaving = new AbortController();
  const second = turns(async () => assert.fail('must not run'), leaving.signal);
  const third = turns(async () => 'third', signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(second, /gone/);
  await assert.rejects(
    turns(async () => assert.fail('must not run'), leaving.signal),
    /gone/,
  );
  end();
  await first;
  assert.equal(await third, 'third');
});

test('more than may wait, or wait longer than they may, are told that the service is busy', async () => {
  const turns = createTurns(1, { waiting: 1 });
  const { signal } = new AbortController();
  let end = (): void => {};
  const first = turns(() => new Promise<void>((resolve) => (end = resolve)), signal);
  const second = turns(async () => 'second', signal);
  await assert.rejects(
    turns(async () => assert.fail('must not run'), signal),
    { code: 'busy', data: { retry_after: 2 } },
  );
  end();
  await first;
  assert.equal(await second, 'second');

  const hasty = createTurns(1, { patience: 5 });
  const long = hasty(() => new Promise<void>((resolve) => (end = resolve)), signal);
  await assert.rejects(
    hasty(async () => assert.fail('must not run'), signal),
    { code: 'busy' },
  );
  end();
  await long;
  assert.equal(await hasty(async () => 'free again', signal), 'free again');
});
