import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { fieldsFile, type OwnArchive, ownFields, wholeFile } from '../own-exports/own-archive.js';
import { looksLikeText } from '../tables/dialect.js';
import type { Unpacked } from './archive.js';
import { mayBeEmpty } from './geojson-input.js';
import { type Kind, recognize, recognizeHeadBytes } from './recognize.js';
import { tabWithoutObjects } from './tab.js';

/** Files that form a dataset of one format. */
export interface Dataset {
  kind: Exclude<Kind, 'zip'>;
  /** Name as the user knows it, for messages. */
  name: string;
  /** Name of the main file in the job's folder. */
  file: string;
  /** Extensions of the other files. */
  beside: ReadonlySet<string>;
  /** Whether an own export wrote it, which declares its encoding. */
  isOwn?: boolean;
}

/** Extensions of files that are a dataset alone, or the main file of one. */
const main: Readonly<Record<string, Dataset['kind']>> = {
  shp: 'shp',
  dbf: 'dbf',
  mif: 'mif',
  tab: 'tab',
  kml: 'kml',
  gpkg: 'gpkg',
  fgb: 'fgb',
  parquet: 'parquet',
  geoparquet: 'parquet',
  gpx: 'gpx',
  dxf: 'dxf',
  sxf: 'sxf',
  geojson: 'geojson',
  geojsonl: 'geojson',
  geojsons: 'geojson',
  ndjson: 'geojson',
  json: 'geojson',
  xls: 'xls',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  csv: 'csv',
  tsv: 'csv',
};

/** Formats that accompany others as lists and notes. They are data only if nothing else is. */
const beside: ReadonlySet<string> = new Set(['csv', 'xls', 'xlsx']);

/** Whether a file is one of those that own exports add beside their data. */
const isNamed = ({ name }: Unpacked, list: string): boolean => name.split('/').at(-1)!.toLowerCase() === list;
const isOwnList = (file: Unpacked): boolean => isNamed(file, fieldsFile) || isNamed(file, wholeFile);

/** The columns and values that an archive declares, if it is an own export. */
export function ownArchive(folder: string, files: readonly Unpacked[]): OwnArchive | undefined {
  const pathOf = (list: string): string | undefined => {
    const found = files.filter((file) => isNamed(file, list));
    return found.length === 1 ? join(folder, found[0]!.file) : undefined;
  };
  const list = pathOf(fieldsFile);
  const fields = list === undefined ? undefined : ownFields(list);
  return fields && { fields, whole: pathOf(wholeFile) };
}

/** Extensions of the files beside a main file that are read. */
export const readBeside = ['shx', 'prj', 'cpg', 'mid', 'dat', 'map', 'id', 'ind', 'rsc'];

/** Formats that are only named in a message, because other versions or other parts read them. */
const unread = ['zip', 'kmz', 'rar', '7z', 'tif', 'tiff', 'png', 'jpg', 'dwg', 'gdb'];

/** Archives, and data of formats that are not read. */
const leftOut = /\.(?:zip|kmz|rar|7z|tar|gz|tgz|gml|osm|pbf|topojson|gdbtable|dwg|dgn|ods|sqlite|mdb|e00)$/i;

/** Whether a file of an archive that is not unpacked may hold objects, by its name. */
export const holdsData = (name: string): boolean => leftOut.test(name);

/** The unpacked files of an archive. */
export const wantedExtensions: ReadonlySet<string> = new Set([...Object.keys(main), ...readBeside]);

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

/**
 * The dataset in an archive's files, in the order of names. Notes files that are left out. Throws `import_failed` if
 * there is none, if parts are missing, or if several formats occur.
 */
