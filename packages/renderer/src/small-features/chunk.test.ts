import assert from 'node:assert/strict';
import test from 'node:test';
import { slicesFor } from './chunk.js';

test('slices are ranges of ids, few in a chunk, whose limits are those of the smaller slices of other chunks', () => {
  const ids = [0, 1, 2, 499, 500, 4_095, 4_096, 100_000];
  assert.deepEqual(ids.map(slicesFor(0)), ids);
  assert.deepEqual(ids.map(slicesFor(500)), ids);
  assert.deepEqual(ids.map(slicesFor(501)), [0, 0, 2, 498, 500, 4_094, 4_096, 100_000]);
  assert.deepEqual(ids.map(slicesFor(200_000)), [0, 0, 0, 0, 0, 3_584, 4_096, 99_840]);
  assert.deepEqual(ids.map(slicesFor(1e9)), [0, 0, 0, 0, 0, 0, 4_096, 98_304]);
});
