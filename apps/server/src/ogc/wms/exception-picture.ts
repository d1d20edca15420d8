import type { ServiceError } from '@cartulary/errors';
import sharp from 'sharp';
import type { Config } from '../../config.js';
import { encodedTypes, encodePicture } from '../../tiles/pictures/picture-formats.js';
import { kvpOf } from '../common/kvp.js';
import { exceptionFormOf } from './exceptions.js';
import { formatOf, paperOf, wholeOf } from './parameters.js';
import { textPicture } from './text-picture.js';

/** Longest message that is drawn, characters. */
const longestMessage = 1_000;

/** Pixels between the message and the edges. */
const margin = 4;

/** Errors that keep their status: programs sign in, or come again. A picture would also cost what a busy service has not. */
const ownStatuses: ReadonlySet<number> = new Set([401, 429, 503]);

/** A picture in the place of the one that failed. */
interface ExceptionPicture {
  bytes: Uint8Array;
  type: string;
}

type PictureConfig = Pick<Config, 'fontFolder' | 'pictureSidePixels'>;

/**
 * The picture that a GetMap request wants in the place of a report: with the message, or blank. undefined: the request wants a report, or
 * does not say the size of a picture.
 */
export async function exceptionPicture(
  { message, status }: ServiceError,
  sent: Readonly<Record<string, unknown>>,
  { fontFolder, pictureSidePixels }: PictureConfig,
): Promise<ExceptionPicture | undefined> {
  const kvp = kvpOf(sent);
  const form = exceptionFormOf(kvp.get('exceptions'));
  if (form === 'xml' || ownStatuses.has(status) || !/^(get)?map$/i.test(kvp.get('request') ?? ''))
    return undefined;
  const size = valid(() => ({ width: wholeOf(kvp, 'width'), height: wholeOf(kvp, 'height') }));
  if (!size || !Object.values(size).every((side) => side >= 1 && side <= pictureSidePixels)) return undefined;
  const format = valid(() => formatOf(kvp.get('format')!)) ?? 'png';
  const background = valid(() => paperOf(kvp, format) ?? { r: 0, g: 0, b: 0, alpha: 0 }) ?? '#ffffff';
  const room = { width: size.width - 2 * margin, height: size.height - 2 * margin };
  const text =
    form === 'inimage' && room.width > 0 && room.height > 0
      ? await textPicture(message.slice(0, longestMessage), { fontFolder, room, isWrapped: true })
      : undefined;
  const canvas = sharp({ create: { ...size, channels: 4, background } });
  const laid = text ? canvas.composite([{ input: text, left: margin, top: margin }]) : canvas;
  const png = await laid.png().toBuffer();
  return { bytes: await encodePicture(png, format), type: encodedTypes[format] };
}

/** What a request says, unless it is wrong: that is the error itself. */
function valid<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
