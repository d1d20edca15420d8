import type { Queryable } from '@cartulary/database';
import { badRequest, type ServiceError } from '@cartulary/errors';
import { type Box, boxesOf, type Extent, toMercator } from '@cartulary/geo';
import { worldWidth } from '../../tiles/pictures/frame.js';
import { type LonLatBox, worldBox } from '../../tiles/xyz/addresses.js';
import { type Crs, toLonLat } from './crs.js';

/** Points along each side of a box that is transformed: its sides are curves then. */
const sidePoints = 20;

/** A box of a request: boxes in degrees, or a polygon in longitude and latitude where its sides are curves there. */
export type PlacedBox = { boxes: readonly Box[] } | { shape: unknown };

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
  const box = isGeographic
    ? { west, south: Math.max(-90, south), east, north: Math.min(90, north) }
    : { west, south, east, north };
  if (isGeographic || crs.srid === 3857) return { boxes: boxesOf(box, isGeographic ? '4326' : '3857') };
  const ring = ringOf(box).map(([x, y]) => (crs.isNorthFirst ? [y, x] : [x, y]));
  return { shape: await toLonLat(db, { type: 'Polygon', coordinates: [ring] }, crs, parameter) };
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
