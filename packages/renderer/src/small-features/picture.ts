import { type Chunk, chunkColumn, chunkKind, chunkRow, chunkShape, placesPerPixel } from './chunk.js';
import { type SpriteSheet, scaledShapes, spriteNumber } from './sprites.js';

/** The sprites of one kind of small feature, by their numbers. */
export interface Sprites {
  /** Left, top, width and height of each sprite, in pixels from the pixel of the feature. */
  frames: Int16Array;
  /** Index of the first pixel of each sprite. */
  starts: Uint32Array;
  /** RGBA, premultiplied, as little-endian words. */
  pixels: Uint32Array;
}

/** A picture in memory: RGBA, premultiplied, as little-endian words. */
export interface Pixels {
  words: Uint32Array;
  width: number;
  height: number;
}

/** Count of possible sprite numbers. */
const spriteNumbers = spriteNumber(127, placesPerPixel - 1, placesPerPixel - 1) + 1;

/**
 * Cuts the sprites of all kinds out of a drawn sheet, without their empty margins. undefined: one reaches to the edge of its cell,
 * and may be larger.
 */
export function cutSprites(
  { sprites, cell }: Pick<SpriteSheet, 'sprites' | 'cell'>,
  sheet: Pixels,
  kinds: number,
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
    if (left === 0 || top === 0 || right === cell || bottom === cell) return undefined;
    of.frames.set(
      [left - reach, top - reach, Math.max(0, right - left), Math.max(0, bottom - top)],
      4 * number,
    );
    of.starts[number] = of.pixels.length;
    for (let row = top; row < bottom; row++)
      for (let column = left; column < right; column++)
        of.pixels.push(sheet.words[(y + row) * sheet.width + x + column]!);
  }
  return cut.map((of) => ({ ...of, pixels: Uint32Array.from(of.pixels) }));
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

/** A chunk with the sprites of its kinds, and its corner in a picture in pixels. */
export interface PlacedChunk extends Pick<Chunk, 'slices' | 'features'> {
  sprites: readonly Sprites[];
  corner: { x: number; y: number };
}

/**
 * Draws the sprites of all features over a picture: slice by slice, and within a slice chunk by chunk. `ratio`: pixels of the
 * picture per pixel of the chunks, at most 1.
 */
export function drawSmallFeatures(picture: Pixels, ratio: number, chunks: readonly PlacedChunk[]): void {
  const shapes = scaledShapes(ratio);
  const slices = new Map<number, { chunk: PlacedChunk; features: Uint32Array }[]>();
  for (const chunk of chunks) {
    let start = 0;
    for (let i = 0; i < chunk.slices.length; i += 2) {
      const [slice, count] = [chunk.slices[i]!, chunk.slices[i + 1]!];
      const part = { chunk, features: chunk.features.subarray(start, start + count) };
      const parts = slices.get(slice);
      if (parts) parts.push(part);
      else slices.set(slice, [part]);
      start += count;
    }
  }
  for (const slice of [...slices.keys()].sort((a, b) => a - b))
    for (const { chunk, features } of slices.get(slice)!)
      drawPart(picture, features, chunk, { ratio, shapes });
}

function drawPart(
  picture: Pixels,
  features: Uint32Array,
  { sprites, corner }: PlacedChunk,
  { ratio, shapes }: { ratio: number; shapes: readonly number[] },
): void {
  const [left, top] = [corner.x * placesPerPixel, corner.y * placesPerPixel];
  for (const feature of features) {
    // The middle of the quarter of a pixel in which the feature lies.
    const column = Math.floor(left + (chunkColumn(feature) + 0.5) * ratio);
    const row = Math.floor(top + (chunkRow(feature) + 0.5) * ratio);
    const of = sprites[chunkKind(feature)]!;
    const number = spriteNumber(shapes[chunkShape(feature)]!, column, row);
    drawSprite(picture, of, number, Math.floor(column / placesPerPixel), Math.floor(row / placesPerPixel));
  }
}

/** Draws a sprite over a picture; the parts outside are clipped. */
function drawSprite(
  { words, width, height }: Pixels,
  of: Sprites,
  number: number,
  x: number,
  y: number,
): void {
  const { frames, starts, pixels } = of;
  const left = x + frames[4 * number]!;
  const top = y + frames[4 * number + 1]!;
  const wide = frames[4 * number + 2]!;
  const high = frames[4 * number + 3]!;
  const from = Math.max(0, -left);
  const to = Math.min(wide, width - left);
  const last = Math.min(high, height - top);
  for (let row = Math.max(0, -top); row < last; row++) {
    const source = starts[number]! + row * wide;
    const target = (top + row) * width + left;
    for (let column = from; column < to; column++) {
      const above = pixels[source + column]!;
      if (above) words[target + column] = over(above, words[target + column]!);
    }
  }
}

/**
 * One premultiplied pixel over another (Porter and Duff 1984, "over"), two channels at a time. The division by 255 is
 * (t + t / 256) / 256 with t = product + 128, which gives the exact rounded value.
 */
function over(above: number, below: number): number {
  const rest = 255 - (above >>> 24);
  if (rest === 0) return above;
  const even = Math.imul(below & 0xff00ff, rest) + 0x800080;
  const odd = Math.imul((below >>> 8) & 0xff00ff, rest) + 0x800080;
  const evens = ((even + ((even >>> 8) & 0xff00ff)) >>> 8) & 0xff00ff;
  const odds = (odd + ((odd >>> 8) & 0xff00ff)) & 0xff00ff00;
  return (above + (evens | odds)) >>> 0;
}
