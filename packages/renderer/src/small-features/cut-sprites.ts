import { placesPerPixel } from './chunk.js';
import type { Pixels } from './pixels.js';
import { type SpriteSheet, spriteNumber } from './sprites.js';

/** The sprites of one kind of small feature, by their numbers. */
export interface Sprites {
  /** Left, top, width and height of each sprite, in pixels from the pixel of the feature. */
  frames: Int16Array;
  /** Index of the first pixel of each sprite. */
  starts: Uint32Array;
  /** RGBA, premultiplied, as little-endian words. */
  pixels: Int32Array;
}

/** Count of possible sprite numbers. */
const spriteNumbers = spriteNumber(127, placesPerPixel - 1, placesPerPixel - 1) + 1;

/**
 * Cuts the sprites of all kinds out of a drawn sheet, without their empty margins. undefined: one reaches to the edge of its cell,
 * and may be larger, unless it may be cut.
 */
export function cutSprites(
  { sprites, cell }: Pick<SpriteSheet, 'sprites' | 'cell'>,
  sheet: Pixels,
  kinds: number,
  mayBeCut = false,
): Sprites[] | undefined {
  const reach = (cell - 2) / 2;
  const cut = Array.from({ length: kinds }, () => ({
    frames: new Int16Array(4 * spriteNumbers),
    starts: new Uint32Array(spriteNumbers),
    pixels: [] as number[],
  }));
  for (const { kind, number, x, y } of sprites) {
    const of = cut[kind]!;
    const [left, top, right, bottom] = paintedBox(sheet, x, y, cell);
    const isAtEdge = left === 0 || top === 0 || right === cell || bottom === cell;
    if (isAtEdge && !mayBeCut) return undefined;
    of.frames.set(
      [left - reach, top - reach, Math.max(0, right - left), Math.max(0, bottom - top)],
      4 * number,
    );
    of.starts[number] = of.pixels.length;
    for (let row = top; row < bottom; row++)
      for (let column = left; column < right; column++)
        of.pixels.push(sheet.words[(y + row) * sheet.width + x + column]!);
  }
  return cut.map((of) => ({ ...of, pixels: Int32Array.from(of.pixels) }));
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
