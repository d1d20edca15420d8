import { buffer } from 'node:stream/consumers';
import type { Database } from '@cartulary/database';
import sharp from 'sharp';
import { listFiles } from '../files/store.js';
import type { Layer } from '../layers/layers.js';
import type { FileStorage } from '../storage/storage.js';
import type { SheetPicture } from './content.js';

/** The services of these functions. */
export interface PictureServices {
  readonly db: Database;
  readonly storage: FileStorage;
}

/** A stored file of an object. */
export interface ObjectFile {
  name: string;
  bytes: Uint8Array;
}

/** The files of an object's file columns, one in memory at a time; other files than pictures are skipped. */
export type PicturesOf = (
  layer: Layer,
  wanted: { objectId: number; lng?: string | undefined; main: string },
  signal: AbortSignal,
) => AsyncIterable<ObjectFile>;

/** Limit of a file that is read as a picture, bytes. */
const fileLimitBytes = 50_000_000;

/** The stored files with an image type. */
export const storedPictures = ({ db, storage }: PictureServices): PicturesOf =>
  async function* (layer, wanted) {
    for (const { content, name, mime, size } of await listFiles(db, layer, wanted)) {
      if (!mime.startsWith('image/') || size > fileLimitBytes) continue;
      const bytes = await storage.get(content);
      if (bytes) yield { name, bytes: await buffer(bytes) };
    }
  };

/** Formats that are read. Vector formats are excluded, since they may contain programs. */
const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'tiff', 'heif']);
/** Limits: pixels of a picture that is read, and the longer side of a printed one (200 dpi over the page's width). */
const maxPixels = 100_000_000;
const maxSidePx = 1_400;

/** A file as a printable picture: upright, on white, of moderate size; undefined for an unreadable picture. */
export async function printable({ name, bytes }: ObjectFile): Promise<SheetPicture | undefined> {
  try {
    const source = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' });
    const { format } = await source.metadata();
    if (!format || !formats.has(format)) return undefined;
    const { data, info } = await source
      .rotate()
      .resize(maxSidePx, maxSidePx, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 82 })
      .toBuffer({ resolveWithObject: true });
    return { name, bytes: data, width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}
