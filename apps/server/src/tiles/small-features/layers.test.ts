import assert from 'node:assert/strict';
import test from 'node:test';
import type { Queryable } from '@cartulary/database/internal/pool.js';
import { SmallFeatureLayers } from './layers.js';

const europe = [-10, 35, 30, 60] as const;

/** A layer of a million points whose index exists when `make` resolves; `reads` counts the statements. */
function makeLayers(make: () => Promise<void>, renderWaitMs = 60_000) {
  const state = { isMade: false, reads: 0, level: 24 as number | null };
  const db = {
    query: async () => {
      state.reads += 1;
      return [
        { id: 7, objects: 1e6, levels: state.isMade ? [[24, 1]] : null, extent: europe, level: state.level },
      ];
    },
  } as unknown as Queryable;
  const indexer = {
    make: async () => {
      await make();
      state.isMade = true;
    },
  };
  const config = { smallFeaturesFrom: 20_000, tilesTogether: 20, renderWaitMs };
  const layers = new SmallFeatureLayers({ db, indexer, config });
  const ask = async (level: number, version = 1, signal = new AbortController().signal) =>
    [...(await layers.worthAt(level, [{ id: 7, version }], signal))].map(([id, { depth }]) => [id, depth]);
  return { state, ask };
}

test('a drawing waits for a missing index, and waiting drawings share one statement', async () => {
  const { state, ask } = makeLayers(() => new Promise((resolve) => setTimeout(resolve, 20)));
  const asked = Array.from({ length: 5 }, () => ask(2));
  assert.deepEqual((await Promise.all(asked)).flat(), Array(5).fill([7, 3]));
  assert.equal(state.reads, 3);
  // Of another version only the level is read at which all objects are small.
  assert.deepEqual(await ask(5, 2), [[7, 1]]);
  assert.equal(state.reads, 4);
  await ask(6, 2);
  assert.equal(state.reads, 4);
  // One object that is never small.
  state.level = -1;
  await ask(2, 4);
  await ask(2, 4);
  assert.equal(state.reads, 5);
  // Without the index it is read again.
  state.level = null;
  for (let i = 1; i <= 3; i++) {
    await ask(2, 3);
    assert.equal(state.reads, 5 + i);
  }
});

test('the wait for an index ends when drawing without it would be done', async () => {
  const never = () => new Promise<void>(() => {});
  assert.deepEqual(await makeLayers(never, 10).ask(2), []);
  // Of a million objects in a hundred million tiles.
  assert.deepEqual(await makeLayers(never).ask(16), []);
});

test('an aborted request does not wait', async () => {
  const leaving = new AbortController();
  const asked = makeLayers(() => new Promise<void>(() => {})).ask(2, 1, leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(asked);
});
