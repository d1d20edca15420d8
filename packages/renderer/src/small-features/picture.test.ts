import assert from 'node:assert/strict';
import test from 'node:test';
import {
  chunkColumn,
  chunkKind,
  chunkRow,
  chunkShape,
  chunksIn,
  decodeChunk,
  encodeChunk,
  withKind,
} from './chunk.js';
import type { Sprites } from './cut-sprites.js';
import { drawSmallFeatures, type PlacedChunk } from './picture.js';
import { scaledShapes, spriteNumber } from './sprites.js';

/** A sprite of one pixel for features of shape 0 in the first position within a pixel. */
function onePixel(color: number): Sprites {
  const frames = new Int16Array(4 * (spriteNumber(127, 3, 3) + 1));
  frames.set([0, 0, 1, 1], 4 * spriteNumber(0, 0, 0));
  return { frames, starts: new Uint32Array(frames.length / 4), pixels: Int32Array.of(color) };
}

/** A chunk of one feature, with its corner in the picture. */
const oneFeature = (color: number, corner: { x: number; y: number }, slice = 0): PlacedChunk => ({
  slices: Uint32Array.of(slice, 1),
  features: Uint32Array.of(0),
  sprites: [onePixel(color)],
  corner,
});

const channels = (word: number): number[] => [0, 8, 16, 24].map((shift) => (word >>> shift) & 255);
const word = (parts: readonly number[]): number =>
  parts.reduce((sum, part, i) => (sum | (part << (8 * i))) >>> 0, 0);

test('a sprite is drawn over the picture, each channel to the rounded value', () => {
  for (let alpha = 0; alpha < 256; alpha += 5) {
    for (let below = 0; below < 256; below += 3) {
      const above = [alpha, Math.floor(alpha / 2), 0, alpha];
      const ground = [below, 255 - below, 128, 255];
      const words = Uint32Array.of(word(ground));
      drawSmallFeatures({ words, width: 1, height: 1 }, 1, [oneFeature(word(above), { x: 0, y: 0 })]);
      const expected = ground.map((value, i) => above[i]! + Math.round((value * (255 - alpha)) / 255));
      assert.deepEqual(channels(words[0]!), expected, `${alpha} over ${below}`);
    }
  }
});

test('later features lie above earlier ones, across chunks', () => {
  const [red, blue] = [word([255, 0, 0, 255]), word([0, 0, 255, 255])];
  const corner = { x: 0, y: 0 };
  for (const [first, second, above] of [
    [0, 1, blue],
    [1, 0, red],
    [70_000, 70_000, blue],
  ] as const) {
    const words = new Uint32Array(1);
    drawSmallFeatures({ words, width: 1, height: 1 }, 1, [
      oneFeature(red, corner, first),
      oneFeature(blue, corner, second),
    ]);
    assert.equal(words[0], above);
  }
});

test('features outside of the picture are clipped, without wrapping around', () => {
  const red = word([255, 0, 0, 255]);
  for (const [corner, painted] of [
    [{ x: -1, y: 0 }, -1],
    [{ x: 3, y: 1 }, -1],
    [{ x: 1, y: -1 }, -1],
    [{ x: 1, y: 2 }, -1],
    [{ x: 2, y: 1 }, 5],
  ] as const) {
    const words = new Uint32Array(6);
    drawSmallFeatures({ words, width: 3, height: 2 }, 1, [oneFeature(red, corner)]);
    assert.equal(words.indexOf(red), painted, JSON.stringify(corner));
  }
});

/** Sprites of a disk of 9 pixels, at all places within a pixel. */
function disk(color: readonly [number, number, number], alpha: number): Sprites {
  const count = spriteNumber(127, 3, 3) + 1;
  const pixels = Array.from({ length: 81 }, (_, i) => {
    const far = Math.hypot((i % 9) - 4, Math.floor(i / 9) - 4);
    const part = alpha * Math.max(0, Math.min(1, 4.5 - far));
    return word([...color.map((value) => Math.round(value * part)), Math.round(255 * part)]);
  });
  const frames = new Int16Array(4 * count);
  for (let i = 0; i < count; i++) frames.set([-4, -4, 9, 9], 4 * i);
  return { frames, starts: new Uint32Array(count), pixels: Int32Array.from(pixels) };
}

