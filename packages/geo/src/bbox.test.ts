import assert from 'node:assert/strict';
import test from 'node:test';
import { ServiceError } from '@cartulary/errors/internal/errors.js';
import { boxesOf, cornersOf, fromMercator, parseBox, toMercator } from './bbox.js';

const box = (west: number, south: number, east: number, north: number) => ({ west, south, east, north });

test('fbbox is y before x', () => {
  assert.deepEqual(parseBox(' 47.2, 5.8,55.1,15.1 '), box(5.8, 47.2, 15.1, 55.1));
  assert.deepEqual(parseBox([1, 2, 3, 4]), box(2, 1, 4, 3));
});

for (const wrong of [
  '',
  '1,2,3',
  '1,2,3,4,5',
  '1,2,3,x',
  '1,,3,4',
  'NaN,0,0,0',
  '0,0,Infinity,0',
  '5,0,1,0',
]) {
  test(`fbbox '${wrong}' is refused`, () => {
    assert.throws(
      () => parseBox(wrong),
      (error: ServiceError) => error instanceof ServiceError && error.status === 400,
    );
  });
}

test('a box over the antimeridian becomes two; a box of 360 degrees or more becomes the world', () => {
  assert.deepEqual(boxesOf(box(10, 0, 20, 5), '4326'), [box(10, 0, 20, 5)]);
  assert.deepEqual(boxesOf(box(170, 0, -170, 5), '4326'), [box(170, 0, 180, 5), box(-180, 0, -170, 5)]);
  assert.deepEqual(boxesOf(box(170, 0, 190, 5), '4326'), [box(170, 0, 180, 5), box(-180, 0, -170, 5)]);
  assert.deepEqual(boxesOf(box(-190, 0, -170, 5), '4326'), [box(170, 0, 180, 5), box(-180, 0, -170, 5)]);
  assert.deepEqual(boxesOf(box(370, 0, 380, 5), '4326'), [box(10, 0, 20, 5)]);
  assert.deepEqual(boxesOf(box(-180, -90, 180, 90), '4326'), [box(-180, -90, 180, 90)]);
  assert.deepEqual(boxesOf(box(-500, 0, 500, 5), '4326'), [box(-180, 0, 180, 5)]);
  assert.deepEqual(boxesOf(box(180, 0, 180, 5), '4326'), [box(180, 0, 180, 5)]);
  assert.deepEqual(boxesOf(box(-180, 0, -180, 5), '4326'), [box(-180, 0, -180, 5)]);
});

test('EPSG:3857 round trip, and its edges', () => {
  for (const [lon, lat] of [
    [0, 0],
    [180, 85],
    [-180, -85.05112878],
    [12.5, 41.9],
    [-0.1, -89],
  ] as const) {
    const [x, y] = toMercator(lon, lat);
    const back = fromMercator(x, y);
    assert.ok(Math.abs(back[0] - lon) < 1e-12 && Math.abs(back[1] - lat) < 1e-9, String(back));
  }
  assert.deepEqual(toMercator(180, 0), [20037508.342789244, 0]);
  assert.ok(Math.abs(toMercator(0, 90)[1] - 242528680.94374272) < 1e-3, 'where PROJ has the pole');
  const corners = cornersOf(box(-180, -85, 180, 85), '3857');
  const [world] = boxesOf(parseBox([...corners.sw, ...corners.ne]), '3857');
  assert.ok(Math.abs(world!.west + 180) < 1e-9 && Math.abs(world!.north - 85) < 1e-9);
  assert.deepEqual(cornersOf(box(1, 2, 3, 4), '4326'), { sw: [2, 1], ne: [4, 3] });
});
