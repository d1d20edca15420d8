import type { MapnikImage } from '../mapnik.js';
import { quickPng, type WorkerOptions } from '../messages.js';
import { encodePng } from './encode.js';
import type { PicturePart, WordPicture } from './filter.js';

/** Encodes a tile of a picture: plain tiles of the quick format by the fast path, others by Mapnik. */
export const encodeTile = async (
  sheet: WordPicture & { image: MapnikImage },
  part: PicturePart,
  format: string,
  { fastPng }: WorkerOptions,
): Promise<Buffer> =>
  (fastPng && format === quickPng ? encodePng(sheet, part) : undefined) ??
  encodeByMapnik(sheet.image, part, format);

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
