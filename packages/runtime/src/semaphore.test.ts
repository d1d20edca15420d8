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

/** Work that ends when it is told to, and the order in which it began. */
function recorder(): {
  begun: string[];
  work(name: string): () => Promise<void>;
  end(name: string): Promise<unknown>;
} {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: (name) => () => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
    end(name) {
      ends.get(name)!();
      return setImmediate();
    },
  };
}

test('a place that becomes free goes to the owner with the fewest running, and equals take turns', async () => {
  const turns = createTurns(2);
  const { begun, work, end } = recorder();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void turns.for(name[0]!)(work(name));
  await setImmediate();
  for (const name of ['a1', 'a2', 'b1', 'a3', 'c1']) await end(name);
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4']);
});

test('no owner runs more than its share', async () => {
  const turns = createTurns(3, { perOwner: 2 });
  const { begun, work, end } = recorder();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void turns.for(name[0]!)(work(name));
  await setImmediate();
  assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  await end('b1');
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'b2']);
  await end('b2');
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'b2']);
  await end('a1');
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'b2', 'a3']);
});

test('one owner alone may fill the whole line; another takes places of it', async () => {
  const turns = createTurns(1, { waiting: 4 });
  const { begun, work, end } = recorder();
  const all = ['a0', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3'].map((name) =>
    turns
      .for(name[0]!)(work(name))
      .then(
        () => name,
        (error) => `${name} ${error.code}`,
      ),
  );
  assert.throws(() => turns.for('a').admit(), { code: 'busy' });
  turns.for('c').admit();
  await setImmediate();
  for (const name of ['a0', 'a1', 'b1', 'a2', 'b2']) await end(name);
  assert.deepEqual(begun, ['a0', 'a1', 'b1', 'a2', 'b2']);
  assert.deepEqual(await Promise.all(all), ['a0', 'a1', 'a2', 'a3 busy', 'a4 busy', 'b1', 'b2', 'b3 busy']);
});

test('what was begun is never refused, and takes its turn with the others', async () => {
  const turns = createTurns(1, { waiting: 1, patience: 5 });
  const { begun, work, end } = recorder();
  void turns(work('first'));
  const further = [turns.further(work('second'), 0), turns.further(work('third'), 0)];
  const refused = turns(async () => assert.fail('must not run'));
  await assert.rejects(refused, { code: 'busy' });
  for (const name of ['first', 'second', 'third']) await end(name);
  await Promise.all(further);
  assert.deepEqual(begun, ['first', 'second', 'third']);
});

test('what was begun first goes on first, so that it ends soon', async () => {
  const turns = createTurns(1);
  const { begun, work, end } = recorder();
  const all = [turns(work('running')), turns(work('new'))];
  for (const at of [30, 10, 20]) all.push(turns.further(work(`begun at ${at}`), at - 1_000));
  await setImmediate();
  const order = ['running', 'begun at 10', 'begun at 20', 'begun at 30', 'new'];
  for (const name of order) await end(name);
  await Promise.all(all);
  assert.deepEqual(begun, order);
});

test('a place that was entered is given back once', async () => {
  const turns = createTurns(1);
  const leave = await turns.enter();
  const { begun, work } = recorder();
  void turns(work('a'));
  void turns(work('b'));
  leave();
  leave();
  await setImmediate();
  assert.deepEqual(begun, ['a']);
});
