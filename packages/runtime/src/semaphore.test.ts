import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createSemaphore } from './semaphore.js';

test('no more than the limit run at once, in their order', async () => {
  const semaphore = createSemaphore(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const { signal } = new AbortController();
  const all = [0, 1, 2, 3].map((n) =>
    semaphore(async () => {
      started.push(n);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (n === 0) throw new Error('one fails');
    }, signal),
  );
  const settled = Promise.allSettled(all);
  await setImmediate();
  assert.deepEqual(started, [0, 1]);
  ends[0]!();
  await setImmediate();
  assert.deepEqual(started, [0, 1, 2]);
  ends[1]!();
  await setImmediate();
  assert.deepEqual(started, [0, 1, 2, 3]);
  ends[2]!();
  ends[3]!();
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
});

test('work that is aborted while it waits never runs', async () => {
  const semaphore = createSemaphore(1);
  const { signal } = new AbortController();
  let end = (): void => {};
  const first = semaphore(() => new Promise<void>((resolve) => (end = resolve)), signal);
  const leaving = new AbortController();
  const second = semaphore(async () => assert.fail('must not run'), leaving.signal);
  const third = semaphore(async () => 'third', signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(second, /gone/);
  await assert.rejects(
    semaphore(async () => assert.fail('must not run'), leaving.signal),
    /gone/,
  );
  end();
  await first;
  assert.equal(await third, 'third');
});

test('work beyond the limits of waiting is refused with busy', async () => {
  const semaphore = createSemaphore(1, { maxWaiting: 1 });
  const { signal } = new AbortController();
  let end = (): void => {};
  const first = semaphore(() => new Promise<void>((resolve) => (end = resolve)), signal);
  const second = semaphore(async () => 'second', signal);
  await assert.rejects(
    semaphore(async () => assert.fail('must not run'), signal),
    { code: 'busy', data: { retry_after: 2 } },
  );
  end();
  await first;
  assert.equal(await second, 'second');

  const hasty = createSemaphore(1, { maxWaitMs: 5 });
  const long = hasty(() => new Promise<void>((resolve) => (end = resolve)), signal);
  await assert.rejects(
    hasty(async () => assert.fail('must not run'), signal),
    { code: 'busy' },
  );
  end();
  await long;
  assert.equal(await hasty(async () => 'free again', signal), 'free again');
});

/** Work that ends on request, and the order in which it began. */
function recorder(): {
  started: string[];
  work(name: string): () => Promise<void>;
  end(name: string): Promise<unknown>;
} {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    work: (name) => () => {
      started.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
    end(name) {
      ends.get(name)!();
      return setImmediate();
    },
  };
}

test('a free slot goes to the owner with the fewest running, and equal owners alternate', async (t) => {
  t.mock.method(performance, 'now', () => 1_000);
  const semaphore = createSemaphore(2);
  const { started, work, end } = recorder();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void semaphore.for(name[0]!)(work(name));
  await setImmediate();
  for (const name of ['a1', 'a2', 'b1', 'a3', 'c1']) await end(name);
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4']);
});

test('an owner with little usage precedes those with much, which still run', async (t) => {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  const semaphore = createSemaphore(1);
  const { started, work, end } = recorder();
  const ask = (name: string): void => void semaphore.for(name[0]!)(work(name));
  for (const name of ['a1', 'a2', 'b1', 'b2', 'c1']) ask(name);
  await setImmediate();
  // a holds the slot for a second, b for half of one, c for a moment.
  for (const [name, ms] of [
    ['a1', 1_000],
    ['b1', 500],
    ['c1', 10],
  ] as const) {
    now += ms;
    if (name === 'c1') for (const own of ['d1', 'c2', 'a3']) ask(own);
    await end(name);
  }
  for (const name of ['d1', 'c2', 'b2']) await end(name);
  assert.deepEqual(started, ['a1', 'b1', 'c1', 'd1', 'c2', 'b2', 'a2']);
  // Usage fades: after a while e has had more than a.
  await end('a2');
  ask('e1');
  await end('a3');
  now += 60_000;
  for (const name of ['e2', 'a4']) ask(name);
  for (const name of ['e1', 'a4', 'e2']) await end(name);
  assert.deepEqual(started.slice(7), ['a3', 'e1', 'a4', 'e2']);
});

test('no owner runs more than its share', async (t) => {
  t.mock.method(performance, 'now', () => 1_000);
  const semaphore = createSemaphore(3, { perOwner: 2 });
  const { started, work, end } = recorder();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void semaphore.for(name[0]!)(work(name));
  await setImmediate();
  assert.deepEqual(started, ['a1', 'a2', 'b1']);
  await end('b1');
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'b2']);
  await end('b2');
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'b2']);
  await end('a1');
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'b2', 'a3']);
});

test('one owner alone may fill the whole line; another takes places of it', async (t) => {
  t.mock.method(performance, 'now', () => 1_000);
  const semaphore = createSemaphore(1, { maxWaiting: 4 });
  const { started, work, end } = recorder();
  const all = ['a0', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3'].map((name) =>
    semaphore
      .for(name[0]!)(work(name))
      .then(
        () => name,
        (error) => `${name} ${error.code}`,
      ),
  );
  assert.throws(() => semaphore.for('a').admit(), { code: 'busy' });
  semaphore.for('c').admit();
  await setImmediate();
  for (const name of ['a0', 'a1', 'b1', 'a2', 'b2']) await end(name);
  assert.deepEqual(started, ['a0', 'a1', 'b1', 'a2', 'b2']);
  assert.deepEqual(await Promise.all(all), ['a0', 'a1', 'a2', 'a3 busy', 'a4 busy', 'b1', 'b2', 'b3 busy']);
});

test('resumed work is never refused, and alternates with other work', async () => {
  const semaphore = createSemaphore(1, { maxWaiting: 1, maxWaitMs: 5 });
  const { started, work, end } = recorder();
  void semaphore(work('first'));
  const resumed = [semaphore.resume(work('second'), 0), semaphore.resume(work('third'), 0)];
  const refused = semaphore(async () => assert.fail('must not run'));
  await assert.rejects(refused, { code: 'busy' });
  for (const name of ['first', 'second', 'third']) await end(name);
  await Promise.all(resumed);
  assert.deepEqual(started, ['first', 'second', 'third']);
});

test('the oldest resumed work runs first', async () => {
  const semaphore = createSemaphore(1);
  const { started, work, end } = recorder();
  const all = [semaphore(work('running')), semaphore(work('new'))];
  for (const at of [30, 10, 20]) all.push(semaphore.resume(work(`started at ${at}`), at - 1_000));
  await setImmediate();
  const order = ['running', 'started at 10', 'started at 20', 'started at 30', 'new'];
  for (const name of order) await end(name);
  await Promise.all(all);
  assert.deepEqual(started, order);
});

test('a place that was entered is given back once', async () => {
  const semaphore = createSemaphore(1);
  const leave = await semaphore.enter();
  const { started, work } = recorder();
  void semaphore(work('a'));
  void semaphore(work('b'));
  leave();
  leave();
  await setImmediate();
  assert.deepEqual(started, ['a']);
});
