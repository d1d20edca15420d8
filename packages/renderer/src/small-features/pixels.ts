/** A picture in memory: RGBA, premultiplied, as little-endian words. */
export interface Pixels {
  words: Uint32Array;
  width: number;
  height: number;
}

export const pixelsIn = (bytes: Uint8Array, width: number, height: number): Pixels => ({
  words: new Uint32Array(bytes.buffer, bytes.byteOffset, width * height),
  width,
  height,
});

/** The words of pixels as signed numbers, with which the compiler calculates faster. */
export const signed = (words: Uint32Array): Int32Array =>
  new Int32Array(words.buffer, words.byteOffset, words.length);

/**
 * One premultiplied pixel over another (Porter and Duff 1984, "over"), two channels at a time. The division by 255 is
 * (t + t / 256) / 256 with t = product + 128, which gives the exact rounded value.
 */
export function over(above: number, below: number): number {
  const rest = 255 - (above >>> 24);
  if (rest === 0) return above;
  const even = Math.imul(below & 0xff00ff, rest) + 0x800080;
  const odd = Math.imul((below >>> 8) & 0xff00ff, rest) + 0x800080;
  const evens = ((even + ((even >>> 8) & 0xff00ff)) >>> 8) & 0xff00ff;
  const odds = (odd + ((odd >>> 8) & 0xff00ff)) & 0xff00ff00;
  return (above + (evens | odds)) | 0;
}
