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
  const other = new Float64Array(columns * rows);
  const scratch = new Float64Array(columns);
  for (const [radius, { layer, filled }] of layersOf(cells, grid)) {
    const half = boxHalf(radius / 2);
    for (let row = 0; row < rows; row++)
      if (filled[row]) blurRow(layer.subarray(row * columns, (row + 1) * columns), half, scratch);
    blurColumns(layer, other, { columns, rows, half });
    blurColumns(other, layer, { columns, rows, half });
    blurColumns(layer, other, { columns, rows, half });
    const square = radius * radius;
    for (let i = 0; i < total.length; i++) total[i]! += other[i]! * square;
  }
  return total;
}

/** The weights of one radius. */
interface WeightLayer {
  layer: Float64Array;
  /** 1 for the rows that hold any. */
  filled: Uint8Array;
}

/** The weights in the grid by radius. */
function layersOf(cells: readonly HeatCell[], { x: west, y: north, columns, rows }: HeatGrid) {
  const layers = new Map<number, WeightLayer>();
  for (const { x, y, weight, radius } of cells) {
    const [column, row] = [x - west, y - north];
    if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
    let known = layers.get(radius);
    if (!known) {
      known = { layer: new Float64Array(columns * rows), filled: new Uint8Array(rows) };
      layers.set(radius, known);
    }
    known.layer[row * columns + column]! += weight;
    known.filled[row] = 1;
  }
  return layers;
}

/** Half of the width of a box filter, without its middle cell, so that three filters have this deviation (in cells). */
export const boxHalf = (deviation: number): number =>
  Math.max(0, Math.round((Math.sqrt(4 * deviation * deviation + 1) - 1) / 2));

/** Spreads a row by three box filters. Values beyond the ends are 0. `from`: room for a row. */
function blurRow(row: Float64Array, half: number, from: Float64Array): void {
  const { length } = row;
  const share = 1 / (2 * half + 1);
  for (let pass = 0; pass < 3; pass++) {
    from.set(row);
    let sum = 0;
    for (let i = 0; i < Math.min(half, length); i++) sum += from[i]!;
    for (let i = 0; i < length; i++) {
      if (i + half < length) sum += from[i + half]!;
      row[i] = sum * share;
      if (i - half >= 0) sum -= from[i - half]!;
    }
  }
}

/** Spreads all columns by one box filter, row by row as they lie in memory. Values beyond the ends are 0. */
function blurColumns(
  from: Float64Array,
  to: Float64Array,
  { columns, rows, half }: Pick<HeatGrid, 'columns' | 'rows'> & { half: number },
): void {
  const share = 1 / (2 * half + 1);
  const sums = new Float64Array(columns);
  const nothing = new Float64Array(columns);
  const rowOf = (row: number): Float64Array =>
    row < 0 || row >= rows ? nothing : from.subarray(row * columns, (row + 1) * columns);
  for (let row = -half; row < rows; row++) {
    const [entering, leaving] = [rowOf(row + half), rowOf(row - half - 1)];
    for (let i = 0; i < columns; i++) sums[i] = sums[i]! + entering[i]! - leaving[i]!;
    if (row >= 0) for (let i = 0, at = row * columns; i < columns; i++, at++) to[at] = sums[i]! * share;
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
  const { width, height } = frame;
  const pixels = Buffer.alloc(4 * width * height);
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const colors = new Uint32Array(table.buffer, table.byteOffset, steps + 1);
  const { first, second, part } = betweenCells(frame.x, frame.perPixel, { pixels: width, cells: columns });
  const down = betweenCells(frame.y, frame.perPixel, { pixels: height, cells: rows });
  const factor = steps / peak;
  const line = new Float64Array(columns);
  const [west, east] = [first[0]!, second[width - 1]!];
  for (let py = 0; py < height; py++) {
    const [upper, lower] = [down.first[py]! * columns, down.second[py]! * columns];
    const b = down.part[py]!;
    let highest = 0;
    for (let i = west; i <= east; i++) {
      const level = factor * (values[upper + i]! * (1 - b) + values[lower + i]! * b);
      line[i] = level;
      if (level > highest) highest = level;
    }
    if (highest < 0.5) continue;
    for (let px = 0, at = py * width; px < width; px++, at++) {
      const a = part[px]!;
      const level = Math.floor(line[first[px]!]! * (1 - a) + line[second[px]!]! * a + 0.5);
      // A density that is no number, where huge weights meet, has no colour.
      words[at] = colors[Math.min(steps, level)] ?? 0;
    }
  }
  return pixels;
}

/** For each pixel of a row or column the two cells between whose middles its middle lies, and how far it is from the first. */
function betweenCells(
  start: number,
  perPixel: number,
  { pixels, cells }: { pixels: number; cells: number },
): { first: Int32Array; second: Int32Array; part: Float64Array } {
  const [first, second] = [new Int32Array(pixels), new Int32Array(pixels)];
  const part = new Float64Array(pixels);
  const within = (cell: number): number => Math.min(cells - 1, Math.max(0, cell));
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = start + (pixel + 0.5) * perPixel - 0.5;
    const cell = Math.floor(at);
    first[pixel] = within(cell);
    second[pixel] = within(cell + 1);
    part[pixel] = at - cell;
  }
  return { first, second, part };
}
