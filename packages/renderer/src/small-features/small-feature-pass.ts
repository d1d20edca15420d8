import type { MapnikImage } from '../mapnik.js';
import type { SmallFeaturePass } from '../messages.js';
import { decodeChunk, type SmallFeatureKind } from './chunk.js';
import { chunkRowsIn } from './chunk-rows.js';
import { drawSmallFeatures, markNeeded, type PlacedChunk } from './picture.js';
import { pixelsIn } from './pixels.js';
import type { SpriteStore } from './sprite-store.js';
import { spriteNumbers } from './sprites.js';

/** Draws the chunks of a pass over a picture. Throws `SpritesImpossible`. Chunks come row by row, so all pictures of a level have the same drawing order. */
export async function drawSmallFeaturePass(
  pass: SmallFeaturePass,
  picture: { image: MapnikImage; pixels: Uint8Array; width: number; height: number },
  scale: number,
  store: SpriteStore,
): Promise<void> {
  const rowsAt = pass.rows && chunkRowsIn(pass.rows, pass.ratio);
  const chunks = pass.chunks.map(({ bytes, ...corner }) => ({
    ...decodeChunk(bytes),
    corner,
    rows: rowsAt?.(corner.y),
  }));
  const keyOf = ({ dimension, look }: SmallFeatureKind): string => `${dimension} ${look}`;
  const kinds = new Map(chunks.flatMap((chunk) => chunk.kinds.map((kind) => [keyOf(kind), kind] as const)));
  const byKind = <OfKind>(all: readonly OfKind[]): PlacedChunk<OfKind>[] => {
    const found = new Map([...kinds.keys()].map((key, i) => [key, all[i]!]));
    return chunks.map((chunk) => ({
      ...chunk,
      sprites: chunk.kinds.map((kind) => found.get(keyOf(kind))!),
    }));
  };
  const needed = (): Uint8Array[] => {
    const marks = Array.from(kinds, () => new Uint8Array(spriteNumbers));
    markNeeded(pass.ratio, byKind(marks));
    return marks;
  };
  const sprites = await store.get(pass, [...kinds.values()], { scale, needed });
  const { image, width, height } = picture;
  image.premultiplySync();
  drawSmallFeatures(pixelsIn(picture.pixels, width, height), pass.ratio, byKind(sprites), pass.blending);
  image.demultiplySync();
}
