import { fontFaces } from '@cartulary/fonts';
import sharp from 'sharp';
import { xmlValue } from '../common/xml.js';

interface TextPlace {
  fontFolder: string;
  /** Pixels. What goes beyond is cut off. */
  room: { width: number; height: number };
  /** Whether the text goes on in further lines where it is wider than its room. */
  isWrapped?: boolean;
}

/** A text as a PNG without a background; undefined for an empty one. */
export async function textPicture(
  text: string,
  { fontFolder, room, isWrapped = false }: TextPlace,
): Promise<Buffer | undefined> {
  if (!text.trim()) return undefined;
  const drawn = sharp({
    text: {
      text: xmlValue(text.replace(/\s+/g, ' ')),
      fontfile: fontFaces(fontFolder)[0]!,
      font: 'Noto Sans 10',
      rgba: true,
      dpi: 96,
      ...(isWrapped && { width: room.width, wrap: 'word-char' as const }),
    },
  });
  const { data, info } = await drawn.png().toBuffer({ resolveWithObject: true });
  const [width, height] = [Math.min(info.width, room.width), Math.min(info.height, room.height)];
  return sharp(data).extract({ left: 0, top: 0, width, height }).png().toBuffer();
}
