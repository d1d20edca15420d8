import assert from 'node:assert/strict';
import test from 'node:test';
import { quickPng } from './messages.js';
import { type PictureBox, pngFormat } from './tile-png.js';

/** A picture of 80 × 64 pixels, of which a tile of 64 × 64 is encoded. */
function tileOf(colorAt: (x: number, y: number) => readonly number[]): PictureBox {
  const words = new Int32Array(80 * 64);
  for (let i = 0; i < words.length; i++) {
    const [red = 0, green = 0, blue = 0, alpha = 255] = colorAt((i % 80) - 16, Math.floor(i / 80));
    words[i] = (alpha << 24) | (blue << 16) | (green << 8) | red;
  }
  return { words, stride: 80, x: 16, y: 0, width: 64, height: 64 };
}

/** Slowly changing colours with the noise of a camera. */
function photograph(alpha = 255) {
  let state = 1;
  const noise = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 16) % 12;
  };
  return (x: number, y: number) => [90 + x + noise(), 120 + y + noise(), 60 + noise(), alpha];
}

test('photographs are compressed in another way than maps', () => {
  const photo = `${quickPng}:f=sub:s=rle`;
  assert.equal(pngFormat(quickPng, tileOf(photograph())), `${photo}:t=0`);
  assert.equal(pngFormat(quickPng, tileOf(photograph(200))), photo);
  const areas = tileOf((x, y) => (x * x + y * y < 900 ? [200, 30, 30] : [x > 40 ? 80 : 90, 120, 90]));
  assert.equal(pngFormat(quickPng, areas), quickPng);
  assert.equal(
    pngFormat(
      quickPng,
      tileOf(() => [0, 0, 0, 0]),
    ),
    quickPng,
  );
});

test('a format that was chosen stays; what lies beside a tile does not count', () => {
  assert.equal(pngFormat('png8:m=h', tileOf(photograph())), 'png8:m=h');
  const colorAt = photograph();
  const beside = tileOf((x, y) => (x < 0 ? [1, 2, 3, 0] : colorAt(x, y)));
  assert.equal(pngFormat(quickPng, beside), `${quickPng}:f=sub:s=rle:t=0`);
  assert.equal(pngFormat(quickPng, { ...beside, x: 0, width: 16 }), quickPng);
});
