import { ServiceError } from '../../errors.js';
import { type Box, fromMercator, toMercator } from '../../geo/bbox.js';
import type { Band } from '../../rasters/store.js';
import type { Data, RasterInfo } from '../engine/orders.js';
import type { Layout } from './layout.js';
import { statistics } from './statistics.js';
import { carryOut, info, type Work } from './work.js';

/** Files of the job, in the order in which they come. */
const made = {
  prepared: { file: 'prepared.vrt', driver: 'VRT' },
  measured: { file: 'measured.vrt', driver: 'VRT' },
  enlarged: { file: 'enlarged.vrt', driver: 'VRT' },
  planned: { file: 'planned.vrt', driver: 'VRT' },
  warped: { file: 'warped.tif', driver: 'GTiff' },
  processed: { file: 'processed.tif', driver: 'GTiff' },
} as const satisfies Record<string, Data>;

/** The file that `process` leaves in the folder. */
export const processedFile = made.processed.file;

/** Nothing but the file itself is read: no masks, overviews and metadata that lie beside it. */
const settings = {
  GDAL_PAM_ENABLED: 'NO',
  GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
  GDAL_CACHEMAX: '128',
};

/** What the image is by its own word. Throws `import_failed`. */
export async function inspect(work: Work, data: Data): Promise<RasterInfo> {
  for (const [name, value] of Object.entries(settings)) await work.job.ask({ kind: 'option', name, value });
  return info(work, data);
}

/** The image in EPSG:3857 as it will be. */
export interface Target {
  /** The placed image. */
  from: Data;
  /** Pixels. */
  width: number;
  height: number;
  /** Of `gdalwarp`. */
  args: readonly string[];
  /** Degrees. */
  extent: Box;
}

/** Half the side of the square of EPSG:3857, m. */
const half = toMercator(180, 0)[0];

/**
 * Places an image and plans its way into EPSG:3857; next to nothing is read of it. `place`: arguments of
 * `gdal_translate`. Throws `import_failed`.
 */
export async function plan(
  work: Work,
  {
    data,
    source,
    place,
    layout,
  }: { data: Data; source: RasterInfo; place: readonly string[]; layout: Layout },
): Promise<Target> {
  const args = ['-of', 'VRT', ...layout.prepare, ...place];
  await carryOut(work, { kind: 'raster-translate', data, target: made.prepared.file, args });
  const warp = ['-t_srs', 'EPSG:3857', ...layout.warp];
  const box = await boxInMercator(work, warp);
  const own = ownBox(await info(work, made.prepared), box);
  const within = clamped(own ?? box);
  if (!within) {
    const message = `'${work.name.slice(0, 100)}' lies where the map does not reach: beyond 180 degrees, or at a pole`;
    throw new ServiceError('import_failed', message);
  }
  const corners = [within.west, within.south, within.east, within.north].map(String);
  const targetOf = (from: Data, width: number, height: number): Target => ({
    from,
    width,
    height,
    extent: degrees(within),
    args: [...warp, '-te', ...corners, '-ts', String(width), String(height)],
  });
  // An image in EPSG:3857 keeps its pixels.
  if (within === own) return targetOf(made.prepared, ...source.size);
  const { from, size } = await enlarged(work, source.size);
  // GDAL chooses its pixels for all that lies outside the map, too.
  const chosen = within === box ? (await planned(work, from, warp)).geoTransform![1] : Infinity;
  const pixel = Math.min(chosen, finestPixel(within, size));
  const pixels = (length: number): number => Math.max(1, Math.round(length / pixel));
  return targetOf(from, pixels(within.east - within.west), pixels(within.north - within.south));
}

/** An image as GDAL would put it into EPSG:3857. */
async function planned(work: Work, data: Data, warp: readonly string[]): Promise<RasterInfo> {
  const args = ['-of', 'VRT', '-overwrite', ...warp];
  await carryOut(work, { kind: 'raster-warp', data, target: made.planned.file, args });
  return info(work, made.planned);
}

/** Columns and rows of an image that is only measured. */
const measuringSide = '1000000';

