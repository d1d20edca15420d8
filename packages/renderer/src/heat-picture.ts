/** A heat map as pixels: sums of weights in a grid → spread → coloured. Pure. */

/** A weight of a heat map that can reach into a picture. */
export interface HeatCell {
  /** Cell in the grid of the zoom level: columns from the west, rows from the north. */
  x: number;
  y: number;
  weight: number;
  /** Radius in cells. */
  radius: number;
}

export interface HeatGrid {
  /** Place of the north-western cell. */
  x: number;
  y: number;
  columns: number;
  rows: number;
}

/**
 * Density of each cell: weights in a square as wide as the radius. Three successive box filters spread each weight,
 * which approximates a Gaussian with a deviation of half the radius and keeps the total weight.
 */
export function densities(cells: readonly HeatCell[], grid: HeatGrid): Float64Array {
  const { columns, rows } = grid;
  const total = new Float64Array(columns * rows);
  const layers = new Map<number, Float64Array>();
  for (const { x, y, weight, radius } of cells) {
    const [column, row] = [x - grid.x, y - grid.y];
    if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
    const layer = layers.get(radius) ?? new Float64Array(columns * rows);
    layers.set(radius, layer);
    layer[row * columns + column]! += weight;
  }
  for (const [radius, layer] of layers) {
    const half = boxHalf(radius / 2);
    const other = new Float64Array(layer.length);
    for (let pass = 0; pass < 3; pass++) {
      blur(layer, other, { length: columns, lines: rows, step: 1, line: columns, half });
      blur(other, layer, { length: rows, lines: columns, step: columns, line: 1, half });
    }
    const square = radius * radius;
    for (let i = 0; i < total.length; i++) total[i]! += layer[i]! * square;
  }
  return total;
}

/** Half of the width of a box filter, without its middle cell, so that three filters have this deviation (in cells). */
export const boxHalf = (deviation: number): number =>
  Math.max(0, Math.round((Math.sqrt(4 * deviation * deviation + 1) - 1) / 2));

interface Lines {
  length: number;
  lines: number;
  step: number;
  line: number;
  half: number;
}

/** The mean over a box around each value, along lines; values beyond the ends are 0. */
function blur(from: Float64Array, to: Float64Array, { length, lines, step, line, half }: Lines): void {
  const width = 2 * half + 1;
  for (let l = 0; l < lines; l++) {
    const start = l * line;
    let sum = 0;
    for (let i = 0; i < Math.min(half, length); i++) sum += from[start + i * step]!;
    for (let i = 0; i < length; i++) {
      if (i + half < length) sum += from[start + (i + half) * step]!;
      to[start + i * step] = sum / width;
      if (i - half >= 0) sum -= from[start + (i - half) * step]!;
    }
  }
}

export interface HeatColors {
  colors: readonly string[];
  opacity: number;
}

const steps = 255;

/** Colour table (red, green, blue, alpha, premultiplied) for densities from 0 to 1; the lowest densities are transparent. */
export function heatTable({ colors, opacity }: HeatColors): Uint8Array {
  const table = new Uint8Array(4 * (steps + 1));
  const stops = colors.map((color) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)));
  for (let i = 1; i <= steps; i++) {
    const at = (i / steps) * (stops.length - 1);
    const [low, high] = [stops[Math.floor(at)]!, stops[Math.ceil(at)]!];
    const alpha = opacity * Math.min(1, (6 * i) / steps);
    for (let c = 0; c < 3; c++)
      table[4 * i + c] = Math.round((low[c]! + (high[c]! - low[c]!) * (at - Math.floor(at))) * alpha);
    table[4 * i + 3] = Math.round(255 * alpha);
  }
  return table;
}

/** Position of a picture over the grid: cells from the north-western corner, and cells per pixel. */
export interface HeatFrame {
  x: number;
  y: number;
  perPixel: number;
  width: number;
  height: number;
}

/** The pixels (RGBA, premultiplied): interpolated densities in the colours of a table; `peak` has the last colour. */
export function heatPixels(
  values: Float64Array,
  { columns, rows }: HeatGrid,
  frame: HeatFrame,
  { table, peak }: { table: Uint8Array; peak: number },
): Buffer {
  const { x, y, perPixel, width, height } = frame;
  const pixels = Buffer.alloc(4 * width * height);
  const at = (column: number, row: number): number =>
    values[Math.min(rows - 1, Math.max(0, row)) * columns + Math.min(columns - 1, Math.max(0, column))]!;
  for (let py = 0; py < height; py++) {
    const v = y + (py + 0.5) * perPixel - 0.5;
    const row = Math.floor(v);
    for (let px = 0; px < width; px++) {
      const u = x + (px + 0.5) * perPixel - 0.5;
      const column = Math.floor(u);
      const [a, b] = [u - column, v - row];
      const upper = at(column, row) * (1 - a) + at(column + 1, row) * a;
      const lower = at(column, row + 1) * (1 - a) + at(column + 1, row + 1) * a;
      const level = Math.min(steps, Math.round((steps * (upper * (1 - b) + lower * b)) / peak));
      if (level > 0) for (let c = 0; c < 4; c++) pixels[4 * (py * width + px) + c] = table[4 * level + c]!;
    }
  }
  return pixels;
}
