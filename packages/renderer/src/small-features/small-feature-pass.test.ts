import assert from 'node:assert/strict';
import test from 'node:test';
import type { MapnikImage } from '../mapnik.js';
import type { SmallFeaturePass } from '../messages.js';
import { encodeChunk } from './chunk.js';
import { drawSmallFeaturePass } from './small-feature-pass.js';
import { type SheetRequest, SpriteStore } from './sprite-store.js';

/** A picture whose pixels a test may look at. */
function imageOf(width: number, height: number): { image: MapnikImage; pixels: Uint8Array } {
  const pixels = new Uint8Array(4 * width * height);
  const image = { premultiplySync: () => {}, demultiplySync: () => {}, data: () => pixels };
  return { image: image as unknown as MapnikImage, pixels };
}

test('kinds that look alike share their sprites, whatever values their samples have', async () => {
  const sheets: SheetRequest[] = [];
  const store = new SpriteStore(async (sheet) => {
    sheets.push(sheet);
    return imageOf(sheet.width, sheet.height).image;
  });
  const chunkOf = (n: number, look: string) => ({
    bytes: encodeChunk({
      kinds: [{ dimension: 0, properties: { n }, look }],
      slices: Uint32Array.of(0, 1),
      features: Uint32Array.of(0),
    }),
    ...{ x: 0, y: 0 },
  });
  const drawn = async (...chunks: SmallFeaturePass['chunks'][number][]): Promise<number> => {
    const pass: SmallFeaturePass = {
      ...{ kind: 'small-features', layerId: 1, pixel: 1, reach: 2, ratio: 1, blending: 'src-over' },
      ...{ xml: 'small-features:features', xmlKey: 'x', chunks },
    };
    const before = sheets.length;
    await drawSmallFeaturePass(pass, { ...imageOf(8, 8), width: 8, height: 8 }, 1, store);
    return sheets.length === before
      ? 0
      : JSON.parse(sheets.at(-1)!.xml.replaceAll('&quot;', '"')).features.length / 16;
  };
  assert.equal(await drawn(chunkOf(7, '[true]'), chunkOf(9, '[true]'), chunkOf(1, '[false]')), 2);
  assert.equal(await drawn(chunkOf(8, '[true]')), 0);
  assert.equal(await drawn(chunkOf(8, '[null]')), 1);
});
