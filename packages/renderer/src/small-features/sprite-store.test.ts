import assert from 'node:assert/strict';
import test from 'node:test';
import type { MapnikImage } from '../mapnik.js';
import { type SheetRequest, SpriteStore } from './sprite-store.js';

const style = { layerId: 1, pixel: 1, reach: 40, xml: 'small-features:features', xmlKey: 'x' };
const kind = { dimension: 0, properties: {}, look: '' };

/** A store whose sheets show symbols that reach some pixels around the middle of each cell, and the widths of its sheets. */
function storeOf(reach: number): { store: SpriteStore; widths: number[] } {
  const widths: number[] = [];
  const draw = async ({ width, height }: SheetRequest): Promise<MapnikImage> => {
    widths.push(width);
    const cell = width / 16;
    const pixels = new Uint8Array(4 * width * height);
    for (let i = 0; i < width * height; i++) {
      const [x, y] = [((i % width) % cell) - cell / 2, Math.floor(i / width) - cell / 2];
      if (Math.abs(x) < reach && Math.abs(y) < reach) pixels[4 * i + 3] = 255;
    }
    const image = { premultiplySync: () => {}, data: () => pixels };
    return image as unknown as MapnikImage;
  };
  return { store: new SpriteStore(draw), widths };
}

test('cells grow until a symbol fits, up to a limit at which it is cut', async () => {
  const fitting = storeOf(60);
  const sprites = await fitting.store.pointSprites(style, 1);
  assert.deepEqual([fitting.widths, sprites.frames[2]], [[16 * 82, 16 * 162], 119]);
  await fitting.store.pointSprites(style, 1);
  assert.equal(fitting.widths.length, 2, 'the next picture draws no sheet');
  const large = storeOf(900);
  const cut = await large.store.pointSprites(style, 1);
  assert.deepEqual([large.widths.at(-1), cut.frames[2]], [16 * 514, 514]);
});

test('symbols that must fit are refused where they do not', async () => {
  await assert.rejects(storeOf(60).store.get(style, [kind], 1), /layer 1 are too large/);
  assert.equal((await storeOf(20).store.get(style, [kind], 1)).length, 1);
});
