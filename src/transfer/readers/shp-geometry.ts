import type { Geometry, Position } from 'geojson';
import { ServiceError } from '../../errors.js';

/*
 * The geometries of an ESRI Shapefile (ESRI Shapefile Technical Description, July 1998). All numbers of a record are
 * little-endian; measures (M) are passed over.
 */

/** Kinds of shapes by the hundred-free part of their type: 11 and 21 are points with a height or a measure. */
const kinds: Readonly<Record<number, 'point' | 'lines' | 'polygon' | 'points' | 'patches'>> = {
  1: 'point',
  3: 'lines',
  5: 'polygon',
  8: 'points',
  31: 'patches',
};

/** Coordinates below it are "no data" (page 2). */
const noData = -1e38;

const wrong = (why: string): ServiceError =>
  new ServiceError('value_invalid', `geom: ${why}`, { columns: ['geom'] });

/** The geometry of a record's content; null: the shape is empty. Throws `value_invalid` when it is cut off or of no known kind. */
export function shapeOf(bytes: Buffer): Geometry | null {
  try {
    const type = bytes.readInt32LE(0);
    if (type === 0) return null;
    const kind = type === 31 ? kinds[31] : type > 30 ? undefined : kinds[type % 10];
    if (!kind) throw wrong(`a shape of the type ${type} is not known`);
    if (kind === 'point') return pointOf(bytes, type === 11);
    if (kind === 'points') return pointsOf(bytes, type === 18);
    const parts = partsOf(bytes, {
      hasHeight: (type > 10 && type < 20) || type === 31,
      isPatches: kind === 'patches',
    });
    if (kind === 'lines') return linesOf(parts);
    return polygonsOf(
      kind === 'patches' ? parts.flatMap(ringsOfPatch) : parts.map(({ positions }) => closed(positions)),
    );
  } catch (error) {
    if (error instanceof RangeError) throw wrong('the shape is cut off');
    throw error;
  }
}

/** Where the measures of a shape begin that may have some. */
const measuresAt = (bytes: Buffer): number => {
  const type = bytes.readInt32LE(0);
  const kind = type === 31 ? 'patches' : kinds[type % 10];
  const heights = type < 20 || type === 31;
  if (kind === 'point') return heights ? 28 : 20;
  const parts = kind === 'points' ? 0 : bytes.readInt32LE(36);
  const count = bytes.readInt32LE(kind === 'points' ? 36 : 40);
  const start = kind === 'points' ? 40 : 44 + 4 * parts * (kind === 'patches' ? 2 : 1);
  // Behind the range of the measures.
  return start + 16 * count + (heights ? 16 + 8 * count : 0) + 16;
};

/** Whether a shape has a measure (M): the first position tells. */
export function hasMeasures(bytes: Buffer): boolean {
  if (bytes.length < 28 || bytes.readInt32LE(0) < 10) return false;
  const at = measuresAt(bytes);
  return at >= 0 && at + 8 <= bytes.length && bytes.readDoubleLE(at) > noData;
}

function pointOf(bytes: Buffer, hasHeight: boolean): Geometry | null {
  const coordinates = [bytes.readDoubleLE(4), bytes.readDoubleLE(12)];
  if (coordinates.some((number) => Number.isNaN(number) || number < noData)) return null;
  if (hasHeight) coordinates.push(heightAt(bytes, 20));
  return { type: 'Point', coordinates };
}

function pointsOf(bytes: Buffer, hasHeight: boolean): Geometry | null {
  const count = countAt(bytes, 36, 16);
  if (!count) return null;
  return {
    type: 'MultiPoint',
    coordinates: positionsAt(bytes, { at: 40, count, heights: hasHeight ? 56 + 16 * count : 0 }),
  };
}

/** Heights that are no number of a place are 0. */
function heightAt(bytes: Buffer, at: number): number {
  const height = bytes.readDoubleLE(at);
  return Number.isFinite(height) && height > noData ? height : 0;
}

/** A number of things of so many bytes: no more than the record has room for. */
function countAt(bytes: Buffer, at: number, size: number): number {
  const count = bytes.readInt32LE(at);
  if (count < 0 || count > bytes.length / size) throw wrong('the shape is cut off');
  return count;
}

interface Run {
  /** Of the first position. */
  at: number;
  count: number;
  /** Of the first height; 0: there are none. */
  heights: number;
}

function positionsAt(bytes: Buffer, { at, count, heights }: Run): Position[] {
  const positions = new Array<Position>(count);
  for (let i = 0; i < count; i++) {
    const x = bytes.readDoubleLE(at + 16 * i);
    const y = bytes.readDoubleLE(at + 16 * i + 8);
    positions[i] = heights ? [x, y, heightAt(bytes, heights + 8 * i)] : [x, y];
  }
  return positions;
}

interface ShapePart {
  /** Of a patch: 0 strip and 1 fan of triangles, 2 to 5 rings (page 20); else 0. */
  type: number;
  positions: Position[];
}

