import type { MapLayer, Stop } from '@cartulary/cartocss';
import type { Raster } from '../../rasters/store.js';

/** The properties of an image that decide its drawing. */
export type DrawnRaster = Pick<Raster, 'processed' | 'kind' | 'bands'>;

/** The source of an image: a GeoTIFF in EPSG:3857. `fileOf`: the path of a key in the storage. */
export const rasterSource = (
  { processed, kind }: DrawnRaster,
  fileOf: (key: string) => string,
): Pick<MapLayer, 'srs' | 'datasource'> => ({
  srs: 'epsg:3857',
  datasource: { type: 'gdal', file: fileOf(processed), ...(kind === 'values' ? { band: 1 } : {}) },
});

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
