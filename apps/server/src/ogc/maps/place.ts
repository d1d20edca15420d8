import type { Database } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import type { Extent } from '@cartulary/geo';
import { degreeMetres, metresOf, worldWidth } from '../../tiles/pictures/frame.js';
import { boxOn, groundMetres } from '../../tiles/pictures/positions.js';
import { inWorld, mercatorBox } from '../common/boxes.js';
import { type Crs, crs84, findCrs, mercator } from '../common/crs.js';
import type { DegreeBox } from '../common/matrix-sets.js';
import {
  boxOfCorners,
  boxOfSubset,
  centerOf,
  demandCombination,
  type PlaceParameters,
  subsetOf,
} from './area.js';

/** Where a picture is, in its reference system, and its size in pixels. */
export interface PicturePlace {
  box: Extent;
  isAround: boolean;
  width: number;
  height: number;
}

interface PlaceParts {
  db: Database;
  /** The reference system of the picture. */
  crs: Crs;
  /** The box of everything that is drawn. */
  whole(): Promise<DegreeBox>;
  /** Longest side of a picture, pixels. */
  largestSide: number;
}

/** Longer side of a picture whose size is not given, pixels. */
const usualSide = 1_024;

/** Side of a pixel where a request does not say it, millimetres. */
export const usualPixelMm = 0.28;

/** Place and size of a picture by the parameters of OGC 20-058, 6.3. Throws 400. */
export async function picturePlace(parameters: PlaceParameters, parts: PlaceParts): Promise<PicturePlace> {
  demandCombination(parameters);
  const { crs } = parts;
  const area = await areaOf(parameters, parts);
  const { width, height, 'scale-denominator': denominator } = parameters;
  if (area) {
    const size = denominator === undefined ? sizeOf(parameters, area) : await sizeAt(parameters, area, parts);
    return { ...inWorld(area, crs), ...size };
  }
  const isWhole = parameters.center === undefined && denominator === undefined;
  if (isWhole && (width === undefined || height === undefined)) {
    const whole = await wholeOn(parts, crs, 'crs');
    return { ...inWorld(whole, crs), ...sizeOf(parameters, whole) };
  }
  const size = {
    width: width ?? height ?? usualSide,
    height: height ?? width ?? usualSide,
  };
  const center = await centerOn(parameters, parts);
  const box =
    denominator === undefined
      ? fitted(center, size, await wholeOn(parts, crs, 'crs'))
      : await boxAt(center, size, { parameters, crs, db: parts.db });
  return { ...inWorld(box, crs), ...size };
}

/** The box of `bbox` or `subset` in the system of the picture; undefined: neither is given. */
async function areaOf(parameters: PlaceParameters, parts: PlaceParts): Promise<Extent | undefined> {
  const { db, crs } = parts;
  const { bbox, subset } = parameters;
  if (bbox !== undefined) {
    const asked = await findCrs(db, parameters['bbox-crs'], 'bbox-crs');
    return converted(db, { box: boxOfCorners(bbox, asked), crs: asked, parameter: 'bbox' }, crs);
  }
  if (subset === undefined) return undefined;
  const asked = await findCrs(db, parameters['subset-crs'], 'subset-crs');
  const sides = subsetOf(subset, asked);
  const isOpen = !sides.east || !sides.north;
  const whole: Extent = isOpen ? await wholeOn(parts, asked, 'subset') : [0, 0, 0, 0];
  const box = boxOfSubset(sides, whole, asked);
  return converted(db, { box, crs: asked, parameter: 'subset' }, crs);
}

/** The box of everything that is drawn, in a system. */
async function wholeOn({ db, whole }: PlaceParts, crs: Crs, parameter: string): Promise<Extent> {
  const box = await whole();
  return crs.srid === mercator.srid
    ? mercatorBox(box)
    : boxOn(db, { box: [...box], crs: crs84 }, crs, parameter);
}

interface AskedBox {
  box: Extent;
  crs: Crs;
  parameter: string;
}

/** A box in another system. One across 180 degrees is converted side by side. */
async function converted(db: Database, { box: given, crs, parameter }: AskedBox, to: Crs): Promise<Extent> {
  if (crs.srid === to.srid) return given;
  const { box, isAround } = inWorld(given, crs);
  const on = (part: Extent): Promise<Extent> => boxOn(db, { box: part, crs }, to, parameter);
  if (!isAround) return on(box);
  const width = worldWidth(crs)!;
  const [west, south, east, north] = box;
  // A position at 180 degrees itself may come back on the other side.
  const edge = (width / 2) * (1 - 1e-9);
  const first = await on([west, south, Math.max(edge, west), north]);
  const second = await on([-edge, south, Math.max(east - width, -edge), north]);
  const [low, high] = [Math.min(first[1], second[1]), Math.max(first[3], second[3])];
  const around = worldWidth(to);
  return around === undefined
    ? [Math.min(first[0], second[0]), low, Math.max(first[2], second[2]), high]
    : [first[0], low, second[2] > first[0] ? second[2] : second[2] + around, high];
}

