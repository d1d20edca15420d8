import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../errors.js';
import type { EngineJob } from '../engine/engine.js';
import { engineFailure, engineWarnings } from '../engine/failure.js';
import type { Data, LayerInfo, Order, Report } from '../engine/orders.js';
import { describedField, type OwnArchive } from '../readers/own-archive.js';
import type { Source } from '../reading.js';
import { encodingOf } from './charsets.js';
import { type Dataset, headOf } from './datasets.js';
import { checkMif, type MifObjects } from './mif.js';
import { isLocal, notUnderstood, prjText, understood } from './prj.js';

/** Of the formats that GDAL reads: its driver, and what is special. */
const drivers: Readonly<Record<string, { driver: string; options?: string[]; emptyPoints?: boolean }>> = {
  mif: { driver: 'MapInfo File' },
  tab: { driver: 'MapInfo File' },
  gpkg: { driver: 'GPKG', emptyPoints: true },
  fgb: { driver: 'FlatGeobuf', emptyPoints: true },
  gpx: { driver: 'GPX' },
  dxf: { driver: 'DXF' },
};

/** Layers that repeat others: the points of lines. */
const repeated: Readonly<Record<string, readonly string[]>> = { gpx: ['route_points', 'track_points'] };

export const isEngineFormat = (kind: string): boolean => kind in drivers;

export interface Reading {
  job: EngineJob;
  folder: string;
  /** The parameter. */
  encoding: string | undefined;
  /** The parameter `srs` is there: what the file says of its projection is not looked at. */
  srsIsGiven: boolean;
  /** Whether the file holds nothing else. */
  isOnly: boolean;
  note(text: string): unknown;
}

/** The layers of a dataset that GDAL reads. */
export async function* layersOf(dataset: Dataset, reading: Reading): AsyncGenerator<Source> {
  const { job, folder, isOnly, note } = reading;
  const { kind, file, name } = dataset;
  const { driver, options = [], emptyPoints = false } = drivers[kind]!;
  const data: Data = { file, driver, options };
  const encoding = await encodingOf(folder, dataset, reading.encoding);
  if (kind === 'dxf') {
    await demandEnd(join(folder, file), name);
    // The bytes as they are: what they mean is found out here.
    await job.ask({ kind: 'option', name: 'DXF_ENCODING', value: 'UTF-8' });
  }
  const mif = kind === 'mif' ? await objectsOfMif(dataset, reading) : undefined;
  const report = await job.ask({ kind: 'inspect', data });
  // A head that is cut off may open as a file of no layers.
  if (report.failed || !report.layers?.length) throw engineFailure(report, name);
  for (const text of engineWarnings(report, name)) note(text);
  const layers = report.layers
    .filter((layer) => !repeated[kind]?.includes(layer.name))
    .map((layer) => (mif ? { ...layer, count: mif.count } : layer));
  const counts = layers.map(({ count }) => count);
  const total = counts.every((count) => count >= 0)
    ? counts.reduce((sum, count) => sum + count, 0)
    : undefined;
  for (const layer of layers) {
    const srs = await srsOf(dataset, layer, reading);
    const own = ownLayer(layer);
    yield {
      part: { kind: 'dump', fields: layer.fields, encoding, srs, emptyPoints, heights: layer.heights, own },
      bytes: dumped(
        job,
        {
          kind: 'dump',
          data,
          heights: layer.heights,
          sql: own && exactly(layer),
          layer: layers.length > 1 || repeated[kind] ? layer.name : undefined,
        },
        dataset,
        note,
      ),
      total: isOnly ? total : undefined,
      check: (features) => {
        if (layer.count < 0 || layer.count === features) return;
        if (kind === 'gpkg') {
          note(`'${layer.name}' tells ${layer.count} features, but has ${features}`);
          return;
        }
        throw new ServiceError(
          'import_failed',
          `'${name.slice(0, 100)}' should have ${layer.count} features, but ${features} could be read: it is cut off or damaged`,
        );
      },
    };
    const lost = layer.fields.filter(({ type }) => type === 'Binary').length;
    if (lost) note(`${lost} columns of binary data in '${layer.name}' were left out`);
    if (layer.hasMeasures) note(`The measures (M) of positions in '${layer.name}' were left out`);
  }
}

