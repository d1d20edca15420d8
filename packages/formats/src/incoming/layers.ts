import { join } from 'node:path';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { encodingOf } from '../encodings/charsets.js';
import type { EngineJob } from '../engine/engine.js';
import { engineFailure, engineWarnings } from '../engine/failure.js';
import type { Data, EngineOrder, LayerInfo, Report, SourceField } from '../engine/orders.js';
import { describedField, type OwnArchive } from '../own-exports/own-archive.js';
import type { FileSource } from '../reading/reading.js';
import type { TableRules } from '../tables/rules.js';
import { type Dataset, fileHead } from './datasets.js';
import { demandEnd, protectEscapes } from './dxf.js';
import { makeUtf8, mendCoordinates } from './gpx.js';
import { withLogicals } from './logical-columns.js';
import { checkMif, type MifObjects } from './mif.js';
import { isLocal, notUnderstood, prjText, understood } from './prj.js';

/** Drivers and options of the formats that GDAL reads, and the reader of Parquet in its place. */
const drivers: Readonly<
  Record<string, { driver: string; options?: string[]; emptyPoints?: boolean; omitsNulls?: boolean }>
> = {
  mif: { driver: 'MapInfo File' },
  tab: { driver: 'MapInfo File' },
  gpkg: { driver: 'GPKG', emptyPoints: true },
  fgb: { driver: 'FlatGeobuf', emptyPoints: true },
  parquet: { driver: 'Parquet', emptyPoints: true },
  gpx: { driver: 'GPX', omitsNulls: true },
  dxf: { driver: 'DXF', omitsNulls: true },
};

/** Layers that repeat others, such as the points of lines. */
const repeated: Readonly<Record<string, readonly string[]>> = { gpx: ['route_points', 'track_points'] };

export const isEngineFormat = (kind: string): boolean => kind in drivers;

export interface LayerReading {
  job: EngineJob;
  folder: string;
  /** The given encoding; undefined: none is given. */
  encoding: string | undefined;
  /** Whether a projection is given, which takes precedence over that of the file. */
  srsIsGiven: boolean;
  /** Whether the upload contains no other dataset. */
  isOnly: boolean;
  /** `sheet`: the name or the number from 1 of the one layer of a GeoPackage that is read; undefined: all are. */
  tables: TableRules;
  /** Most columns of a layer. */
  columnLimit: number;
  note(text: string): unknown;
}

/** The layers of a dataset that GDAL reads. */
export async function* layersOf(dataset: Dataset, reading: LayerReading): AsyncGenerator<FileSource> {
  const { job, folder, isOnly, note } = reading;
  const { kind, file, name } = dataset;
  const { driver, options = [], emptyPoints = false, omitsNulls = false } = drivers[kind]!;
  const data: Data = { file, driver, options };
  const isGpx = kind === 'gpx';
  if (isGpx) await prepareGpx(join(folder, file), name, reading);
  const encoding = await encodingOf(folder, dataset, isGpx ? undefined : reading.encoding);
  const hasEscapes = kind === 'dxf';
  if (hasEscapes) {
    await demandEnd(join(folder, file), name);
    for (const [what, count] of await protectEscapes(join(folder, file), name))
      note(noteOf('remark', { count, what: what.slice(0, 50), becomes: noteOf('notRead') }));
    // With UTF-8 GDAL passes the bytes on unchanged, and the reader detects their encoding.
    await job.ask({ kind: 'option', name: 'DXF_ENCODING', value: 'UTF-8' });
  }
  const mif = kind === 'mif' ? await objectsOfMif(dataset, reading) : undefined;
  const report = await job.ask({ kind: 'inspect', data });
  // GDAL may open a file with a truncated header as one without layers.
  if (report.failed || !report.layers?.length) {
    if (kind === 'gpkg') await refuseTiles(job, data, name);
    throw engineFailure(report, name);
  }
  for (const text of engineWarnings(report, name)) if (!isOfRepeated(kind, text)) note(text);
  noteRepeated(kind, report.layers, note);
  const told = report.layers.filter((layer) => !repeated[kind]?.includes(layer.name));
  const layers = (kind === 'gpkg' ? chosenLayers(told, reading) : told).map((layer) =>
    mif ? { ...layer, count: mif.count } : layer,
  );
  if (!omitsNulls) for (const layer of layers) checkWidth(layer, reading.columnLimit);
  for (const layer of layers) {
    const fields = await fieldsOf(dataset, layer, folder);
    // Of the points of a line some may have no height.
    const heights = isGpx ? 'some' : layer.heights;
    const srs = await srsOf(dataset, layer, reading);
    const own = ownLayer(layer, kind === 'parquet');
    yield {
      part: {
        ...{ kind: 'dump', fields, encoding, srs, emptyPoints, heights, own, hasEscapes, omitsNulls },
        rules: layer.hasGeometry ? undefined : reading.tables,
      },
      bytes: dumped(
        job,
        {
          kind: 'dump',
          data,
          heights,
          sql: own && exactly(layer),
          layer: told.length > 1 || repeated[kind] ? layer.name : undefined,
        },
        dataset,
        note,
      ),
      total: isOnly ? totalOf(layers) : undefined,
      check: (features) => checkCount({ layer, kind, name, note }, features),
    };
    // The only layer of many formats is named as the file in the folder of the job, which the user does not know.
    noteLost(layer, layers.length > 1 || kind === 'gpkg' ? layer.name : name, note);
  }
}

