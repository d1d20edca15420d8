import assert from 'node:assert/strict';
import test from 'node:test';
import { PNG } from 'pngjs';
import { differenceOf } from './compare.js';

/** A picture of 32 × 32 pixels; `at` gives the RGBA of each. */
function picture(at: (x: number, y: number) => readonly number[]): Buffer {
  const png = new PNG({ width: 32, height: 32 });
  for (let i = 0; i < 32 * 32; i++) png.data.set(at(i % 32, Math.floor(i / 32)), 4 * i);
  return PNG.sync.write(png);
}

const white = picture(() => [255, 255, 255, 255]);

test('pictures are compared by the means of their squares', () => {
  assert.deepEqual(differenceOf(white, white), { mean: 0, most: 0 });
  const corner = picture((x, y) => (x < 16 && y < 16 ? [255, 155, 255, 255] : [255, 255, 255, 255]));
  const { mean, most } = differenceOf(white, corner);
  assert.deepEqual([Math.round(mean), Math.round(most)], [25, 100]);
  const stripes = (from: number) => picture((x) => (x % 2 === from ? [0, 0, 0, 255] : [255, 255, 255, 255]));
  assert.equal(differenceOf(stripes(0), stripes(1)).most, 0);
});

test('the colour of transparent pixels does not count, their transparency does', () => {
  const clear = (red: number) => picture(() => [red, 0, 0, 0]);
  assert.equal(differenceOf(clear(0), clear(255)).most, 0);
  assert.equal(Math.round(differenceOf(white, clear(255)).most), 255);
});
