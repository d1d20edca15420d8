/** How much of each pixel a shape covers: up to 255, row by row. */
export interface Mask {
  /** Offset in pixels from the pixel of the pen. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly cover: Uint8Array;
}

/** A glyph's outline in em, y upwards. Each piece: 1, 2 or 3 (line, quadratic, cubic), then its points with both ends. */
export type Outline = readonly number[];

/** Straight edges in pixels, y downwards: x and y of both ends of each. */
export type OutlineEdges = readonly number[];

/** Maximum distance of a chord from its curve, pixels. */
const tolerance = 0.02;
/** Limit of a mask in bytes. */
const largestMask = 4 * 1024 * 1024;

/**
 * Edges of an outline at `size` pixels per em, turned clockwise by an angle in radians; `x` and `y`: offset of the origin to the
 * right and below the corner of its pixel.
 */
export function edgesOf(
  outline: Outline,
  size: number,
  { x, y, angle = 0 }: { x: number; y: number; angle?: number },
): OutlineEdges {
  const edges: number[] = [];
  const [across, along] = [size * Math.sin(angle), size * Math.cos(angle)];
  for (let i = 0; i < outline.length; ) {
    const kind = outline[i++]!;
    const end = i + 2 * kind + 2;
    const points: number[] = [];
    for (; i < end; i += 2) {
      const [right, up] = [outline[i]!, outline[i + 1]!];
      points.push(x + right * along + up * across, y + right * across - up * along);
    }
    addPiece(edges, points);
  }
  return edges;
}

/** Adds a line, or a curve as chords. */
function addPiece(edges: number[], points: readonly number[]): void {
  const chords = chordsOf(points);
  let [x, y] = points as [number, number];
  for (let i = 1; i <= chords; i++) {
    const [nextX, nextY] = [pointAt(points, 0, i / chords), pointAt(points, 1, i / chords)];
    edges.push(x, y, nextX, nextY);
    [x, y] = [nextX, nextY];
  }
}

/** Number of chords, from the second differences of the points, which bound a chord's distance. */
function chordsOf(points: readonly number[]): number {
  let bend = 0;
  for (let i = 4; i < points.length; i += 2)
    bend = Math.max(
      bend,
      Math.hypot(
        points[i]! - 2 * points[i - 2]! + points[i - 4]!,
        points[i + 1]! - 2 * points[i - 1]! + points[i - 3]!,
      ),
    );
  return Math.max(1, Math.ceil(Math.sqrt(((points.length === 6 ? 0.25 : 0.75) * bend) / tolerance)));
}

/** A coordinate (0 x, 1 y) of the Bézier curve of 2 to 4 points. */
function pointAt(points: readonly number[], axis: 0 | 1, t: number): number {
  const last = points[points.length - 2 + axis]!;
  if (t === 1) return last;
  const s = 1 - t;
  const first = points[axis]!;
  if (points.length === 4) return s * first + t * last;
  const second = points[2 + axis]!;
  if (points.length === 6) return s * s * first + 2 * s * t * second + t * t * last;
  return s * s * s * first + 3 * s * s * t * second + 3 * s * t * t * points[4 + axis]! + t * t * t * last;
}

/** Pixel bounds of edges; undefined without edges, or when the mask would be too large. */
function boundsOf(
  edges: OutlineEdges,
  margin: number,
): { left: number; top: number; width: number; height: number } | undefined {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < edges.length; i += 2) {
    west = Math.min(west, edges[i]!);
    east = Math.max(east, edges[i]!);
    north = Math.min(north, edges[i + 1]!);
    south = Math.max(south, edges[i + 1]!);
  }
  const [left, top] = [Math.floor(west - margin), Math.floor(north - margin)];
  const [width, height] = [Math.ceil(east + margin) - left, Math.ceil(south + margin) - top];
  return width > 0 && height > 0 && width * height <= largestMask ? { left, top, width, height } : undefined;
}

/** Coverage of the shape within edges, by accumulated signed areas. */
export function fillMask(edges: OutlineEdges): Mask | undefined {
  const bounds = boundsOf(edges, 0);
  if (!bounds) return undefined;
  const { left, top, width, height } = bounds;
  // An edge also adds to the pixel after its own.
  const stride = width + 2;
  const cells = new Float32Array(stride * height);
  for (let i = 0; i < edges.length; i += 4)
    addEdge(cells, stride, edges[i]! - left, edges[i + 1]! - top, edges[i + 2]! - left, edges[i + 3]! - top);
  const cover = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    let sum = 0;
    for (let column = 0; column < width; column++) {
      sum += cells[row * stride + column]!;
      cover[row * width + column] = Math.min(255, 255 * Math.abs(sum) + 0.5);
    }
  }
  return { ...bounds, cover };
}

