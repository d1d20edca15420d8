import { PNG } from 'pngjs';

/** Side of the squares whose mean colours are compared, pixels. */
const side = 16;

/** How two pictures differ, by the mean of their squares: 0 to 255. */
export interface Difference {
  /** Of all squares, on average. */
  mean: number;
  /** Of the square that differs most. */
  most: number;
}

/** Mean of the channels of each square, with the colours multiplied by their opacity. */
function means(picture: Uint8Array): Float64Array[] {
  const { width, height, data } = PNG.sync.read(Buffer.from(picture));
  const across = Math.ceil(width / side);
  const found = Array.from({ length: across * Math.ceil(height / side) }, () => new Float64Array(4));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const square = found[Math.floor(y / side) * across + Math.floor(x / side)]!;
      const at = (y * width + x) * 4;
      const opacity = data[at + 3]!;
      for (let i = 0; i < 3; i++) square[i]! += (data[at + i]! * opacity) / 255 / side ** 2;
      square[3]! += opacity / side ** 2;
    }
  return found;
}

export function differenceOf(one: Uint8Array, other: Uint8Array): Difference {
  const [a, b] = [means(one), means(other)];
  const differences = a.map((square, i) =>
    Math.max(...square.map((value, j) => Math.abs(value - b[i]![j]!))),
  );
  return {
    mean: differences.reduce((sum, value) => sum + value, 0) / differences.length,
    most: Math.max(...differences),
  };
}