/** What an export of ours says of its columns within the file. */
function ownLayer({ fields }: LayerInfo): OwnArchive | undefined {
  const own = fields.flatMap(({ name, description }) => describedField(name, description) ?? []);
  return own.some(({ code }) => code === 'svc_id') ? { fields: own, whole: undefined } : undefined;
}

/** Numbers are dumped with 15 digits, which is not all that they have: so those of an export of ours come as texts. */
function exactly({ name, fields, geometryName }: LayerInfo): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const columns = fields.map(({ name, type }) => {
    const column = quoted(name);
    return type === 'Real'
      ? `case when ${column} is not null then printf('%!.17g', ${column}) end as ${column}`
      : column;
  });
  return `select ${[quoted(geometryName), ...columns].join(', ')} from ${quoted(name)}`;
}

/** The objects of a MIF file; what is not read of it is noted. */
async function objectsOfMif({ file, name, beside }: Dataset, { folder, note }: Reading): Promise<MifObjects> {
  const objects = await checkMif(join(folder, file), name);
  const shown = name.slice(0, 100);
  if (!beside.has('mid')) note(`'${shown}' comes without .mid: its objects have no attributes`);
  if (objects.texts)
    note(`${objects.texts} objects of '${shown}' are texts: their words and size were left out`);
  return objects;
}

/** A drawing ends with its last group (DXF Reference, "EOF"); GDAL takes what there is of one that was cut off. */
async function demandEnd(path: string, name: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, 1_024);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    // Old programs close a text with the character SUB, or fill it up with zeros.
    const text = buffer.toString('latin1').replaceAll('\0', '').replaceAll('\u001a', '');
    if (/\n\s*0\s*\n\s*EOF\s*$/.test(text)) return;
  } finally {
    await file.close();
  }
  throw new ServiceError(
    'import_failed',
    `'${name.slice(0, 100)}' does not end as a DXF: it is cut off or damaged`,
  );
}

async function* dumped(
  job: EngineJob,
  order: Extract<Order, { kind: 'dump' }>,
  { name }: Dataset,
  note: (text: string) => unknown,
): AsyncGenerator<Buffer> {
  const { layer } = order;
  if (layer?.startsWith('-')) {
    throw new ServiceError('import_failed', `The layer '${layer.slice(0, 100)}' cannot be read by this name`);
  }
  const report: Report = yield* job.dump(order);
  // Rows that were read before an error are no reason to take them for all.
  if (report.failed || report.errors.length) throw engineFailure(report, name);
  for (const text of engineWarnings(report, name)) note(text);
}

/** The projection of a layer in the form of `parseSrs`; undefined where the file does not say. */
async function srsOf(dataset: Dataset, layer: LayerInfo, reading: Reading): Promise<string | undefined> {
  const { kind, file, name, beside } = dataset;
  const { folder, note, srsIsGiven } = reading;
  if (srsIsGiven || !layer.hasGeometry) return undefined;
  const own = layer.srs;
  const isPrj = (kind === 'mif' || kind === 'dxf') && beside.has('prj') && (!own || isLocal(own));
  const text = (isPrj ? await prjText(join(folder, file.replace(/\w+$/, 'prj'))) : undefined) ?? own;
  if (text !== undefined) return understood(text, name);
  if (kind === 'mif') await demandNone(join(folder, file), name);
  note(`'${name.slice(0, 100)}' names no projection: longitude and latitude are assumed`);
  return undefined;
}

/** GDAL passes over a coordinate system of a MIF that it does not understand. Throws `import_failed` for one. */
async function demandNone(path: string, name: string): Promise<void> {
  const line = /^[ \t]*coordsys\b.*/im.exec((await headOf(path)).toString('latin1'))?.[0];
  if (line !== undefined) throw notUnderstood(line.trim(), name);
}
