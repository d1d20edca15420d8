import { type Filtered, run } from './filter.js';
import { codeLengths, codesOf, reversed } from './huffman.js';
import { endOfBlock, extraBitsOf, lengthSymbols, longestRun, shortestRun, symbolCount } from './symbols.js';

/** Deflate allows 15. With 11, a code, its extra bits and up to 15 pending bits fit into one word; the size is nearly the same. */
const maxCodeBits = 11;

/** Code lengths of the length alphabet: the lengths 0 to 15 have codes of four bits. */
const lengthsOfLengths = [0, 0, 0, ...Array.from({ length: 16 }, () => 4)];
/** Bits before the code lengths: last block, dynamic codes, and the counts of symbols, distances and lengths. */
const headBits = 1 + 2 + 5 + 5 + 4 + 3 * lengthsOfLengths.length + 4 * (symbolCount + 1);

/**
 * Compresses to a zlib stream (RFC 1950): one deflate block (RFC 1951) of literals and runs at distance 1. `before` and
 * `behind`: bytes left free around the stream.
 */
export function deflated(
  { tokens, counts, checksum }: Filtered,
  { before, behind }: { before: number; behind: number },
): Buffer {
  const lengths = codeLengths(counts, maxCodeBits);
  const codes = codesOf(lengths);
  const bytes = Math.ceil((headBits + bodyBits(counts, lengths)) / 8);
  const stream = Buffer.allocUnsafeSlow(before + 2 + bytes + 4 + behind);
  const start = stream.writeUInt16BE(0x7801, before);
  let [at, word, bits] = [start, 0, 0];
  const put = (value: number, more: number): void => {
    word |= value << bits;
    bits += more;
    if (bits < 16) return;
    stream[at] = word;
    stream[at + 1] = word >>> 8;
    at += 2;
    word >>>= 16;
    bits -= 16;
  };
  put(0b101, 3);
  put(symbolCount - 257, 5);
  put(0, 5);
  put(lengthsOfLengths.length - 4, 4);
  for (const length of lengthsOfLengths) put(length, 3);
  for (const length of lengths) put(reversed(length, 4), 4);
  // The code of the only distance.
  put(reversed(1, 4), 4);
  const { values, sizes } = tokenCodes(codes, lengths);
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    put(values[token]!, sizes[token]!);
  }
  put(codes[endOfBlock]!, lengths[endOfBlock]!);
  // The remaining bits.
  if (bits > 0) stream[at] = word;
  if (bits > 8) stream[at + 1] = word >>> 8;
  stream.writeUInt32BE(checksum, start + bytes);
  return stream;
}

/** Bits of all symbols with their extra bits. */
function bodyBits(counts: Uint32Array, lengths: Uint8Array): number {
  let bits = 0;
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    const behind = symbol > endOfBlock ? extraBitsOf(symbol) + 1 : 0;
    bits += counts[symbol]! * (lengths[symbol]! + behind);
  }
  return bits;
}

/** Bits to write for each token, and their number. A run ends with the distance code, one bit of 0. */
function tokenCodes(codes: Uint16Array, lengths: Uint8Array): { values: Uint32Array; sizes: Uint8Array } {
  const values = new Uint32Array(run + longestRun + 1);
  const sizes = new Uint8Array(run + longestRun + 1);
  values.set(codes.subarray(0, run));
  sizes.set(lengths.subarray(0, run));
  for (let length = shortestRun; length <= longestRun; length++) {
    const { symbol, extra, extraBits } = lengthSymbols[length]!;
    values[run + length] = codes[symbol]! | (extra << lengths[symbol]!);
    sizes[run + length] = lengths[symbol]! + extraBits + 1;
  }
  return { values, sizes };
}
