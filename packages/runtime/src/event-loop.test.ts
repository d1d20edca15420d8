import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises';
import { beginShort, yieldToOthers } from './event-loop.js';

test('slices of work wait until short requests are answered, but for one now and then', async (t) => {
  let now = performance.now() + 1_000;
  t.mock.method(performance, 'now', () => now);
  const events: string[] = [];
  const slices = ['a', 'b', 'c', 'd'].map(async (name) => {
    await yieldToOthers();
    // As long as a slice takes.
    now += 6;
    events.push(name);
  });
  const end = beginShort();
  for (let round = 0; round < 10; round++) await nextRound();
  assert.deepEqual(events, ['a'], 'none has gone for long');
  now += 20;
  while (events.length < 2) await sleep(1);
  for (let round = 0; round < 10; round++) await nextRound();
  assert.deepEqual(events, ['a', 'b']);
  events.push('answered');
  end();
  await Promise.all(slices);
  assert.deepEqual(events, ['a', 'b', 'answered', 'c', 'd']);
});

test('one that is not answered soon holds up nobody', async (t) => {
  let now = performance.now() + 2_000;
  t.mock.method(performance, 'now', () => now);
  const end = beginShort();
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
