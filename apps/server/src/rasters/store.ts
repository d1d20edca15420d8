import type { Queryable, Transaction } from '../db/pool.js';
import { sql } from '../db/sql.js';
import type { Box } from '../geo/bbox.js';

/** Formats of images as they come. */
export type ImageFormat = 'geotif' | 'png' | 'jpg';

/** A band of an image that is drawn. Of the values those that are no data are left out; null where there are none. */
export interface Band {
  /** GDAL's name of the type: Byte, Int16, Float32 … */
  type: string;
  nodata: number | null;
  min: number | null;
  max: number | null;
  mean: number | null;
  stddev: number | null;
  /** Below and above which two in a hundred values lie. */
  low: number | null;
  high: number | null;
}

/** The image of a raster layer. */
export interface Raster extends Box {
  /** Keys of the storage: the file as it came, and the Cloud Optimized GeoTIFF in EPSG:3857 that is drawn. */
  original: string;
  processed: string;
  /** Of the original file. */
  name: string;
  format: ImageFormat;
  /** Of the original file and of the processed one, bytes. */
  size: number;
  processed_size: number;
  /** Of the original image, pixels. */
  width: number;
  height: number;
  /** picture: red, green, blue and alpha. values: one band. */
  kind: 'picture' | 'values';
  bands: readonly Band[];
  /** Of the original image. */
  projection: string;
}

/** The image of a layer; undefined before the first import. */
export async function readRaster(db: Queryable, layerId: number): Promise<Raster | undefined> {
  const [raster] = await db.query<Raster>(sql`
    select original, processed, name, format, size, processed_size, width, height, kind, bands, projection,
      west, south, east, north from cartulary.raster where layer_id = ${layerId}`);
  return raster;
}

/** Puts an image in the place of the one that a layer has; the bytes of the old one are removed when no picture needs them. */
export async function replaceRaster(tx: Transaction, layerId: number, raster: Raster): Promise<void> {
  const { original, processed, name, format, size, width, height, kind, projection } = raster;
  // Not updated: what is deleted is noted, so that its bytes go.
  await tx.query(sql`delete from cartulary.raster where layer_id = ${layerId}`);
  await tx.query(sql`
    insert into cartulary.raster (layer_id, original, processed, name, format, size, processed_size, width, height, kind,
      bands, projection, west, south, east, north)
    values (${layerId}, ${original}::uuid, ${processed}::uuid, ${name}, ${format}, ${size}, ${raster.processed_size},
      ${width}, ${height}, ${kind}, ${JSON.stringify(raster.bands)}::jsonb, ${projection},
      ${raster.west}, ${raster.south}, ${raster.east}, ${raster.north})`);
}
