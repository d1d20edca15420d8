import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises';
import { beginShortRequest, takeTurn, yieldToOthers } from './event-loop.js';

test('slices of work wait until short requests are answered, except one now and then', async (t) => {
  let now = performance.now() + 1_000;
  t.mock.method(performance, 'now', () => now);
  const events: string[] = [];
  const slices = ['a', 'b', 'c', 'd'].map(async (name) => {
    await yieldToOthers();
    // Longer than a slice.
    now += 6;
    events.push(name);
  });
  const end = beginShortRequest();
  for (let round = 0; round < 10; round++) await nextRound();
  assert.deepEqual(events, ['a'], 'a slice runs when none has run for long');
  now += 20;
  while (events.length < 2) await sleep(1);
  for (let round = 0; round < 10; round++) await nextRound();
  assert.deepEqual(events, ['a', 'b']);
  events.push('answered');
  end();
  await Promise.all(slices);
  assert.deepEqual(events, ['a', 'b', 'answered', 'c', 'd']);
});

test('a request that is not answered soon delays no slices', async (t) => {
  let now = performance.now() + 2_000;
  t.mock.method(performance, 'now', () => now);
  const end = beginShortRequest();
  now += 60;
  const events: string[] = [];
  for (const name of ['a', 'b', 'c'])
    void yieldToOthers().then(() => {
      now += 6;
      events.push(name);
    });
  while (events.length < 3) await nextRound();
  end();
});

test('work of each owner begins once per round, and that of a few owners', async () => {
  const events: string[] = [];
  const begin = (name: string) => takeTurn(name[0]!).then(() => events.push(name));
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1', 'e1'].map(begin);
  await Promise.resolve();
  assert.deepEqual(events, ['a1', 'b1', 'c1', 'd1'], 'the first need not wait');
  await nextRound();
  assert.deepEqual(events.slice(4), ['a2', 'b2', 'e1']);
  await Promise.all(all);
  assert.deepEqual(events.slice(7), ['a3']);
});
