import assert from 'node:assert/strict';
import test from 'node:test';
import { fromMercator } from '@cartulary/geo';
import { filterFactor } from '../../src/tiles/plan/raster-source.js';

/** Metres of a pixel of the zoom level 0. */
const whole = (2 * Math.PI * 6_378_137) / 256;

/** An image of 2048 × 2048 pixels at the origin. */
function image(pixelSize: number) {
  const [east, north] = fromMercator(2048 * pixelSize, 2048 * pixelSize);
  return {
    processed: '',
    kind: 'picture',
    bands: [],
    pixel_size: pixelSize,
    west: 0,
    south: 0,
    east,
    north,
  } as const;
}

const factorsOf = (pixelSize: number, levels: readonly number[], scale = 1): (number | undefined)[] =>
  levels.map((z) => {
    const factor = filterFactor(image(pixelSize), { z, scale });
    return factor === undefined ? undefined : Number(factor.toFixed(3));
  });

test('an image is read from the coarsest overview that is fine enough for the tile', () => {
  // Three pixels to one of level 5, so that the first overview has 1.5.
  const between = whole / 2 ** 5 / 3;
  assert.deepEqual(factorsOf(between, [7, 6, 5, 4]), [undefined, 1.5, 1.5, 1.5]);
  assert.deepEqual(factorsOf(between, [6, 5, 4], 2), [undefined, 1.5, 1.5], 'twice the pixels');
});

test('an image with the pixels of a zoom level is not scaled', () => {
  assert.deepEqual(factorsOf(whole / 2 ** 6, [7, 6, 5, 4]), [undefined, 1, 1, 1]);
});

test('below the coarsest overview of 512 pixels the whole overview is read, up to 16 times the pixels', () => {
  assert.deepEqual(factorsOf(whole / 2 ** 6, [4, 3, 2, 1, 0]), [1, 2, 4, 8, 16]);
  assert.deepEqual(factorsOf(whole / 2 ** 10, [8, 4, 3]), [1, 16, 16]);
});

test('nothing is known of an image that was imported before its pixels were stored', () => {
  assert.equal(filterFactor({ ...image(100), pixel_size: null }, { z: 3, scale: 1 }), undefined);
});
