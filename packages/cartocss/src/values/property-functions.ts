/** Image filters with their number of arguments. -1: one or more. */
export const filterFunctions: ReadonlyMap<string, number> = new Map([
  ['agg-stack-blur', 2],
  ['emboss', 0],
  ['blur', 0],
  ['gray', 0],
  ['sobel', 0],
  ['edge-detect', 0],
  ['x-gradient', 0],
  ['y-gradient', 0],
  ['invert', 0],
  ['sharpen', 0],
  ['color-blind-protanope', 0],
  ['color-blind-deuteranope', 0],
  ['color-blind-tritanope', 0],
  ['colorize-alpha', -1],
  ['color-to-alpha', 1],
  ['scale-hsla', 8],
]);

/** Transforms with their possible numbers of arguments. */
export const transformFunctions: ReadonlyMap<string, readonly number[]> = new Map([
  ['matrix', [6]],
  ['translate', [1, 2]],
  ['scale', [1, 2]],
  ['rotate', [1, 3]],
  ['skewX', [1]],
  ['skewY', [1]],
]);
