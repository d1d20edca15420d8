import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { createJobFolder, type JobFolder, ofFullDisk, readStream } from '@cartulary/runtime';
import type { Engine, EngineJob } from '../engine/engine.js';
import type { Program } from '../engine/program-process.js';
import { formats, importFormat } from '../formats.js';
import type { OwnArchive } from '../own-exports/own-archive.js';
import type { FileSource } from '../reading/reading.js';
import type { FilePart } from '../reading/reading-messages.js';
import type { Classifier } from '../sxf/classifier.js';
import { looksLikeTable, looksLikeText } from '../tables/dialect.js';
import type { TableRules } from '../tables/rules.js';
import { type ArchiveLimits, checkUnpacked, namesIn, unpack } from './archive.js';
import { classifierBeside } from './classifiers.js';
import { type Dataset, datasetsOf, holdsData, ownArchive, refuseLone, wantedExtensions } from './datasets.js';
import { geojsonInput, type Input, mayBeEmpty } from './geojson-input.js';
import { isEngineFormat, layersOf } from './layers.js';
import { beginsAsJson, type Kind, recognize, recognizeHeadBytes } from './recognize.js';
import { dbfTableOf, shapefileOf } from './shapefile.js';
import { spreadsheetInput } from './sheets.js';
import { spoolFile } from './spool.js';

export interface Opening {
  engine: Engine;
  dataFolder: string;
  limits: ArchiveLimits;
  /** Encoding of the texts, if the caller gave one. */
  encoding: string | undefined;
  /** Whether a projection is given, which takes precedence over that of the file. */
  srsIsGiven: boolean;
  /** Rules for reading tables. */
  tables: TableRules;
  /** Most columns of a layer. */
  columnLimit: number;
  signal: AbortSignal;
}

/** A recognized file, and the function that closes it. */
export interface OpenInput extends Input {
  close(): Promise<void>;
}

/**
 * Recognizes a file by its content, whatever its name is, and looks into archives. GeoJSON and KML are read as streams,
 * other formats from a temporary folder. Throws `import_failed`, `too_large`.
 */
export async function openInput(
  { bytes, filename }: { bytes: AsyncIterable<Buffer>; filename: string | undefined },
  opening: Opening,
): Promise<OpenInput> {
  const { head, all } = await peek(bytes);
  const kind = recognize(head) ?? kindByName(filename, head);
  refuseLone(kind);
  const close = async (): Promise<void> => {};
  if (kind === 'geojson') return { ...geojsonInput(all, filename), close };
  if (kind === 'kml' || kind === 'csv' || kind === 'sxf') {
    const part = partOf(kind, opening);
    return { format: kind, notes: [], close, sources: Readable.from([{ part, bytes: all }]) };
  }
  return openFolder(all, { kind, filename: filename ?? `file.${kind}` }, opening);
}

/** Formats that are read from a stream, without GDAL. */
type OwnKind = 'geojson' | 'kml' | 'csv' | 'sxf';

/** How the stream of a file is read without the engine. */
function partOf(
  kind: OwnKind,
  { encoding, tables }: Opening,
  { name, classifier }: { name?: string; classifier?: Classifier | undefined } = {},
): FilePart {
  switch (kind) {
    case 'geojson':
      return { kind, mayBeEmpty: mayBeEmpty(name) };
    case 'kml':
      return { kind, encoding };
    case 'csv':
      return { kind, encoding, rules: tables };
    case 'sxf':
      return { kind, encoding, classifier };
  }
}

/** Extensions of tables, and extensions under which tables also occur: none, and unspecific ones. */
const tableName = /\.(?:csv|tsv)(?:\.gz)?$/i;
const anyName = /^[^.]*$|\.(?:txt|xlsx?|dat|data|asc|bin)(?:\.gz)?$/i;

/**
 * Decides on content that no signature identifies. It is a table if it looks like one or its name says so. Otherwise it
 * is GeoJSON, whose reader reports the errors, unless the extension names another format, or none.
 */
function kindByName(filename: string | undefined, head: Buffer): 'geojson' | 'csv' {
  if (tableName.test(filename ?? '') && looksLikeText(head)) return 'csv';
  if (anyName.test(filename ?? '') && looksLikeTable(head)) return 'csv';
  const { code, extensions } = importFormat(filename);
  if (code === 'geojson') {
    // The reader of GeoJSON would report the first byte, which helps with a body or a file that is meant to be GeoJSON.
    const plainName = filename?.toLowerCase().replace(/\.gz$/, '');
    const isNamed =
      mayBeEmpty(plainName) || extensions.some((extension) => plainName?.endsWith(`.${extension}`));
    if ((head.includes(0) || filename !== undefined) && !isNamed)
      throw new ServiceError('import_failed', noteOf('unknownContent', { kinds: readKinds() }));
    return 'geojson';
  }
  const why = code === 'dbf' ? noteOf('namedAsDbf') : noteOf('namedAs', { kind: code });
  throw new ServiceError('import_failed', why, { format: code });
}

const readKinds = (): string =>
  formats
    .filter(({ imports }) => imports)
    .map(({ code }) => code)
    .join(', ');

/** The first bytes, and a stream that repeats them. */
async function peek(bytes: AsyncIterable<Buffer>): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  let isOver = false;
  while (head.length < recognizeHeadBytes && !isOver && !beginsAsJson(head)) {
    const next = await iterator.next();
    if (next.done) isOver = true;
    else head = Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield head;
    while (!isOver) {
      const next = await iterator.next();
      if (next.done) isOver = true;
      else yield next.value;
    }
  }
  return { head, all: all() };
}

