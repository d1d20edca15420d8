import type { Raster } from '../rasters/store.js';
import type { MapLayer, Stop } from '../styles/compile.js';

/** What of an image decides how it is drawn. */
export type DrawnRaster = Pick<Raster, 'processed' | 'kind' | 'bands'>;

/** Where Mapnik finds the image: a GeoTIFF in EPSG:3857. `fileOf` gives the path of a content of the storage. */
export const rasterSource = (
  { processed, kind }: DrawnRaster,
  fileOf: (key: string) => string,
): Pick<MapLayer, 'srs' | 'datasource'> => ({
  srs: 'epsg:3857',
  datasource: { type: 'gdal', file: fileOf(processed), ...(kind === 'values' ? { band: 1 } : {}) },
});

/** Below every value that is one: what stands for no data may be less. */
const least = '-1e+38';

/**
 * The colours of an image of values whose style names none: from black to white, where all but the lowest and the highest
 * two of a hundred values lie. A picture has its own.
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
