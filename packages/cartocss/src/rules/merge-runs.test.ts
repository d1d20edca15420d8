import assert from 'node:assert/strict';
import test from 'node:test';
import { mergeRun, type ZoomItem } from './merge-runs.js';
import { scaleLimits } from './zoom.js';

test('rules of all levels in one list keep their order at every level', () => {
  const levels = ['abcd', 'abd', 'bad', 'xbyd', 'd', '', 'abcd', 'dcba'];
  let merged: ZoomItem<string>[] = [];
  for (const [zoom, letters] of levels.entries()) {
    merged = mergeRun(
      merged,
      [...letters].map((item) => ({ signature: item, item, first: zoom, last: zoom })),
    );
  }
  for (const [zoom, letters] of levels.entries()) {
    const there = merged.filter(({ first, last }) => first <= zoom && zoom <= last);
    assert.equal(there.map(({ item }) => item).join(''), letters);
  }
  // Of 23 rules those that continue are kept as one.
  assert.equal(merged.length, 14);
});

test('sets of zoom levels', () => {
  assert.deepEqual(scaleLimits(5, 7), { max: 25_000_000, min: 3_000_000 });
  assert.deepEqual(scaleLimits(0, 25), { max: undefined, min: undefined });
});
