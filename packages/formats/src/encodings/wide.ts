/** UTF-16, whose letters have two bytes, and whether a byte order mark says so. */
export interface Wide {
  encoding: 'utf-16le' | 'utf-16be';
  isMarked: boolean;
}

/** Number of bytes at the beginning that are looked at. */
const enough = 4096;

/** Minimum share of characters with a zero: delimiters, digits and line ends, whatever the script of the words. */
const leastZeros = 0.05;

/** Maximum share of zeros in the other half: some letters end in one. */
const mostOthers = 0.02;

/**
 * Whether bytes are text in UTF-16: by the byte order mark, or without one because zeros stand almost only in one half of the
 * characters, and a line ends. undefined: they are not.
 */
export function wideEncoding(head: Buffer): Wide | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', isMarked: true };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', isMarked: true };
  const size = Math.min(head.length, enough) & ~1;
  const zeros = [0, 0];
  for (let i = 0; i < size; i++) if (head[i] === 0) zeros[i & 1]!++;
  const [high, low] = zeros as [number, number];
  const [most, others] = [Math.max(high, low), Math.min(high, low)];
  if (most === 0 || most < leastZeros * (size / 2) || others > mostOthers * most) return undefined;
  const isLittle = low > high;
  const text = isLittle ? head.subarray(0, size) : Buffer.from(head.subarray(0, size)).swap16();
  const isOfLines = /[\r\n]/.test(text.toString('utf16le'));
  return isOfLines ? { encoding: isLittle ? 'utf-16le' : 'utf-16be', isMarked: false } : undefined;
}
