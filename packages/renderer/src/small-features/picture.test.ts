import assert from 'node:assert/strict';
import test from 'node:test';
import { chunksIn, columnOf, decodeChunk, encodeChunk, kindOf, rowOf, shapeOf, withKind } from './chunk.js';
import { drawSpecks, type PlacedChunk, type Stamps } from './speck-picture.js';
import { splitsNobody } from './specked-part.js';
import { stampNumber } from './stamps.js';

/** A stamp of one pixel for specks of the shape 0 in the first place of a pixel. */
function onePixel(color: number): Stamps {
  const frames = new Int16Array(4 * (stampNumber(127, 3, 3) + 1));
  frames.set([0, 0, 1, 1], 4 * stampNumber(0, 0, 0));
  return { frames, starts: new Uint32Array(frames.length / 4), pixels: Uint32Array.of(color) };
}

/** A chunk of one speck of a slice, with its corner in the picture. */
const oneSpeck = (color: number, corner: { x: number; y: number }, slice = 0): PlacedChunk => ({
  slices: Uint32Array.of(slice, 1),
  specks: Uint32Array.of(0),
  stamps: [onePixel(color)],
  corner,
});

const channels = (word: number): number[] => [0, 8, 16, 24].map((shift) => (word >>> shift) & 255);
const word = (parts: readonly number[]): number =>
  parts.reduce((sum, part, i) => (sum | (part << (8 * i))) >>> 0, 0);

test('a stamp lies over what is there, each channel to the rounded value', () => {
  for (let alpha = 0; alpha < 256; alpha += 5) {
    for (let below = 0; below < 256; below += 3) {
      const above = [alpha, Math.floor(alpha / 2), 0, alpha];
      const ground = [below, 255 - below, 128, 255];
      const words = Uint32Array.of(word(ground));
      drawSpecks({ words, width: 1, height: 1 }, [oneSpeck(word(above), { x: 0, y: 0 })]);
      const expected = ground.map((value, i) => above[i]! + Math.round((value * (255 - alpha)) / 255));
      assert.deepEqual(channels(words[0]!), expected, `${alpha} over ${below}`);
    }
  }
});

test('what comes later lies above, in whatever chunk it is', () => {
  const [red, blue] = [word([255, 0, 0, 255]), word([0, 0, 255, 255])];
  const corner = { x: 0, y: 0 };
  for (const [first, second, above] of [
    [0, 1, blue],
    [1, 0, red],
    [70_000, 70_000, blue],
  ] as const) {
    const words = new Uint32Array(1);
    drawSpecks({ words, width: 1, height: 1 }, [
      oneSpeck(red, corner, first),
      oneSpeck(blue, corner, second),
    ]);
    assert.equal(words[0], above);
  }
});

test('what lies outside of the picture is not drawn, nor on its other side', () => {
  const red = word([255, 0, 0, 255]);
  for (const [corner, painted] of [
    [{ x: -1, y: 0 }, -1],
    [{ x: 3, y: 1 }, -1],
    [{ x: 1, y: -1 }, -1],
    [{ x: 1, y: 2 }, -1],
    [{ x: 2, y: 1 }, 5],
  ] as const) {
    const words = new Uint32Array(6);
    drawSpecks({ words, width: 3, height: 2 }, [oneSpeck(red, corner)]);
    assert.equal(words.indexOf(red), painted, JSON.stringify(corner));
  }
});

test('a chunk is read as it was written, wherever its bytes lie', () => {
  const kinds = [{ dimension: 2, properties: { name: 'Ё "漢"', n: 1.5, none: null } }];
  const speck = withKind(511 | (300 << 9) | (100 << 18), 127);
  const bytes = encodeChunk({ kinds, slices: Uint32Array.of(7, 2), specks: Uint32Array.of(speck, 0) });
  for (let shift = 0; shift < 4; shift++) {
    const shifted = new Uint8Array(bytes.length + shift).subarray(shift);
    shifted.set(bytes);
    const read = decodeChunk(shifted);
    assert.deepEqual(read.kinds, kinds);
    assert.deepEqual([...read.slices], [7, 2]);
    assert.deepEqual([...read.specks], [speck, 0]);
  }
  assert.deepEqual([columnOf(speck), rowOf(speck), shapeOf(speck), kindOf(speck)], [511, 300, 100, 127]);
});

test('the chunks of a tile are those in it and those from which something reaches into it', () => {
  const side = 20_037_508.342789244;
  const places = chunksIn({ level: 0, depth: 1 }, [-side, -side, side, side], 3).map(
    ({ column, row }) => `${column},${row}`,
  );
  assert.equal(places.length, 16, places.join(' '));
  assert.equal(places[0], '-1,-1');
  assert.equal(places.at(-1), '2,2');
});

test('a map is not divided between labels that avoid each other', () => {
  const part = { id: 1, reads: 2, claims: false } as const;
  const label = { id: 2, reads: 'block', claims: true } as const;
  assert.equal(splitsNobody([part, part], 0), true);
  assert.equal(splitsNobody([label, part], 1), true);
  assert.equal(splitsNobody([part, label], 0), true);
  assert.equal(splitsNobody([label, part, label], 1), false);
});
