import type { Database, Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { type BoxEdges, type Extent, fromMercator } from '@cartulary/geo';
import { LRUCache } from 'lru-cache';
import type { Plane } from '../plan/sql/plane.js';
import { meanPixel, type PictureFrame } from './frame.js';
import { isKnown, type PositionGrid, polesIn, positionsIn } from './positions.js';

/** The plane of a picture, and the picture's extent on it, in metres. */
export interface PlacedPlane {
  plane: Plane;
  extent: Extent;
  /** Part of its usual size at which the picture lies on the plane; 1 unless it would not fit. */
  shrink: number;
}

/** The error of a picture that shows no place on earth. */
export class OutsideOfArea extends ServiceError {
  constructor(srid: number) {
    super('bad_request', `bbox: the box lies outside of the area of EPSG:${srid}`, { parameters: ['bbox'] });
  }
}

/** Half of the width of EPSG:3857, metres. */
const half = 20_037_508.342_789_244;

/** Degrees of a region that may reach beyond the area of a system. */
const wideDegrees = 10;

/** Cells of the grid of positions by which a region is found. */
const count = 16;

/** Share of a picture, and pixels of the style, around it whose objects may reach into it. */
const margin = { share: 0.25, pixels: 256 };

/** Origins are multiples of it, metres, so that pictures beside each other share their grids. */
const originStep = 10_000_000;

/** Part of the plane by which a position may lie beyond its edge: one that lies further out comes back on the other side. */
const overshoot = 2e-13;

/** Whether a range fits on a plane whose origin is 0. */
const fitsAtZero = (low: number, high: number, factor: number): boolean =>
  Math.max(Math.abs(low), Math.abs(high)) * factor <= half * (1 + overshoot);

/** The origin of a plane: 0 where the range fits around it. */
function originOf(low: number, high: number, factor: number): number {
  if (fitsAtZero(low, high, factor)) return 0;
  const step = originStep / factor;
  return Math.round((low + high) / 2 / step) * step;
}

/** Part of its size at which a range fits on a plane: what lies beyond the edge of one comes back on the other side. */
function shrinkOf(low: number, high: number, factor: number): number {
  const fits = fitsAtZero(low, high, factor) || (high - low) * factor <= 2 * half - originStep;
  return fits ? 1 : half / (Math.max(Math.abs(low), Math.abs(high)) * factor);
}

/** Creates the function that finds the plane of a picture. It remembers those of recent pictures. */
export function createPlanes(
  db: Database,
): (frame: PictureFrame, signal: AbortSignal) => Promise<PlacedPlane> {
  const known = new LRUCache<string, PlacedPlane>({ max: 2_000 });
  return async (frame, signal) => {
    const key = JSON.stringify(frame);
    const kept = known.get(key);
    if (kept) return kept;
    const found = await findPlane(db, frame, signal);
    known.set(key, found);
    return found;
  };
}

async function findPlane(db: Database, frame: PictureFrame, signal: AbortSignal): Promise<PlacedPlane> {
  const { crs, box, width, height, scale } = frame;
  const [west, south, east, north] = box;
  const reach = reachOf(frame);
  const pixel = meanPixel(frame);
  const whole = [
    (pixel * width) / scale / (east - west),
    (pixel * height) / scale / (north - south),
  ] as const;
  const shrink = Math.min(shrinkOf(reach[0], reach[2], whole[0]), shrinkOf(reach[1], reach[3], whole[1]));
  const factor = [whole[0] * shrink, whole[1] * shrink] as const;
  const origin = [originOf(reach[0], reach[2], factor[0]), originOf(reach[1], reach[3], factor[1])] as const;
  const extent: Extent = [
    (west - origin[0]) * factor[0],
    (south - origin[1]) * factor[1],
    (east - origin[0]) * factor[0],
    (north - origin[1]) * factor[1],
  ];
  const isBent = !crs.isDegrees && crs.srid !== 3857;
  const region = await regionAround(db, frame, signal);
  const isWide = region[2] - region[0] > wideDegrees || region[3] - region[1] > wideDegrees;
  const hasGaps = isBent && isWide && !(await isKnown(db, crs.srid, region, signal));
  const seams = (crs.seams ?? []).filter((seam) => meets(seam, region));
  return {
    plane: { srid: crs.srid, factor, origin, region, seams, isBent, isWide: isBent && isWide, hasGaps },
    extent,
    shrink,
  };
}

const meets = (a: BoxEdges, b: BoxEdges): boolean =>
  a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

const within = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));

