import assert from 'node:assert/strict';
import test from 'node:test';
import { tileExtent } from '@cartulary/geo';
import { encodeChunk, pixelAt, type SmallFeaturePass } from '@cartulary/renderer';
import { FeatureChunks, type FeatureChunksParts } from './chunks.js';
import type { SmallFeatureSource } from './source.js';

const bytes = encodeChunk({ kinds: [], slices: new Uint32Array(), features: new Uint32Array() });

/** Chunks of which each is in the tile cache. */
function keptChunks(): FeatureChunks {
  const caches = { keeps: true, tiles: { find: async () => ({ bytes }) } };
  return new FeatureChunks({ caches, db: {}, log: {} } as unknown as FeatureChunksParts);
}

test('a layer whose symbols do not fit is refused in its style and at its scale alone', async () => {
  const chunks = keptChunks();
  const extent = tileExtent(3, 4, 4);
  const source = {
    key: 'k',
    layerId: 1,
    level: 3,
    depth: 1,
    distinctions: [],
  } as unknown as SmallFeatureSource;
  const versions = [{ id: 1, version: 1 }];
  const passOf = (xmlKey: string, scale: number): SmallFeaturePass => ({
    ...{ kind: 'small-features', layerId: 1, reach: 4, xml: '', xmlKey, ratio: 1, chunks: [] },
    ...{ pixel: pixelAt(3) / scale, blending: 'src-over' },
  });
  const isFilled = async (...above: SmallFeaturePass[]): Promise<boolean> =>
    (await chunks.fill(above, [source], { extent, height: 256, width: 256, versions })) !== undefined;
  const [icons, other, retina] = [passOf('icons', 1), passOf('other', 1), passOf('icons', 2)];
  assert.ok(await isFilled(icons, other));
  chunks.refuse([retina], 2);
  assert.ok(await isFilled(retina));
  chunks.refuse([retina], 1);
  assert.deepEqual(
    [await isFilled(icons), await isFilled(other), await isFilled(retina), await isFilled(other, retina)],
    [true, true, false, false],
  );
});
