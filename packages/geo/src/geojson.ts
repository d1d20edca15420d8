import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { Geometry, Position } from 'geojson';

/** Positions of one geometry with all its parts. */
export const positionLimit = 2_000_000;

/** Levels of collections within collections. */
const depthLimit = 8;

/**
 * Largest absolute x and y. `any` is unlimited, for coordinates that are transformed later. In double precision the poles
 * of EPSG:3857 are at ±242,528,681 m.
 */
const ranges = {
  '4326': [180, 90],
  '3857': [20_037_508.342789244, 242_528_681],
  any: [Number.MAX_VALUE, Number.MAX_VALUE],
} as const;

/** Degrees. */
export type GeographicExtent = [west: number, south: number, east: number, north: number];

/** An inverted extent, which every position widens. */
export const emptyExtent = (): GeographicExtent => [Infinity, Infinity, -Infinity, -Infinity];

interface Check {
  readonly range: readonly [x: number, y: number];
  /** Distance beyond the range within which positions are moved to its edge. */
  readonly tolerance: number;
  readonly extent: GeographicExtent;
  positions: number;
  /** Number of positions moved to the edge. */
  moved: number;
  /** Whether a position has four numbers. */
  hasFourth: boolean;
}

/**
 * Checks a GeoJSON geometry (RFC 7946, section 3.1) for storage. Positions have 2 to 4 finite numbers within the range of
 * `sr`; slightly outside they move to its edge, in place. Rings are closed and have at least four positions, lines at
 * least two, and nothing is empty. Only `type` and `coordinates` are kept. Nested collections are flattened, since the
 * database cannot write them as GeoJSON (3.1.8 advises against them). The geometry widens `extent`. Throws
 * `value_invalid` naming `geom`.
 */
export function checkGeometry(
  value: unknown,
  sr: '4326' | '3857' | 'any' = '4326',
  extent = emptyExtent(),
): Geometry {
  return geometry(
    { range: ranges[sr], tolerance: tolerances[sr], extent, positions: 0, moved: 0, hasFourth: false },
    value,
    0,
  );
}

/** Tolerance for coordinates that rounding places beyond 180 and 90 degrees. */
export const edgeTolerance = 1e-5;

/** In the units of each projection. */
const tolerances = { '4326': edgeTolerance, '3857': 2, any: 0 } as const;

/**
 * Checks a geometry of a file, in longitude and latitude, like `checkGeometry`. Positions up to `tolerance` degrees beyond
 * the edge move to it, in place; `isMoved` reports this. `hasFourth` reports positions of four numbers.
 */
export function checkFileGeometry(
  value: unknown,
  extent: GeographicExtent,
  tolerance = edgeTolerance,
): { checked: Geometry; isMoved: boolean; hasFourth: boolean } {
  const check: Check = { range: [180, 90], tolerance, extent, positions: 0, moved: 0, hasFourth: false };
  const checked = geometry(check, value, 0);
  return { checked, isMoved: check.moved > 0, hasFourth: check.hasFourth };
}

const wrong = (why: string): ServiceError =>
  new ServiceError('value_invalid', noteOf('ofGeometry', { reason: why }), { columns: ['geom'] });

/** Made once: each list of an import names one of them. */
const theGeometries = noteOf('theGeometries');
const theCoordinates = noteOf('theCoordinates');

function geometry(check: Check, value: unknown, depth: number): Geometry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(noteOf('noGeometryObject'));
  }
  const { type, coordinates, geometries } = value as Record<string, unknown>;
  if (type === 'GeometryCollection') {
    if (depth === depthLimit) throw wrong(noteOf('collectionsTooDeep', { depth: depthLimit }));
    const parts = list(geometries, theGeometries).map((part) => geometry(check, part, depth + 1));
    return { type, geometries: parts.flatMap(membersOf) };
  }
  const checkShape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (!checkShape) throw wrong(noteOf('noGeometryType'));
  checkShape(check, coordinates);
  return { type, coordinates } as Geometry;
}

/** The members of a collection, or the geometry itself. */
const membersOf = (part: Geometry): Geometry[] =>
  part.type === 'GeometryCollection' ? part.geometries : [part];

function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw wrong(noteOf('noArray', { what }));
  if (!value.length) throw wrong(noteOf('emptyArray', { what }));
  return value;
}

type Shape = (check: Check, coordinates: unknown) => void;

/** A non-empty array of parts of that shape. */
const some =
  (part: Shape): Shape =>
  (check, coordinates) => {
    for (const item of list(coordinates, theCoordinates)) part(check, item);
  };

const position: Shape = (check, value) => {
  if (!Array.isArray(value) || value.length < 2 || value.length > 4) {
    throw wrong(noteOf('noPosition'));
  }
  // An index loop, since this runs for each position of an import.
  for (let i = 0; i < value.length; i++) {
    if (typeof value[i] !== 'number' || !Number.isFinite(value[i])) {
      throw wrong(noteOf('positionNotFinite'));
    }
  }
  if (value.length > 3) check.hasFourth = true;
  if (Math.abs(value[0]) > check.range[0] || Math.abs(value[1]) > check.range[1]) moveToEdge(check, value);
  const x: number = value[0];
  const y: number = value[1];
  const { extent } = check;
  if (x < extent[0]) extent[0] = x;
  if (y < extent[1]) extent[1] = y;
  if (x > extent[2]) extent[2] = x;
  if (y > extent[3]) extent[3] = y;
  if (++check.positions > positionLimit) throw wrong(noteOf('tooManyPositions', { count: positionLimit }));
};

/** Moves a position beyond the range to its edge. Throws if it exceeds the tolerance. */
function moveToEdge(check: Check, position: number[]): void {
  const [x, y] = position as [number, number];
  for (const [i, limit] of check.range.entries()) {
    const value = position[i]!;
    // 1e-12 absorbs the rounding of the difference.
    if (Math.abs(value) - limit > check.tolerance + 1e-12) {
      throw wrong(noteOf(check.tolerance ? 'positionBeyondDegrees' : 'positionBeyond', { x, y }));
    }
    if (Math.abs(value) > limit) position[i] = Math.sign(value) * limit;
  }
  check.moved++;
}

const positions = some(position);

const line: Shape = (check, coordinates) => {
  positions(check, coordinates);
  if ((coordinates as unknown[]).length < 2) throw wrong(noteOf('shortLine'));
};

const ring: Shape = (check, coordinates) => {
  positions(check, coordinates);
  const all = coordinates as Position[];
  if (all.length < 4) throw wrong(noteOf('ringTooShort'));
  const [first, last] = [all[0]!, all.at(-1)!];
  if (first.length !== last.length || first.some((number, i) => number !== last[i])) {
    throw wrong(noteOf('openRing'));
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
