import { badRequest } from '@cartulary/errors';

export type SR = '4326' | '3857';

/** Degrees of EPSG:4326 or metres of EPSG:3857. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Corners as the interface writes them: latitude (y) first. */
export interface Corners {
  sw: [y: number, x: number];
  ne: [y: number, x: number];
}

/** Radius of the sphere of EPSG:3857. */
const radiusMetres = 6_378_137;
const radiansPerDegree = Math.PI / 180;

/** Spherical Mercator (EPSG method 1024), degrees to metres. The poles are at ±242,528,681 m, as in PROJ. */
export const toMercator = (lon: number, lat: number): [x: number, y: number] => [
  radiusMetres * lon * radiansPerDegree,
  radiusMetres * Math.asinh(Math.tan(lat * radiansPerDegree)),
];

/** The inverse of `toMercator`: metres to degrees. */
export const fromMercator = (x: number, y: number): [lon: number, lat: number] => [
  x / radiusMetres / radiansPerDegree,
  Math.atan(Math.sinh(y / radiusMetres)) / radiansPerDegree,
];

/** Latitude at which the square world of EPSG:3857 ends. */
export const mercatorEdge = fromMercator(0, Math.PI * radiusMetres)[1];

/** Tolerance for coordinates that rounding places beyond the edge of EPSG:3857. */
export const mercatorToleranceMetres = 2;
/** The same in degrees of longitude. */
export const mercatorToleranceDegrees = fromMercator(mercatorToleranceMetres, 0)[0];

/** Parses `fbbox`: `SW_LAT,SW_LON,NE_LAT,NE_LON`, y before x in both projections. Throws 400. */
export function parseBox(input: string | readonly unknown[]): Box {
  const parts = typeof input === 'string' ? input.split(',') : input;
  const numbers = parts.map((part) => (typeof part === 'string' && part.trim() !== '' ? Number(part) : part));
  if (numbers.length !== 4 || !numbers.every(Number.isFinite)) {
    throw badRequest('fbbox must be four numbers: SW_LAT,SW_LON,NE_LAT,NE_LON', { parameters: ['fbbox'] });
  }
  const [south, west, north, east] = numbers as [number, number, number, number];
  if (south > north) {
    throw badRequest('fbbox: the first latitude lies north of the second', { parameters: ['fbbox'] });
  }
  return { west, south, east, north };
}

/**
 * The boxes of EPSG:4326, within ±180 degrees, that a box of either projection covers. There are two if the box crosses
 * the antimeridian: its west is greater than its east, or it exceeds ±180 degrees.
 */
export function boxesOf(box: Box, sr: SR): Box[] {
  const { west, south, east, north } = sr === '4326' ? box : degrees(box);
  if (east - west >= 360) return [{ west: -180, south, east: 180, north }];
  const from = wrap(west);
  const to = wrap(east);
  if (from <= to && !(from === to && west !== east)) return [{ west: from, south, east: to, north }];
  return [
    { west: from, south, east: 180, north },
    { west: -180, south, east: to, north },
  ];
}

function degrees(box: Box): Box {
  const [west, south] = fromMercator(box.west, box.south);
  const [east, north] = fromMercator(box.east, box.north);
  return { west, south, east, north };
}

/** Wraps a longitude into -180 to 180. Both limits stay unchanged. */
const wrap = (lon: number): number =>
  Math.abs(lon) <= 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180;

/** Converts a box in degrees to the interface's corners in the requested projection. */
export function cornersOf({ west, south, east, north }: Box, sr: SR): Corners {
  if (sr === '4326') return { sw: [south, west], ne: [north, east] };
  const [minX, minY] = toMercator(west, south);
  const [maxX, maxY] = toMercator(east, north);
  return { sw: [minY, minX], ne: [maxY, maxX] };
}
