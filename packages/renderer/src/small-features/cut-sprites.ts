import type { Pixels } from './pixels.js';
import { type SpriteSheet, spriteNumbers, type WantedSprite } from './sprites.js';

/** The sprites of one kind of small feature, by their numbers. */
export interface Sprites {
  /** Left, top, width and height of each sprite, in pixels from the pixel of the feature. */
  frames: Int16Array;
  /** Index of the first pixel of each sprite. */
  starts: Uint32Array;
  /** RGBA, premultiplied, as little-endian words. */
  pixels: Int32Array;
}

/** Sprites of a kind, and which are there: 1 by number. */
export interface KeptSprites extends Sprites {
  drawn: Uint8Array;
}

/** A sprite without its empty margins. */
export interface CutSprite extends WantedSprite {
  frame: readonly [left: number, top: number, width: number, height: number];
  pixels: Int32Array;
}

/**
 * Cuts sprites out of a drawn sheet, in its order. undefined: one reaches to the edge of its cell, and may be larger, unless it may be
 * cut.
 */
export function cutSprites(
  { sprites, cell }: Pick<SpriteSheet, 'sprites' | 'cell'>,
  sheet: Pixels,
  mayBeCut = false,
): CutSprite[] | undefined {
  const reach = (cell - 2) / 2;
  const cut: CutSprite[] = [];
  for (const { kind, number, x, y } of sprites) {
    const [left, top, right, bottom] = paintedBox(sheet, x, y, cell);
    const isAtEdge = left === 0 || top === 0 || right === cell || bottom === cell;
    if (isAtEdge && !mayBeCut) return undefined;
    const [width, height] = [Math.max(0, right - left), Math.max(0, bottom - top)];
    const pixels = new Int32Array(width * height);
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        pixels[row * width + column] = sheet.words[(y + top + row) * sheet.width + x + left + column]!;
    cut.push({ kind, number, frame: [left - reach, top - reach, width, height], pixels });
  }
  return cut;
}

/** The sprites of a kind with further ones. */
export function withSprites(kept: KeptSprites | undefined, cut: readonly CutSprite[]): KeptSprites {
  const frames = kept?.frames.slice() ?? new Int16Array(4 * spriteNumbers);
  const starts = kept?.starts.slice() ?? new Uint32Array(spriteNumbers);
  const drawn = kept?.drawn.slice() ?? new Uint8Array(spriteNumbers);
  let length = kept?.pixels.length ?? 0;
  const pixels = new Int32Array(cut.reduce((sum, sprite) => sum + sprite.pixels.length, length));
  if (kept) pixels.set(kept.pixels);
  for (const { number, frame, pixels: own } of cut) {
    frames.set(frame, 4 * number);
    starts[number] = length;
    drawn[number] = 1;
    pixels.set(own, length);
    length += own.length;
  }
  return { frames, starts, pixels, drawn };
}

/** Box of the pixels with colour in a cell: left, top, right, bottom. */
function paintedBox(
  { words, width }: Pixels,
  x: number,
  y: number,
  cell: number,
): [number, number, number, number] {
  let [left, top, right, bottom] = [cell, cell, 0, 0];
  for (let row = 0; row < cell; row++) {
    for (let column = 0; column < cell; column++) {
      if (!words[(y + row) * width + x + column]) continue;
      [left, top] = [Math.min(left, column), Math.min(top, row)];
      [right, bottom] = [Math.max(right, column + 1), Math.max(bottom, row + 1)];
    }
  }
  return [left, top, right, bottom];
}
