import type { PositionPath, PyramidShape } from './shapes.js';

/** Edges in units of the world. */
export interface ClipBox {
  west: number;
  north: number;
  east: number;
  south: number;
}

const boxOf = (path: PositionPath): ClipBox => {
  const box = { west: Infinity, north: Infinity, east: -Infinity, south: -Infinity };
  for (let i = 0; i < path.length; i += 2) {
    const [x, y] = [path[i]!, path[i + 1]!];
    if (x < box.west) box.west = x;
    if (x > box.east) box.east = x;
    if (y < box.north) box.north = y;
    if (y > box.south) box.south = y;
  }
  return box;
};

const isOutside = (one: ClipBox, box: ClipBox): boolean =>
  !(one.east >= box.west && one.west <= box.east && one.south >= box.north && one.north <= box.south);
const isInside = (one: ClipBox, box: ClipBox): boolean =>
  one.west >= box.west && one.east <= box.east && one.north >= box.north && one.south <= box.south;

/** The part of a shape in a box. The outline of a polygon runs along the box where it is cut. */
export function clipShape({ dimension, parts }: PyramidShape, box: ClipBox): PyramidShape {
  const clipped = parts.flatMap((part): (readonly PositionPath[])[] => {
    const [outer, ...holes] = part as readonly [PositionPath, ...PositionPath[]];
    const extent = boxOf(outer);
    if (isOutside(extent, box)) return [];
    if (isInside(extent, box)) return [part];
    if (dimension === 1) return clipLine(outer, box).map((line) => [line]);
    const ring = clipRing(outer, box);
    return ring.length < 8 ? [] : [[ring, ...holes.flatMap((hole) => clipHole(hole, box))]];
  });
  return { dimension, parts: clipped };
}

function clipHole(hole: PositionPath, box: ClipBox): PositionPath[] {
  const extent = boxOf(hole);
  if (isOutside(extent, box)) return [];
  const ring = isInside(extent, box) ? hole : clipRing(hole, box);
  return ring.length < 8 ? [] : [ring];
}

/** Sutherland and Hodgman, "Reentrant polygon clipping" (1974): cuts a ring at one edge of the box after the other. */
function clipRing(ring: PositionPath, { west, north, east, south }: ClipBox): PositionPath {
  let cut = cutRing(ring, 0, west, 1);
  cut = cutRing(cut, 0, east, -1);
  cut = cutRing(cut, 1, north, 1);
  return cutRing(cut, 1, south, -1);
}

/** The part of a ring where `side × (coordinate − bound)` is not negative. */
function cutRing(ring: PositionPath, axis: 0 | 1, bound: number, side: 1 | -1): PositionPath {
  const found: number[] = [];
  const isIn = (i: number): boolean => side * (ring[i + axis]! - bound) >= 0;
  for (let i = 0; i + 2 < ring.length; i += 2) {
    if (isIn(i)) found.push(ring[i]!, ring[i + 1]!);
    if (isIn(i) !== isIn(i + 2)) found.push(...crossing(ring, i, axis, bound));
  }
  if (found.length) found.push(found[0]!, found[1]!);
  return Float64Array.from(found);
}

/** Where the edge from position `i` meets a line. */
function crossing(path: PositionPath, i: number, axis: 0 | 1, bound: number): [x: number, y: number] {
  const [x0, y0, x1, y1] = [path[i]!, path[i + 1]!, path[i + 2]!, path[i + 3]!];
  return axis === 0
    ? [bound, y0 + ((y1 - y0) * (bound - x0)) / (x1 - x0)]
    : [x0 + ((x1 - x0) * (bound - y0)) / (y1 - y0), bound];
}

/** The parts of a line in a box, edge by edge (Liang and Barsky 1984). */
function clipLine(line: PositionPath, box: ClipBox): PositionPath[] {
  const lines: number[][] = [];
  let open: number[] | undefined;
  for (let i = 0; i + 2 < line.length; i += 2) {
    const [x, y] = [line[i]!, line[i + 1]!];
    const [dx, dy] = [line[i + 2]! - x, line[i + 3]! - y];
    const [from, to] = shareInside([x, y, dx, dy], box);
    if (from > to) {
      open = undefined;
      continue;
    }
    if (!open || from > 0) {
      open = [x + from * dx, y + from * dy];
      lines.push(open);
    }
    open.push(x + to * dx, y + to * dy);
    if (to < 1) open = undefined;
  }
  return lines.map((one) => Float64Array.from(one));
}

/** The shares of an edge, 0 to 1, between which it is in the box; the first is larger if it is not. */
function shareInside(
  [x, y, dx, dy]: readonly [number, number, number, number],
  { west, north, east, south }: ClipBox,
): [from: number, to: number] {
  let [from, to] = [0, 1];
  for (const [step, room] of [
    [-dx, x - west],
    [dx, east - x],
    [-dy, y - north],
    [dy, south - y],
  ] as const) {
    if (step === 0 && room < 0) return [1, 0];
    if (step < 0) from = Math.max(from, room / step);
    if (step > 0) to = Math.min(to, room / step);
  }
  return [from, to];
}
