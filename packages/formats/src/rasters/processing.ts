import { ServiceError } from '@cartulary/errors';
import { type Box, edgeTolerance, fromMercator, toMercator } from '@cartulary/geo';
import type { Data, RasterInfo } from '../engine/orders.js';
import type { Band } from './image.js';
import type { RasterLayout } from './layout.js';
import { statistics } from './statistics.js';
import { carryOut, info, type RasterWork } from './work.js';

/** Files of the job in the order of the steps. */
const made = {
  prepared: { file: 'prepared.vrt', driver: 'VRT' },
  measured: { file: 'measured.vrt', driver: 'VRT' },
  enlarged: { file: 'enlarged.vrt', driver: 'VRT' },
  planned: { file: 'planned.vrt', driver: 'VRT' },
  warped: { file: 'warped.tif', driver: 'GTiff' },
  processed: { file: 'processed.tif', driver: 'GTiff' },
} as const satisfies Record<string, Data>;

/** The resulting file that `writeCog` leaves in the folder. */
export const cogFile = made.processed.file;

/** Ignores overviews and metadata in files beside the image; a mask is found by its name. */
const settings = {
  GDAL_PAM_ENABLED: 'NO',
  GDAL_DISABLE_READDIR_ON_OPEN: 'TRUE',
  GDAL_CACHEMAX: '128',
};

/** Reads the declared properties of the image. Throws `import_failed`. */
export async function readRasterInfo(work: RasterWork, data: Data): Promise<RasterInfo> {
  for (const [name, value] of Object.entries(settings)) await work.job.ask({ kind: 'option', name, value });
  return info(work, data);
}

/** The planned image in EPSG:3857. */
export interface RasterTarget {
  /** Name of the placed image. */
  from: Data;
  /** Width and height, pixels. */
  width: number;
  height: number;
  /** Arguments of `gdalwarp`. */
  args: readonly string[];
  /** Extent in degrees. */
  extent: Box;
}

/** Half the side of the square of EPSG:3857, m. */
const half = toMercator(180, 0)[0];

/**
 * Places an image and plans its reprojection to EPSG:3857, reading almost none of its pixels. `place`: arguments of
 * `gdal_translate`. Throws `import_failed`.
 */
export async function planWarp(
  work: RasterWork,
  {
    data,
    source,
    place,
    layout,
  }: { data: Data; source: RasterInfo; place: readonly string[]; layout: RasterLayout },
): Promise<RasterTarget> {
  const args = ['-of', 'VRT', ...layout.prepare, ...place];
  await carryOut(work, { kind: 'raster-translate', data, target: made.prepared.file, args });
  const prepared = await info(work, made.prepared);
  const warp = ['-t_srs', 'EPSG:3857', ...layout.warp, ...areaOf(prepared)];
  const across = degreesAcross(prepared);
  const measured = await boxInMercator(work, warp);
  // The parts of an image across 180 degrees lie at both edges of the map. GDAL may measure only one of them.
  const box = across ? { ...measured, west: -half, east: half } : measured;
  const own = ownBox(prepared, box);
  const within = clamped(own ?? box);
  if (!within) {
    const message = `'${work.name.slice(0, 100)}' lies where the map does not reach: beyond 180 degrees, or at a pole`;
    throw new ServiceError('import_failed', message);
  }
  const corners = [within.west, within.south, within.east, within.north].map(String);
  const targetOf = (from: Data, width: number, height: number): RasterTarget => ({
    from,
    width,
    height,
    extent: degrees(within),
    args: [...warp, '-te', ...corners, '-ts', String(width), String(height)],
  });
  // An image in EPSG:3857 keeps its pixels.
  if (within === own) return targetOf(made.prepared, ...source.size);
  const { from, size } = await enlarged(work, source.size);
  const columns = across ? (size[0] * 360) / across : size[0];
  // GDAL would also choose the pixel size from parts outside the map.
  const chosen = within === box ? (await planned(work, from, warp)).geoTransform![1] : Infinity;
  const pixel = Math.min(chosen, finestPixel(within, [columns, size[1]]));
  const pixels = (length: number): number => Math.max(1, Math.round(length / pixel));
  return targetOf(from, pixels(within.east - within.west), pixels(within.north - within.south));
}

