import { LRUCache } from 'lru-cache';
import type { MapnikImage } from '../mapnik.js';
import { quickPng, type WorkerOptions } from '../messages.js';
import { encodePng } from './encode.js';
import type { PicturePart, WordPicture } from './filter.js';

/** Encodes the tiles of a picture as PNG, and chooses between the fast paths and Mapnik. */
export class TileEncoder {
  readonly #options: Pick<WorkerOptions, 'fastPng' | 'fastSolidTiles'>;
  /** Tiles of one colour by colour, size and format: a quarter of the tiles of a map is sea. */
  readonly #solids = new LRUCache<string, Buffer>({ max: 100 });

  constructor(options: Pick<WorkerOptions, 'fastPng' | 'fastSolidTiles'>) {
    this.#options = options;
  }

  async encode(
    sheet: WordPicture & { image: MapnikImage },
    part: PicturePart,
    format: string,
  ): Promise<Buffer> {
    const color = this.#options.fastSolidTiles ? solidColor(sheet, part) : undefined;
    const solid = color === undefined ? undefined : `${color}/${part.width}/${part.height}/${format}`;
    const known = solid && this.#solids.get(solid);
    if (known) return known;
    const fast = this.#options.fastPng && format === quickPng ? encodePng(sheet, part) : undefined;
    const bytes = fast ?? (await encodeByMapnik(sheet.image, part, format));
    if (solid) this.#solids.set(solid, bytes);
    return bytes;
  }
}

const encodeByMapnik = (
  image: MapnikImage,
  { x, y, width, height }: PicturePart,
  format: string,
): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    image
      .view(x, y, width, height)
      .encode(format, (error, bytes) => (error ? reject(error) : resolve(bytes))),
  );

/** The single colour of a part as a word; undefined for several. Mapnik's own test takes 5 % of a renderer's time. */
function solidColor(
  { words, width: stride }: WordPicture,
  { x, y, width, height }: PicturePart,
): number | undefined {
  const first = words[y * stride + x]!;
  for (let row = y; row < y + height; row++) {
    const end = row * stride + x + width;
    for (let i = end - width; i < end; i++) if (words[i] !== first) return undefined;
  }
  return first;
}
