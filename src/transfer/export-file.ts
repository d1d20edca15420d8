import type { Readable } from 'node:stream';
import type { Database } from '../db/pool.js';
import type { Layer } from '../layers/layers.js';
import { asText, type ExportOptions, geojsonWriter, openExport, zipped } from './export.js';
import { type Format, formatInvalid } from './formats.js';
import { type Conversion, converted } from './writers/converted.js';
import { createKmlWriter } from './writers/kml.js';
import { targets } from './writers/targets.js';

export interface FileOrder {
  format: Format;
  options: ExportOptions;
  /** Whether a single file is packed. */
  isZip: boolean;
  encoding: string | undefined;
  conversion: Pick<Conversion, 'engine' | 'dataFolder' | 'limit' | 'signal'>;
}

export interface ExportedFile {
  file: Readable;
  filename: string;
  type: string;
}

/** The objects of a layer as a file, with the name and the media type that it is sent with. */
export async function exportFile(db: Database, layer: Layer, order: FileOrder): Promise<ExportedFile> {
  const { format, isZip } = order;
  const content = await contentOf(db, layer, order);
  const filename = `${layer.code}.${format.extensions[0]}`;
  if (format.code === 'kmz') return { file: zipped(content, 'doc.kml'), filename, type: format.mediaType };
  const zip = { filename: `${layer.code}.zip`, type: 'application/zip' };
  if (format.zip === 'always') return { ...zip, file: content };
  if (isZip) return { ...zip, file: zipped(content, filename) };
  return { file: content, filename, type: format.mediaType };
}

/** What the file holds before it is packed; of some formats it is an archive itself. */
async function contentOf(db: Database, layer: Layer, order: FileOrder): Promise<Readable> {
  const { format, options, conversion, encoding } = order;
  if (format.code === 'geotif')
    throw formatInvalid(`A layer of objects is not written as ${format.code}`, format);
  const rows = await openExport(db, layer, options);
  const target = targets[format.code];
  const writing = { ...options, columns: layer.columns };
  if (target) return converted(rows, target, { ...conversion, encoding, code: layer.code, options: writing });
  if (format.code === 'kml' || format.code === 'kmz')
    return asText(rows, createKmlWriter(layer.code, writing));
  return asText(rows, geojsonWriter(layer, options, format.code === 'geojsonl'));
}
