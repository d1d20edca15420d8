import { Readable } from 'node:stream';
import yazl from 'yazl';
import type { Database } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import type { Box } from '../geo/bbox.js';
import { holdsObjects, type Layer, layerTable } from '../layers/layers.js';
import { listObjects, type ObjectRow, objectsById } from '../objects/store.js';
import { createFeatureWriter, type FeatureWriter } from './geojson-writer.js';

export interface ExportOptions {
  /** Of the map, the main one first. */
  languages: readonly string[];
  /** Languages of localized values; empty: all. */
  wanted: readonly string[];
  /** The objects to export, in this order; undefined: all. */
  ids?: readonly number[] | undefined;
  /** Boxes in degrees, one of which the geometry meets; they do not go together with `ids`. */
  boxes?: readonly Box[] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The objects of a layer as the text of a GeoJSON FeatureCollection, read slice by slice at the pace of its reader. It
 * breaks off with `busy` when an import into the layer ended meanwhile, so that nobody takes half of the old and half
 * of the new for the whole. What fails at the start rejects: 404 for an object of `ids` that is not there.
 */
export async function exportGeoJson(db: Database, layer: Layer, options: ExportOptions): Promise<Readable> {
  if (!holdsObjects(layer)) throw badRequest(`A layer of the type '${layer.type}' has no objects to export`);
  if (options.ids && options.boxes)
    throw badRequest('Give either feature_ids or fbbox', { parameters: ['fbbox'] });
  if (options.ids) await refuseAbsent(db, layer, options.ids);
  const text = collectionText(db, layer, options);
  const first = await text.next();
  return Readable.from(continued(first.value ?? '', text), { objectMode: false });
}

async function* continued(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

async function* collectionText(db: Database, layer: Layer, options: ExportOptions): AsyncGenerator<string> {
  const before = await countImports(db, layer);
  const writer = createFeatureWriter({ ...options, columns: layer.columns });
  let separator = '{"type":"FeatureCollection","features":[\n';
  for await (const rows of slicesOf(db, layer, writer, options)) {
    if (!rows.length) continue;
    yield separator + rows.map(writer.write).join(',\n');
    separator = ',\n';
  }
  if ((await countImports(db, layer)) !== before) {
    throw new ServiceError('busy', 'The layer was imported anew during the export; try again');
  }
  yield separator.startsWith('{') ? `${separator}]}\n` : '\n]}\n';
}

function slicesOf(
  db: Database,
  layer: Layer,
  { output }: FeatureWriter,
  { ids, boxes, signal }: ExportOptions,
): AsyncGenerator<ObjectRow[]> {
  if (ids) return objectsById(db, layer, { output, ids }, signal);
  const all = { ...output, boxes, sort: [], limit: Number.POSITIVE_INFINITY, offset: 0 };
  return listObjects(db, layer, all, signal);
}

async function countImports(db: Database, { id }: Layer): Promise<number | undefined> {
  const [state] = await db.query<{ imports: number }>(
    sql`select imports from cartulary.layer_state where layer_id = ${id}`,
  );
  return state?.imports;
}

async function refuseAbsent(db: Database, layer: Layer, ids: readonly number[]): Promise<void> {
  const absent = await db.query<{ id: number }>(sql`
    select id from unnest(${[...ids]}::bigint[]) as wanted (id)
    where not exists (select from ${layerTable(layer.id)} t where t.svc_id = wanted.id)`);
  if (!absent.length) return;
  const objects = absent.map(({ id }) => id);
  throw new ServiceError('object_not_found', `The object ${objects.join(', ')} does not exist`, { objects });
}

/** A zip archive with one file. */
export function zipped(content: Readable, filename: string): Readable {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => output.destroy(error as Error));
  output.once('close', () => content.destroy());
  zip.addReadStream(content, filename);
  zip.end();
  return output;
}