/** Throws `import_failed`, before the rows are read, for a layer whose rows have more columns than can be stored: reading them takes long. */
function checkWidth({ count, fields }: LayerInfo, limit: number): void {
  const read = fields.filter(({ type }) => type !== 'Binary');
  if (count === 0 || read.length <= limit) return;
  throw new ServiceError('import_failed', noteOf('tooManyProperties', { count: limit }), {
    columns: [read[limit]!.name.slice(0, 100)],
  });
}

/** The fields of a layer, with types that GDAL does not tell. */
const fieldsOf = async (
  { kind, file }: Dataset,
  { fields }: LayerInfo,
  folder: string,
): Promise<SourceField[]> =>
  kind === 'mif' || kind === 'tab' ? withLogicals(join(folder, file), fields) : fields;

function noteLost({ fields, hasMeasures }: LayerInfo, name: string, note: LayerReading['note']): void {
  const shown = name.slice(0, 100);
  const lost = fields.filter(({ type }) => type === 'Binary').length;
  if (lost) note(noteOf('binaryColumns', { count: lost, name: shown }));
  if (hasMeasures) note(noteOf('measuresLeftOut', { name: shown }));
}

/** How many features the layers have; undefined where the driver does not know that of each. */
const totalOf = (layers: readonly { count: number }[]): number | undefined =>
  layers.every(({ count }) => count >= 0) ? layers.reduce((sum, { count }) => sum + count, 0) : undefined;

/** GDAL takes heights as values, and those of the points of lines not at all. */
async function prepareGpx(path: string, name: string, { job, encoding }: LayerReading): Promise<void> {
  await makeUtf8(path, encoding);
  await mendCoordinates(path, name);
  await job.ask({ kind: 'option', name: 'GPX_ELE_AS_25D', value: 'YES' });
}

/** Tables of QGIS, in which it keeps how layers are shown. */
const ofQgis: ReadonlySet<string> = new Set(['layer_styles', 'qgis_projects']);

/**
 * The layers of a GeoPackage that are read. A note names them where all of several are: what they describe may differ. Throws
 * `import_failed` for a name or number that it does not have.
 */
function chosenLayers(
  layers: readonly LayerInfo[],
  { tables: { sheet }, note }: Pick<LayerReading, 'tables' | 'note'>,
): readonly LayerInfo[] {
  if (sheet === undefined) {
    const all = layers.filter(({ name }) => !ofQgis.has(name));
    for (const { name } of layers) if (ofQgis.has(name)) note(noteOf('fileNotRead', { name }));
    if (all.length > 1) note(noteOf('severalLayers', { count: all.length, names: listOf(all) }));
    return all;
  }
  const wanted = sheet.trim().toLowerCase();
  const chosen =
    layers.find(({ name }) => name === sheet) ??
    layers.find(({ name }) => name.toLowerCase() === wanted) ??
    layers[Number(wanted) - 1];
  if (chosen) return [chosen];
  const values = { name: sheet.slice(0, 50), names: listOf(layers) };
  throw new ServiceError('import_failed', noteOf('noSuchLayer', values));
}

function listOf(layers: readonly LayerInfo[]): string {
  const names = layers.slice(0, 10).map(({ name }) => `'${name.slice(0, 50)}'`);
  return names.join(', ') + (layers.length > 10 ? ' …' : '');
}

/** Whether a warning is about a value of a layer that is not read. */
const isOfRepeated = (kind: string, warning: string): boolean =>
  repeated[kind]?.some((layer) => warning.includes(` ${layer}.`)) ?? false;

/** The times and other values of the points of lines are in layers that are not read. */
function noteRepeated(kind: string, layers: readonly LayerInfo[], note: LayerReading['note']): void {
  for (const { name, count } of layers)
    if (repeated[kind]?.includes(name) && count > 0)
      note(noteOf('otherValuesOfPoints', { count, points: name.replace('_', ' ') }));
}

/** Compares the number of features read with the declared one. A GeoPackage often declares a wrong number. */
function checkCount(
  { layer, kind, name, note }: { layer: LayerInfo; kind: string; name: string } & Pick<LayerReading, 'note'>,
  features: number,
): void {
  if (layer.count < 0 || layer.count === features) return;
  if (kind === 'gpkg') {
    note(noteOf('featureCount', { name: layer.name, told: layer.count, count: features }));
    return;
  }
  throw new ServiceError(
    'import_failed',
    noteOf('layerCutOff', { name: name.slice(0, 100), told: layer.count, count: features }),
  );
}

