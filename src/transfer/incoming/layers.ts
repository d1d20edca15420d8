import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../errors.js';
import { parseSrs } from '../../geo/srs.js';
import type { EngineJob } from '../engine/engine.js';
import { engineFailure } from '../engine/failure.js';
import type { Data, LayerInfo, Order, Report } from '../engine/orders.js';
import type { Source } from '../reading.js';
import { dxfEncoding, encodingOf } from './charsets.js';
import type { Dataset } from './datasets.js';
import { checkMif } from './mif.js';

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
    const value = await dxfEncoding(join(folder, file), reading.encoding);
    await job.ask({ kind: 'option', name: 'DXF_ENCODING', value });
  }
  if (kind === 'mif') {
    await checkMif(join(folder, file), name);
    if (!dataset.beside.has('mid'))
      note(`'${name.slice(0, 100)}' comes without .mid: its objects have no attributes`);
  }
  const report = await job.ask({ kind: 'inspect', data });
  // A head that is cut off may open as a file of no layers.
  if (report.failed || !report.layers?.length) throw engineFailure(report, name);
  const layers = report.layers.filter((layer) => !repeated[kind]?.includes(layer.name));
  const counts = layers.map(({ count }) => count);
  const total = counts.every((count) => count >= 0)
    ? counts.reduce((sum, count) => sum + count, 0)
    : undefined;
  for (const layer of layers) {
    const srs = await srsOf(dataset, layer, reading);
    yield {
      part: { kind: 'dump', fields: layer.fields, encoding, srs, emptyPoints, isMulti: layer.toMulti },
      bytes: dumped(
        job,
        {
          kind: 'dump',
          data,
          toMulti: layer.toMulti,
          layer: layers.length > 1 || repeated[kind] ? layer.name : undefined,
        },
        name,
      ),
      total: isOnly ? total : undefined,
      check: (features) => {
        if (layer.count < 0 || layer.count === features) return;
        throw new ServiceError(
          'import_failed',
          `'${name.slice(0, 100)}' should have ${layer.count} features, but ${features} could be read: it is cut off or damaged`,
        );
      },
    };
    const lost = layer.fields.filter(({ type }) => type === 'Binary').length;
    if (lost) note(`${lost} columns of binary data in '${layer.name}' were left out`);
  }
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
  name: string,
): AsyncGenerator<Buffer> {
  const { layer } = order;
  if (layer?.startsWith('-')) {
    throw new ServiceError('import_failed', `The layer '${layer.slice(0, 100)}' cannot be read by this name`);
  }
  const report: Report = yield* job.dump(order);
  // Rows that were read before an error are no reason to take them for all.
  if (report.failed || report.errors.length) throw engineFailure(report, name);
}

/** The projection of a layer in the form of `parseSrs`; undefined where the file does not say. */
async function srsOf(
  dataset: Dataset,
  layer: LayerInfo,
  { job, folder, note }: Reading,
): Promise<string | undefined> {
  const { kind, file, beside } = dataset;
  let text = layer.srs;
  if (!text && (kind === 'mif' || kind === 'dxf') && beside.has('prj')) {
    text = (await readFile(join(folder, file.replace(/\.\w+$/, '.prj')), 'utf8')).slice(0, 20_000);
  }
  if (!text && kind === 'mif') text = await srsOfMif(file, job);
  return text && layer.hasGeometry ? understood(text, dataset, note) : undefined;
}

/** A projection that a file names; undefined, and a note, where it is none that is known. */
export function understood(
  text: string,
  { name }: Dataset,
  note: (text: string) => unknown,
): string | undefined {
  try {
    return parseSrs(text);
  } catch {
    note(
      `The projection of '${name.slice(0, 100)}' is not understood: longitude and latitude are assumed unless srs is given`,
    );
    return undefined;
  }
}

/** GDAL tells the projection of a MIF file only to a file that it writes. */
async function srsOfMif(file: string, job: EngineJob): Promise<string | undefined> {
  const target = `${file}.fgb`;
  const args = ['-f', 'FlatGeobuf', '-limit', '0', '-lco', 'SPATIAL_INDEX=NO'];
  await job.ask({ kind: 'convert', data: { file, driver: 'MapInfo File' }, target, args });
  const report = await job.ask({ kind: 'inspect', data: { file: target, driver: 'FlatGeobuf' } });
  return report.layers?.[0]?.srs;
}