/** The box of a picture with that around it whose objects may reach into it. */
function boxAround({ box, width, height, scale, around: reach = margin.pixels }: PictureFrame): Extent {
  const [west, south, east, north] = box;
  const around = (side: number, pixels: number): number =>
    side * Math.max(margin.share, (reach * scale) / pixels);
  const [dx, dy] = [around(east - west, width), around(north - south, height)];
  return [west - dx, south - dy, east + dx, north + dy];
}

/** The box that has to fit on the plane. Of a system in degrees, that of the world is enough. */
function reachOf(frame: PictureFrame): Extent {
  if (!frame.crs.isDegrees) return frame.box;
  const [west, south, east, north] = boxAround(frame);
  return [within(west, 180), within(south, 90), within(east, 180), within(north, 90)];
}

/** Longitude beyond which no object is drawn: a query may give any, and no system knows the largest. */
const farthest = 400;

/** The box in degrees of everything that may reach into a picture. */
async function regionAround(db: Database, frame: PictureFrame, signal: AbortSignal): Promise<BoxEdges> {
  const { crs } = frame;
  const box = boxAround(frame);
  if (crs.srid === 4326 || crs.srid === 3857) {
    const [west, south, east, north]: Extent =
      crs.srid === 4326 ? box : [...fromMercator(box[0], box[1]), ...fromMercator(box[2], box[3])];
    return [within(west, farthest), within(south, 90), within(east, farthest), within(north, 90)];
  }
  const region = await regionOfBox(db, { srid: crs.srid, box }, signal);
  if (!region) throw new OutsideOfArea(crs.srid);
  return region;
}

/** The box in degrees of a box of a projected system; undefined: it lies outside of the area of the system. */
export async function regionOfBox(
  db: Queryable,
  at: { srid: number; box: Extent },
  signal?: AbortSignal,
): Promise<BoxEdges | undefined> {
  const [grid, poles] = await Promise.all([
    positionsIn(db, { ...at, count }, signal),
    polesIn(db, at, signal),
  ]);
  const region = regionOfGrid(grid);
  if (!region) return undefined;
  const isAround = poles.north || poles.south;
  return [
    isAround ? -180 : region[0],
    poles.south ? -90 : region[1],
    isAround ? 180 : region[2],
    poles.north ? 90 : region[3],
  ];
}

/**
 * The box of a grid, widened by half of its largest step, or by all of it where the system ends between two points; the whole width of the
 * world where it crosses the edge at 180 degrees.
 */
export function regionOfGrid({ count: cells, lon, lat }: PositionGrid): BoxEdges | undefined {
  const edges = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  const step = { lon: 0, lat: 0 };
  for (let at = 0; at < lon.length; at++) {
    if (Number.isNaN(lon[at]!)) continue;
    edges.west = Math.min(edges.west, lon[at]!);
    edges.east = Math.max(edges.east, lon[at]!);
    edges.south = Math.min(edges.south, lat[at]!);
    edges.north = Math.max(edges.north, lat[at]!);
    const before = at % (cells + 1) === 0 ? undefined : at - 1;
    for (const beside of [before, at - cells - 1]) {
      if (beside === undefined || beside < 0 || Number.isNaN(lon[beside]!)) continue;
      step.lon = Math.max(step.lon, Math.abs(lon[at]! - lon[beside]!));
      step.lat = Math.max(step.lat, Math.abs(lat[at]! - lat[beside]!));
    }
  }
  if (!(edges.west <= edges.east)) return undefined;
  const isAround = step.lon > 180;
  const share = lon.some(Number.isNaN) ? 1 : 0.5;
  const [dx, dy] = [step.lon * share, step.lat * share];
  return [
    isAround ? -180 : Math.max(-180, edges.west - dx),
    Math.max(-90, edges.south - dy),
    isAround ? 180 : Math.min(180, edges.east + dx),
    Math.min(90, edges.north + dy),
  ];
}
