import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { listFiles } from '../files/store.js';
import type { Services } from '../http/service.js';
import type { Layer } from '../layers/layers.js';
import type { CardPicture } from './content.js';

/** A file of an object, as it is stored. */
export interface ObjectFile {
  name: string;
  bytes: Uint8Array;
}

/** The files of an object's file columns, one after the other, so that one is in memory at a time. Those that are no pictures are passed over. */
export type PicturesOf = (
  layer: Layer,
  wanted: { objectId: number; lng?: string | undefined; main: string },
  signal: AbortSignal,
) => AsyncIterable<ObjectFile>;

/** Bytes of a file that is read for a card. */
const mostBytes = 50_000_000;

/** The stored files that may be pictures. */
export const storedPictures = ({ db, storage }: Pick<Services, 'db' | 'storage'>): PicturesOf =>
  async function* (layer, wanted) {
    for (const { content, name, mime, size } of await listFiles(db, layer, wanted)) {
      if (!mime.startsWith('image/') || size > mostBytes) continue;
      const bytes = await storage.get(content);
      if (bytes) yield { name, bytes: await buffer(bytes) };
    }
  };

/** Kinds of pictures that are read: no vector formats, which run programs of a kind. */
const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'tiff', 'heif']);
/** Pixels: of a picture that is read, and of the longer side of one that is printed (200 dpi over the page's width). */
const mostPixels = 100_000_000;
const longestSide = 1_400;

/** A file as it is printed: upright, on white, of moderate size. undefined when it is no picture that can be read. */
export async function printable({ name, bytes }: ObjectFile): Promise<CardPicture | undefined> {
  try {
    const source = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' });
    const { format } = await source.metadata();
    if (!format || !formats.has(format)) return undefined;
    const { data, info } = await source
      .rotate()
      .resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 82 })
      .toBuffer({ resolveWithObject: true });
    return { name, bytes: data, width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}
