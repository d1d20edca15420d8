import assert from 'node:assert/strict';
import test from 'node:test';
import type { Geometry } from 'geojson';
import { takeApart } from './geometry-parts.js';

test('geometries of very many positions are taken apart', () => {
  const coordinates = Array.from({ length: 300_000 }, (_, i) => [i % 180, i % 90]);
  const points: Geometry = { type: 'MultiPoint', coordinates };
  const both: Geometry = {
    type: 'GeometryCollection',
    geometries: [points, { type: 'Point', coordinates: [1, 2] }],
  };
  assert.equal(takeApart(points, ['MultiPoint']).length, 300_000);
  const [one, ...others] = takeApart(both, ['GeometryCollection']);
  assert.deepEqual([one!.type, others], ['MultiPoint', []]);
  assert.equal((one as typeof points & { coordinates: unknown[] }).coordinates.length, 300_001);
});