function partsOf(
  bytes: Buffer,
  { hasHeight, isPatches }: { hasHeight: boolean; isPatches: boolean },
): ShapePart[] {
  const parts = countAt(bytes, 36, 4);
  const points = countAt(bytes, 40, 16);
  const typesAt = 44 + 4 * parts;
  const at = typesAt + (isPatches ? 4 * parts : 0);
  // Behind the positions stands the range of the heights.
  const heights = at + 16 * points + 16;
  const found: ShapePart[] = [];
  for (let i = 0; i < parts; i++) {
    const from = bytes.readInt32LE(44 + 4 * i);
    const to = i + 1 < parts ? bytes.readInt32LE(48 + 4 * i) : points;
    if (from < 0 || to < from || to > points) throw wrong('the parts of the shape overlap or lie beyond it');
    if (from === to) continue;
    const run = { at: at + 16 * from, count: to - from, heights: hasHeight ? heights + 8 * from : 0 };
    found.push({
      type: isPatches ? bytes.readInt32LE(typesAt + 4 * i) : 0,
      positions: positionsAt(bytes, run),
    });
  }
  return found;
}

function linesOf(parts: readonly ShapePart[]): Geometry | null {
  if (!parts.length) return null;
  const lines = parts.map(({ positions }) => positions);
  return lines.length === 1
    ? { type: 'LineString', coordinates: lines[0]! }
    : { type: 'MultiLineString', coordinates: lines };
}

/** Programs leave out the last position of a ring, which is the first again. */
function closed(ring: Position[]): Position[] {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  return first.every((number, i) => number === last[i]) ? ring : [...ring, [...first]];
}

/** Triangles as rings of their own; rings as they are. */
function ringsOfPatch({ type, positions }: ShapePart): Position[][] {
  if (type > 1) return [closed(positions)];
  const rings: Position[][] = [];
  for (let i = 2; i < positions.length; i++) {
    const first = positions[type ? 0 : i - 2]!;
    rings.push([first, positions[i - 1]!, positions[i]!, [...first]]);
  }
  // Triangles are faces by themselves, whichever way they turn.
  return rings.map((ring) => (areaOf(ring) > 0 ? ring.toReversed() : ring));
}

interface Ring {
  positions: Position[];
  /** Twice, negative where it turns clockwise. */
  area: number;
  /** West, south, east, north. */
  box: [number, number, number, number];
}

const ringOf = (positions: Position[]): Ring => ({
  positions,
  area: areaOf(positions),
  box: boxOf(positions),
});

/** Polygons of rings: those that turn clockwise are outer ones (page 8), the others holes of the smallest that they lie in. */
function polygonsOf(rings: readonly Position[][]): Geometry | null {
  if (!rings.length) return null;
  if (rings.length === 1) return { type: 'Polygon', coordinates: [rings[0]!] };
  const all = rings.map(ringOf);
  const outer = all.filter(({ area }) => area <= 0);
  const polygons = new Map(outer.map((ring) => [ring, [ring.positions]]));
  outer.sort((a, b) => b.area - a.area);
  for (const hole of all.filter(({ area }) => area > 0)) {
    const around = outer.filter(({ box }) => contains(box, hole.box));
    const owner = around.length < 2 ? around[0] : around.find((ring) => isWithin(hole, ring));
    // A ring that turns the other way and lies in nothing is one by itself.
    if (owner) polygons.get(owner)!.push(hole.positions);
    else polygons.set(hole, [hole.positions]);
  }
  const coordinates = [...polygons.values()];
  return coordinates.length === 1
    ? { type: 'Polygon', coordinates: coordinates[0]! }
    : { type: 'MultiPolygon', coordinates };
}

function boxOf(ring: readonly Position[]): Ring['box'] {
  const box: Ring['box'] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring as [number, number][]) {
    if (x < box[0]) box[0] = x;
    if (y < box[1]) box[1] = y;
    if (x > box[2]) box[2] = x;
    if (y > box[3]) box[3] = y;
  }
  return box;
}

const contains = (outer: Ring['box'], inner: Ring['box']): boolean =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];

/** Twice the area of a closed ring (shoelace formula), about its first position for the sake of the digits. */
function areaOf(ring: readonly Position[]): number {
  const [x0, y0] = ring[0] as [number, number];
  let area = 0;
  for (let i = 1; i < ring.length; i++) {
    const [x1, y1] = ring[i - 1] as [number, number];
    const [x2, y2] = ring[i] as [number, number];
    area += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  }
  return area;
}

/**
 * Whether a ring lies in another, by a ray from the middle of its first side (rings may touch in corners): it crosses the
 * other an odd number of times.
 */
function isWithin({ positions: ring }: Ring, { positions: outer }: Ring): boolean {
  const [a, b = a] = ring as [Position, Position?];
  const [x, y] = [(a[0]! + b[0]!) / 2, (a[1]! + b[1]!) / 2];
  let isInside = false;
  for (let i = 1; i < outer.length; i++) {
    const [x1, y1] = outer[i - 1] as [number, number];
    const [x2, y2] = outer[i] as [number, number];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
  }
  return isInside;
}
