import type { Database } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import type { RawFeature } from './geojson.js';

/** Positions of features, and how many each feature has. */
export interface Coordinates {
  /** x0, y0, x1, y1 … */
  xy: Float64Array;
  /** Positions per feature. */
  counts: number[];
}

/** The positions of a geometry, whatever else is wrong with it: what is no pair of numbers is passed by. */
function positionsOf(geometry: unknown, into: number[][] = []): number[][] {
  if (typeof geometry !== 'object' || geometry === null) return into;
  const { coordinates, geometries } = geometry as { coordinates?: unknown; geometries?: unknown };
  if (Array.isArray(geometries)) for (const part of geometries) positionsOf(part, into);
  collect(coordinates, into);
  return into;
}

function collect(value: unknown, into: number[][]): void {
  if (!Array.isArray(value)) return;
  if (typeof value[0] !== 'number') for (const item of value) collect(item, into);
  else if (typeof value[1] === 'number') into.push(value);
}

/** The coordinates of features beside each other. */
export function gatherCoordinates(features: readonly RawFeature[]): Coordinates {
  const perFeature = features.map(({ geometry }) => positionsOf(geometry));
  const counts = perFeature.map(({ length }) => length);
  const xy = new Float64Array(2 * counts.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (const positions of perFeature) {
    for (const [x, y] of positions) {
      xy[at++] = x!;
      xy[at++] = y!;
    }
  }
  return { xy, counts };
}

/** Puts coordinates back into the features from which `gatherCoordinates` took them. Heights stay. */
export function replaceCoordinates(features: readonly RawFeature[], xy: Float64Array): void {
  let at = 0;
  for (const { geometry } of features) {
    for (const position of positionsOf(geometry)) {
      position[0] = xy[at++]!;
      position[1] = xy[at++]!;
    }
  }
}

/** Refuses with 400 naming `srs` what the database's PROJ does not know. */
export async function checkSrs(db: Database, srs: string, signal?: AbortSignal): Promise<void> {
  try {
    // Nothing is transformed of an empty geometry, but the projection is looked up.
    await db.query(sql`select ST_Transform('POINT EMPTY'::geometry, ${srs}::text, 'EPSG:4326')`, signal);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw badRequest(`srs: '${srs.slice(0, 50)}' is not a known projection`, { parameters: ['srs'] });
  }
}

export interface TransformOptions {
  srs: string;
  /** Number of the first feature. */
  first: number;
  signal?: AbortSignal | undefined;
}

/** Positions of one statement: setting a transformation up costs some ms, and no request should wait long behind it. */
const slice = 50_000;

/** Coordinates of features in longitude and latitude on WGS 84. Throws `import_failed` naming the feature that has none there. */
export async function toWgs84(
  db: Database,
  { xy, counts }: Coordinates,
  options: TransformOptions,
): Promise<Float64Array> {
  const result = new Float64Array(xy.length);
  for (let from = 0; from < xy.length; from += 2 * slice) {
    const part = xy.subarray(from, from + 2 * slice);
    try {
      result.set(await transform(db, part, options), from);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const position = from / 2 + (await firstRefused(db, part, options));
      throw refused(position, counts, options);
    }
  }
  return result;
}

function refused(
  position: number,
  counts: readonly number[],
  { srs, first }: TransformOptions,
): ServiceError {
  let index = 0;
  for (let sum = counts[0] ?? 0; sum <= position && index < counts.length; ) sum += counts[++index]!;
  const feature = first + index;
  const message = `Feature ${feature}: geom: a position has no place in ${srs.slice(0, 50)}`;
  return new ServiceError('import_failed', message, { feature, columns: ['geom'] });
}

/** The index of the first position that cannot be transformed, by halving. */
async function firstRefused(db: Database, xy: Float64Array, options: TransformOptions): Promise<number> {
  let low = 0;
  let high = xy.length / 2 - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    try {
      await transform(db, xy.subarray(2 * low, 2 * middle + 2), options);
      low = middle + 1;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      high = middle;
    }
  }
  return low;
}

/** Bytes before the points of a line in WKB: byte order, type, number of points. */
const head = 9;

async function transform(db: Database, xy: Float64Array, options: TransformOptions): Promise<Float64Array> {
  // A line has two points at least: a single one is sent twice.
  const numbers = xy.length === 2 ? Float64Array.of(...xy, ...xy) : xy;
  const line = Buffer.alloc(head + 8 * numbers.length);
  line.writeUInt8(1, 0);
  line.writeUInt32LE(2, 1);
  line.writeUInt32LE(numbers.length / 2, 5);
  for (let i = 0; i < numbers.length; i++) line.writeDoubleLE(numbers[i]!, head + 8 * i);
  const [row] = await db.query<{ wkb: Buffer }>(
    sql`select ST_AsBinary(ST_Transform(ST_GeomFromWKB(${line}), ${options.srs}::text, 'EPSG:4326'), 'NDR') as wkb`,
    options.signal,
  );
  const result = new Float64Array(xy.length);
  for (let i = 0; i < result.length; i++) result[i] = row!.wkb.readDoubleLE(head + 8 * i);
  return result;
}
