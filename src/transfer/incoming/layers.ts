import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../errors.js';
import { parseSrs } from '../../geo/srs.js';
import type { EngineJob } from '../engine/engine.js';
import { engineFailure } from '../engine/failure.js';
import type { Data, LayerInfo, Order, Report } from '../engine/orders.js';
import type { Source } from '../reading.js';
import { dxfEncoding, encodingOf } from './charsets.js';
import type { Dataset } from './datasets.js';

/** Of the formats that GDAL reads: its driver, and what is special. */
const drivers: Readonly<Record<string, { driver: string; options?: string[]; emptyPoints?: boolean }>> = {
  // Texts come as the bytes that they are: the encoding is found out here.
  shp: { driver: 'ESRI Shapefile', options: ['ENCODING='] },
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
    const value = await dxfEncoding(join(folder, file), reading.encoding);
    await job.ask({ kind: 'option', name: 'DXF_ENCODING', value });
  }
  noteParts(dataset, note);
  const report = await job.ask({ kind: 'inspect', data });
  if (report.failed || !report.layers) throw engineFailure(report, name);
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

function noteParts({ kind, name, beside }: Dataset, note: (text: string) => void): void {
  if (kind !== 'shp') return;
  const shown = name.slice(0, 100);
  if (!beside.has('dbf')) note(`'${shown}' comes without .dbf: its objects have no attributes`);
  if (!beside.has('shx')) note(`'${shown}' comes without .shx: it was made anew`);
  if (!beside.has('prj'))
    note(`'${shown}' comes without .prj: longitude and latitude are assumed unless srs is given`);
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
  if (!text || !layer.hasGeometry) return undefined;
  try {
    return parseSrs(text);
  } catch {
    note(
      `The projection of '${dataset.name.slice(0, 100)}' is not understood: longitude and latitude are assumed unless srs is given`,
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