/** GDAL takes an image that is turned by 90 degrees for one without area, and finds no transformation for that. */
function areaOf({ geoTransform, wgs84Extent }: RasterInfo): string[] {
  const corners = wgs84Extent?.coordinates?.[0];
  if (!corners || !geoTransform || geoTransform[1] || geoTransform[5]) return [];
  const [lons, lats] = [0, 1].map((i) => corners.map((corner) => corner[i]!)) as [number[], number[]];
  const area = [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
  return ['-to', `AREA_OF_INTEREST=${area.join(',')}`];
}

/** The width in degrees of an image in longitude and latitude that continues beyond 180 degrees; undefined for others. */
function degreesAcross(image: RasterInfo): number | undefined {
  const { geoTransform: transform, coordinateSystem } = image;
  if (!transform || transform[2] || transform[4] || !/^GEOG/.test(coordinateSystem?.wkt ?? ''))
    return undefined;
  const { west, east } = boxOf(image);
  const [from, to] = [Math.min(west, east), Math.max(west, east)];
  const isAcross = [-180, 180].some((edge) => from < edge - edgeTolerance && to > edge + edgeTolerance);
  return isAcross ? to - from : undefined;
}

/** The size and extent that GDAL proposes for an image in EPSG:3857. */
async function planned(work: RasterWork, data: Data, warp: readonly string[]): Promise<RasterInfo> {
  const args = ['-of', 'VRT', '-overwrite', ...warp];
  await carryOut(work, { kind: 'raster-warp', data, target: made.planned.file, args });
  return info(work, made.planned);
}

/** Columns and rows of an image that is only measured. */
const measuringSide = '1000000';

/** The extent of the placed image. GDAL rounds an extent to whole pixels, so small pixels are used. */
async function boxInMercator(work: RasterWork, warp: readonly string[]): Promise<Box> {
  const args = ['-of', 'VRT', '-outsize', measuringSide, measuringSide];
  const { measured, prepared } = made;
  await carryOut(work, { kind: 'raster-translate', data: prepared, target: measured.file, args });
  return boxOf(await planned(work, measured, warp));
}

/** Minimum pixels of the longer side: in a coarse image the borders would shift by up to half a pixel. */
const fewestPixels = 1024;

/** The placed image and its size. Pixels of a coarse image are divided first. */
async function enlarged(
  work: RasterWork,
  size: RasterInfo['size'],
): Promise<{ from: Data; size: RasterInfo['size'] }> {
  const times = Math.floor(fewestPixels / Math.max(...size));
  if (times < 2) return { from: made.prepared, size };
  const [width, height] = [times * size[0], times * size[1]];
  const args = ['-of', 'VRT', '-r', 'near', '-outsize', String(width), String(height)];
  const order = { kind: 'raster-translate', data: made.prepared, target: made.enlarged.file, args } as const;
  await carryOut(work, order);
  return { from: made.enlarged, size: [width, height] };
}

/**
 * The box of an image by its own numbers if that equals its box in EPSG:3857 and its rows and columns are parallel to
 * the axes.
 */
function ownBox(image: RasterInfo, box: Box): Box | undefined {
  const transform = image.geoTransform;
  if (!transform || transform[2] || transform[4] || transform[1] < 0 || transform[5] > 0) return undefined;
  const own = boxOf(image);
  const most = 1e-5 * (box.east - box.west + box.north - box.south);
  const sides = ['west', 'south', 'east', 'north'] as const;
  return sides.every((side) => Math.abs(own[side] - box[side]) < most) ? own : undefined;
}

/** Maximum ratio of pixels in the result to pixels of the image. */
const mostPixels = 4;

/** The pixel size that preserves all columns and rows, m: that of the direction with the higher resolution. */
function finestPixel({ west, south, east, north }: Box, [columns, rows]: RasterInfo['size']): number {
  const [width, height] = [east - west, north - south];
  const least = Math.sqrt((width * height) / (mostPixels * columns * rows));
  return Math.max(Math.min(width / columns, height / rows), least);
}

function boxOf({ geoTransform, size: [width, height] }: RasterInfo): Box {
  const [x, dx, , y, , dy] = geoTransform!;
  return { west: x, north: y, east: x + dx * width, south: y + dy * height };
}

/** The part of a box within the map; the box itself if it is entirely inside; undefined if it is outside. */
function clamped(box: Box): Box | undefined {
  // A box that exceeds the map only by rounding is not cut.
  const most = half + 1;
  if ([box.west, box.south, box.east, box.north].every((value) => Math.abs(value) <= most)) return box;
  const cut = (value: number): number => Math.min(half, Math.max(-half, value));
  const { west, south, east, north } = box;
  // An image around a pole spans all longitudes; GDAL finds that with an error of a few pixels.
  const isRound = cut(east) - cut(west) > 1.9 * half;
  const [from, to] = isRound ? [-half, half] : [cut(west), cut(east)];
  const within = { west: from, south: cut(south), east: to, north: cut(north) };
  return within.west < within.east && within.south < within.north ? within : undefined;
}

function degrees({ west, south, east, north }: Box): Box {
  const [w, s] = fromMercator(west, south);
  const [e, n] = fromMercator(east, north);
  return { west: Math.max(-180, w), south: s, east: Math.min(180, e), north: n };
}

const warping =
  '-of GTiff -nomd -wm 128 -co TILED=YES -co BIGTIFF=IF_SAFER -co SPARSE_OK=TRUE -overwrite'.split(' ');
const tiling =
  '-of COG -co COMPRESS=DEFLATE -co PREDICTOR=YES -co BIGTIFF=IF_SAFER -co OVERVIEWS=IGNORE_EXISTING -norat -noxmp'.split(
    ' ',
  );

/** Makes the Cloud Optimized GeoTIFF of a planned image, and returns its bands. Throws `import_failed`. */
export async function writeCog(
  work: RasterWork,
  layout: RasterLayout,
  target: RasterTarget,
): Promise<Band[]> {
  const warp = { kind: 'raster-warp', data: target.from, target: made.warped.file } as const;
  await carryOut(work, { ...warp, args: [...warping, ...target.args] });
  const scale = layout.wide ? await scaling(work, layout.wide.alpha) : linearScaling(layout);
  const args = [...tiling, '-co', `OVERVIEW_RESAMPLING=${layout.overviews}`, ...scale];
  await carryOut(work, { kind: 'raster-translate', data: made.warped, target: cogFile, args });
  if (layout.kind === 'values') return statistics(work, made.processed);
  const { bands } = await info(work, made.processed);
  return bands.map(({ type }) => ({ ...blank, type }));
}

const blank = { nodata: null, min: null, max: null, mean: null, stddev: null, low: null, high: null };

const linearScaling = ({ linear }: RasterLayout): string[] =>
  linear ? ['-scale', '0', '1', ...[linear.offset, linear.offset + linear.scale].map(String)] : [];

/** Arguments that scale most values to 0 to 255, with the same range for all colours. */
async function scaling(work: RasterWork, alpha: number): Promise<string[]> {
  const bands = await statistics(work, made.warped);
  const colors = bands.slice(0, 3);
  const low = Math.min(...colors.map((band) => band.low ?? 0));
  const high = Math.max(...colors.map((band) => band.high ?? alpha));
  const range = [String(low), String(high > low ? high : low + 1), '0', '255'];
  const of = (band: number): string[] => [`-scale_${band}`, ...range];
  // Some programs write the alpha of 8 bits beside colours of 16.
  const opaque = (bands[3]?.max ?? alpha) <= 255 ? 255 : alpha;
  return ['-ot', 'Byte', ...of(1), ...of(2), ...of(3), '-scale_4', '0', String(opaque), '0', '255'];
}
