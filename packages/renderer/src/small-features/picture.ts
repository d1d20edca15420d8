import { type Chunk, columnOf, kindOf, places, rowOf, shapeOf } from './chunk.js';
import { type Sheet, stampNumber } from './stamps.js';

/** The stamps of a kind of speck by their numbers: where each lies from the pixel of the speck, and its pixels. */
export interface Stamps {
  /** Four numbers for each: left, top, width, height. */
  frames: Int16Array;
  /** Where its pixels begin. */
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

/** Numbers of stamps that there may be. */
const most = stampNumber(127, places - 1, places - 1) + 1;

/** The stamps of the kinds of a sheet that was drawn, without what is empty around them. */
export function cutStamps(
  { stamps, cell }: Pick<Sheet, 'stamps' | 'cell'>,
  sheet: Pixels,
  kinds: number,
): Stamps[] {
  const reach = (cell - 2) / 2;
  const cut = Array.from({ length: kinds }, () => ({
    frames: new Int16Array(4 * most),
    starts: new Uint32Array(most),
    pixels: [] as number[],
  }));
  for (const { kind, number, x, y } of stamps) {
    const of = cut[kind]!;
    const [left, top, right, bottom] = painted(sheet, x, y, cell);
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

/** The edges of what has colour in a cell: left, top, right, bottom. */
function painted(
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

/** A chunk, the stamps of its kinds, and its corner in a picture, pixels. */
export interface PlacedChunk extends Pick<Chunk, 'slices' | 'specks'> {
  stamps: readonly Stamps[];
  corner: { x: number; y: number };
}

/** Puts the stamps of specks over a picture, one after the other: slice by slice, of each in the order of the chunks. */
export function drawSpecks(picture: Pixels, chunks: readonly PlacedChunk[]): void {
  const slices = new Map<number, { chunk: PlacedChunk; specks: Uint32Array }[]>();
  for (const chunk of chunks) {
    let start = 0;
    for (let i = 0; i < chunk.slices.length; i += 2) {
      const [slice, count] = [chunk.slices[i]!, chunk.slices[i + 1]!];
      const part = { chunk, specks: chunk.specks.subarray(start, start + count) };
      const parts = slices.get(slice);
      if (parts) parts.push(part);
      else slices.set(slice, [part]);
      start += count;
    }
  }
  for (const slice of [...slices.keys()].sort((a, b) => a - b))
    for (const { chunk, specks } of slices.get(slice)!) drawPart(picture, specks, chunk);
}

function drawPart(picture: Pixels, specks: Uint32Array, { stamps, corner }: PlacedChunk): void {
  for (const speck of specks) {
    const [column, row] = [columnOf(speck), rowOf(speck)];
    const of = stamps[kindOf(speck)]!;
    const number = stampNumber(shapeOf(speck), column, row);
    stamp(picture, of, number, corner.x + Math.floor(column / places), corner.y + Math.floor(row / places));
  }
}

function stamp({ words, width, height }: Pixels, of: Stamps, number: number, x: number, y: number): void {
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
 * One premultiplied pixel over another (Porter and Duff 1984, "over"): two channels at a time, divided by 255 as
 * (t + t / 256) / 256 with t = product + 128, which is exact to the rounded value.
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
