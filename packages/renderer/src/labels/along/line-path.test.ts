import assert from 'node:assert/strict';
import test from 'node:test';
import { LinePath } from './line-path.js';

const near = (value: number | undefined, expected: number): void =>
  assert.ok(value !== undefined && Math.abs(value - expected) < 1e-9, `${value}, not ${expected}`);

/** East for 10, then south for 20. */
const corner = new LinePath([0, 0, 5, 0, 5, 0, 10, 0, 10, 20]);

test('places on a line by their distance, in any order', () => {
  near(corner.length, 30);
  for (const [at, x, y] of [
    [0, 0, 0],
    [29, 10, 19],
    [7, 7, 0],
    [12, 10, 2],
    [10, 10, 0],
  ] as const)
    assert.deepEqual(corner.pointAt(at), [x, y]);
  assert.deepEqual(
    [-0.1, 0, 29.9, 30].map((at) => corner.has(at)),
    [false, true, true, false],
  );
});

test('directions ahead and behind: of the segment, or to the place at the distance', () => {
  near(corner.angleAt(7, 2), 0);
  near(corner.angleAt(12, 5), Math.PI / 2);
  near(corner.angleAt(7, -2), Math.PI);
  near(corner.angleAt(7, 6), Math.PI / 4);
  near(corner.angleAt(13, -6), (-3 * Math.PI) / 4);
  near(corner.angleAt(29, 5), Math.PI / 2);
});

test('the next place that is a length away as the crow flies', () => {
  near(corner.away(2, 3), 5);
  near(corner.away(7, 5), 10 + 4);
  near(corner.away(14, -5), 7);
  assert.equal(corner.away(28, 3), undefined);
  assert.equal(corner.away(2, -3), undefined);
});

test('a line without length has no places', () => {
  for (const positions of [[], [1, 2], [1, 2, 1, 2]]) {
    const path = new LinePath(positions);
    assert.deepEqual([path.length, path.has(0)], [0, false]);
  }
});
