import type { Geometry, Position } from 'geojson';
import { ServiceError } from '../errors.js';

/** Most positions of one geometry, all its parts counted. */
export const positionLimit = 2_000_000;

/** Most collections within collections. */
const depthLimit = 8;

/**
 * How far coordinates may go. `any`: as far as numbers go, for coordinates of a projection that is transformed later.
 * The little more than 180 and 90 degrees is for the rounding of those who made the data; 242,528,681 m is where
 * EPSG:3857 has the poles in double precision.
 */
const ranges = {
  '4326': [180 + 1e-6, 90 + 1e-6],
  '3857': [20_037_508.343, 242_528_681],
  any: [Number.MAX_VALUE, Number.MAX_VALUE],
} as const;

/** West, south, east, north. */
export type Extent = [west: number, south: number, east: number, north: number];

/** That of nothing: anything widens it. */
export const emptyExtent = (): Extent => [Infinity, Infinity, -Infinity, -Infinity];

interface Check {
  readonly range: readonly [x: number, y: number];
  /** How far beyond the range positions may lie: they are taken to its edge. */
  readonly tolerance: number;
  readonly extent: Extent;
  positions: number;
  /** Positions that were taken to the edge. */
  moved: number;
}

/**
 * A GeoJSON geometry (RFC 7946, section 3.1) that the database can take: its structure, finite numbers within the
 * range of `sr`, 2 to 4 numbers per position, closed rings of at least four, lines of at least two, nothing empty.
 * Members beside `type` and `coordinates` are left out, and a collection within a collection gives its members to it:
 * the database cannot write such a one as GeoJSON (3.1.8 advises against them). `extent` is widened by it. Throws
 * `value_invalid` naming `geom`.
 */
export function checkGeometry(
  value: unknown,
  sr: '4326' | '3857' | 'any' = '4326',
  extent = emptyExtent(),
): Geometry {
  return geometry({ range: ranges[sr], tolerance: 0, extent, positions: 0, moved: 0 }, value, 0);
}

/** How far beyond 180 and 90 degrees data may lie by the rounding of those who made them, degrees. */
export const edgeTolerance = 1e-5;

/**
 * The same of a geometry of a file, in longitude and latitude: its positions that lie up to `tolerance` degrees beyond the
 * edge are taken to it, in place. `isMoved`: there are such.
 */
export function checkFileGeometry(
  value: unknown,
  extent: Extent,
  tolerance = edgeTolerance,
): { checked: Geometry; isMoved: boolean } {
  const check: Check = { range: [180, 90], tolerance, extent, positions: 0, moved: 0 };
  const checked = geometry(check, value, 0);
  return { checked, isMoved: check.moved > 0 };
}

const wrong = (why: string): ServiceError =>
  new ServiceError('value_invalid', `geom: ${why}`, { columns: ['geom'] });

function geometry(check: Check, value: unknown, depth: number): Geometry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong('a GeoJSON geometry is an object');
  }
  const { type, coordinates, geometries } = value as Record<string, unknown>;
  if (type === 'GeometryCollection') {
    if (depth === depthLimit) throw wrong(`collections lie within each other more than ${depthLimit} deep`);
    const parts = list(geometries, 'the geometries').map((part) => geometry(check, part, depth + 1));
    return { type, geometries: parts.flatMap(membersOf) };
  }
  const checkShape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (!checkShape) throw wrong('the type is not that of a GeoJSON geometry');
  checkShape(check, coordinates);
  return { type, coordinates } as Geometry;
}

/** A collection's members; any other geometry itself. */
const membersOf = (part: Geometry): Geometry[] =>
  part.type === 'GeometryCollection' ? part.geometries : [part];

function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw wrong(`${what} are not an array`);
  if (!value.length) throw wrong(`${what} are empty`);
  return value;
}

type Shape = (check: Check, coordinates: unknown) => void;

/** An array of at least one part of that shape. */
const some =
  (part: Shape): Shape =>
  (check, coordinates) => {
    for (const item of list(coordinates, 'the coordinates')) part(check, item);
  };

const position: Shape = (check, value) => {
  if (!Array.isArray(value) || value.length < 2 || value.length > 4) {
    throw wrong('a position is an array of 2 or 3 numbers');
  }
  // By index: this runs for each position of an import.
  for (let i = 0; i < value.length; i++) {
    if (typeof value[i] !== 'number' || !Number.isFinite(value[i])) {
      throw wrong('a position holds something that is not a finite number');
    }
  }
  if (Math.abs(value[0]) > check.range[0] || Math.abs(value[1]) > check.range[1]) toEdge(check, value);
  const x: number = value[0];
  const y: number = value[1];
  const { extent } = check;
  if (x < extent[0]) extent[0] = x;
  if (y < extent[1]) extent[1] = y;
  if (x > extent[2]) extent[2] = x;
  if (y > extent[3]) extent[3] = y;
  if (++check.positions > positionLimit) throw wrong(`more than ${positionLimit} positions`);
};

/** Takes a position beyond the range to its edge. Throws for one that is too far. */
function toEdge(check: Check, position: number[]): void {
  const [x, y] = position as [number, number];
  for (const [i, most] of check.range.entries()) {
    const value = position[i]!;
    // Rounding of the difference is no reason to refuse.
    if (Math.abs(value) - most > check.tolerance + 1e-12) {
      const hint = check.tolerance ? '; give srs where they are no degrees' : '';
      throw wrong(`the position ${x},${y} lies beyond the range of coordinates (longitude first)${hint}`);
    }
    if (Math.abs(value) > most) position[i] = Math.sign(value) * most;
  }
  check.moved++;
}

const positions = some(position);

const line: Shape = (check, coordinates) => {
  positions(check, coordinates);
  if ((coordinates as unknown[]).length < 2) throw wrong('a line has fewer than two positions');
};

const ring: Shape = (check, coordinates) => {
  positions(check, coordinates);
  const all = coordinates as Position[];
  if (all.length < 4) throw wrong('a ring has fewer than four positions');
  const [first, last] = [all[0]!, all.at(-1)!];
  if (first.length !== last.length || first.some((number, i) => number !== last[i])) {
    throw wrong('a ring is not closed: its first and last positions differ');
  }
};

const shapes: Readonly<Record<string, Shape>> = {
  Point: position,
  MultiPoint: positions,
  LineString: line,
  MultiLineString: some(line),
  Polygon: some(ring),
  MultiPolygon: some(some(ring)),
};