/** Throws `import_failed` for a GeoPackage with images only, which opens as no vector data. */
async function refuseTiles(job: EngineJob, data: Data, name: string): Promise<void> {
  const { failed } = await job.ask({ kind: 'raster-info', data, values: false });
  if (failed) return;
  throw new ServiceError(
    'import_failed',
    `'${name.slice(0, 100)}' holds images (tiles) and no objects: images are read as geotif, png and jpg, into a layer of the type raster`,
  );
}

/** The columns that an own export declares within the file. */
function ownLayer({ fields }: LayerInfo, keepsHeights: boolean): OwnArchive | undefined {
  const own = fields.flatMap(({ name, description }) => describedField(name, description) ?? []);
  return own.some(({ code }) => code === 'svc_id')
    ? { fields: own, whole: undefined, keepsHeights }
    : undefined;
}

/** A dump has only 15 digits of each number. Numbers of own exports are read as texts, to keep all digits. */
function exactly({ name, fields, geometryName }: LayerInfo): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const columns = fields.map(({ name, type }, i) => {
    const column = quoted(name);
    // A column with the name ogc_fid would be taken for the id and left out.
    const alias = quoted(`column_${i}`);
    return type === 'Real'
      ? `case when ${column} is not null then printf('%!.17g', ${column}) end as ${alias}`
      : `${column} as ${alias}`;
  });
  return `select ${[quoted(geometryName), ...columns].join(', ')} from ${quoted(name)}`;
}

/** Counts the objects of a MIF file, and notes those that are not read. */
async function objectsOfMif(
  { file, name, beside }: Dataset,
  { folder, note }: LayerReading,
): Promise<MifObjects> {
  const objects = await checkMif(join(folder, file), name);
  const shown = name.slice(0, 100);
  if (!beside.has('mid')) note(noteOf('noAttributes', { name: shown, extension: 'mid' }));
  if (objects.texts) note(noteOf('textObjects', { count: objects.texts, name: shown }));
  return objects;
}

/** The error of a table without row ids, such as those in which SQLite keeps an index of words: GDAL reads none. */
const withoutRowIds = /^failed to prepare SQL: SELECT m\._rowid_/;

/** Whether a GeoPackage lists a table among its contents. */
async function isListed(job: EngineJob, data: Data, table: string): Promise<boolean> {
  const listed = await job.ask({
    kind: 'inspect',
    data: { ...data, options: [...(data.options ?? []), 'LIST_ALL_TABLES=NO'] },
  });
  return listed.failed || listed.layers?.some(({ name }) => name === table) !== false;
}

/** An error of one row, which comes without its geometry; GDAL goes on behind it. */
const unreadable = /^Unable to read geometry/;

async function* dumped(
  job: EngineJob,
  order: Extract<EngineOrder, { kind: 'dump' }>,
  { kind, name }: Dataset,
  note: (text: string) => unknown,
): AsyncGenerator<Buffer> {
  const { layer, data } = order;
  if (layer?.startsWith('-')) {
    throw new ServiceError('import_failed', `The layer '${layer.slice(0, 100)}' cannot be read by this name`);
  }
  const report: Report = yield* job.dump(order);
  const isAboutRow = (error: string): boolean => kind === 'gpkg' && unreadable.test(error);
  const errors = report.errors.filter((error) => !isAboutRow(error));
  const isIndex = kind === 'gpkg' && layer !== undefined && errors.some((error) => withoutRowIds.test(error));
  if (isIndex && !(await isListed(job, data, layer))) {
    note(noteOf('fileNotRead', { name: layer.slice(0, 100) }));
    return;
  }
  // Rows that were read before an error are no reason to take them for all.
  const named = kind === 'gpkg' && layer !== undefined ? `${name}, ${layer}` : name;
  if (report.failed || errors.length) throw engineFailure({ ...report, errors }, named);
  const lost = report.errors.length;
  if (lost) note(noteOf('geometriesUnreadable', { count: lost, name: (layer ?? name).slice(0, 100) }));
  for (const text of engineWarnings(report, name)) note(text);
}

/** The projection of a layer in the form of `parseSrs`; undefined if the file declares none. */
async function srsOf(dataset: Dataset, layer: LayerInfo, reading: LayerReading): Promise<string | undefined> {
  const { kind, file, name, beside } = dataset;
  const { folder, note, srsIsGiven } = reading;
  if (srsIsGiven || !layer.hasGeometry) return undefined;
  const own = layer.srs;
  const isPrj = (kind === 'mif' || kind === 'dxf') && beside.has('prj') && (!own || isLocal(own));
  const text = (isPrj ? await prjText(join(folder, file.replace(/\w+$/, 'prj'))) : undefined) ?? own;
  if (text !== undefined) return understood(text, name);
  if (kind === 'mif') await demandNone(join(folder, file), name);
  note(noteOf('noProjection', { name: name.slice(0, 100) }));
  return undefined;
}

/** Throws `import_failed` for a coordinate system of a MIF that GDAL does not understand, and would ignore. */
async function demandNone(path: string, name: string): Promise<void> {
  const line = /^[ \t]*coordsys\b.*/im.exec((await fileHead(path)).toString('latin1'))?.[0];
  if (line !== undefined) throw notUnderstood(line.trim(), name);
}
