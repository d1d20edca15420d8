import { LRUCache } from 'lru-cache';
import type { MapnikImage } from '../mapnik.js';
import type { SpeckPass } from '../messages.js';
import { xmlText } from '../xml-text.js';
import { decodeChunk, type SpeckKind } from './chunk.js';
import { cutStamps, drawSpecks, type Pixels, type Stamps } from './speck-picture.js';
import { featuresToken, mostPixels, sheetOf } from './stamps.js';

/** Pixels of a sheet, about: more kinds are drawn on several. */
const onSheet = 4_000_000;

/** Stamps that were drawn, by map and kind: 16 MiB. */
const known = new LRUCache<string, Stamps>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: ({ frames, starts, pixels }) =>
    frames.byteLength + starts.byteLength + pixels.byteLength + 500,
});

/** Draws a map of stamps; the extent in metres of EPSG:3857. */
type DrawSheet = (
  size: { width: number; height: number },
  xml: string,
  extent: number[],
) => Promise<MapnikImage>;

/** Draws the chunks of a pass over a picture. They come row by row, so what they show lies in the same order in all pictures of a level. */
export async function drawChunks(
  pass: SpeckPass,
  picture: { image: MapnikImage; pixels: Uint8Array; width: number; height: number },
  drawSheet: DrawSheet,
): Promise<void> {
  const chunks = pass.chunks.map(({ bytes, ...corner }) => ({ ...decodeChunk(bytes), corner }));
  const keyOf = (kind: SpeckKind): string =>
    `${pass.xmlKey} ${pass.reach} ${pass.pixel} ${JSON.stringify(kind)}`;
  const kinds = new Map(chunks.flatMap((chunk) => chunk.kinds.map((kind) => [keyOf(kind), kind] as const)));
  const stamps = await stampsOf(pass, kinds, drawSheet);
  const { image, width, height } = picture;
  image.premultiplySync();
  const pixels = pixelsOf(picture.pixels, width, height);
  drawSpecks(
    pixels,
    chunks.map((chunk) => ({ ...chunk, stamps: chunk.kinds.map((kind) => stamps.get(keyOf(kind))!) })),
  );
  image.demultiplySync();
}

const pixelsOf = (bytes: Uint8Array, width: number, height: number): Pixels => ({
  words: new Uint32Array(bytes.buffer, bytes.byteOffset, width * height),
  width,
  height,
});

/** The stamps of kinds by their keys; those that are lacking are drawn. */
async function stampsOf(
  pass: SpeckPass,
  kinds: ReadonlyMap<string, SpeckKind>,
  drawSheet: DrawSheet,
): Promise<Map<string, Stamps>> {
  const found = new Map([...kinds.keys()].map((key) => [key, known.get(key)]));
  const lacking = [...kinds].filter(([key]) => !found.get(key));
  const together = Math.max(1, Math.floor(onSheet / mostPixels(pass.reach)));
  for (let i = 0; i < lacking.length; i += together) {
    const some = lacking.slice(i, i + together);
    const sheet = sheetOf(
      some.map(([, kind]) => kind),
      pass.reach,
      pass.pixel,
    );
    const xml = pass.xml.replace(featuresToken, () => xmlText(sheet.features));
    const { width, height } = sheet;
    const image = await drawSheet(sheet, xml, [0, 0, width * pass.pixel, height * pass.pixel]);
    image.premultiplySync();
    const cut = cutStamps(sheet, pixelsOf(image.data(), width, height), some.length);
    for (const [k, [key]] of some.entries()) {
      known.set(key, cut[k]!);
      found.set(key, cut[k]!);
    }
  }
  return found as Map<string, Stamps>;
}
