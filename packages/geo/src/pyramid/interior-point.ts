import TinyQueue from 'tinyqueue';
import type { PositionPath } from './shapes.js';

type Point = readonly [x: number, y: number];

/** A square that may hold the point. */
interface Cell {
  x: number;
  y: number;
  /** Half of its side. */
  half: number;
  /** How good its middle is, and at most a point of it. */
  score: number;
  most: number;
}

/** By this share of the size of a polygon a better point is not looked for. */
const precision = 1 / 100;

/** Most squares along a side at the beginning. */
const mostSquares = 100;

/** Most distances of a point from an edge: about a second. The best point that was found until then is taken. */
const mostDistances = 2e7;

/**
 * A point far from the edges of a polygon and near its centroid, as Mapnik 4.2 chooses it for `placement: interior`: the polylabel
 * search (squares are divided while they can hold a better point), in which the distance from the edges is reduced by the share
 * of the size that a point is away from the centroid.
 */
export function interiorPoint(rings: readonly PositionPath[], centroid: Point): Point {
  const { west, north, width, height } = ringBounds(rings[0]!);
  const size = Math.max(width, height);
  if (width === 0 || height === 0) return [west, north];
  const most = Math.max(64, mostDistances / rings.reduce((sum, ring) => sum + ring.length / 2, 0));
  // Of a thin polygon the squares are wider than it.
  const side = Math.max(Math.min(width, height), size / mostSquares, Math.sqrt((2 * width * height) / most));
  const cellAt = (x: number, y: number, half: number): Cell => {
    const distance = distanceWithin(rings, x, y);
    const share = 1 - Math.hypot(x - centroid[0], y - centroid[1]) / size;
    const scoreOf = (far: number): number => (far > 0 ? far * share : far);
    return { x, y, half, score: scoreOf(distance), most: scoreOf(distance + half * Math.SQRT2) };
  };
  let best = cellAt(...centroid, 0);
  const cells = new TinyQueue<Cell>([], (a, b) => b.most - a.most);
  for (let x = west; x < west + width; x += side)
    for (let y = north; y < north + height; y += side)
      cells.push(cellAt(x + side / 2, y + side / 2, side / 2));
  let measured = cells.length;
  for (let cell = cells.pop(); cell && measured < most; cell = cells.pop()) {
    if (cell.score > best.score) best = cell;
    if (cell.most - best.score <= precision * size) break;
    measured += 4;
    const half = cell.half / 2;
    for (const dx of [-half, half])
      for (const dy of [-half, half]) cells.push(cellAt(cell.x + dx, cell.y + dy, half));
  }
  return [best.x, best.y];
}

/** The bounds of a ring, y downwards. */
export function ringBounds(ring: PositionPath): {
  west: number;
  north: number;
  width: number;
  height: number;
} {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    [west, east] = [Math.min(west, ring[i]!), Math.max(east, ring[i]!)];
    [north, south] = [Math.min(north, ring[i + 1]!), Math.max(south, ring[i + 1]!)];
  }
  return { west, north, width: east - west, height: south - north };
}

/** The distance of a point from the edges of a polygon; negative outside. */
function distanceWithin(rings: readonly PositionPath[], x: number, y: number): number {
  let isInside = false;
  let least = Infinity;
  for (const ring of rings)
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x0, y0] = [ring[i]! - x, ring[i + 1]! - y];
      const [x1, y1] = [ring[i + 2]! - x, ring[i + 3]! - y];
      const [dx, dy] = [x1 - x0, y1 - y0];
      if (y0 > 0 !== y1 > 0 && x0 - (y0 * dx) / dy > 0) isInside = !isInside;
      const along = -(x0 * dx + y0 * dy) / (dx * dx + dy * dy || 1);
      const t = along < 0 ? 0 : along > 1 ? 1 : along;
      const [awayX, awayY] = [x0 + t * dx, y0 + t * dy];
      const square = awayX * awayX + awayY * awayY;
      if (square < least) least = square;
    }
  return (isInside ? 1 : -1) * Math.sqrt(least);
}
