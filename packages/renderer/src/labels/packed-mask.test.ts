import assert from 'node:assert/strict';
import test from 'node:test';
import type { Mask } from './glyph-mask.js';
import { coverOf, cutMask, maskColumn, maskRow, type PackedMask, packMask } from './packed-mask.js';

const mask = (width: number, height: number, ...cover: number[]): Mask => ({
  left: -1,
  top: 2,
  width,
  height,
  cover: Uint8Array.from({ length: width * height }, (_, i) => cover[i] ?? 0),
});

/** Column, row and coverage of each pixel. */
const pixelsIn = ({ pixels }: PackedMask): number[][] =>
  Array.from(pixels, (pixel) => [maskColumn(pixel), maskRow(pixel), coverOf(pixel)]);

test('covered pixels are listed, the full ones first', () => {
  const packed = packMask(mask(3, 2, 7, 0, 255, 0, 255, 128))!;
  assert.deepEqual(pixelsIn(packed), [
    [2, 0, 255],
    [1, 1, 255],
    [0, 0, 7],
    [2, 1, 128],
  ]);
  assert.deepEqual([packed.left, packed.top, packed.width, packed.height, packed.full], [-1, 2, 3, 2, 2]);
});

test('a cut keeps the corner of the mask', () => {
  const cut = cutMask(packMask(mask(3, 2, 7, 0, 255, 0, 255, 128))!, {
    left: 1,
    top: -5,
    right: 3,
    bottom: 1,
  });
  assert.deepEqual(pixelsIn(cut), [[2, 0, 255]]);
  assert.deepEqual([cut.left, cut.top, cut.full], [-1, 2, 1]);
});

test('masks can be as large as their bits allow', () => {
  const cover = Array<number>(4_096).fill(0).with(4_095, 255);
  assert.deepEqual(pixelsIn(packMask(mask(4_096, 1, ...cover))!), [[4_095, 0, 255]]);
  assert.deepEqual(pixelsIn(packMask(mask(1, 4_096, ...cover))!), [[0, 4_095, 255]]);
  assert.equal(packMask(mask(4_097, 1)), undefined);
  assert.equal(packMask(mask(1, 4_097)), undefined);
});