/** Adds an edge's change of coverage from pixel to pixel. Running sums along rows then give the signed area to the right of the edges. */
function addEdge(
  cells: Float32Array,
  stride: number,
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
): void {
  if (fromY === toY) return;
  const sign = fromY < toY ? 1 : -1;
  const [x0, y0, x1, y1] = sign > 0 ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
  const slope = (x1 - x0) / (y1 - y0);
  let x = x0;
  for (let row = Math.floor(y0); row < y1; row++) {
    const tall = Math.min(row + 1, y1) - Math.max(row, y0);
    const next = x + slope * tall;
    addInRow(cells, row * stride, Math.min(x, next), Math.max(x, next), sign * tall);
    x = next;
  }
}

/** Adds the part of an edge in one row, from `west` to `east`; `tall` is its signed height. */
function addInRow(cells: Float32Array, start: number, west: number, east: number, tall: number): void {
  const first = Math.max(0, Math.floor(west));
  const end = Math.ceil(east);
  if (end <= first + 1) {
    const beyond = tall * ((west + east) / 2 - first);
    cells[start + first]! += tall - beyond;
    cells[start + first + 1]! += beyond;
    return;
  }
  const perPixel = tall / (east - west);
  /** Area left of the right edge of a pixel, summed over the pixels so far. */
  let before = 0;
  let change = 0;
  for (let column = first; column < end; column++) {
    const [a, b] = [Math.max(west, column), Math.min(east, column + 1)];
    // The area to the right of this part of the edge within its pixel, and of all earlier parts.
    const area = before + perPixel * (b - a) * (column + 1 - (a + b) / 2);
    cells[start + column]! += area - change;
    change = area;
    before += perPixel * (b - a);
  }
  cells[start + end]! += tall - change;
}

/** Coverage of a shape widened by a radius: a pen that follows its edges, and the shape, whose mask is `fill`. */
export function haloMask(edges: OutlineEdges, fill: Mask, radius: number): Mask | undefined {
  const bounds = boundsOf(edges, radius + 0.5);
  if (!bounds) return undefined;
  const { left, top, width, height } = bounds;
  const squares = squaredDistances(edges, bounds, radius + 0.5);
  const cover = new Uint8Array(width * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const inside = coverAt(fill, left + column, top + row);
      const distance = Math.sqrt(squares[at]!);
      const reach = radius + 0.5 + (inside >= 128 ? distance : -distance);
      cover[at] = Math.max(inside, Math.min(255, 255 * reach + 0.5));
    }
  return { ...bounds, cover };
}

function coverAt({ left, top, width, height, cover }: Mask, x: number, y: number): number {
  const [column, row] = [x - left, y - top];
  return column >= 0 && row >= 0 && column < width && row < height ? cover[row * width + column]! : 0;
}

/** Squared distance of each pixel's middle from the nearest edge, up to `reach`; Infinity beyond. */
function squaredDistances(
  edges: OutlineEdges,
  { left, top, width, height }: Omit<Mask, 'cover'>,
  reach: number,
): Float32Array {
  const squares = new Float32Array(width * height).fill(Infinity);
  for (let i = 0; i < edges.length; i += 4) {
    // Relative to the middle of the first pixel.
    const [x0, y0] = [edges[i]! - left - 0.5, edges[i + 1]! - top - 0.5];
    const [x1, y1] = [edges[i + 2]! - left - 0.5, edges[i + 3]! - top - 0.5];
    const [dx, dy] = [x1 - x0, y1 - y0];
    const perSquare = 1 / (dx * dx + dy * dy || 1);
    const lastRow = Math.min(height - 1, Math.floor(Math.max(y0, y1) + reach));
    const lastColumn = Math.min(width - 1, Math.floor(Math.max(x0, x1) + reach));
    for (let row = Math.max(0, Math.ceil(Math.min(y0, y1) - reach)); row <= lastRow; row++)
      for (let column = Math.max(0, Math.ceil(Math.min(x0, x1) - reach)); column <= lastColumn; column++) {
        const along = ((column - x0) * dx + (row - y0) * dy) * perSquare;
        const t = along < 0 ? 0 : along > 1 ? 1 : along;
        const [awayX, awayY] = [x0 + t * dx - column, y0 + t * dy - row];
        const square = awayX * awayX + awayY * awayY;
        const at = row * width + column;
        if (square < squares[at]!) squares[at] = square;
      }
  }
  return squares;
}
