import type { ObjectRow, Output } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { Box, SR } from '@cartulary/geo';
import type { Layer } from '../layers/layers.js';
import {
  cutIntoSlices,
  type FoundObject,
  findInList,
  type OpenList,
  openFound,
  selectRobustly,
} from './find/find.js';
import type { ObjectQuery } from './query/query.js';
import { idsAfter, idsStatement } from './sql/ids.js';
import { geometryStatement, rowsStatement } from './sql/sql.js';
import { guarded } from './write/guard.js';

/**
 * Finds the objects of a list, then reads them slice by slice in its order. It holds the ids and one slice, and no connection
 * between slices. Objects that are deleted meanwhile are left out.
 */
export async function openList(
  db: Queryable,
  layer: Layer,
  query: ObjectQuery,
  signal?: AbortSignal,
): Promise<OpenList<ObjectRow[]>> {
  const limit = query.limit + 1;
  const found = await findInList(
    { db, layer, query, signal },
    (how) => db.query<FoundObject>(idsStatement(layer, query, { limit, isSliced: true, ...how }), signal),
    ({ length }) => length === limit,
  );
  return openFound({ found }, query, (cuts) => readSlices(db, layer, { output: query, cuts }, signal));
}

/** Ids in one page when a whole layer is read. */
const pageLimit = 5_000;

/**
 * All objects of a selection in slices, for export. With an infinite `limit` it gives any number of objects in the order of ids,
 * and ignores `sort` and `offset`.
 */
export async function* listObjects(
  db: Queryable,
  layer: Layer,
  query: ObjectQuery,
  signal?: AbortSignal,
): AsyncGenerator<ObjectRow[]> {
  if (Number.isFinite(query.limit)) {
    yield* (await openList(db, layer, query, signal)).slices;
    return;
  }
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await selectRobustly(query, (robust) =>
      db.query<FoundObject>(idsAfter(layer, query, { after, limit: pageLimit, robust }), signal),
    );
    yield* readSlices(db, layer, { output: query, cuts: cutIntoSlices(page) }, signal);
    if (page.length < pageLimit) return;
    after = page.at(-1)!.id;
  }
}

/** The assumed weight, in bytes, of objects whose weight was not asked for: it makes slices small. */
const unknownWeightBytes = 40_000;

/** The objects with these ids, in that order, in slices; ids without an object are left out. */
export function objectsById(
  db: Queryable,
  layer: Layer,
  wanted: { output: Output; ids: readonly number[] },
  signal?: AbortSignal,
): AsyncGenerator<ObjectRow[]> {
  const cuts = cutIntoSlices(wanted.ids.map((id) => ({ id, weight: unknownWeightBytes })));
  return readSlices(db, layer, { output: wanted.output, cuts }, signal);
}

async function* readSlices(
  db: Queryable,
  layer: Layer,
  { output, cuts }: { output: Output; cuts: readonly number[][] },
  signal?: AbortSignal,
): AsyncGenerator<ObjectRow[]> {
  for (const ids of cuts) yield await readRows(db, layer, { output, ids }, signal);
}

/** The objects with these ids, in that order; ids without an object are left out. */
async function readRows(
  db: Queryable,
  layer: Layer,
  { output, ids }: { output: Output; ids: readonly number[] },
  signal?: AbortSignal,
): Promise<ObjectRow[]> {
  const rows = await guarded(() => db.query<StatementRow>(rowsStatement(layer, output, ids), signal));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [toRow(row, output)] : [];
  });
}

/** A row of `rowsStatement`. */
type StatementRow = Record<string, unknown> & { id: number };

function toRow(raw: StatementRow, output: Output): ObjectRow {
  const { west, south, east, north } = raw as unknown as Box;
  return {
    id: raw.id,
    values: output.columns.map((_, i) => raw[`v${i}`]),
    geom: (raw.geom as string | null | undefined) ?? null,
    box: west === null || west === undefined ? null : { west, south, east, north },
  };
}

/** One object; undefined where there is none with that id. */
export async function findObject(
  db: Queryable,
  layer: Layer,
  wanted: { id: number; output: Output },
  signal?: AbortSignal,
): Promise<ObjectRow | undefined> {
  const [row] = await readRows(db, layer, { output: wanted.output, ids: [wanted.id] }, signal);
  return row;
}

export const objectNotFound = (...ids: number[]): ServiceError =>
  new ServiceError('object_not_found', `The object ${ids.join(', ')} does not exist`, { objects: ids });

/** The geometry of an object as GeoJSON text, null where it has none. Throws 404. */
export async function geometryOf(
  db: Queryable,
  layer: Layer,
  wanted: { id: number; sr: SR },
  signal?: AbortSignal,
): Promise<string | null> {
  const statement = geometryStatement(layer, wanted.id, wanted.sr);
  const [row] = await guarded(() => db.query<{ geom: string | null }>(statement, signal));
  if (!row) throw objectNotFound(wanted.id);
  return row.geom;
}