export async function datasetsOf(
  folder: string,
  files: readonly Unpacked[],
  note: (text: string) => unknown,
): Promise<Dataset[]> {
  const leading = leadingOf(files);
  checkParts(files, leading, note);
  noteTables(files, leading, note);
  if (!leading.length) {
    throw failed(
      noteOf('archiveOfNothing', {
        kinds: Object.keys(main).join(', '),
        archives: unread.slice(0, 4).join(', '),
      }),
    );
  }
  const datasets = leading.map(({ name, extension, file, stem }) => ({
    kind: main[extension]!,
    name,
    file,
    beside: new Set(files.filter((other) => other.stem === stem).map((other) => other.extension)),
  }));
  const kinds = [...new Set(datasets.map(({ kind }) => kind))];
  if (kinds.length > 1) {
    throw failed(noteOf('severalFormats', { kinds: kinds.join(', ') }));
  }
  const read: Dataset[] = [];
  let reason = '';
  for (const dataset of await withoutOtherJson(folder, datasets, note)) {
    const { kind, name, file } = dataset;
    const head = await fileHead(join(folder, file));
    const found = recognize(head) ?? (looksLikeText(head) ? 'csv' : undefined);
    const mayBeNone = kind === 'geojson' && !head.length && mayBeEmpty(name);
    if (found !== kind && !mayBeNone && !(kind === 'xlsx' && found === 'zip'))
      throw failed(noteOf('noContent', { name: name.slice(0, 100), kind }));
    const why = kind === 'tab' ? tabWithoutObjects(head) : undefined;
    if (!why) read.push(dataset);
    else {
      reason = `'${name.slice(0, 100)}' is ${why}`;
      note(noteOf('tabLeftOut', { name: name.slice(0, 100), kind: why }));
    }
  }
  if (!read.length) throw failed(`${reason}: send the tables that hold the objects`);
  return read.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The beginning of every GeoJSON has such a member, at the latest in its first feature. */
const geojsonType =
  /"type"\s*:\s*"(?:Feature(?:Collection)?|(?:Multi)?(?:Point|LineString|Polygon)|GeometryCollection)"/;

/** Leaves out JSON of other programs, such as settings, where another file is GeoJSON. */
async function withoutOtherJson(
  folder: string,
  datasets: readonly Dataset[],
  note: (text: string) => unknown,
): Promise<readonly Dataset[]> {
  if (datasets.length < 2 || datasets[0]!.kind !== 'geojson') return datasets;
  const kept: Dataset[] = [];
  const others: Dataset[] = [];
  for (const dataset of datasets) {
    const isOther =
      /\.json$/i.test(dataset.name) &&
      !geojsonType.test((await fileHead(join(folder, dataset.file))).toString('latin1'));
    (isOther ? others : kept).push(dataset);
  }
  if (!kept.length) return datasets;
  for (const { name } of others) note(noteOf('fileNotRead', { name: name.slice(0, 100) }));
  return kept;
}

/** The files that are datasets, or their main files. */
function leadingOf(files: readonly Unpacked[]): Unpacked[] {
  const all = files.filter(({ extension }) => main[extension]);
  const others = all.filter(({ extension }) => extension !== 'dbf' && !beside.has(main[extension]!));
  if (others.length) return others;
  const records = all.filter(({ extension }) => extension === 'dbf');
  if (records.length) return records;
  const tables = all.filter((file) => !isOwnList(file));
  return tables.length ? tables : all;
}

/**
 * Main files by the extension of an accompanying file. Without its main file it is refused, so that no rows get lost
 * silently; a .dbf among data of no other format is a table of its own.
 */
const leads: Readonly<Record<string, readonly string[]>> = {
  dbf: ['shp', 'tab'],
  shx: ['shp'],
  mid: ['mif'],
  dat: ['tab'],
  map: ['tab'],
};

function checkParts(
  files: readonly Unpacked[],
  leading: readonly Unpacked[],
  note: (text: string) => unknown,
): void {
  const hasTables = !leading.length || leading.some(({ extension }) => extension === 'tab');
  for (const { name, extension, file, stem } of files) {
    const lead = leads[extension];
    const isPart = leading.some((other) => other.stem === stem && lead?.includes(other.extension));
    if (!lead || isPart || leading.some((other) => other.file === file)) continue;
    // Files of other programs have these extensions, too.
    if (/^(?:dat|map)$/.test(extension) && !hasTables) {
      note(noteOf('fileNotRead', { name: name.slice(0, 100) }));
      continue;
    }
    throw failed(noteOf('partMissing', { name: name.slice(0, 100), parts: lead.join(' or .') }));
  }
}

/** Notes tables that are passed over because data of another format lie beside them. */
function noteTables(
  files: readonly Unpacked[],
  leading: readonly Unpacked[],
  note: (text: string) => unknown,
): void {
  for (const file of files) {
    const kind = main[file.extension];
    if (!kind || !beside.has(kind) || isOwnList(file) || leading.includes(file)) continue;
    note(noteOf('fileNotRead', { name: file.name.slice(0, 100) }));
  }
}

/** The first bytes of a file, which may be of any size. */
export async function fileHead(path: string, bytes = recognizeHeadBytes): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Required files beside a main file. A main file without them is refused. */
export function refuseLone(kind: Kind): void {
  if (kind === 'shp') throw failed(noteOf('shapefileInParts'));
  if (kind === 'tab') throw failed(noteOf('mapInfoInParts'));
}
