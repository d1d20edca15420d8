import type { Readable } from 'node:stream';
import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { type Format, formatInvalid } from '@cartulary/formats';
import { isOn } from '../http/params.js';
import type { Layer } from '../layers/layers.js';
import { type Raster, readRaster } from '../rasters/store.js';
import type { FileStorage } from '../storage/storage.js';
import { zipped } from './export.js';
import type { ExportedFile } from './export-file.js';

/** Services of the functions of this file. */
export interface RasterExportServices {
  readonly db: Database;
  readonly storage: FileStorage;
}

/** Media types of the files that were imported (GeoTIFF: OGC 19-008r4, annex C). */
const mediaTypes = {
  geotif: 'image/tiff; application=geotiff',
  png: 'image/png',
  jpg: 'image/jpeg',
};

/**
 * The image of a raster layer as a file: as it came (`orig`, the default), or the Cloud Optimized GeoTIFF that is
 * drawn. Throws `format_invalid` for a format of objects, `file_not_found` before the first import.
 */
export async function exportRaster(
  { db, storage }: RasterExportServices,
  layer: Layer,
  format: Format,
  { orig, zip }: { orig?: string; zip?: string },
): Promise<ExportedFile> {
  if (format.code !== 'geotif') {
    throw formatInvalid(`The layer holds an image: it is written as geotif, not as ${format.code}`, format);
  }
  const raster = await readRaster(db, layer.id);
  if (!raster) throw noImage();
  const isOriginal = orig === undefined || isOn(orig);
  const file = await storage.get(isOriginal ? raster.original : raster.processed);
  // Replaced meanwhile, and its bytes removed.
  if (!file) throw new ServiceError('busy', 'The image was replaced; try again');
  const described = { file, ...(isOriginal ? asItCame(raster) : processed(layer)) };
  return isOn(zip) ? inArchive(described, layer) : described;
}

const noImage = (): ServiceError =>
  new ServiceError('file_not_found', 'The layer has no image yet: import one');

const asItCame = ({ name, format }: Raster): Omit<ExportedFile, 'file'> => ({
  filename: name,
  type: mediaTypes[format],
});

const processed = ({ code }: Layer): Omit<ExportedFile, 'file'> => ({
  filename: `${code}.tif`,
  type: 'image/tiff; application=geotiff; profile=cloud-optimized',
});

const inArchive = (
  { file, filename }: { file: Readable; filename: string },
  { code }: Layer,
): ExportedFile => ({
  file: zipped(file, filename),
  filename: `${code}.zip`,
  type: 'application/zip',
});
