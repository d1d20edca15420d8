import assert from 'node:assert/strict';
import test from 'node:test';
import type { Sprites } from '../small-features/cut-sprites.js';
import { spriteNumber } from '../small-features/sprites.js';
import type { Canvas } from './blend.js';
import { claimedMarker, placeMarkers } from './marker.js';
import { noPlaces } from './places.js';

const word = (red: number, green: number, blue: number, alpha: number): number =>
  (alpha << 24) | (blue << 16) | (green << 8) | red;

/** Sprites of 3 × 2 pixels of one premultiplied colour around the pixel of the point: of a marker of 2 × 1 pixels. */
function spritesOf(color: number): Sprites {
  const count = spriteNumber(0, 3, 3) + 1;
  return {
    frames: Int16Array.from({ length: 4 * count }, (_, i) => [-1, -1, 3, 2][i % 4]!),
    starts: new Uint32Array(count),
    pixels: new Int32Array(6).fill(color),
  };
}

const canvasOf = (color: number): Canvas => ({ width: 8, height: 8, words: new Int32Array(64).fill(color) });

const claim = { isAfterLabel: false, avoidsOthers: true };

test('a marker is drawn where its place is free, as large as its sprite, and clipped', () => {
  const canvas = canvasOf(0);
  const red = word(255, 0, 0, 255);
  const marker = claimedMarker(claim, 1, spritesOf(red));
  assert.deepEqual([marker.width, marker.height], [2, 1]);
  const sheet = { canvas, taken: noPlaces() };
  placeMarkers(sheet, [[4.5, 4.5]], marker);
  placeMarkers(sheet, [[6.4, 4.5]], marker);
  placeMarkers(sheet, [[0.5, 0.5]], marker);
  const drawn = Array.from(canvas.words, (one, i) => (one === red ? [i % 8, Math.floor(i / 8)] : [])).filter(
    ({ length }) => length,
  );
  const inside = [3, 4].flatMap((y) => [3, 4, 5].map((x) => [x, y]));
  assert.deepEqual(drawn, [[0, 0], [1, 0], ...inside]);
});

test('the place of a marker is as large as the marker, not as the pixels that it touches', () => {
  const sizeOf = (left: number, right: number): number => {
    const frames = new Int16Array(4 * (spriteNumber(0, 3, 3) + 1));
    for (let i = 0; i < 16; i++) {
      const at = ((i % 4) + 0.5) / 4;
      const [from, to] = [Math.floor(at + left), Math.ceil(at + right)];
      frames.set([from, -1, to - from, 2], 4 * spriteNumber(0, i % 4, Math.floor(i / 4)));
    }
    return claimedMarker(claim, 1, { ...spritesOf(-1), frames }).width;
  };
  assert.equal(sizeOf(-8, 8), 16);
  assert.equal(sizeOf(0, 0), 0);
  for (const half of [2.3, 7.5, 7.6, 12.95]) assert.ok(Math.abs(sizeOf(-half, half) - 2 * half) <= 0.25);
});

test('a marker that may overlap others takes its place, and is not drawn again', () => {
  const canvas = canvasOf(0);
  const free = claimedMarker({ ...claim, size: { width: 4, height: 4 }, avoidsOthers: false }, 2, undefined);
  const sheet = { canvas, taken: noPlaces() };
  placeMarkers(sheet, [[2, 2]], free);
  placeMarkers(
    sheet,
    [[5.9, 2]],
    claimedMarker({ ...claim, size: { width: 0, height: 0 } }, 1, spritesOf(-1)),
  );
  assert.ok(canvas.words.every((one) => one === 0));
});

test('half transparent markers are blended with what is below, opaque or not', () => {
  // Half of white, premultiplied.
  const marker = claimedMarker(claim, 1, spritesOf(word(128, 128, 128, 128)));
  const over = (below: number): number[] => {
    const canvas = canvasOf(below);
    placeMarkers({ canvas, taken: noPlaces() }, [[4.5, 4.5]], marker);
    const at = canvas.words[4 * 8 + 4]!;
    return [at & 255, (at >>> 8) & 255, (at >>> 16) & 255, at >>> 24];
  };
  assert.deepEqual(over(word(0, 0, 0, 255)), [128, 128, 128, 255]);
  assert.deepEqual(over(word(9, 9, 9, 0)), [255, 255, 255, 128]);
  // Alpha: 128 + 128 × 127 / 255. Red: white and black by their shares of it.
  assert.deepEqual(over(word(0, 0, 0, 128)), [170, 170, 170, 192]);
});