/** A file that is stored in a folder when its parts are requested. The thread that reads them starts meanwhile. */
async function openFolder(
  bytes: AsyncIterable<Buffer>,
  { kind, filename }: { kind: Kind; filename: string },
  opening: Opening,
): Promise<OpenInput> {
  const folder = await createJobFolder(opening.dataFolder);
  const notes: string[] = [];
  let format: string = kind;
  async function* sources(): AsyncGenerator<FileSource> {
    const { datasets, own } = await spooled(bytes, { kind, filename, folder, notes }, opening).catch(
      (error) => {
        throw ofFullDisk(error);
      },
    );
    const first = datasets[0]!.kind;
    format = first === 'kml' && /\.kmz$/i.test(filename) ? 'kmz' : first;
    for await (const source of sourcesOf(datasets, { folder, notes, opening })) {
      const emptyIsNone = first === 'mif' || first === 'tab';
      const keepsHeights = first === 'kml' || first === 'parquet';
      const part = { ...source.part, own: own && { ...own, emptyIsNone, keepsHeights } };
      yield own ? { ...source, part } : source;
    }
  }
  return {
    get format() {
      return format;
    },
    notes,
    sources: sources(),
    close: folder.remove,
  };
}

async function spooled(
  bytes: AsyncIterable<Buffer>,
  { kind, filename, folder, notes }: { kind: Kind; filename: string; folder: JobFolder; notes: string[] },
  { limits, signal }: Opening,
): Promise<{ datasets: Dataset[]; own?: OwnArchive | undefined }> {
  const name = kind === 'zip' ? 'upload' : `1.${kind}`;
  const path = join(folder.path, name);
  await pipeline(bytes, spoolFile(path), { signal });
  const alone = { name: filename, file: name, beside: new Set<string>() };
  if (kind !== 'zip') return { datasets: [{ kind, ...alone }] };
  if (await isWorkbook(path, limits)) return { datasets: [{ kind: 'xlsx', ...alone }] };
  const leftOut: string[] = [];
  const files = await unpack(path, folder.path, {
    extensions: wantedExtensions,
    passedOver: (name) => holdsData(name) && leftOut.push(name),
    limits,
    signal,
  });
  noteLeftOut(leftOut, notes);
  const own = ownArchive(folder.path, files);
  const datasets = await datasetsOf(folder.path, files, (text) => notes.push(text));
  return { datasets: datasets.map((dataset) => ({ ...dataset, isOwn: own !== undefined })), own };
}

/** Notes files of an archive that hold data, but are not read. */
function noteLeftOut(names: readonly string[], notes: string[]): void {
  if (!names.length) return;
  const list = names.slice(0, 10).map((name) => `'${name.slice(0, 50)}'`);
  const shown = list.join(', ') + (names.length > list.length ? ' …' : '');
  notes.push(noteOf('filesNotRead', { count: names.length, names: shown }));
}

/** Whether a zip archive is a spreadsheet (ECMA-376). */
async function isWorkbook(path: string, limits: ArchiveLimits): Promise<boolean> {
  const names = await namesIn(path, limits);
  return (
    names.includes('[Content_Types].xml') && names.some((name) => /^xl\/workbook\.(?:xml|bin)$/i.test(name))
  );
}

async function* sourcesOf(
  datasets: readonly Dataset[],
  { folder, notes, opening }: { folder: JobFolder; notes: string[]; opening: Opening },
): AsyncGenerator<FileSource> {
  let job: EngineJob | undefined;
  const started = async (program: Program = 'gdal'): Promise<EngineJob> => {
    job ??= await opening.engine.start(folder.path, opening.signal, { program });
    return job;
  };
  const { encoding, srsIsGiven } = opening;
  const isOnly = datasets.length === 1;
  const note = (text: string): void => {
    if (!notes.includes(text)) notes.push(text);
  };
  const { tables, columnLimit } = opening;
  const reading = { folder: folder.path, encoding, srsIsGiven, isOnly, tables, columnLimit, note };
  try {
    for (const dataset of datasets) {
      const { kind, file } = dataset;
      if (kind === 'shp') yield await shapefileOf(dataset, { ...reading, job: started });
      else if (kind === 'dbf') yield await dbfTableOf(dataset, reading);
      else if (isEngineFormat(kind)) {
        const job = await started(kind === 'parquet' ? 'parquet' : 'gdal');
        yield* layersOf(dataset, { ...reading, job });
      } else if (kind === 'xls' || kind === 'xlsx') yield* sheetsIn(dataset, folder, opening);
      else {
        const classifier = kind === 'sxf' ? await classifierBeside(folder.path, dataset) : undefined;
        yield {
          part: partOf(kind as OwnKind, opening, { name: dataset.name, classifier }),
          bytes: readStream(join(folder.path, file)),
        };
      }
    }
  } finally {
    job?.end();
  }
}

/** A separate process holds the whole spreadsheet in memory. */
async function* sheetsIn(dataset: Dataset, folder: JobFolder, opening: Opening): AsyncGenerator<FileSource> {
  const { limits, signal, engine, tables } = opening;
  const path = join(folder.path, dataset.file);
  const { size } = await stat(path);
  if (size > tables.limits.bytes)
    throw new ServiceError(
      'too_large',
      `'${dataset.name.slice(0, 100)}' is larger than a spreadsheet may be`,
    );
  let inMemory = size;
  if (dataset.kind === 'xlsx') {
    inMemory = await checkUnpacked(path, {
      limits: { ...limits, bytes: Math.min(limits.bytes, tables.limits.bytes) },
      signal,
    });
  }
  const job = await engine.start(folder.path, signal, { program: 'sheets', inMemory });
  try {
    yield spreadsheetInput(dataset, job, tables);
  } finally {
    job.end();
  }
}
