import assert from 'node:assert/strict';
import test from 'node:test';
import type { Rgba } from '../messages.js';
import { blendCanvas, blendMask, onCanvas, paintOf } from './blend.js';
import { packMask } from './packed-mask.js';

/** Blends a colour over one pixel. */
function over(below: readonly number[], color: Rgba, cover: number): number[] {
  const pixels = Uint8Array.from(below);
  const mask = packMask({ left: 0, top: 0, width: 1, height: 1, cover: Uint8Array.of(cover) })!;
  onCanvas({ width: 1, height: 1, pixels }, (canvas) => blendMask(canvas, mask, 0, 0, paintOf(color)));
  return [...pixels];
}

test('colours are blended by alpha over opaque and transparent pixels', () => {
  for (const alphaBelow of [255, 254, 100, 0])
    for (let cover = 0; cover < 256; cover += 5)
      for (const opacity of [1, 0.5]) {
        const [red, green, blue, alpha] = over([200, 3, 90, alphaBelow], [10, 250, 90, opacity], cover);
        const share = (cover / 255) * opacity;
        const left = (alphaBelow / 255) * (1 - share);
        const said = `${alphaBelow} ${cover} ${opacity}: ${[red, green, blue, alpha]}`;
        assert.ok(Math.abs(alpha! - 255 * (share + left)) <= 1.5, said);
        if (share + left === 0) continue;
        // With low alpha, colours are as coarse as the alpha.
        const close = 1.5 + 255 / (255 * (share + left));
        const mixed = (a: number, b: number): number => (a * share + b * left) / (share + left);
        assert.ok(Math.abs(red! - mixed(10, 200)) <= close, said);
        assert.ok(Math.abs(green! - mixed(250, 3)) <= close, said);
        assert.equal(blue, 90, said);
      }
});

test('full coverage gives the colour, no coverage changes nothing', () => {
  for (const below of [
    [1, 2, 3, 255],
    [1, 2, 3, 77],
    [1, 2, 3, 0],
  ]) {
    assert.deepEqual(over(below, [9, 8, 7, 1], 255), [9, 8, 7, 255]);
    assert.deepEqual(over(below, [9, 8, 7, 1], 0), below);
    assert.deepEqual(over(below, [9, 8, 7, 0], 255), below);
  }
});

test('pixels that are not aligned to words can be drawn on', () => {
  const all = new Uint8Array(4 * 4 + 1);
  const pixels = all.subarray(1);
  const mask = packMask({ left: -1, top: 0, width: 2, height: 1, cover: Uint8Array.of(255, 128) })!;
  onCanvas({ width: 2, height: 2, pixels }, (canvas) => blendMask(canvas, mask, 1, 1, paintOf([1, 2, 3, 1])));
  assert.deepEqual([...pixels], [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 255, 1, 2, 3, 128]);
});

test('a canvas is blended with an opacity over another', () => {
  const over = (below: readonly number[], above: readonly number[], opacity: number): number[] => {
    const [under, upper] = [below, above].map((pixels) => ({
      width: 1,
      height: 1,
      words: new Int32Array(Uint8Array.from(pixels).buffer),
    }));
    blendCanvas(under!, upper!, opacity);
    return [...new Uint8Array(under!.words.buffer)];
  };
  for (const [below, above, opacity, blended] of [
    [[0, 0, 0, 255], [200, 100, 50, 255], 1, [200, 100, 50, 255]],
    [[0, 0, 0, 255], [200, 100, 50, 255], 0.5, [100, 50, 25, 255]],
    [[0, 0, 0, 255], [200, 100, 50, 128], 0.5, [50, 25, 13, 255]],
    [[9, 9, 9, 0], [200, 100, 50, 255], 0.25, [200, 100, 50, 64]],
    [[9, 8, 7, 99], [200, 100, 50, 0], 1, [9, 8, 7, 99]],
  ] as const) {
    const found = over(below, above, opacity);
    assert.ok(
      found.every((value, i) => Math.abs(value - blended[i]!) <= 1),
      `${found}, not ${blended}`,
    );
  }
});