/** Where the placed image lies. GDAL rounds an extent to whole pixels, so that pixels are made that are small. */
async function boxInMercator(work: Work, warp: readonly string[]): Promise<Box> {
  const args = ['-of', 'VRT', '-outsize', measuringSide, measuringSide];
  const { measured, prepared } = made;
  await carryOut(work, { kind: 'raster-translate', data: prepared, target: measured.file, args });
  return boxOf(await planned(work, measured, warp));
}

/** Fewest pixels of the longer side: where an image has few, their borders would be moved by half a pixel. */
const fewestPixels = 1024;

/** The placed image, of which each pixel has become several where it has few, and its size. */
async function enlarged(
  work: Work,
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

/** The box of an image by its own numbers where that is its box in EPSG:3857, and its rows and columns lie along it. */
function ownBox(image: RasterInfo, box: Box): Box | undefined {
  const transform = image.geoTransform;
  if (!transform || transform[2] || transform[4] || transform[1] < 0 || transform[5] > 0) return undefined;
  const own = boxOf(image);
  const most = 1e-5 * (box.east - box.west + box.north - box.south);
  const sides = ['west', 'south', 'east', 'north'] as const;
  return sides.every((side) => Math.abs(own[side] - box[side]) < most) ? own : undefined;
}

/** Most pixels that one pixel of an image becomes. */
const mostPixels = 4;

/** The pixel that keeps the columns and the rows of an image, m: that of the direction which has more of them a metre. */
function finestPixel({ west, south, east, north }: Box, [columns, rows]: RasterInfo['size']): number {
  const [width, height] = [east - west, north - south];
  const least = Math.sqrt((width * height) / (mostPixels * columns * rows));
  return Math.max(Math.min(width / columns, height / rows), least);
}

function boxOf({ geoTransform, size: [width, height] }: RasterInfo): Box {
  const [x, dx, , y, , dy] = geoTransform!;
  return { west: x, north: y, east: x + dx * width, south: y + dy * height };
}

/** The part of a box that the map has; the box itself where that is all; undefined where it is none. */
function clamped(box: Box): Box | undefined {
  // Rounding is no reason to cut.
  const most = half + 1;
  if ([box.west, box.south, box.east, box.north].every((value) => Math.abs(value) <= most)) return box;
  const cut = (value: number): number => Math.min(half, Math.max(-half, value));
  const { west, south, east, north } = box;
  // An image around a pole goes all the way round: GDAL finds that to a few pixels.
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

/** Makes the Cloud Optimized GeoTIFF of a planned image: what its bands are. Throws `import_failed`. */
export async function process(work: Work, layout: Layout, target: Target): Promise<Band[]> {
  const warp = { kind: 'raster-warp', data: target.from, target: made.warped.file } as const;
  await carryOut(work, { ...warp, args: [...warping, ...target.args] });
  const scale = layout.wide ? await scaling(work, layout.wide.alpha) : [];
  const args = [...tiling, '-co', `OVERVIEW_RESAMPLING=${layout.overviews}`, ...scale];
  await carryOut(work, { kind: 'raster-translate', data: made.warped, target: processedFile, args });
  if (layout.kind === 'values') return statistics(work, made.processed);
  const { bands } = await info(work, made.processed);
  return bands.map(({ type }) => ({ ...blank, type }));
}

const blank = { nodata: null, min: null, max: null, mean: null, stddev: null, low: null, high: null };

/** The values that most pixels have become 0 to 255, the same in all colours. */
async function scaling(work: Work, alpha: number): Promise<string[]> {
  const colors = (await statistics(work, made.warped)).slice(0, 3);
  const low = Math.min(...colors.map((band) => band.low ?? 0));
  const high = Math.max(...colors.map((band) => band.high ?? alpha));
  const range = [String(low), String(high > low ? high : low + 1), '0', '255'];
  const of = (band: number): string[] => [`-scale_${band}`, ...range];
  return ['-ot', 'Byte', ...of(1), ...of(2), ...of(3), '-scale_4', '0', String(alpha), '0', '255'];
}
