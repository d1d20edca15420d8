import type { Readable } from 'node:stream';
import type { Database } from '@cartulary/database';
import {
  type Conversion,
  createCsvWriter,
  createKmlWriter,
  csvDelimiter,
  csvEncoding,
  type Declared,
  exportFields,
  type Format,
  formatInvalid,
  gdalTargets,
  parseEncoding,
  type WorkbookOrder,
  writeGdalFile,
  writeParquetFile,
  writeWorkbook,
} from '@cartulary/formats';
import type { Layer } from '../layers/layers.js';
import { asText, type ExportOptions, geojsonWriter, holdsPoints, openExport, zipped } from './export.js';

export interface FileOrder {
  format: Format;
  options: ExportOptions;
  /** Whether a single file is packed. */
  isZip: boolean;
  /** As they were given. */
  encoding: string | undefined;
  dialect: string | undefined;
  workbooks: Pick<WorkbookOrder, 'limit' | 'semaphore'>;
  conversion: Pick<Conversion, 'engine' | 'dataFolder' | 'limit' | 'signal'>;
}

export interface ExportedFile {
  file: Readable;
  filename: string;
  type: string;
  /** How many values it could not hold as they are; a function: when it was read to its end. */
  changedTexts?: number | (() => number);
}

/** The content of an export before it is packed; in some formats it is an archive already. */
interface Content {
  file: Readable;
  type?: string;
  declared?: Declared;
  /** Values that could not be held as they are. */
  changed?: number;
}

/** The objects of a layer as a file, with its name and media type. */
export async function exportFile(db: Database, layer: Layer, order: FileOrder): Promise<ExportedFile> {
  const { format, isZip } = order;
  const { file, type = format.mediaType, declared, changed } = await contentOf(db, layer, order);
  const filename = `${layer.code}.${format.extensions[0]}`;
  if (format.code === 'kmz') return { file: zipped(file, 'doc.kml'), filename, type };
  const zip = { filename: `${layer.code}.zip`, type: 'application/zip' };
  if (format.zip === 'always') return { ...zip, file, changedTexts: changed ?? 0 };
  const beside = () => (declared?.changed() ? declared.files() : []);
  if (isZip) return { ...zip, file: zipped(file, filename, beside) };
  return { file, filename, type, ...(declared ? { changedTexts: declared.changed } : {}) };
}

async function contentOf(db: Database, layer: Layer, order: FileOrder): Promise<Content> {
  const { format, options, conversion } = order;
  if (format.code === 'geotif')
    throw formatInvalid(`A layer of objects is not written as ${format.code}`, format);
  if (format.code === 'csv') return csvContent(db, layer, order);
  if (format.code === 'xls' || format.code === 'xlsx') return workbookContent(db, layer, order);
  const encoding = order.encoding === undefined ? undefined : parseEncoding(order.encoding);
  const rows = await openExport(db, layer, options);
  const target = gdalTargets[format.code];
  const writing = { ...options, columns: layer.columns };
  if (target) {
    const how = { ...conversion, encoding, code: layer.code, options: writing };
    const { file, changed } = await writeGdalFile(rows, target, how);
    return { file, changed };
  }
  if (format.code === 'parquet') return { file: await writeParquetFile(rows, exportFields(writing)) };
  if (format.code === 'kml' || format.code === 'kmz')
    return { file: await asText(rows, createKmlWriter(layer.code, writing)) };
  return { file: await asText(rows, geojsonWriter(layer, options, format.code === 'geojsonl')) };
}

async function workbookContent(
  db: Database,
  layer: Layer,
  { format, options, conversion, workbooks }: FileOrder,
): Promise<Content> {
  const { dataFolder, signal } = conversion;
  const rows = await openExport(db, layer, { ...options, geometry: 'wkt' });
  const file = await writeWorkbook(rows, format.code === 'xls' ? 'xls' : 'xlsx', {
    ...workbooks,
    code: layer.code,
    fields: exportFields({ ...options, columns: layer.columns }),
    hasPoints: await holdsPoints(db, layer, signal),
    dataFolder,
    signal,
  });
  return { file };
}

async function csvContent(
  db: Database,
  layer: Layer,
  { options, encoding, dialect }: FileOrder,
): Promise<Content> {
  const delimiter = csvDelimiter(dialect);
  const writtenIn = csvEncoding(encoding);
  const writer = createCsvWriter({ ...options, columns: layer.columns }, delimiter, writtenIn);
  const rows = await openExport(db, layer, { ...options, geometry: 'wkt' });
  const file = await asText(rows, writer, writtenIn.encode);
  const type = `text/csv; charset=${writtenIn.name}`;
  return writtenIn.name === 'utf-8' ? { file, type } : { file, type, declared: writer.declared };
}
