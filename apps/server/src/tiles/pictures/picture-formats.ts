import sharp, { type Sharp } from 'sharp';
import type { BytesCache, KeptTile } from '../cache/memory-cache.js';

/** The media types of raster tiles, by the end of their address. */
export const pictureTypes = { png: 'image/png', webp: 'image/webp', jpg: 'image/jpeg' } as const;

export type PictureFormat = keyof typeof pictureTypes;

export const pictureFormats = Object.keys(pictureTypes) as PictureFormat[];

/** All media types of pictures: those of 256 colours have no end of an address, and are for programs that ask by WMS. */
export const encodedTypes = { ...pictureTypes, png8: 'image/png; mode=8bit', gif: 'image/gif' } as const;

export type EncodedFormat = keyof typeof encodedTypes;

/** Of a JPEG: what lies behind a picture without a background. */
const paper = '#ffffff';

/**
 * Encodes drawn tiles, which are PNG, in other formats. So a tile is drawn once and kept once, whatever the format
 * (docs/decisions/0128-addresses-of-tiles.md). Encoded tiles stay in the memory of the tile cache under the hash of the PNG.
 */
export class PictureEncoder {
  readonly #cache: BytesCache;
  readonly #running = new Map<string, Promise<Uint8Array>>();

  constructor(cache: BytesCache) {
    this.#cache = cache;
  }

  /** The bytes of a tile in a format. */
  async encoded({ bytes, tag }: Pick<KeptTile, 'bytes' | 'tag'>, format: EncodedFormat): Promise<Uint8Array> {
    if (format === 'png') return bytes;
    const key = `${format}/${tag}`;
    const known = this.#cache.get(key) ?? this.#running.get(key);
    if (known) return known;
    const encoding = encodePicture(bytes, format).finally(() => this.#running.delete(key));
    this.#running.set(key, encoding);
    const encoded = await encoding;
    this.#cache.set(key, encoded);
    return encoded;
  }
}

type Encode = (picture: Sharp) => Sharp;
/** Areas of a map stay even: colours between those of the palette are not mixed from dots. */
const encoders: Readonly<Record<Exclude<EncodedFormat, 'png'>, Encode>> = {
  webp: (picture) => picture.webp({ quality: 85, alphaQuality: 100, smartSubsample: true, effort: 2 }),
  jpg: (picture) => picture.flatten({ background: paper }).jpeg({ quality: 85, chromaSubsampling: '4:4:4' }),
  png8: (picture) => picture.png({ palette: true, dither: 0, effort: 4, compressionLevel: 6 }),
  gif: (picture) => picture.gif({ dither: 0, effort: 1 }),
};

/** Encodes a PNG in another format. */
export async function encodePicture(png: Uint8Array, format: EncodedFormat): Promise<Uint8Array> {
  if (format === 'png') return png;
  // A copy: the buffer of libvips may lie in a larger one, which a cache would keep.
  return new Uint8Array(await encoders[format](sharp(png)).toBuffer());
}
