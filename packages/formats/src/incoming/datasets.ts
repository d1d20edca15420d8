import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../errors.js';
import { fieldsFile, type OwnArchive, ownFields, wholeFile } from '../readers/own-archive.js';
import { isText } from '../tables/dialect.js';
import type { Unpacked } from './archive.js';
import { headSize, type Kind, recognize } from './recognize.js';
import { tabWithoutObjects } from './tab.js';

/** Files that together are data of one format. */
export interface Dataset {
  kind: Exclude<Kind, 'zip'>;
  /** As the user knows it, for messages. */
  name: string;
  /** The main file in the job's folder. */
  file: string;
  /** Extensions of the files beside it. */
  beside: ReadonlySet<string>;
  /** Written by an export of ours, which knows its encoding. */
  isOwn?: boolean;
}

/** Extensions of the files that carry a format by themselves, or lead the others. */
const main: Readonly<Record<string, Dataset['kind']>> = {
  shp: 'shp',
  mif: 'mif',
  tab: 'tab',
  kml: 'kml',
  gpkg: 'gpkg',
  fgb: 'fgb',
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

/** Formats that stand beside others as lists and notes: alone they are data. */
const beside: ReadonlySet<string> = new Set(['csv', 'xls', 'xlsx']);

/** Whether a file is one of those that an export of ours has beside its data. */
const isNamed = ({ name }: Unpacked, list: string): boolean => name.split('/').at(-1)!.toLowerCase() === list;
const isOwnList = (file: Unpacked): boolean => isNamed(file, fieldsFile) || isNamed(file, wholeFile);

/** What an archive tells of its data, where an export of ours made it. */
export function ownArchive(folder: string, files: readonly Unpacked[]): OwnArchive | undefined {
  const pathOf = (list: string): string | undefined => {
    const found = files.filter((file) => isNamed(file, list));
    return found.length === 1 ? join(folder, found[0]!.file) : undefined;
  };
  const list = pathOf(fieldsFile);
  const fields = list === undefined ? undefined : ownFields(list);
  return fields && { fields, whole: pathOf(wholeFile) };
}

const companions = ['dbf', 'shx', 'prj', 'cpg', 'mid', 'dat', 'map', 'id', 'ind', 'rsc'];

/** Formats that other versions or other parts read: only named in a message. */
const unread = ['zip', 'kmz', 'rar', '7z', 'tif', 'tiff', 'png', 'jpg', 'dwg', 'gdb'];

/** What is unpacked of an archive. */
export const wantedExtensions: ReadonlySet<string> = new Set([...Object.keys(main), ...companions]);

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

/**
 * The data in an archive's files, in the order of their names; what of it is left out is noted. Throws `import_failed` when there is
 * none, parts are missing, or it is of several formats.
 */
export async function datasetsOf(
  folder: string,
  files: readonly Unpacked[],
  note: (text: string) => unknown,
): Promise<Dataset[]> {
  const leading = leadingOf(files);
  refuseParts(files, leading);
  if (!leading.length) {
    throw failed(
      `The archive holds nothing that is imported (${Object.keys(main).join(', ')}); archives within it (${unread.slice(0, 4).join(', ')}) are not opened`,
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
    throw failed(`The archive holds data of several formats (${kinds.join(', ')}): import them one by one`);
  }
  const read: Dataset[] = [];
  let reason = '';
  for (const dataset of datasets) {
    const { kind, name, file } = dataset;
    const head = await headOf(join(folder, file));
    const found = recognize(head) ?? (isText(head) ? 'csv' : undefined);
    if (found !== kind && !(kind === 'xlsx' && found === 'zip'))
      throw failed(`'${name.slice(0, 100)}' is no ${kind} by its content`);
    const why = kind === 'tab' ? tabWithoutObjects(head) : undefined;
    if (!why) read.push(dataset);
    else {
      reason = `'${name.slice(0, 100)}' is ${why}`;
      note(`${reason}: it was left out`);
    }
  }
  if (!read.length) throw failed(`${reason}: send the tables that hold the objects`);
  return read.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The files that are data, or lead those that are. */
function leadingOf(files: readonly Unpacked[]): Unpacked[] {
  const all = files.filter(({ extension }) => main[extension]);
  const others = all.filter(({ extension }) => !beside.has(main[extension]!));
  if (others.length) return others;
  const tables = all.filter((file) => !isOwnList(file));
  return tables.length ? tables : all;
}

/** The file that each of these belongs to: without it they say nothing, and their rows would be lost in silence. */
const leads: Readonly<Record<string, readonly string[]>> = {
  dbf: ['shp', 'tab'],
  shx: ['shp'],
  mid: ['mif'],
  dat: ['tab'],
  map: ['tab'],
};

function refuseParts(files: readonly Unpacked[], leading: readonly Unpacked[]): void {
  for (const { name, extension, stem } of files) {
    const lead = leads[extension];
    if (!lead || leading.some((other) => other.stem === stem && lead.includes(other.extension))) continue;
    throw failed(`The archive has '${name.slice(0, 100)}' but not the .${lead.join(' or .')} beside it`);
  }
}

export async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headSize), 0, headSize, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Files of which some are needed beside the main one; sent alone they are refused. */
export function refuseLone(kind: Kind): void {
  if (kind === 'shp')
    throw failed('A shapefile consists of several files: send .shp, .shx, .dbf and .prj in one zip archive');
  if (kind === 'tab')
    throw failed(
      'A MapInfo table consists of several files: send .tab, .dat, .map and .id in one zip archive',
    );
}
