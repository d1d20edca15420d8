import type { MapLayer, Stop } from '@cartulary/cartocss';
import { tileExtent, toMercator } from '@cartulary/geo';
import type { Raster } from '../../rasters/store.js';
import type { TileRequest } from './tile-request.js';

/** The properties of an image that decide its drawing. */
export type DrawnRaster = Pick<
  Raster,
  'processed' | 'kind' | 'bands' | 'pixel_size' | 'west' | 'south' | 'east' | 'north'
>;

/** The source of an image: a GeoTIFF in EPSG:3857, which all maps of a renderer open once. `fileOf`: the path of a key in the storage. */
export const rasterSource = (
  { processed, kind }: DrawnRaster,
  fileOf: (key: string) => string,
): Pick<MapLayer, 'srs' | 'datasource'> => ({
  srs: 'epsg:3857',
  datasource: {
    type: 'gdal',
    file: fileOf(processed),
    shared: true,
    ...(kind === 'values' ? { band: 1 } : {}),
  },
});

/** Pixels of the longer side of the coarsest overview: GDAL halves an image until it is no larger (option `BLOCKSIZE` of its driver COG). */
const coarsestSide = 512;

/** The largest factor that Mapnik gets. */
const mostFactor = 16;

/**
 * The ratio of a tile's pixels to those of the overview from which it is drawn: the coarsest one whose pixels are not larger.
 * With it as the filter factor, Mapnik reads the overview as it is and scales it once. By default it would read twice the tile's
 * pixels from a finer overview, without smoothing, and then scale these down. undefined: unknown, or the image is enlarged.
 */
export function filterFactor(
  { pixel_size, west, south, east, north }: DrawnRaster,
  { z, scale }: Pick<TileRequest, 'z' | 'scale'>,
): number | undefined {
  if (pixel_size === null) return undefined;
  const [left, , right] = tileExtent(0, 0, 0);
  // Sizes of overviews are rounded.
  const ratio = ((right - left) / 256 / 2 ** z / scale / pixel_size) * (1 + 1e-6);
  if (ratio < 1) return undefined;
  const [x0, y0] = toMercator(west, south);
  const [x1, y1] = toMercator(east, north);
  const side = Math.round(Math.max(x1 - x0, y1 - y0) / pixel_size);
  const overviews = Math.max(0, Math.ceil(Math.log2((side + 1) / (coarsestSide + 1))));
  const halved = Math.min(overviews, Math.floor(Math.log2(ratio)));
  return Math.min(mostFactor, ratio / 2 ** halved);
}

/** Lower than every valid value; no-data values may be lower still. */
const least = '-1e+38';

/**
 * Default colours of an image of values: black to white between its 2 % and 98 % quantiles. undefined for pictures,
 * which have their own colours.
 */
export function ownStops(raster: DrawnRaster | null | undefined): readonly Stop[] | undefined {
  const [band] = raster?.kind === 'values' ? raster.bands : [];
  if (!band) return undefined;
  const low = band.low ?? 0;
  const high = band.high !== null && band.high > low ? band.high : low + 1;
  return [
    { value: least, color: '#000000', mode: 'discrete' },
    { value: String(low), color: '#000000', mode: 'linear' },
    { value: String(high), color: '#ffffff', mode: 'discrete' },
  ];
}
