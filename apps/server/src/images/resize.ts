import { badRequest, ServiceError } from '@cartulary/errors';
import sharp, { type FormatEnum, type Sharp } from 'sharp';

/**
 * How a picture is fitted into a box, as CSS `object-fit`
 * (https://www.w3.org/TR/css-images-3/#the-object-fit).
 */
export type Fit = 'none' | 'fill' | 'contain' | 'cover' | 'scale-down';

export interface Resizing {
  /** Pixels. An absent side follows from the proportions. */
  width?: number | undefined;
  height?: number | undefined;
  /** Used only when both sides are given. */
  fit: Fit;
  /** Default: the format of the source. */
  format?: 'png' | 'jpeg' | undefined;
}

export interface ResizeLimits {
  /** Largest source, pixels: width × height. */
  pixels: number;
  seconds: number;
}

export interface ResizedPicture {
  bytes: Buffer;
  mime: string;
}

/** A picture in a local file, so that a resizer reads only what it needs. */
export interface PictureFile {
  path: string;
  mime: string;
}

interface Size {
  width: number;
  height: number;
}

/** Longest side that can be requested, and that an absent side may result in. */
export const longestSidePx = 4096;

type Source = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif';

/**
 * Longest side that a format can hold, as written by libvips and its encoders. Without a requested size a
 * side may exceed the limit above.
 */
const formatSidePx: Readonly<Record<Source, number>> = {
  jpeg: 65_500,
  png: 2 ** 31 - 1,
  webp: 16_383,
  gif: 65_535,
  tiff: 2 ** 31 - 1,
  avif: 16_384,
};

const sources: Readonly<Record<string, Source>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'image/avif': 'avif',
};

/** Configures libvips: no cache of decoded pictures and open files, and one thread for each picture. */
export function prepareResizing(): void {
  sharp.cache(false);
  sharp.concurrency(1);
}

/**
 * Throws 400 unless pictures of this media type can be resized. SVG cannot, since it is closer to a program
 * than to a picture.
 */
export function demandPicture(mime: string): void {
  if (!Object.hasOwn(sources, mime))
    throw badRequest(`The file is no picture that can be resized, but ${mime}`, { mime });
}

/**
 * Resizes a picture: rotated by its EXIF orientation, in sRGB, without metadata; of an animation the first
 * frame. The header is checked before anything is decoded. Throws 400 for other files and for too large
 * pictures, `timeout`, `file_not_found`.
 */
export async function resize(
  source: PictureFile,
  wanted: Resizing,
  limits: ResizeLimits,
): Promise<ResizedPicture> {
  demandPicture(source.mime);
  const open = (): Sharp =>
    sharp(source.path, { limitInputPixels: limits.pixels, failOn: 'error', pages: 1 });
  const size = await sizeOf(open(), limits);
  const format = wanted.format ?? sources[source.mime]!;
  checkSides(size, wanted, format);
  const background =
    format === 'jpeg' ? { r: 255, g: 255, b: 255, alpha: 1 } : { r: 0, g: 0, b: 0, alpha: 0 };
  const turned = open().autoOrient().timeout({ seconds: limits.seconds });
  const flat = format === 'jpeg' ? turned.flatten({ background }) : turned;
  try {
    const bytes = await encoded(fitted(flat, size, wanted, background), format).toBuffer();
    return { bytes, mime: `image/${format}` };
  } catch (error) {
    throw failure(error as Error);
  }
}

/** The displayed size of a picture, from its header. */
async function sizeOf(image: Sharp, { pixels }: ResizeLimits): Promise<Size> {
  const { autoOrient } = await image.metadata().catch((error: Error) => {
    throw failure(error);
  });
  if (autoOrient.width * autoOrient.height > pixels) throw tooLarge(pixels);
  return autoOrient;
}

const tooLarge = (pixels: number): ServiceError =>
  badRequest(`The picture has more than ${pixels} pixels`, { pixels });

function failure(error: Error): ServiceError {
  if (/^timeout/.test(error.message))
    return new ServiceError('timeout', 'Resizing the picture took too long and was stopped', {}, 503);
  if (/^Input file is missing/.test(error.message))
    return new ServiceError('file_not_found', 'The content of the file is lost');
  if (/pixel limit/.test(error.message)) return badRequest('The picture has too many pixels to be resized');
  return badRequest('The picture is damaged, or of a kind that cannot be read');
}

type Sides = Pick<Resizing, 'width' | 'height'>;

/** The box with one given side, in the proportions of the picture. */
function proportional(size: Size, { width, height }: Sides): Size {
  const scale = width === undefined ? height! / size.height : width / size.width;
  return {
    width: width ?? Math.max(1, Math.round(size.width * scale)),
    height: height ?? Math.max(1, Math.round(size.height * scale)),
  };
}

/** Throws 400 when a side of the result is too long, or longer than its format can hold. */
function checkSides(size: Size, { width, height }: Sides, format: Source): void {
  const isAsked = width !== undefined || height !== undefined;
  const isWhole = width !== undefined && height !== undefined;
  const result = !isAsked ? size : isWhole ? { width, height } : proportional(size, { width, height });
  const most = isAsked ? longestSidePx : formatSidePx[format];
  if (Math.max(result.width, result.height) <= most) return;
  const sides = `${result.width} × ${result.height} pixels`;
  const limit = isAsked
    ? `a side has at most ${most}`
    : `${format} holds at most ${most} a side: ask for a smaller one by w or h, or for another format`;
  throw badRequest(`The picture would have ${sides}, but ${limit}`, { ...result, limit: most });
}

type Background = { r: number; g: number; b: number; alpha: number };

function fitted(image: Sharp, size: Size, { width, height, fit }: Resizing, background: Background): Sharp {
  if (width === undefined && height === undefined) return image;
  if (width === undefined || height === undefined) {
    const box = proportional(size, { width, height });
    return image.resize({ ...box, fit: 'fill' });
  }
  const box = { width, height };
  const isSmaller = size.width <= width && size.height <= height;
  if (fit === 'none' || (fit === 'scale-down' && isSmaller)) return centred(image, size, box, background);
  if (fit === 'contain' || fit === 'scale-down') return image.resize({ ...box, fit: 'contain', background });
  return image.resize({ ...box, fit });
}

/** Cropped and padded to the box around the centre, without scaling. */
function centred(image: Sharp, size: Size, box: Size, background: Background): Sharp {
  const width = Math.min(size.width, box.width);
  const height = Math.min(size.height, box.height);
  const half = (space: number): number => Math.floor(space / 2);
  const cut = { left: half(size.width - width), top: half(size.height - height), width, height };
  const [left, top] = [half(box.width - width), half(box.height - height)];
  const right = box.width - width - left;
  const bottom = box.height - height - top;
  return image.extract(cut).extend({ left, top, right, bottom, background });
}

function encoded(image: Sharp, format: Source): Sharp {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 85 });
    case 'webp':
      return image.webp({ quality: 85 });
    case 'avif':
      // The AVIF encoder is slow; this effort takes as long as the other formats.
      return image.avif({ quality: 60, effort: 1 });
    default:
      return image.toFormat(format satisfies keyof FormatEnum);
  }
}
