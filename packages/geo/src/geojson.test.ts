import assert from 'node:assert/strict';
import test from 'node:test';
import { ServiceError } from '@cartulary/errors/internal/errors.js';
import { checkGeometry, positionLimit } from './geojson.js';

const refuses = (value: unknown, why: RegExp, sr?: 'any' | '3857'): void =>
  assert.throws(
    () => checkGeometry(value, sr),
    (error: ServiceError) =>
      error instanceof ServiceError &&
      error.code === 'value_invalid' &&
      (error.data.columns as string[])[0] === 'geom' &&
      why.test(error.message),
  );

test('a checked geometry has only type and coordinates', () => {
  const geometry = { type: 'Point', coordinates: [1, 2, 3, 4], bbox: [1], crs: {}, x: 1 };
  assert.deepEqual(checkGeometry(geometry), { type: 'Point', coordinates: [1, 2, 3, 4] });
});

test('coordinates are checked against the range of their projection', () => {
  const at = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });
  assert.deepEqual(checkGeometry(at(180.000_01, -90.000_01)), at(180, -90), 'rounding is tolerated');
  refuses(at(180.000_02, 0), /range/);
  refuses(at(180.1, 0), /range/);
  refuses(at(0, -90.1), /range/);
  assert.ok(checkGeometry(at(20037508.342789244, 242528680.94), '3857'));
  assert.deepEqual(checkGeometry(at(-20037510, 0), '3857'), at(-20037508.342789244, 0));
  refuses(at(20037511, 0), /range/, '3857');
  assert.ok(checkGeometry(at(6e6, -1e9), 'any'));
  refuses(at(Number.NaN, 0), /finite/, 'any');
  refuses(at(0, Number.POSITIVE_INFINITY), /finite/, 'any');
  assert.ok(checkGeometry({ type: 'Point', coordinates: [0, 0, 1e9] }), 'heights are unlimited');
  refuses({ type: 'Point', coordinates: [0, 0, Number.NaN] }, /finite/);
});

test('a geometry of more positions than the limit is refused', () => {
  const position = [0, 0];
  refuses({ type: 'MultiPoint', coordinates: Array(positionLimit + 1).fill(position) }, /positions/);
});

test('empty, open, too short or wrongly nested coordinates are refused', () => {
  refuses(null, /object/);
  refuses({ type: 'Polygon', coordinates: [[]] }, /empty/);
  refuses({ type: 'MultiPolygon', coordinates: [] }, /empty/);
  refuses({ type: 'MultiLineString', coordinates: [[[0, 0]]] }, /fewer than two/);
  refuses(
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    },
    /fewer than four/,
  );
  refuses(
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 0, 1],
        ],
      ],
    },
    /not closed/,
  );
  refuses(
    {
      type: 'Polygon',
      coordinates: [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 0],
      ],
    },
    /position/,
  );
  refuses({ type: 'LineString', coordinates: [[[0, 0]], [[1, 1]]] }, /finite number|2 or 3/);
  refuses({ type: 'toString', coordinates: [0, 0] }, /type/);
  refuses({ type: 'GeometryCollection', geometries: {} }, /not an array/);
});
