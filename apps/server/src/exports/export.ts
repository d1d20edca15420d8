import { Readable } from 'node:stream';
import type { ObjectRow, Output } from '@cartulary/columns';
import type { Database } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { createFeatureWriter, type TextWriter } from '@cartulary/formats';
import type { Box } from '@cartulary/geo';
import { createSlices, type Semaphore } from '@cartulary/runtime';
import { sql } from '@cartulary/sql';
import yazl from 'yazl';
import { readThroughSemaphore } from '../http/limits/semaphore-stream.js';
import type { Progress } from '../jobs/jobs.js';
import { demandRunning, holdsObjects, type Layer, layerTable } from '../layers/layers.js';
import { listObjects, type ObjectQuery, objectsById } from '../objects/store.js';

export interface ExportOptions {
  /** Languages of the map, the main one first. */
  languages: readonly string[];
  /** Languages of localized values to export; empty: all. */
  wanted: readonly string[];
  /** The objects to export, in this order; undefined: all. */
  ids?: readonly number[] | undefined;
  /** Boxes in degrees; a geometry must meet one of them. `boxes` and `filter` exclude `ids`. */
  boxes?: readonly Box[] | undefined;
  filter?: ObjectQuery['filter'];
  /** The order, and the first and the last of the objects that meet `boxes` and `filter`; undefined: all. */
  page?: Pick<ObjectQuery, 'sort' | 'limit' | 'offset' | 'cursor' | 'indexed'> | undefined;
  /** The text form of geometries; default GeoJSON. */
  geometry?: 'wkt' | undefined;
  /** Limits how many slices are read at a time; absent: no limit. */
  semaphore?: Semaphore | undefined;
  signal?: AbortSignal | undefined;
  /** Receives how many objects were read so far. */
  progress?: Progress | undefined;
}

/**
 * The objects of a layer, slice by slice, at the pace of the reader. Throws 404 for an object of `ids` that does not exist, and
 * `busy` when an import into the layer ends meanwhile: the export would mix old and new objects.
 */
export async function openExport(
  db: Database,
  layer: Layer,
  options: ExportOptions,
): Promise<AsyncIterable<ObjectRow[]>> {
  if (!holdsObjects(layer)) throw badRequest(`A layer of the type '${layer.type}' has no objects to export`);
  demandRunning(layer);
  if (options.ids && (options.boxes || options.filter))
    throw badRequest('Give either feature_ids or fbbox and filter', { parameters: ['fbbox', 'filter'] });
  if (options.ids) await refuseAbsent(db, layer, options.ids);
  return rowsOf(db, layer, options);
}

async function* rowsOf(db: Database, layer: Layer, options: ExportOptions): AsyncGenerator<ObjectRow[]> {
  const feature = createFeatureWriter({ ...options, columns: layer.columns });
  const geometry = { sr: '4326', centroid: false, form: options.geometry } as const;
  const output = { ...feature.output, geometry };
  const { progress, semaphore, signal } = options;
  const slices = ofOneImport(db, layer, slicesOf(db, layer, output, options));
  let done = 0;
  for await (const rows of semaphore ? readThroughSemaphore(slices, semaphore, signal) : slices) {
    done += rows.length;
    progress?.({ phase: 'writing', done });
    if (rows.length) yield rows;
  }
  progress?.({ phase: 'packing', total: done });
}

/** The same slices; throws `busy` at their end when the layer was imported anew since their beginning. */
async function* ofOneImport(
  db: Database,
  layer: Layer,
  slices: AsyncIterable<ObjectRow[]>,
): AsyncGenerator<ObjectRow[]> {
  const before = await countImports(db, layer);
  yield* slices;
  if ((await countImports(db, layer)) !== before) {
    throw new ServiceError('busy', 'The layer was imported anew during the export; try again');
  }
}

/**
 * Objects as text, in UTF-8 or encoded by `encode`. Errors of the first two slices reject, so that a short export either is complete
 * or answers an error: later ones can only break the answer off.
 */
