import { badRequest, ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { type Box, parseSrs, wgs84 } from '@cartulary/geo';
import type { RasterInfo } from '../engine/orders.js';

/** Geotransform: x of the upper left corner, x per column, x per row; the same for y. */
export type GeoTransform = readonly [number, number, number, number, number, number];

/** The sources of an image's georeference. */
export interface GivenPlace {
  /** Request parameters. */
  srs: string | undefined;
  bbox: Box | undefined;
  /** From the files beside the image: the six numbers of a world file, and a projection in the form of `parseSrs`. */
  world: GeoTransform | undefined;
  projection: string | undefined;
  /** Whether the image has rational polynomials. */
  hasPolynomials?: boolean | undefined;
}

/** The placement of an image: arguments of `gdal_translate`, the name of the projection, and notes for the report. */
export interface RasterPlace {
  args: readonly string[];
  /** Undefined: as the image declares. */
  srs: string | undefined;
  notes: readonly string[];
}

/** Parses `BOX(x_min y_min,x_max y_max)`. Throws 400 that names `raster_bbox`. */
export function parseRasterBox(text: string): Box {
  const wrong = (why: string): ServiceError =>
    badRequest(`raster_bbox ${why}: BOX(x_min y_min,x_max y_max)`, { parameters: ['raster_bbox'] });
  const inside = /^\s*BOX\s*\(([^()]{3,200})\)\s*$/i.exec(text)?.[1];
  const numbers = inside?.split(',').map((corner) => corner.trim().split(/\s+/).map(Number)) ?? [];
  const isBox =
    numbers.length === 2 && numbers.every((corner) => corner.length === 2 && corner.every(Number.isFinite));
  if (!isBox) throw wrong('must have this form');
  const [[west, south], [east, north]] = numbers as [[number, number], [number, number]];
  if (west >= east || south >= north) throw wrong('must name the smaller x and y first');
  return { west, south, east, north };
}

/**
 * Parses the six lines of a world file: x per column, y per column, x per row, y per row, and the centre of the upper
 * left pixel (https://www.loc.gov/preservation/digital/formats/fdd/fdd000287.shtml). Throws `import_failed`.
 */
export function parseWorldFile(text: string): GeoTransform {
  const numbers = text
    .slice(0, 2_000)
    .trim()
    .split(/\s+/)
    .map((part) => Number(part.replace(',', '.')));
  const [a, d, b, e, x, y] = numbers as [number, number, number, number, number, number];
  const area = a * e - b * d;
  if (![area, x, y].every(Number.isFinite) || area === 0) {
    throw new ServiceError('import_failed', noteOf('worldFile'));
  }
  return [x - a / 2 - b / 2, a, b, y - d / 2 - e / 2, d, e];
}

/** Whether an image has a georeference. For one without, GDAL reports none, or one pixel per unit from 0. */
function hasOwnPlace({ geoTransform, gcps }: RasterInfo): boolean {
  if (gcps) return true;
  return (
    geoTransform !== undefined &&
    geoTransform.join() !== '0,1,0,0,0,1' &&
    geoTransform.join() !== '0,1,0,0,0,-1'
  );
}

/**
 * Determines the placement of an image: from `raster_bbox`, else from the image itself, else from the world file beside
 * it. The projection comes from `srs`, else from the image or the .prj. Throws `import_georeference_missing`, and 400 for
 * a box of wrong degrees.
 */
export function rasterPlaceOf(info: RasterInfo, given: GivenPlace): RasterPlace {
  const { bbox, world } = given;
  if (bbox) {
    const srs = given.srs ?? wgs84;
    const { west, north, east, south } = bbox;
    if (srs === wgs84) demandDegrees(bbox);
    const notes = hasOwnPlace(info) ? [noteOf('boxTaken')] : [];
    return { args: ['-a_srs', srs, '-a_ullr', ...[west, north, east, south].map(String)], srs, notes };
  }
  const isOwn = hasOwnPlace(info);
  if (!isOwn && !world) throw withoutPlace(given);
  const own = isOwn ? undefined : world!;
  const gt = own ? ['-a_gt', ...own.map(String)] : [];
  const system = systemOf(info, given, own ?? info.geoTransform);
  const srs = system.srs ? ['-a_srs', system.srs] : [];
  return { args: [...srs, ...gt], srs: system.srs, notes: system.notes };
}

/** Largest longitude and latitude of an image: images that cross the edge of the map go on beyond 180. */
const [lonLimit, latLimit] = [360, 90.001];

/** Throws 400 for a box that is not in degrees: GDAL would wrap it around the earth, and nobody would notice. */
function demandDegrees({ west, south, east, north }: Box): void {
  const isOnce = east - west <= lonLimit + 0.001;
  if (isOnce && west >= -lonLimit && east <= lonLimit && south >= -latLimit && north <= latLimit) return;
  throw badRequest('raster_bbox lies beyond the range of degrees; give srs where it is in other units', {
    parameters: ['raster_bbox'],
  });
}

/** Rational polynomials give the place of a pixel only together with the height of the ground. */
function withoutPlace({ hasPolynomials }: GivenPlace): ServiceError {
  const message = hasPolynomials ? noteOf('imageOnHeights') : undefined;
  return new ServiceError('import_georeference_missing', message, { parameters: ['raster_bbox'] });
}

function systemOf(
  info: RasterInfo,
  given: GivenPlace,
  transform: GeoTransform | undefined,
): Pick<RasterPlace, 'srs' | 'notes'> {
  if (given.srs) return { srs: given.srs, notes: [] };
  if (info.coordinateSystem?.wkt || info.gcps?.coordinateSystem?.wkt) return { srs: undefined, notes: [] };
  if (given.projection) return { srs: given.projection, notes: [] };
  if (transform && isOnEarth(info, transform))
    return { srs: wgs84, notes: [noteOf('imageWithoutProjection')] };
  const message = noteOf('noImageProjection');
  throw new ServiceError('import_georeference_missing', message, { parameters: ['srs'] });
}

/** Whether all corners are valid longitudes and latitudes. */
function isOnEarth({ size: [width, height] }: RasterInfo, [x, a, b, y, d, e]: GeoTransform): boolean {
  const corners = [0, width].flatMap((i) => [0, height].map((j) => [x + a * i + b * j, y + d * i + e * j]));
  return corners.every(([lon, lat]) => Math.abs(lon!) <= lonLimit && Math.abs(lat!) <= latLimit);
}

/** The text of a .prj in the form of `parseSrs`; undefined if it cannot be parsed. */
export function projectionOf(text: string): string | undefined {
  try {
    return parseSrs(text.slice(0, 20_000));
  } catch {
    return undefined;
  }
}
