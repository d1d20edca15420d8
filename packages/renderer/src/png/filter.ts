import { endOfBlock, lengthSymbols, longestRun, shortestRun, symbolCount } from './symbols.js';

/** A picture by words: red is the lowest byte, alpha the highest. */
export interface Picture {
  words: Int32Array;
  width: number;
}

/** A part of a picture, pixels. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What a PNG compresses: for each row the kind of its filter, and of each pixel what is different from another, which is mostly nothing. */
export interface Filtered {
  /** Bytes, and `run` + n for n more zeros after one. */
  tokens: Uint16Array;
  /** How often deflate needs each of its symbols for them. */
  counts: Uint32Array;
  /** Adler-32 of the bytes (RFC 1950, 8.2). */
  checksum: number;
}

export const run = 256;

/** Kinds of filters: a pixel is compared with that on its left, or with that above. */
const [left, above] = [1, 2];

const channels = 3;
const opaque = 255;
const modulus = 65_521;

/** Grows with the largest part; what is filtered next takes the place of what was before. */
let room = new Uint16Array(0);

/**
 * Filters red, green and blue of a part. Pixels are compared as words, and for those that are as the one before nothing is done but to count them.
 * undefined for a part where something is transparent, or where more than so many are not as the one before.
 */
export function filterPart(
  { words, width: stride }: Picture,
  { x, y, width, height }: Part,
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
    // A byte is in the high sum once for itself and for each that comes after it in the row.
    let [sum, weighted] = [kind, kind * rowBytes];
    for (let at = first; at < end; ) {
      // On the left of the first pixel all is black.
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

/** The first place from `from` on, before `end`, whose word is not as the one so far back. Four at once: there are fewer branches. */
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

/** The differences of the bytes of two words, each on its own. */
const minus = (a: number, b: number): number =>
  ((a | 0x80808080) - (b & 0x7f7f7f7f)) ^ ((a ^ ~b) & 0x80808080);

/** Adds zeros behind so many tokens: how many tokens there are then. */
function addZeros(tokens: Uint16Array, counts: Uint32Array, many: number, zeros: number): number {
  let next = many;
  const zero = (): void => {
    tokens[next++] = 0;
    counts[0]! += 1;
  };
  zero();
  let more = zeros - 1;
  while (more >= shortestRun) {
    // No rest that is too short for a run.
    const length = more > longestRun ? Math.min(longestRun, more - shortestRun) : more;
    tokens[next++] = run + length;
    counts[lengthSymbols[length]!.symbol]! += 1;
    more -= length;
  }
  for (; more > 0; more--) zero();
  return next;
}
