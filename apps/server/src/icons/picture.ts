import { badRequest } from '@cartulary/errors';
import sharp from 'sharp';
import { cleanSvgInThread } from './svg-in-thread.js';

/** A picture in the form in which it is stored. */
export interface IconPicture {
  kind: 'svg' | 'png';
  bytes: Buffer;
  /** Pixels. */
  width: number;
  height: number;
}

export interface PictureLimits {
  /** Longest side, pixels. */
  side: number;
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/**
 * Recognizes an upload by its content and writes it again: a PNG with its pixels only, an SVG with its shapes
 * only. Throws 400 for other formats, and for damaged or too large pictures.
 */
export async function readPicture(upload: Buffer, limits: PictureLimits): Promise<IconPicture> {
  if (upload.subarray(0, 8).equals(pngSignature)) return readPng(upload, limits);
  const text = utf8(upload);
  if (text === undefined || !/^\uFEFF?\s*</.test(text))
    throw badRequest('An icon is an SVG (UTF-8) or a PNG');
  const { text: clean, width, height } = await cleanSvgInThread(text.replace(/^\uFEFF/, ''), limits);
  return { kind: 'svg', bytes: Buffer.from(clean), width, height };
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Checks the header before anything is decoded (PNG, section 11.2.1 IHDR). */
async function readPng(upload: Buffer, { side }: PictureLimits): Promise<IconPicture> {
  const isHeader = upload.length >= 33 && upload.toString('latin1', 12, 16) === 'IHDR';
  const [width, height] = isHeader ? [upload.readUInt32BE(16), upload.readUInt32BE(20)] : [0, 0];
  if (!isHeader) throw badRequest('The PNG is damaged');
  if (width < 1 || height < 1 || width > side || height > side)
    throw badRequest(`A PNG must be 1 to ${side} pixels wide and high`, { width, height });
  try {
    const picture = sharp(upload, { limitInputPixels: side * side, failOn: 'error' }).timeout({
      seconds: 10,
    });
    const bytes = await picture.toColourspace('srgb').ensureAlpha().png({ compressionLevel: 9 }).toBuffer();
    return { kind: 'png', bytes, width, height };
  } catch {
    throw badRequest('The PNG is damaged');
  }
}