/** Width and height; what is not given follows from the box, with square pixels. */
function sizeOf(
  { width, height }: PlaceParameters,
  [west, south, east, north]: Extent,
): { width: number; height: number } {
  const ratio = (east - west) / (north - south);
  const side = (length: number): number => Math.max(1, Math.round(length));
  if (width !== undefined) return { width, height: height ?? side(width / ratio) };
  if (height !== undefined) return { width: side(height * ratio), height };
  return ratio >= 1
    ? { width: usualSide, height: side(usualSide / ratio) }
    : { width: side(usualSide * ratio), height: usualSide };
}

/** Metres of a pixel on the ground. */
const pixelMetresOf = (parameters: PlaceParameters): number =>
  ((parameters['mm-per-pixel'] ?? usualPixelMm) / 1_000) * parameters['scale-denominator']!;

/** Metres on the ground per degree of longitude, at the latitude of a range that is the nearest to the equator. */
function longitudeMetres(south: number, north: number): number {
  const nearest = south > 0 ? south : north < 0 ? -north : 0;
  return degreeMetres * Math.cos((Math.min(89, nearest) * Math.PI) / 180);
}

/** Metres on the ground per unit of a plane system, at a point. Throws 400. */
async function planeMetres(
  db: Database,
  point: readonly [number, number],
  { crs, parameter }: { crs: Crs; parameter: string },
): Promise<number> {
  // A step that is short on the map, and long compared with the precision of coordinates.
  const step = 100 / metresOf(crs);
  const metres = await groundMetres(db, point, { srid: crs.srid, step });
  if (metres !== undefined) return metres;
  throw badRequest(`${parameter}: ${crs.uri} does not reach this place`, { parameters: [parameter] });
}

/** The size of a box at `scale-denominator`. Throws 400 for a picture that is too large. */
async function sizeAt(
  parameters: PlaceParameters,
  [west, south, east, north]: Extent,
  { db, crs, largestSide }: PlaceParts,
): Promise<{ width: number; height: number }> {
  const parameter = parameters.bbox === undefined ? 'subset' : 'bbox';
  const pixel = pixelMetresOf(parameters);
  const middle = [(west + east) / 2, (south + north) / 2] as const;
  const metres = crs.isDegrees
    ? { x: longitudeMetres(south, north), y: degreeMetres }
    : await planeMetres(db, middle, { crs, parameter }).then((both) => ({ x: both, y: both }));
  const side = (length: number): number => Math.max(1, Math.round(length / pixel));
  const size = { width: side((east - west) * metres.x), height: side((north - south) * metres.y) };
  if (Math.max(size.width, size.height) <= largestSide) return size;
  throw badRequest(
    `scale-denominator: the picture would have ${size.width} × ${size.height} pixels, more than ${largestSide}`,
    { parameters: ['scale-denominator'] },
  );
}

/** The middle of a picture: `center`, or that of everything that is drawn. Throws 400. */
async function centerOn(parameters: PlaceParameters, parts: PlaceParts): Promise<readonly [number, number]> {
  const { db, crs } = parts;
  if (parameters.center === undefined) {
    const [west, south, east, north] = await wholeOn(parts, crs, 'crs');
    return [(west + east) / 2, (south + north) / 2];
  }
  const asked = await findCrs(db, parameters['center-crs'], 'center-crs');
  const [x, y] = centerOf(parameters.center, asked);
  if (asked.isDegrees && Math.abs(y) > 90)
    throw badRequest('center: there are no latitudes beyond 90 degrees', { parameters: ['center'] });
  if (asked.srid === crs.srid) return [x, y];
  const box = await boxOn(db, { box: [x, y, x, y], crs: asked }, crs, 'center');
  return [box[0], box[1]];
}

/** The box around a point in which everything that is drawn has room, with square pixels. */
function fitted(
  [x, y]: readonly [number, number],
  { width, height }: { width: number; height: number },
  whole: Extent,
): Extent {
  const unit = Math.max((whole[2] - whole[0]) / width, (whole[3] - whole[1]) / height);
  const [dx, dy] = [(unit * width) / 2, (unit * height) / 2];
  return [x - dx, y - dy, x + dx, y + dy];
}

/** The box around a point at `scale-denominator`. */
async function boxAt(
  [x, y]: readonly [number, number],
  { width, height }: { width: number; height: number },
  { parameters, crs, db }: { parameters: PlaceParameters; crs: Crs; db: Database },
): Promise<Extent> {
  const pixel = pixelMetresOf(parameters);
  if (crs.isDegrees) {
    const dy = (height * pixel) / degreeMetres / 2;
    const dx = (width * pixel) / longitudeMetres(y - dy, y + dy) / 2;
    return [x - dx, y - dy, x + dx, y + dy];
  }
  const parameter = parameters.center === undefined ? 'crs' : 'center';
  const metres = await planeMetres(db, [x, y], { crs, parameter });
  const [dx, dy] = [(width * pixel) / metres / 2, (height * pixel) / metres / 2];
  return [x - dx, y - dy, x + dx, y + dy];
}
