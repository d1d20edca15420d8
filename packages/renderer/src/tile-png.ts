import { quickPng } from './messages.js';

/** Part of a picture as words: red is the lowest byte, alpha the highest. */
export interface PictureBox {
  words: Int32Array;
  /** Words from one row to the next. */
  stride: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Of so many rows one is looked at. */
const rowStep = 8;
/** Share of repeated pairs of pixels below which a picture is a photograph: maps have 0.8 and more, photographs 0 to 0.25. */
const minRepeated = 0.35;

/**
 * Mapnik's format of the PNG of a picture. Of maps in quick PNGs those of photographs are compressed in another way: their neighbouring pixels
 * are similar, but never the same, so that a filter and no search for repetitions make files smaller in half of the time.
 */
export function pngFormat(format: string, box: PictureBox): string {
  if (format !== quickPng || repeatedShare(box) >= minRepeated) return format;
  return `${quickPng}:f=sub:s=rle${isOpaque(box) ? ':t=0' : ''}`;
}

/** Pairs that were seen, by 16 bits. */
const seen = new Uint8Array(1 << 16);

/** How many of the neighbouring pairs of pixels lie somewhere before, 0 to 1. A few that only have the same bits count, too. */
function repeatedShare({ words, stride, x, y, width, height }: PictureBox): number {
  seen.fill(0);
  let [pairs, repeated] = [0, 0];
  for (let row = y + (rowStep >> 1); row < y + height; row += rowStep) {
    const start = row * stride + x;
    for (let i = start + 1; i < start + width; i++) {
      const bits = (Math.imul(words[i]!, 0x9e3779b1) ^ Math.imul(words[i - 1]!, 0x85ebca6b)) >>> 16;
      repeated += seen[bits]!;
      seen[bits] = 1;
      pairs++;
    }
  }
  return pairs ? repeated / pairs : 1;
}

function isOpaque({ words, stride, x, y, width, height }: PictureBox): boolean {
  for (let row = y; row < y + height; row++)
    for (let i = row * stride + x; i < row * stride + x + width; i++)
      if (words[i]! >>> 24 !== 255) return false;
  return true;
}
