import assert from 'node:assert/strict';
import test from 'node:test';
import type { MapnikImage } from '../mapnik.js';
import { type SheetRequest, SpriteStore } from './sprite-store.js';

const style = { layerId: 1, pixel: 1, reach: 40, xml: 'small-features:features', xmlKey: 'x' };
const kind = { dimension: 0, properties: {}, look: '' };

/** A store whose sheets show symbols that reach some pixels around the middle of each cell, and the widths and numbers of sprites of its sheets. */
function storeOf(reach: number): { store: SpriteStore; widths: number[]; sizes: number[] } {
  const widths: number[] = [];
  const sizes: number[] = [];
  const draw = async ({ width, height, xml }: SheetRequest): Promise<MapnikImage> => {
    widths.push(width);
    sizes.push(xml.split('&quot;Feature&quot;').length - 1);
    const cell = width / 16;
    const pixels = new Uint8Array(4 * width * height);
    for (let i = 0; i < width * height; i++) {
      const [x, y] = [((i % width) % cell) - cell / 2, Math.floor(i / width) - cell / 2];
      if (Math.abs(x) < reach && Math.abs(y) < reach) pixels[4 * i + 3] = 255;
    }
    const image = { premultiplySync: () => {}, data: () => pixels };
    return image as unknown as MapnikImage;
  };
  return { store: new SpriteStore(draw), widths, sizes };
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
  await assert.rejects(storeOf(60).store.get(style, [kind], { scale: 1 }), /layer 1 are too large/);
  assert.equal((await storeOf(20).store.get(style, [kind], { scale: 1 })).length, 1);
});

test('of many sprites only those that a picture needs are drawn, each once; of few all', async () => {
  const { store, sizes } = storeOf(2);
  const lines = Array.from({ length: 3 }, (_, i) => ({ dimension: 1, properties: {}, look: `${i}` }));
  const needed = (...numbers: number[]): Uint8Array[] =>
    lines.map(() => {
      const marks = new Uint8Array(2_048);
      for (const number of numbers) marks[number] = 1;
      return marks;
    });
  const ask = (...numbers: number[]) =>
    store.get({ ...style, reach: 4 }, lines, { scale: 1, needed: () => needed(...numbers) });
  const first = await ask(0, 17);
  assert.deepEqual(
    [0, 1, 17].map((number) => first[2]!.frames[4 * number + 2]! > 0),
    [true, false, true],
  );
  const second = await ask(0, 1, 17);
  assert.deepEqual(
    [0, 1, 17].map((number) => second[2]!.frames[4 * number + 2]! > 0),
    [true, true, true],
  );
  assert.deepEqual(sizes, [6, 3], 'sprites of the two sheets');
  await store.get({ ...style, reach: 4 }, lines.slice(1), { scale: 1 });
  await ask(2);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    3 * 1_568,
    'the sprites of two kinds, then those of the first',
  );
});

test('too many kinds, and too many sprites, are refused before any is drawn', async () => {
  const { store, sizes } = storeOf(2);
  const kindsOf = (count: number, dimension: number) =>
    Array.from({ length: count }, (_, i) => ({ dimension, properties: {}, look: `${i}` }));
  await assert.rejects(store.get(style, kindsOf(257, 0), { scale: 1 }), /too many/);
  await assert.rejects(store.get(style, kindsOf(26, 1), { scale: 1 }), /too many/);
  assert.deepEqual(sizes, []);
});

test('large sprites: only those that a picture needs are drawn, and too many pixels are refused', async () => {
  const { store, sizes } = storeOf(2);
  const line = { dimension: 1, properties: {}, look: '' };
  const needed = (count: number) => (): Uint8Array[] => [new Uint8Array(2_048).fill(1, 0, count)];
  await store.get(style, [line], { scale: 1, needed: needed(2) });
  assert.deepEqual(sizes, [2], 'all would have more than 4,000,000 pixels');
  const large = { ...style, reach: 100 };
  await assert.rejects(store.get(large, [line], { scale: 1, needed: needed(2_048) }), /too large/);
  await store.get(large, [line], { scale: 1, needed: needed(16) });
  assert.deepEqual(sizes, [2, 16]);
});
