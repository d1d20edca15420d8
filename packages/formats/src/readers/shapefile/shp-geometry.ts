import type { Geometry, Position } from 'geojson';
import { doubleAreaOf, polygonsOf } from './shp-rings.js';
import { demandPositions, noData, partsOf, type Shape, type ShapePart } from './shp-shape.js';

/** A decoded shape as GeoJSON; null without positions. Measures are dropped. Throws `value_invalid` if it is cut off. */
export function shapeGeometry(shape: Shape): Geometry | null {
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
      return polygonsOf(partsOf(shape).map((part) => closed(positionsOf(shape, part))));
    case 'patches':
      return polygonsOf(partsOf(shape).flatMap((part) => ringsOfPatch(part, positionsOf(shape, part))));
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

/** The triangles of a strip or fan as rings; a ring unchanged. */
function ringsOfPatch({ patchType }: ShapePart, positions: Position[]): Position[][] {
  if (patchType > 1) return [closed(positions)];
  const rings: Position[][] = [];
  for (let i = 2; i < positions.length; i++) {
    const first = positions[patchType ? 0 : i - 2]!;
    rings.push([first, positions[i - 1]!, positions[i]!, [...first]]);
  }
  // Each triangle is a face, whatever its direction. As clockwise rings none of them becomes a hole.
  return rings.map((ring) => (doubleAreaOf(ring) > 0 ? ring.toReversed() : ring));
}
