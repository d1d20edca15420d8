import type { Queryable } from '@cartulary/database';
import { badRequest, type ServiceError } from '@cartulary/errors';
import { type Box, boxesOf, type Extent, toMercator } from '@cartulary/geo';
import { sql } from '@cartulary/sql';
import type { Polygon } from 'geojson';
import type { Filter } from '../../objects/store.js';
import { worldWidth } from '../../tiles/pictures/frame.js';
import { regionOfBox } from '../../tiles/pictures/planes.js';
import { type LonLatBox, worldBox } from '../../tiles/xyz/addresses.js';
import { type Crs, toLonLat } from './crs.js';

/** Points along each side of a box that is transformed: its sides are curves then. */
const sidePoints = 20;

/**
 * A box of a request: boxes in degrees, or a polygon in longitude and latitude where its sides are curves there. Boxes around a box that
 * has no outline there, as one with a pole in it, come with the condition for what lies in the box itself.
 */
export type PlacedBox = { boxes: readonly Box[]; exact?: Filter } | { shape: Polygon };

/** The box between two corners, whose coordinates come in the order of the axes of `crs`. Throws 400 with the parameter. */
export async function placedBox(
  db: Queryable,
  [a, b, c, d]: readonly [number, number, number, number],
  crs: Crs,
  parameter: string,
): Promise<PlacedBox> {
  const wrong = (why: string): ServiceError =>
    badRequest(`${parameter}: ${why}`, { parameters: [parameter] });
  const [west, south, east, north] = crs.isNorthFirst ? [b, a, d, c] : [a, b, c, d];
  const isGeographic = crs.srid === 4326;
  if (south > north || (west > east && !isGeographic)) throw wrong('the first corner lies behind the second');
  if (isGeographic && (south > 90 || north < -90))
    throw wrong(`the latitudes lie beyond 90 degrees; the axes of ${crs.uri} come in its order`);
  // Views of programs reach beyond the poles.
  const box = crs.isDegrees
    ? { west, south: Math.max(-90, south), east, north: Math.min(90, north) }
    : { west, south, east, north };
  if (crs.srid === 3857) return { boxes: boxesOf(box, '3857') };
  // Around the world the systems in degrees are alike.
  if (isGeographic || (crs.isDegrees && (west < -180 || east > 180))) return { boxes: boxesOf(box, '4326') };
  const shape = await outlineOf(db, box, crs);
  return shape ? { shape } : boxesAround(db, box, crs, parameter);
}

/** The outline of a box in longitude and latitude; undefined where it is not the edge of what lies in the box. */
async function outlineOf(db: Queryable, box: Box, crs: Crs): Promise<Polygon | undefined> {
  const ring = ringOf(box).map(([x, y]) => (crs.isNorthFirst ? [y, x] : [x, y]));
  const shape = await toLonLat(db, { type: 'Polygon', coordinates: [ring] }, crs, 'bbox').catch((error) => {
    if (error?.code === 'bad_request') return undefined;
    throw error;
  });
  const outline = (shape as Polygon | undefined)?.coordinates[0]?.map(([lon]) => lon!);
  // An outline that jumps to the other side of the world crosses 180 degrees, or goes around a pole.
  const jumps = outline?.some((lon, at) => at > 0 && Math.abs(lon - outline[at - 1]!) > 180);
  return jumps === false ? (shape as Polygon) : undefined;
}

/** The box in degrees around a box, with the condition for the box itself. Throws 400 for a box beside the earth. */
async function boxesAround(db: Queryable, box: Box, crs: Crs, parameter: string): Promise<PlacedBox> {
  const { west, south, east, north } = box;
  const region = await regionOfBox(db, { srid: crs.srid, box: [west, south, east, north] });
  if (!region)
    throw badRequest(`${parameter}: ${crs.uri} does not reach the box`, { parameters: [parameter] });
  const boxes = [{ west: region[0], south: region[1], east: region[2], north: region[3] }];
  const exact: Filter = ({ alias, robust }) => {
    const moved = sql`cartulary.transformed(${alias}.geom, ${crs.srid}::integer)`;
    return sql`ST_Intersects(${robust ? sql`cartulary_queries.valid(${moved})` : moved}, ST_MakeEnvelope(${west}::float8, ${south}::float8, ${east}::float8, ${north}::float8, ${crs.srid}::integer))`;
  };
  return { boxes, exact };
}

function ringOf({ west, south, east, north }: Box): [number, number][] {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ] as const;
  const points = corners.flatMap(([x, y], side) => {
    const [nextX, nextY] = corners[(side + 1) % 4]!;
    return Array.from({ length: sidePoints }, (_, i): [number, number] => [
      x + ((nextX - x) * i) / sidePoints,
      y + ((nextY - y) * i) / sidePoints,
    ]);
  });
  return [...points, points[0]!];
}

/** Degrees that a box beyond the reach of EPSG:3857 has at its edge: programs refuse an empty one. */
const edgeDegrees = 0.01;

/** A box of degrees in EPSG:3857, as far as that reaches. */
export function mercatorBox([west, south, east, north]: LonLatBox): Extent {
  const [, lowest, , highest] = worldBox;
  const low = Math.max(lowest, Math.min(south, highest - edgeDegrees));
  const high = Math.min(highest, Math.max(north, lowest + edgeDegrees));
  return [...toMercator(west, low), ...toMercator(east, high)];
}

/** Part of the width of the world by which a box may miss 180 degrees: clients round coordinates. */
const tolerance = 1e-9;

/** A box with its west within the world, and whether it goes on beyond 180 degrees. One that is wider than the world stays as it is. */
export function inWorld(box: Extent, crs: Crs): { box: Extent; isAround: boolean } {
  const width = worldWidth(crs);
  const [west, south, east, north] = box;
  if (width === undefined || !(east - west <= width * (1 + tolerance))) return { box, isAround: false };
  const half = width * (0.5 + tolerance);
  const turns = west < -half || west > half ? Math.floor(west / width + 0.5) * width : 0;
  const placed: Extent = [west - turns, south, east - turns, north];
  return { box: placed, isAround: placed[2] > half };
}