export async function asText(
  rows: AsyncIterable<ObjectRow[]>,
  writer: TextWriter,
  encode: (text: string) => string | Buffer = (text) => text,
): Promise<Readable> {
  const text = textOf(rows, writer);
  const first = [(await text.next()).value ?? '', (await text.next()).value ?? ''];
  return Readable.from(encoded(first, text, encode), { objectMode: false });
}

async function* encoded(
  first: readonly string[],
  rest: AsyncIterable<string>,
  encode: (text: string) => string | Buffer,
): AsyncGenerator<string | Buffer> {
  for (const text of first) if (text) yield encode(text);
  for await (const text of rest) yield encode(text);
}

async function* textOf(
  rows: AsyncIterable<ObjectRow[]>,
  { head, write, separator, tail }: TextWriter,
): AsyncGenerator<string> {
  const slices = createSlices();
  let before = head;
  for await (const some of rows) {
    let text = '';
    for (const row of some) {
      if (slices.isOver()) await slices.next();
      text += before + write(row);
      before = separator;
    }
    if (text) yield text;
  }
  yield before === head ? head + tail.trimStart() : tail;
}

/** Of a layer's objects as GeoJSON (RFC 7946), or as features one after the other, a line each. */
export function geojsonWriter(layer: Layer, options: ExportOptions, isLines: boolean): TextWriter {
  const { write } = createFeatureWriter({ ...options, columns: layer.columns });
  return isLines
    ? { head: '', write, separator: '\n', tail: '\n' }
    : { head: '{"type":"FeatureCollection","features":[\n', write, separator: ',\n', tail: '\n]}\n' };
}

function slicesOf(
  db: Database,
  layer: Layer,
  output: Output,
  { ids, boxes, filter, page, signal }: ExportOptions,
): AsyncGenerator<ObjectRow[]> {
  if (ids) return objectsById(db.heavy, layer, { output, ids }, signal);
  const all = { ...output, boxes, filter, sort: [], limit: Number.POSITIVE_INFINITY, offset: 0, ...page };
  return listObjects(db.heavy, layer, all, signal);
}

async function countImports(db: Database, { id }: Layer): Promise<number | undefined> {
  const [state] = await db.query<{ imports: number }>(
    sql`select imports from cartulary.layer_state where layer_id = ${id}`,
  );
  return state?.imports;
}

/** Whether a layer has geometries, and all of them are points without height. */
export async function holdsPoints(db: Database, { id }: Layer, signal: AbortSignal): Promise<boolean> {
  const statement = sql`select bool_and(geometrytype(geom) = 'POINT' and ST_NDims(geom) = 2 and not ST_IsEmpty(geom)) as plain
    from ${layerTable(id)} where geom is not null`;
  const [row] = await db.heavy.query<{ plain: boolean | null }>(statement, signal);
  return row?.plain === true;
}

async function refuseAbsent(db: Database, layer: Layer, ids: readonly number[]): Promise<void> {
  const absent = await db.query<{ id: number }>(sql`
    select id from unnest(${[...ids]}::bigint[]) as wanted (id)
    where not exists (select from ${layerTable(layer.id)} t where t.svc_id = wanted.id)`);
  if (!absent.length) return;
  const objects = absent.map(({ id }) => id);
  throw new ServiceError('object_not_found', `The object ${objects.join(', ')} does not exist`, { objects });
}

/** A zip archive with one file, and the files beside it that are known when that one is written. */
export function zipped(
  content: Readable,
  filename: string,
  beside: () => readonly { name: string; text: string }[] = () => [],
): Readable {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => output.destroy(error as Error));
  output.once('close', () => content.destroy());
  content.once('end', () => {
    for (const { name, text } of beside()) zip.addBuffer(Buffer.from(text), name);
    zip.end();
  });
  zip.addReadStream(content, filename);
  return output;
}
