import { endOfBlock, lengthSymbols, longestRun, shortestRun, symbolCount } from './symbols.js';

/** A picture as words: red is the lowest byte, alpha the highest. */
export interface WordPicture {
  words: Int32Array;
  width: number;
}

/** A rectangle of a picture, pixels. */
export interface PicturePart {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Filtered PNG rows as tokens: filter types, and differences of pixels, mostly zeros. */
export interface Filtered {
  /** Bytes, and `run` + n for n more zeros after a zero. */
  tokens: Uint16Array;
  /** Count of each deflate symbol in the tokens. */
  counts: Uint32Array;
  /** Adler-32 of the bytes (RFC 1950, 8.2). */
  checksum: number;
}

export const run = 256;

/** Filter types (PNG 9.2): Sub compares with the left pixel, Up with the pixel above. */
const [left, above] = [1, 2];

const channels = 3;
const opaque = 255;
const modulus = 65_521;

/** Shared scratch memory, as large as the largest part; each call overwrites it. */
let room = new Uint16Array(0);

/**
 * Filters red, green and blue of a part. It compares whole pixels, and only counts unchanged ones. Returns undefined for
 * a part with transparency, or with more than `mostChanged` changed pixels.
 */
export function filterPart(
  { words, width: stride }: WordPicture,
  { x, y, width, height }: PicturePart,
  mostChanged: number,
): Filtered | undefined {
  const rowBytes = 1 + channels * width;
  if (room.length < height * rowBytes) room = new Uint16Array(height * rowBytes);
  const tokens = room;
  const counts = new Uint32Array(symbolCount);
  counts[endOfBlock] = 1;
  let many = 0;
  let changed = 0;
  let [low, high] = [1, 0];
  for (let row = 0; row < height; row++) {
    const first = (y + row) * stride + x;
    const end = first + width;
    const [kind, back] = row ? [above, stride] : [left, 1];
    tokens[many++] = kind;
    counts[kind]! += 1;
    // A byte adds to the high sum once for itself and once for each later byte of the row.
    let [sum, weighted] = [kind, kind * rowBytes];
    for (let at = first; at < end; ) {
      // The pixel left of the first one is black.
      const before = row || at > first ? words[at - back]! : opaque << 24;
      const word = words[at]!;
      if (word === before) {
        const same = at;
        at = firstChange(words, back, same + 1, end);
        many = addZeros(tokens, counts, many, (at - same) * channels);
        continue;
      }
      if (word >>> 24 !== opaque) return undefined;
      const difference = minus(word, before);
      let later = rowBytes - 1 - channels * (at - first);
      for (let shift = 0; shift < 8 * channels; shift += 8, later--) {
        const byte = (difference >>> shift) & 255;
        tokens[many++] = byte;
        counts[byte]! += 1;
        sum += byte;
        weighted += byte * later;
      }
      changed += 1;
      at += 1;
    }
    if (changed > mostChanged) return undefined;
    high = (high + low * rowBytes + weighted) % modulus;
    low = (low + sum) % modulus;
  }
  return { tokens: tokens.subarray(0, many), counts, checksum: ((high << 16) | low) >>> 0 };
}

/** The first index from `from` to `end` whose word differs from the word `back` before it. It tests four words per branch. */
function firstChange(words: Int32Array, back: number, from: number, end: number): number {
  let at = from;
  for (; at + 3 < end; at += 4) {
    const before = at - back;
    const changed =
      (words[at]! ^ words[before]!) |
      (words[at + 1]! ^ words[before + 1]!) |
      (words[at + 2]! ^ words[before + 2]!) |
      (words[at + 3]! ^ words[before + 3]!);
    if (changed) break;
  }
  while (at < end && words[at] === words[at - back]) at += 1;
  return at;
}

/** Differences of the four bytes of two words, without carries. */
const minus = (a: number, b: number): number =>
  ((a | 0x80808080) - (b & 0x7f7f7f7f)) ^ ((a ^ ~b) & 0x80808080);

/** Appends zeros to the tokens; returns the new number of tokens. */
function addZeros(tokens: Uint16Array, counts: Uint32Array, many: number, zeros: number): number {
  let next = many;
  const zero = (): void => {
    tokens[next++] = 0;
    counts[0]! += 1;
  };
  zero();
  let more = zeros - 1;
  while (more >= shortestRun) {
    // Leaves no remainder that is too short for a run.
    const length = more > longestRun ? Math.min(longestRun, more - shortestRun) : more;
    tokens[next++] = run + length;
    counts[lengthSymbols[length]!.symbol]! += 1;
    more -= length;
  }
  for (; more > 0; more--) zero();
  return next;
}
