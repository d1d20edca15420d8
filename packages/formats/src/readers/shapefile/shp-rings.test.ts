import assert from 'node:assert/strict';
import test from 'node:test';
import type { Position } from 'geojson';
import { polygonsOf } from './shp-rings.js';

/** A square, counter-clockwise. */
const left = (from: number, to: number): Position[] => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
  [from, from],
];
/** The same, clockwise, as an outer ring should be. */
const right = (from: number, to: number): Position[] => left(from, to).toReversed();

function read(...rings: Position[][]): { polygons: Position[][][]; told: number } {
  let told = 0;
  const geometry = polygonsOf(rings, () => told++);
  assert.ok(geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon');
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return { polygons, told };
}

test('rings in the direction that they should have', () => {
  const island = read(right(0, 10), left(2, 8), right(4, 6));
  assert.deepEqual(island, { polygons: [[right(0, 10), left(2, 8)], [right(4, 6)]], told: 0 });
  const apart = read(left(0, 1), left(2, 3));
  assert.deepEqual(apart, { polygons: [[left(0, 1)], [left(2, 3)]], told: 0 });
});

test('rings in the other direction are outer rings and holes by where they lie', () => {
  assert.deepEqual(read(left(0, 10), right(2, 4), right(6, 8)), {
    polygons: [[left(0, 10), right(2, 4), right(6, 8)]],
    told: 1,
  });
  assert.deepEqual(read(right(2, 4), left(0, 10)).polygons, [[left(0, 10), right(2, 4)]]);
  assert.deepEqual(read(left(0, 10), left(2, 4)).polygons, [[left(0, 10), left(2, 4)]]);
  const island = read(left(0, 10), right(2, 8), left(4, 6), left(20, 30), right(22, 24));
  assert.deepEqual(island, {
    polygons: [[left(0, 10), right(2, 8)], [left(20, 30), right(22, 24)], [left(4, 6)]],
    told: 1,
  });
});
