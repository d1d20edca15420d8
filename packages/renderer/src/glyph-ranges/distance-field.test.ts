import assert from 'node:assert/strict';
import test from 'node:test';
import type { Outline } from '../labels/glyph-mask.js';
import { distanceField, fieldMargin, fieldSize } from './distance-field.js';

/** A rectangle in pixels of the field. */
function rectangle(west: number, south: number, east: number, north: number): Outline {
  const corners = [west, south, east, south, east, north, west, north].map((pixels) => pixels / fieldSize);
  return [0, 2, 4, 6].flatMap((i) => [
    1,
    corners[i]!,
    corners[i + 1]!,
    corners[(i + 2) % 8]!,
    corners[(i + 3) % 8]!,
  ]);
}

test('distances from the edge: 191 on it, 32 a pixel', () => {
  // Edges in the middle of cells, whose coverage tells where they are.
  const field = distanceField(rectangle(0.25, 0.25, 9.75, 7.75))!;
  const { left, top, width, height, cover } = field;
  assert.deepEqual(
    [left, top, width, height],
    [-fieldMargin, -8 - fieldMargin, 10 + 2 * fieldMargin, 8 + 2 * fieldMargin],
  );
  const row = cover.subarray(7 * width, 8 * width);
  // Middles of pixels: half a pixel outside of the edge, and inside.
  for (const [column, pixels] of [
    [0, 2.75],
    [1, 1.75],
    [2, 0.75],
    [3, -0.25],
    [4, -1.25],
  ] as const)
    assert.ok(Math.abs(row[column]! - 255 * (0.75 - pixels / 8)) <= 2, `${column}: ${row[column]}`);
});

test('contours that overlap leave no trace; blanks have no field', () => {
  const whole = distanceField(rectangle(0, 0, 10, 8))!;
  const parts = distanceField([...rectangle(0, 0, 7, 8), ...rectangle(3, 0, 10, 8)])!;
  assert.deepEqual(parts, whole);
  assert.equal(distanceField([]), undefined);
});
