import type { Rgba } from '../messages.js';
import { coverOf, cutMask, maskColumn, maskRow, type PackedMask } from './packed-mask.js';

/** RGBA, not premultiplied. */
export interface RgbaPicture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** A picture as words: red is the lowest byte, alpha the highest. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly words: Int32Array;
}

/** Draws on a picture as words; on a copy when its bytes are not aligned to words. */
export function onCanvas({ width, height, pixels }: RgbaPicture, draw: (canvas: Canvas) => void): void {
  const bytes = pixels.byteOffset % 4 === 0 ? pixels : new Uint8Array(pixels);
  draw({ width, height, words: new Int32Array(bytes.buffer, bytes.byteOffset, width * height) });
  if (bytes !== pixels) pixels.set(bytes);
}

/** A colour for blending through masks. */
export interface Paint {
  /** The opaque colour as a word. */
  readonly word: number;
  /** Out of 256. */
  readonly opacity: number;
}

export const paintOf = ([red, green, blue, opacity]: Rgba): Paint => ({
  word: (255 << 24) | (blue << 16) | (green << 8) | red,
  opacity: Math.round(256 * opacity),
});

/** Blends a colour through a mask over a canvas; `x` and `y`: the pixel of the mask's pen. Parts outside are clipped. */
export function blendMask(canvas: Canvas, mask: PackedMask, x: number, y: number, paint: Paint): void {
  const { width, height } = canvas;
  const left = x + mask.left;
  const top = y + mask.top;
  const right = left + mask.width;
  const bottom = top + mask.height;
  if (left >= width || top >= height || right <= 0 || bottom <= 0) return;
  const isWhole = left >= 0 && top >= 0 && right <= width && bottom <= height;
  const { pixels, full } = isWhole
    ? mask
    : cutMask(mask, { left: -left, top: -top, right: width - left, bottom: height - top });
  const start = top * width + left;
  const opaque = paint.opacity === 256 ? full : 0;
  for (let i = 0; i < opaque; i++) canvas.words[start + offsetOf(pixels[i]!, width)] = paint.word;
  blendPixels(canvas, start, pixels, opaque, paint);
}

/** Blends the pixels of the list from index `from`; `start`: canvas index of the mask's corner. */
function blendPixels(
  { words, width }: Canvas,
  start: number,
  pixels: Int32Array,
  from: number,
  { word, opacity }: Paint,
): void {
  for (let i = from; i < pixels.length; i++) {
    const pixel = pixels[i]!;
    const to = start + offsetOf(pixel, width);
    const alpha = (Math.imul(coverOf(pixel), opacity) + 128) >> 8;
    const below = words[to]!;
    if (below >>> 24 === 255) words[to] = overOpaque(below, word, alpha);
    else if (alpha > 0) words[to] = overAny(below, word, alpha);
  }
}

/** Blends a canvas with an opacity, 0 to 1, over one of the same size. */
export function blendCanvas({ words: below }: Canvas, { words: above }: Canvas, opacity: number): void {
  const share = Math.round(256 * opacity);
  for (let i = 0; i < above.length; i++) {
    const word = above[i]!;
    const alpha = (Math.imul(word >>> 24, share) + 128) >> 8;
    if (alpha === 0) continue;
    const under = below[i]!;
    below[i] = under >>> 24 === 255 ? overOpaque(under, word, alpha) : overAny(under, word, alpha);
  }
}

const offsetOf = (pixel: number, width: number): number =>
  Math.imul(maskRow(pixel), width) + maskColumn(pixel);

/** Computes red and blue together, and green alone, each with 8 spare bits. */
function overOpaque(below: number, word: number, alpha: number): number {
  // Out of 256.
  const share = alpha + (alpha >> 7);
  const rest = 256 - share;
  const redBlue = Math.imul(below & 0xff00ff, rest) + Math.imul(word & 0xff00ff, share) + 0x800080;
  const green = Math.imul((below >>> 8) & 255, rest) + Math.imul((word >>> 8) & 255, share) + 0x80;
  return (255 << 24) | ((redBlue >>> 8) & 0xff00ff) | (green & 0xff00);
}

/** Weights colours by their alpha, so that the colour of a transparent pixel does not show. */
function overAny(below: number, word: number, alpha: number): number {
  // Times 255.
  const rest = (below >>> 24) * (255 - alpha);
  const whole = 255 * alpha + rest;
  let result = Math.round(whole / 255) << 24;
  for (let bits = 0; bits < 24; bits += 8) {
    const both = 255 * alpha * ((word >>> bits) & 255) + rest * ((below >>> bits) & 255);
    result |= Math.round(both / whole) << bits;
  }
  return result;
}
