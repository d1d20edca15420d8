import type { Geometry, Position } from 'geojson';
import { doubleAreaOf, polygonsOf } from './shp-rings.js';
import { demandPositions, noData, partsOf, type Shape, type ShapePart } from './shp-shape.js';

/**
 * A decoded shape as GeoJSON; null without positions. Measures are dropped. `misdirected` is told if outer rings and holes
 * are not those that the directions of the rings tell. Throws `value_invalid` if it is cut off.
 */
export function shapeGeometry(shape: Shape, misdirected?: () => void): Geometry | null {
  switch (shape.kind) {
    case 'empty':
      return null;
    case 'point':
      return pointOf(shape);
    case 'points':
      return pointsOf(shape);
    case 'lines':
      return linesOf(shape);
    case 'polygon':
      return polygonsOf(
        partsOf(shape).map((part) => closed(positionsOf(shape, part))),
        misdirected,
      );
    case 'patches':
      return patchesOf(shape);
  }
}

function pointOf(shape: Shape): Geometry | null {
  const { bytes, positionsAt } = shape;
  const position = [bytes.readDoubleLE(positionsAt), bytes.readDoubleLE(positionsAt + 8)];
  if (position.some((number) => Number.isNaN(number) || number < noData)) return null;
  return { type: 'Point', coordinates: positionsOf(shape, { from: 0, count: 1 })[0]! };
}

function pointsOf(shape: Shape): Geometry | null {
  const count = shape.positionCount;
  if (!count) return null;
  return { type: 'MultiPoint', coordinates: positionsOf(shape, { from: 0, count }) };
}

function linesOf(shape: Shape): Geometry | null {
  const lines = partsOf(shape).map((part) => positionsOf(shape, part));
  if (!lines.length) return null;
  return lines.length === 1
    ? { type: 'LineString', coordinates: lines[0]! }
    : { type: 'MultiLineString', coordinates: lines };
}

function positionsOf(shape: Shape, part: Pick<ShapePart, 'from' | 'count'>): Position[] {
  demandPositions(shape, part);
  const { bytes, positionsAt, heightsAt } = shape;
  const { from, count } = part;
  const positions = new Array<Position>(count);
  for (let i = 0; i < count; i++) {
    const at = positionsAt + 16 * (from + i);
    const x = bytes.readDoubleLE(at);
    const y = bytes.readDoubleLE(at + 8);
    positions[i] = heightsAt ? [x, y, heightAt(bytes, heightsAt + 8 * (from + i))] : [x, y];
  }
  return positions;
}

/** A height; 0 for "no data" and for NaN. */
function heightAt(bytes: Buffer, at: number): number {
  const height = bytes.readDoubleLE(at);
  return Number.isFinite(height) && height > noData ? height : 0;
}

/** Some programs omit the last position of a ring, which repeats the first. */
function closed(ring: Position[]): Position[] {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  return first.every((number, i) => number === last[i]) ? ring : [...ring, [...first]];
}

/** Types of patches (page 20): two kinds of triangles, then rings, of which two begin a face and two continue it. */
const patchTypes = { strip: 0, fan: 1, outer: 2, inner: 3, first: 4, ring: 5 } as const;

/** The faces of a MultiPatch. Their rings have no direction, since walls stand upright. */
function patchesOf(shape: Shape): Geometry | null {
  const faces: Position[][][] = [];
  let isOpen = false;
  for (const part of partsOf(shape)) {
    const positions = positionsOf(shape, part);
    const { patchType } = part;
    const continues = patchType === patchTypes.inner || patchType === patchTypes.ring;
    if (patchType <= patchTypes.fan) {
      for (const triangle of trianglesOf(patchType === patchTypes.fan, positions)) faces.push([triangle]);
    } else if (continues && isOpen) faces.at(-1)!.push(closed(positions));
    else faces.push([closed(positions)]);
    isOpen = patchType > patchTypes.fan;
  }
  if (!faces.length) return null;
  return faces.length === 1
    ? { type: 'Polygon', coordinates: faces[0]! }
    : { type: 'MultiPolygon', coordinates: faces };
}

/** The triangles of a strip or fan, clockwise as outer rings are. */
function trianglesOf(isFan: boolean, positions: readonly Position[]): Position[][] {
  const triangles: Position[][] = [];
  for (let i = 2; i < positions.length; i++) {
    const first = positions[isFan ? 0 : i - 2]!;
    triangles.push([first, positions[i - 1]!, positions[i]!, [...first]]);
  }
  return triangles.map((ring) => (doubleAreaOf(ring) > 0 ? ring.toReversed() : ring));
}
