import type { Queryable, Transaction } from '@cartulary/database';
import type { Band, ImageFormat, RasterKind } from '@cartulary/formats';
import type { Box } from '@cartulary/geo';
import { sql } from '@cartulary/sql';

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
  kind: RasterKind;
  /** Width of a pixel of the processed image, metres of EPSG:3857; null: imported before it was stored. */
  pixel_size: number | null;
  bands: readonly Band[];
  /** Of the original image. */
  projection: string;
}

/** The image of a layer; undefined before the first import. */
export async function readRaster(db: Queryable, layerId: number): Promise<Raster | undefined> {
  const [raster] = await db.query<Raster>(sql`
    select original, processed, name, format, size, processed_size, width, height, kind, pixel_size,
      bands, projection, west, south, east, north from cartulary.raster where layer_id = ${layerId}`);
  return raster;
}

/** Replaces the image of a layer. The bytes of the old one are removed when no rendering needs them. */
export async function replaceRaster(tx: Transaction, layerId: number, raster: Raster): Promise<void> {
  const { original, processed, name, format, size, width, height, kind, projection } = raster;
  // Deleted and inserted, not updated: a deletion is logged, so that the old bytes are removed.
  await tx.query(sql`delete from cartulary.raster where layer_id = ${layerId}`);
  await tx.query(sql`
    insert into cartulary.raster (layer_id, original, processed, name, format, size, processed_size, width, height, kind,
      pixel_size, bands, projection, west, south, east, north)
    values (${layerId}, ${original}::uuid, ${processed}::uuid, ${name}, ${format}, ${size}, ${raster.processed_size},
      ${width}, ${height}, ${kind}, ${raster.pixel_size}, ${JSON.stringify(raster.bands)}::jsonb, ${projection},
      ${raster.west}, ${raster.south}, ${raster.east}, ${raster.north})`);
}
