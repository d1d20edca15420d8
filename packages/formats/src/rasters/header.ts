import { type FileHandle, open } from 'node:fs/promises';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { ImageFormat } from './image.js';
import { numbers, readTiff, tag } from './tiff.js';

/** The declared properties of an image, read before any decoding. */
export interface ImageHeader {
  format: ImageFormat;
  /** Width and height, pixels. */
  width: number;
  height: number;
  /** Whether GDAL can decompress its pixels; otherwise `decode.ts` does it first. */
  isRead: boolean;
  /** Whether 0 is white in an image of one band, as in scans. */
  isWhiteZero: boolean;
  /** Whether it has rational polynomials (RPC), which place pixels by the height of the ground. */
  hasPolynomials: boolean;
  notes: readonly string[];
}

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

export interface PixelLimits {
  /** Maximum of width × height. */
  pixels: number;
  /** Maximum of width and height. */
  side: number;
}

/** Reads the header of an image of a known format. Throws `import_failed` for damaged or unsupported images, `too_large`. */
export async function readImageHeader(
  path: string,
  format: ImageFormat,
  limits: PixelLimits,
): Promise<ImageHeader> {
  const file = await open(path);
  try {
    const read = { geotif: tiffHeader, png: pngHeader, jpg: jpegHeader }[format];
    const header = { format, ...(await read(file)) };
    checkSize(header, limits);
    return header;
  } finally {
    await file.close();
  }
}

/** Throws `too_large` for an image above the limits of the settings. */
export function checkSize({ width, height }: { width: number; height: number }, limits: PixelLimits): void {
  const { pixels, side } = limits;
  if (!(width > 0 && height > 0)) throw failed(noteOf('imageSize', { width, height }));
  if (width <= side && height <= side && width * height <= pixels) return;
  throw new ServiceError('too_large', noteOf('imageTooLarge', { width, height, pixels, side }), {
    width,
    height,
    pixels,
    side,
  });
}

type Header = Omit<ImageHeader, 'format'>;

const plain = { isRead: true, isWhiteZero: false, hasPolynomials: false, notes: [] } as const;

/**
 * Compression numbers of TIFF: those that GDAL supports here, those that `decode-process.ts` supports (JPEG, LERC, ZSTD,
 * WebP), and names of unsupported ones.
 */
const byGdal = new Set([1, 2, 3, 4, 5, 8, 32_773, 32_946]);
const byOthers = new Set([7, 34_887, 50_000, 50_001]);
const byNobody: Readonly<Record<number, string>> = {
  6: 'old JPEG',
  34661: 'JBIG',
  34712: 'JPEG 2000',
  34925: 'LZMA',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
};

async function tiffHeader(file: FileHandle): Promise<Header> {
  const tiff = await readTiff(file);
  const value = (key: number, initial: number): number => numbers(tiff, tiff.entries.get(key))[0] ?? initial;
  const compression = value(tag.compression, 1);
  const isRead = byGdal.has(compression);
  if (!isRead && !byOthers.has(compression)) {
    const name = byNobody[compression] ?? `number ${compression}`;
    throw failed(noteOf('tiffCompression', { name }));
  }
  const photometric = value(tag.photometric, 1);
  if (photometric === 5) throw failed(noteOf('imageInCmyk'));
  if (photometric === 8 || photometric === 9 || photometric === 10) throw failed(noteOf('imageInLab'));
  if (value(tag.format, 1) > 3) throw failed(noteOf('complexNumbers'));
  const { pages } = tiff;
  const notes = pages > 1 ? [noteOf('firstImage', { count: pages })] : [];
  const size = { width: value(tag.width, 0), height: value(tag.height, 0) };
  const hasPolynomials = tiff.entries.has(tag.polynomials);
  return { ...size, isRead, isWhiteZero: photometric === 0, hasPolynomials, notes };
}

async function pngHeader(file: FileHandle): Promise<Header> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(24), 0, 24, 0);
  if (bytesRead < 24 || buffer.toString('latin1', 12, 16) !== 'IHDR') throw failed(noteOf('pngDamaged'));
  return { width: buffer.readUInt32BE(16), height: buffer.readUInt32BE(20), ...plain };
}

/** Markers that begin a frame (ITU-T T.81, table B.1): SOF0 to SOF15 without DHT, JPG and DAC. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Maximum number of segments before the frame; large metadata take many. */
const mostSegments = 5_000;

async function jpegHeader(file: FileHandle): Promise<Header> {
  let at = 2;
  for (let i = 0; i < mostSegments; i++) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(10), 0, 10, at);
    if (bytesRead < 10 || buffer[0] !== 0xff) break;
    const marker = buffer[1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) return frameHeader(buffer);
    at += 2 + buffer.readUInt16BE(2);
  }
  throw failed(noteOf('jpegDamaged'));
}

function frameHeader(bytes: Buffer): Header {
  const [precision, components] = [bytes[4]!, bytes[9]!];
  if (components === 4) throw failed(noteOf('imageInCmyk'));
  if (precision !== 8) throw failed(noteOf('jpegBits', { bits: precision! }));
  return { height: bytes.readUInt16BE(5), width: bytes.readUInt16BE(7), ...plain };
}
