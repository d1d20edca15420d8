import assert from 'node:assert/strict';
import test from 'node:test';
import { edgesOf, fillMask, haloMask, type Mask, type Outline } from './glyph-mask.js';

/** Corners in em. */
const polygon = (...corners: [number, number][]): Outline =>
  corners.flatMap(([x, y], i) => [1, x, y, ...corners[(i + 1) % corners.length]!]);

const square = (west: number, south: number, side: number): Outline =>
  polygon([west, south], [west + side, south], [west + side, south + side], [west, south + side]);

const turned = (outline: Outline): Outline => {
  const pieces: number[] = [];
  for (let i = 0; i < outline.length; i += 5)
    pieces.unshift(1, outline[i + 3]!, outline[i + 4]!, outline[i + 1]!, outline[i + 2]!);
  return pieces;
};

const origin = { x: 0, y: 0 };
const sum = ({ cover }: Mask): number => cover.reduce((a, b) => a + b, 0) / 255;
const at = ({ left, top, width, height, cover }: Mask, x: number, y: number): number =>
  x >= left && y >= top && x < left + width && y < top + height ? cover[(y - top) * width + x - left]! : 0;

test('pixels are covered by their share', () => {
  const mask = fillMask(edgesOf(square(0, 0, 1), 2.5, { x: 0.25, y: 0.5 }))!;
  assert.deepEqual([mask.left, mask.top, mask.width, mask.height], [0, -2, 3, 3]);
  const shares = [
    [0.75, 1, 0.75],
    [0.75, 1, 0.75],
    [0.375, 0.5, 0.375],
  ];
  for (const [row, all] of shares.entries())
    for (const [column, share] of all.entries())
      assert.equal(at(mask, column, row - 2), Math.floor(255 * share + 0.5), `${column} ${row}`);
});

test('slanted edges cover their area, in either direction', () => {
  const triangle = polygon([0, 0], [1, 0], [0, 1]);
  for (const outline of [triangle, turned(triangle)])
    for (const [size, x] of [
      [4, 0],
      [7.3, 0.25],
      [30, 0.5],
    ] as const) {
      const mask = fillMask(edgesOf(outline, size, { x, y: 0 }))!;
      const area = size ** 2 / 2;
      assert.ok(Math.abs(sum(mask) - area) < 0.005 * area, `${size}: ${sum(mask)}, not ${area}`);
    }
  const half = fillMask(edgesOf(triangle, 4, origin))!;
  for (let i = 0; i < 4; i++) {
    assert.equal(at(half, i, i - 4), 128);
    assert.equal(at(half, i, i - 3), i < 3 ? 255 : 0);
  }
});

test('flat slopes reach over many pixels of a row', () => {
  const mask = fillMask(edgesOf(polygon([0, 0], [1, 0], [1, 0.1]), 10, origin))!;
  for (let i = 0; i < 10; i++) assert.ok(Math.abs(at(mask, i, -1) - 25.5 * (i + 0.5)) <= 1, `${i}`);
});

test('holes stay empty, and overlaps are full', () => {
  const ring = [...square(0, 0, 1), ...turned(square(0.25, 0.25, 0.5))];
  const mask = fillMask(edgesOf(ring, 8, origin))!;
  assert.equal(sum(mask), 48);
  assert.equal(at(mask, 4, -4), 0);
  const twice = fillMask(edgesOf([...square(0, 0, 1), ...square(0.5, 0.5, 1)], 8, origin))!;
  assert.equal(sum(twice), 64 + 64 - 16);
});

test('curves are round', () => {
  const k = (4 / 3) * (Math.SQRT2 - 1);
  const cubic: Outline = [
    [3, 1, 0, 1, k, k, 1, 0, 1],
    [3, 0, 1, -k, 1, -1, k, -1, 0],
    [3, -1, 0, -1, -k, -k, -1, 0, -1],
    [3, 0, -1, k, -1, 1, -k, 1, 0],
  ].flat();
  for (const size of [3, 10, 100]) {
    const disc = sum(fillMask(edgesOf(cubic, size, origin))!);
    const area = Math.PI * size ** 2;
    assert.ok(Math.abs(disc / area - 1) < 0.01, `${size}: ${disc}, not ${area}`);
  }
  // A parabola covers a third of its box.
  const quadratic: Outline = [2, 0, 0, 0.5, 1, 1, 0, 1, 1, 0, 0, 0];
  assert.ok(Math.abs(sum(fillMask(edgesOf(quadratic, 40, origin))!) - 1600 / 3) < 2);
});

test('an empty outline and a too large one have no mask', () => {
  assert.equal(fillMask([]), undefined);
  assert.equal(fillMask(edgesOf(square(0, 0, 1), 3_000, origin)), undefined);
});

test('a halo reaches as far as its radius, round at corners', () => {
  const edges = edgesOf(square(0, 0, 1), 6, origin);
  const fill = fillMask(edges)!;
  for (const radius of [0.5, 1, 2, 3.5, 8]) {
    const halo = haloMask(edges, fill, radius)!;
    const area = 36 + 24 * radius + Math.PI * radius ** 2;
    assert.ok(Math.abs(sum(halo) / area - 1) < 0.03, `${radius}: ${sum(halo)}, not ${area}`);
    for (let y = -6; y < 0; y++) for (let x = 0; x < 6; x++) assert.equal(at(halo, x, y), 255);
    const share = Math.floor(255 * (radius % 1) + 0.5) % 256;
    assert.equal(at(halo, 6 + Math.floor(radius), -3), share);
  }
});

test('a halo begins at the edge, at any position within a pixel', () => {
  const edges = edgesOf(square(0, 0, 1), 6, { x: 0.6, y: 0 });
  const halo = haloMask(edges, fillMask(edges)!, 0.5)!;
  for (const [x, share] of Object.entries({ '-1': 0, 0: 0.9, 1: 1, 6: 1, 7: 0.1 }))
    assert.ok(Math.abs(at(halo, Number(x), -3) / 255 - share) < 0.005, `${x}: ${at(halo, Number(x), -3)}`);
});

test('a thin line has as wide a halo as a thick one', () => {
  const edges = edgesOf(polygon([0, 0], [0.04, 0], [0.04, 1], [0, 1]), 10, { x: 0.3, y: 0 });
  const halo = haloMask(edges, fillMask(edges)!, 2)!;
  const row = [-2, -1, 0, 1, 2, 3].reduce((all, x) => all + at(halo, x, -5), 0) / 255;
  assert.ok(Math.abs(row - 4.4) < 0.15, `${row}`);
});
