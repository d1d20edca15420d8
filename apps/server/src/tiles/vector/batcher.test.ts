import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as yieldNow } from 'node:timers/promises';
import { Batcher } from './batcher.js';

/** A batcher of words: the first letter is the kind, the answer is in capitals; a batch ends on command. */
function start({ atOnce = 1, maxBatchSize = 3, maxWaiting = 100, maxWaitMs = 1_000 } = {}) {
  const batches: { words: readonly string[]; end(): void }[] = [];
  const batcher = new Batcher<string, string>({
    atOnce,
    maxBatchSize,
    maxWaiting,
    maxWaitMs,
    kindOf: (word) => word[0]!,
    answer: (words) =>
      new Promise((resolve, reject) => {
        const end = (): void =>
          words.includes('bad')
            ? reject(new Error('one is bad'))
            : resolve(words.map((w) => w.toUpperCase()));
        batches.push({ words, end });
      }),
  });
  const ask = (word: string): Promise<string> => batcher.ask(word);
  /** Ends the latest batch; returns the words of the next. */
  async function next(): Promise<readonly string[] | undefined> {
    const known = batches.length;
    batches.at(-1)?.end();
    for (let i = 0; i < 5; i++) await yieldNow();
    return batches[known]?.words;
  }
  return { ask, next, batches };
}

test('simultaneous and waiting questions share a batch of their kind; kinds alternate', async () => {
  const { ask, next } = start();
  const first = [ask('a1'), ask('a2')];
  assert.deepEqual(await next(), ['a1', 'a2']);
  const later = ['a3', 'a4', 'b1', 'a5', 'b2', 'a6'].map(ask);
  assert.deepEqual(await next(), ['a3', 'a4', 'a5']);
  assert.deepEqual(await next(), ['b1', 'b2']);
  assert.deepEqual(await next(), ['a6']);
  assert.equal(await next(), undefined);
  assert.deepEqual(await Promise.all(first), ['A1', 'A2']);
  assert.deepEqual(await Promise.all(later), ['A3', 'A4', 'B1', 'A5', 'B2', 'A6']);
  const alone = ask('c');
  assert.deepEqual(await next(), ['c']);
  await next();
  assert.equal(await alone, 'C');
});

test('at most `atOnce` batches run', async () => {
  const { ask, batches } = start({ atOnce: 2, maxBatchSize: 1 });
  for (const word of ['a', 'b', 'c']) void ask(word);
  for (let i = 0; i < 5; i++) await yieldNow();
  assert.deepEqual(
    batches.map(({ words }) => words),
    [['a'], ['b']],
  );
});

test('a failing question hits no other', async () => {
  const { ask, next } = start();
  const answers = Promise.allSettled(['b1', 'bad', 'b2'].map(ask));
  assert.deepEqual(await next(), ['b1', 'bad', 'b2']);
  for (const word of ['b1', 'bad', 'b2']) assert.deepEqual(await next(), [word]);
  await next();
  assert.deepEqual(
    (await answers).map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
    ['B1', 'one is bad', 'B2'],
  );
});

test('questions beyond the limit, and those that waited too long, are refused', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const { ask, next, batches } = start({ maxWaiting: 2, maxWaitMs: 500 });
  const first = ask('a');
  await next();
  const late = assert.rejects(ask('b1'), { code: 'busy' });
  nowMs += 300;
  const kept = ask('b2');
  await assert.rejects(ask('c'), { code: 'busy' });
  nowMs += 300;
  assert.deepEqual(await next(), ['b2']);
  await late;
  await next();
  assert.deepEqual([await first, await kept, batches.length], ['A', 'B2', 2]);
  const last = ask('d');
  assert.deepEqual(await next(), ['d']);
  await next();
  assert.equal(await last, 'D');
});
