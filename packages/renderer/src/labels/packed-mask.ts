import type { Mask } from './glyph-mask.js';

/** A mask as a list of the pixels that it covers: to go through a list takes half of the time that it takes to look at all pixels of a box. */
export interface PackedMask extends Omit<Mask, 'cover'> {
  /** Row (12 bits), column (12) and cover (8) of each, those first that are covered in full. */
  readonly pixels: Int32Array;
  /** How many are covered in full. */
  readonly full: number;
}

const sideBits = 12;
/** Columns and rows that a packed mask can have. */
const longestSide = 1 << sideBits;

export const rowOf = (pixel: number): number => pixel >>> (8 + sideBits);
export const columnOf = (pixel: number): number => (pixel >>> 8) & (longestSide - 1);
export const coverOf = (pixel: number): number => pixel & 255;

/** undefined for a mask that is too wide or too tall. */
export function packMask({ left, top, width, height, cover }: Mask): PackedMask | undefined {
  if (width > longestSide || height > longestSide) return undefined;
  const [full, partial]: [number[], number[]] = [[], []];
  for (let i = 0; i < cover.length; i++) {
    const share = cover[i]!;
    if (share === 0) continue;
    const pixel = (Math.floor(i / width) << (8 + sideBits)) | ((i % width) << 8) | share;
    (share === 255 ? full : partial).push(pixel);
  }
  return listed({ left, top, width, height }, full, partial);
}

/** The pixels within sides, in pixels of the mask; the corner stays where it is. */
export function cutMask(
  mask: PackedMask,
  sides: { left: number; top: number; right: number; bottom: number },
): PackedMask {
  const isInside = (pixel: number): boolean => {
    const [column, row] = [columnOf(pixel), rowOf(pixel)];
    return column >= sides.left && column < sides.right && row >= sides.top && row < sides.bottom;
  };
  const { pixels, full } = mask;
  return listed(mask, pixels.subarray(0, full).filter(isInside), pixels.subarray(full).filter(isInside));
}

function listed(
  { left, top, width, height }: Omit<Mask, 'cover'>,
  full: ArrayLike<number>,
  partial: ArrayLike<number>,
): PackedMask {
  const pixels = new Int32Array(full.length + partial.length);
  pixels.set(full);
  pixels.set(partial, full.length);
  return { left, top, width, height, pixels, full: full.length };
}
