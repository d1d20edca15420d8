import sharp from 'sharp';
import { FetchError } from './fetch.js';

/** Most pixels of a picture of another server. */
export const maxPicturePixels = 2_048 * 2_048;

/** Longest time of decoding one picture. */
const decodeTimeoutS = 10;

/**
 * Converts a picture to PNG. It is decoded here within limits, so that no foreign file reaches the renderer.
 */
export async function normalizePicture(bytes: Buffer): Promise<Buffer> {
  try {
    const picture = sharp(bytes, { limitInputPixels: maxPicturePixels, failOn: 'error', pages: 1 });
    const { format, width, height } = await picture.metadata();
    if (!['png', 'jpeg', 'webp', 'gif'].includes(format) || width * height > maxPicturePixels)
      throw new FetchError(`a picture of ${width} × ${height} pixels in the format ${format}`);
    return await picture
      .timeout({ seconds: decodeTimeoutS })
      .ensureAlpha()
      .toColourspace('srgb')
      .png({ compressionLevel: 1 })
      .toBuffer();
  } catch (error) {
    throw error instanceof FetchError ? error : new FetchError(`no picture: ${(error as Error).message}`);
  }
}
