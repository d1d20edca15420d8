import assert from 'node:assert/strict';
import test from 'node:test';
import { type BoxEdges, joinBoxes, unionOf } from './join-boxes.js';

const holds = (outer: BoxEdges, inner: BoxEdges): boolean =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];
const area = ([west, south, east, north]: BoxEdges): number => (east - west) * (north - south);

/** Boxes around the middle of a town. */
const town = (x: number, y: number, count: number): BoxEdges[] =>
  Array.from({ length: count }, (_, i): BoxEdges => {
    const [west, south] = [x + (i % 10) / 100, y + Math.floor(i / 10) / 100];
    return [west, south, west + 0.005, south + 0.005];
  });

test('few boxes stay as they are', () => {
  const boxes = town(5, 5, 3);
  assert.deepEqual(joinBoxes(boxes, 3), boxes);
  assert.deepEqual(joinBoxes([], 3), []);
});

test('each of many boxes is within one of the joined boxes', () => {
  for (const most of [1, 2, 7, 64]) {
    const boxes = [...town(-170, -80, 90), ...town(3, 4, 90), ...town(3, -4, 90), [0, 0, 0, 0] as const];
    const joined = joinBoxes(boxes, most);
    assert.ok(joined.length <= most && joined.length > 0);
    for (const box of boxes) assert.ok(joined.some((one) => holds(one, box)));
  }
});

test('distant groups of boxes stay separate', () => {
  const towns = [town(-120, 40, 50), town(2, 48, 50), town(139, 35, 50), town(151, -33, 50)];
  const joined = joinBoxes(towns.flat().reverse(), 4);
  assert.deepEqual(
    joined.sort((a, b) => a[0] - b[0]),
    towns.map(unionOf),
  );
  assert.ok(joined.every((box) => area(box) < 0.02));
});

test('equal boxes, and boxes without an area', () => {
  assert.deepEqual(
    joinBoxes(
      Array.from({ length: 9 }, (): BoxEdges => [1, 2, 1, 2]),
      4,
    ),
    Array(4).fill([1, 2, 1, 2]),
  );
});