for (const alpha of [1, 0.5, 0.1])
  test(`many sprites look as if each was drawn over the one before: opacity ${alpha}`, () => {
    const sprites = [disk([255, 0, 0], alpha), disk([0, 255, 0], alpha), disk([0, 40, 255], alpha)];
    let state = 5;
    const next = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const features = Uint32Array.from({ length: 900 }, () =>
      withKind((next(200) | (next(200) << 9)) >>> 0, next(sprites.length)),
    );
    const size = { width: 44, height: 38 };
    const ground = Uint32Array.from({ length: size.width * size.height }, (_, i) =>
      word(i % 3 ? [10, 200, 90, 255] : [0, 0, 0, 0]),
    );
    const corner = { x: -3, y: -2 };
    const slicesOf = (count: number) => Uint32Array.of(0, count / 2, 7, count / 2);
    const together = { ...size, words: ground.slice() };
    drawSmallFeatures(together, 1, [{ slices: slicesOf(900), features, sprites, corner }]);
    const apart = { ...size, words: ground.slice() };
    for (const feature of features)
      drawSmallFeatures(apart, 1, [
        { slices: Uint32Array.of(0, 1), features: Uint32Array.of(feature), sprites, corner },
      ]);
    const far = [...together.words].flatMap((one, i) =>
      channels(one).map((value, k) => Math.abs(value - channels(apart.words[i]!)[k]!)),
    );
    assert.ok(Math.max(...far) <= 6, `differs by ${Math.max(...far)}`);
    assert.notDeepEqual(together.words, ground);
  });

test('a chunk of a deeper level: places and sides become smaller, and no side becomes nothing', () => {
  const red = word([255, 0, 0, 255]);
  // Column of the feature, corner of the chunk, ratio; the pixel that is painted: -1 where another sprite would be drawn.
  for (const [column, corner, ratio, painted] of [
    [4, 0, 1, 1],
    [8, 0, 0.5, 1],
    [10, 0, 0.5, -1],
    [0, 1, 0.6, 1],
    [5, 0.1, 0.7, 1],
    [16, -1.1, 0.55, 1],
  ] as const) {
    const words = new Uint32Array(4);
    const chunk = { ...oneFeature(red, { x: corner, y: 0 }), features: Uint32Array.of(column) };
    drawSmallFeatures({ words, width: 4, height: 1 }, ratio, [chunk]);
    assert.equal(words.indexOf(red), painted, `${column} ${corner} ${ratio}`);
  }
  assert.deepEqual(
    scaledShapes(1),
    Array.from({ length: 128 }, (_, code) => code),
  );
  const wide = 6 | (1 << 3) | 64;
  assert.equal(scaledShapes(0.55)[wide], 3 | (1 << 3) | 64);
  assert.equal(scaledShapes(0.6)[0], 0);
});

test('a decoded chunk equals the encoded one, at any byte offset', () => {
  const kinds = [{ dimension: 2, properties: { name: 'Ё "漢"', n: 1.5, none: null }, look: '[true,"漢"]' }];
  const feature = withKind(511 | (300 << 9) | (100 << 18), 127);
  const bytes = encodeChunk({ kinds, slices: Uint32Array.of(7, 2), features: Uint32Array.of(feature, 0) });
  for (let shift = 0; shift < 4; shift++) {
    const shifted = new Uint8Array(bytes.length + shift).subarray(shift);
    shifted.set(bytes);
    const read = decodeChunk(shifted);
    assert.deepEqual(read.kinds, kinds);
    assert.deepEqual([...read.slices], [7, 2]);
    assert.deepEqual([...read.features], [feature, 0]);
  }
  assert.deepEqual(
    [chunkColumn(feature), chunkRow(feature), chunkShape(feature), chunkKind(feature)],
    [511, 300, 100, 127],
  );
});

test('the chunks of a tile include those whose symbols reach into it', () => {
  const side = 20_037_508.342789244;
  const places = chunksIn({ level: 0, depth: 1 }, [-side, -side, side, side], 3).map(
    ({ column, row }) => `${column},${row}`,
  );
  assert.equal(places.length, 16, places.join(' '));
  assert.equal(places[0], '-1,-1');
  assert.equal(places.at(-1), '2,2');
});
