import { edgesOf, fillMask, type Mask, type Outline } from '../labels/glyph-mask.js';

/** Pixels of a glyph per em, and around it, in glyphs of MapLibre and Mapbox. */
export const fieldSize = 24;
export const fieldMargin = 3;

/** The distance that makes the whole range of a byte, pixels, and the part of the range that lies inside of the shape. */
const range = 8;
const insideShare = 0.25;

/** Cells of the measured grid per pixel. */
const fine = 2;

/** Large, but not infinite: differences are taken. */
const far = 1e20;

/**
 * The signed distances of pixels from the edge of a shape (https://github.com/mapbox/sdf-glyph-foundry): 191 on the edge, more
 * inside, 32 per pixel. They are measured from the coverage of a finer grid, so contours that overlap leave no trace.
 * undefined for blanks. The margin counts in `left`, `top`, `width` and `height`.
 */
export function distanceField(outline: Outline): Mask | undefined {
  const fill = fillMask(edgesOf(outline, fieldSize * fine, { x: 0, y: 0 }));
  if (!fill) return undefined;
  const pixelsFrom = (start: number): number => Math.floor(start / fine) - fieldMargin;
  const pixelsTo = (end: number): number => Math.ceil(end / fine) + fieldMargin;
  const [left, top] = [pixelsFrom(fill.left), pixelsFrom(fill.top)];
  const [width, height] = [pixelsTo(fill.left + fill.width) - left, pixelsTo(fill.top + fill.height) - top];
  const distances = signedDistances(fill, {
    ...{ left: left * fine, top: top * fine },
    ...{ width: width * fine, height: height * fine },
  });
  const cover = new Uint8Array(width * height);
  const stride = width * fine;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let row = y * fine; row < (y + 1) * fine; row++)
        for (let column = x * fine; column < (x + 1) * fine; column++)
          sum += distances[row * stride + column]!;
      const pixels = sum / fine ** 3;
      cover[y * width + x] = Math.round(Math.min(255, Math.max(0, 255 * (1 - insideShare - pixels / range))));
    }
  return { left, top, width, height, cover };
}

/** Distances of cells from the edge, in cells, negative inside. Cells that the edge crosses tell by their coverage where it is. */
function signedDistances(fill: Mask, { left, top, width, height }: Omit<Mask, 'cover'>): Float64Array {
  const outside = new Float64Array(width * height).fill(far);
  const inside = new Float64Array(width * height);
  for (let row = 0; row < fill.height; row++)
    for (let column = 0; column < fill.width; column++) {
      const cover = fill.cover[row * fill.width + column]! / 255;
      const at = (row + fill.top - top) * width + column + fill.left - left;
      if (cover === 0) continue;
      outside[at] = cover === 1 ? 0 : Math.max(0, 0.5 - cover) ** 2;
      inside[at] = cover === 1 ? far : Math.max(0, cover - 0.5) ** 2;
    }
  spread(outside, width, height);
  spread(inside, width, height);
  return outside.map((square, i) => Math.sqrt(square) - Math.sqrt(inside[i]!));
}

/** Squared distances to the nearest cells, along columns and then along rows (Felzenszwalb and Huttenlocher, 2012). */
function spread(grid: Float64Array, width: number, height: number): void {
  for (let x = 0; x < width; x++) spreadLine(grid, { start: x, step: width, count: height });
  for (let y = 0; y < height; y++) spreadLine(grid, { start: y * width, step: 1, count: width });
}

/** Squares of a line, the cells whose parabolas make the envelope, and where each of them begins; shared by all lines. */
let scratch = { values: new Float64Array(0), cells: new Int32Array(0), begins: new Float64Array(1) };

function scratchFor(count: number): typeof scratch {
  if (scratch.values.length < count)
    scratch = {
      values: new Float64Array(count),
      cells: new Int32Array(count),
      begins: new Float64Array(count + 1),
    };
  return scratch;
}

/** Replaces the squares of a line by the lower envelope of the parabolas over its cells. */
function spreadLine(
  grid: Float64Array,
  { start, step, count }: { start: number; step: number; count: number },
): void {
  const { values, cells, begins } = scratchFor(count);
  for (let i = 0; i < count; i++) values[i] = grid[start + i * step]!;
  cells[0] = 0;
  begins[0] = -far;
  begins[1] = far;
  let last = 0;
  for (let i = 1; i < count; i++) {
    let place = meeting(values, cells[last]!, i);
    while (last > 0 && place <= begins[last]!) place = meeting(values, cells[--last]!, i);
    cells[++last] = i;
    begins[last] = place;
    begins[last + 1] = far;
  }
  let part = 0;
  for (let i = 0; i < count; i++) {
    while (begins[part + 1]! < i) part++;
    const cell = cells[part]!;
    grid[start + i * step] = values[cell]! + (i - cell) ** 2;
  }
}

/** Where the parabolas over two cells meet. */
const meeting = (values: Float64Array, a: number, b: number): number =>
  (values[b]! - values[a]! + b * b - a * a) / (2 * (b - a));
