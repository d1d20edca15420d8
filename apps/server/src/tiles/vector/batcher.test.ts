import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { inGroups } from './groups.js';

/** Asks `word`s, whose first letter is their kind; a group is answered when it is told to, with the words in capitals. */
function start({ atOnce = 1, most = 3, waiting = 100, patience = 1_000 } = {}) {
  const groups: { words: readonly string[]; end(): void }[] = [];
  const ask = inGroups<string, string>({
    atOnce,
    most,
    waiting,
    patience,
    kindOf: (word) => word[0]!,
    answer: (words) =>
      new Promise((resolve, reject) => {
        const end = (): void =>
          words.includes('bad')
            ? reject(new Error('one is bad'))
            : resolve(words.map((w) => w.toUpperCase()));
        groups.push({ words, end });
      }),
  });
  /** Ends the group that began last, and gives what begins then. */
  async function next(): Promise<readonly string[] | undefined> {
    const known = groups.length;
    groups.at(-1)?.end();
    for (let i = 0; i < 5; i++) await turn();
    return groups[known]?.words;
  }
  return { ask, next, groups };
}

test('what comes in one moment, or waits, is answered with others of its kind, kinds in turns', async () => {
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

test('so many groups are under way', async () => {
  const { ask, groups } = start({ atOnce: 2, most: 1 });
  for (const word of ['a', 'b', 'c']) void ask(word);
  for (let i = 0; i < 5; i++) await turn();
  assert.deepEqual(
    groups.map(({ words }) => words),
    [['a'], ['b']],
  );
});

test('what fails fails for itself alone', async () => {
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

test('more than may wait, and what has waited too long, is refused', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const { ask, next, groups } = start({ waiting: 2, patience: 500 });
  const first = ask('a');
  await next();
  const late = assert.rejects(ask('b1'), { code: 'busy' });
  t.mock.timers.tick(300);
  const kept = ask('b2');
  await assert.rejects(ask('c'), { code: 'busy' });
  t.mock.timers.tick(300);
  assert.deepEqual(await next(), ['b2']);
  await late;
  await next();
  assert.deepEqual([await first, await kept, groups.length], ['A', 'B2', 2]);
  const last = ask('d');
  assert.deepEqual(await next(), ['d']);
  await next();
  assert.equal(await last, 'D');
});
