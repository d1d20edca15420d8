import { type Database, type LongReads, type Queryable, sqlState } from '../db/pool.js';
import { ServiceError } from '../errors.js';
import type { SR } from '../geo/bbox.js';
import type { Layer } from '../layers/layers.js';
import { writeCursor } from './cursor.js';
import { type FirstSlice, firstSliceStatement } from './first-slice.js';
import { guarded } from './guard.js';
import { type Finding, idsAfter, idsStatement } from './ids.js';
import type { ObjectQuery, Output } from './query.js';
import { type ObjectRow, type RawRow, rowWriter, toRow } from './row.js';
import { inSmallBox } from './small-box.js';
import { geometryStatement, isWrittenBySql, rowsStatement, textStatement } from './sql.js';
import { walkLength } from './walk-length.js';

/** An object's id and about how many bytes its long values take. */
interface Found {
  id: number;
  weight: number;
  /** Of the last object of a list with a cursor. */
  keys?: (string | null)[] | null;
}

/** A list that was found: its objects come slice by slice, each read when it is asked for. */
export interface OpenList<Slice> {
  /** Whether more objects follow after its limit. */
  hasMore: boolean;
  /** Where more objects follow and the list was asked for with a cursor: that of its end. */
  cursor?: string | undefined;
  sliceCount: number;
  slices: AsyncIterable<Slice>;
}

/**
 * Finds the objects of a list, then reads them slice by slice in its order: what is held at a time is the ids and one slice, and
 * between slices no connection. Objects that are deleted meanwhile are left out.
 */
export async function openList(
  db: Queryable,
  layer: Layer,
  query: ObjectQuery,
  signal?: AbortSignal,
): Promise<OpenList<ObjectRow[]>> {
  const limit = query.limit + 1;
  const found = await find(
    { db, layer, query, signal },
    (how) => db.query<Found>(idsStatement(layer, query, { limit, ...how }), signal),
    ({ length }) => length === limit,
  );
  const hasMore = found.length > query.limit;
  if (hasMore) found.pop();
  const cuts = cut(found);
  return {
    hasMore,
    cursor: hasMore ? cursorAfter(found.at(-1), query) : undefined,
    sliceCount: cuts.length,
    slices: readSlices(db, layer, { output: query, cuts }, signal),
  };
}

const cursorAfter = (last: Partial<Found> | undefined, { sort }: ObjectQuery): string | undefined =>
  last?.keys ? writeCursor({ keys: last.keys, id: last.id! }, sort) : undefined;

/**
 * The same as JSON in UTF-8, the objects of a slice with commas between them: where the database can write it (which takes half
 * the time), and then with the first slice in the statement that finds the objects.
 */
export async function openTexts(
  { long, heavy }: Pick<Database, 'long' | 'heavy'>,
  layer: Layer,
  query: ObjectQuery,
  signal?: AbortSignal,
): Promise<OpenList<Buffer>> {
  const db = isLight(layer, query) ? long : heavy;
  if (!isWrittenBySql(query)) {
    const list = await openList(db, layer, query, signal);
    return { ...list, slices: written(list.slices, query) };
  }
  const ask = async (how: Pick<Finding, 'robust' | 'walk' | 'gather'>) => {
    const statement = firstSliceStatement(layer, query, {
      limit: query.limit,
      rows: query.limit <= shortList ? shortList : sliceRows,
      bytes: sliceBytes,
      ...how,
    });
    const [row] = await db.raw(statement, { signal, isPrepared: how.gather !== undefined });
    return { text: row![1], ...(JSON.parse(row![0]!.toString()) as FirstSlice) };
  };
  const inBox =
    query.limit <= shortList &&
    (await guarded(() => inSmallBox(db, layer, query, (gather) => ask({ robust: false, gather }))));
  const found = inBox || (await find({ db, layer, query, signal }, ask, ({ count }) => count > query.limit));
  const { count, rest, last, keys, text } = found;
  const hasMore = count > query.limit;
  const cuts = cut(rest.slice(0, rest.length - (hasMore ? 1 : 0)).map(([id, weight]) => ({ id, weight })));
  return {
    hasMore,
    cursor: hasMore ? cursorAfter({ id: last ?? undefined, keys }, query) : undefined,
    sliceCount: cuts.length + (text ? 1 : 0),
    slices: readTexts(db, layer, { output: query, first: text, cuts }, signal),
  };
}

/** Whether indices lead to the objects of a list, and these are few. */
const isLight = ({ type }: Layer, { limit, offset, filter, equals, sort, indexed }: ObjectQuery): boolean =>
  limit + offset <= shortList && !filter && !equals && !(sort.length && !indexed) && type !== 'virtual';

async function* written(slices: AsyncIterable<ObjectRow[]>, output: Output): AsyncGenerator<Buffer> {
  const write = rowWriter(output);
  for await (const slice of slices) yield Buffer.from(slice.map(write).join(','));
}

async function* readTexts(
  db: LongReads,
  layer: Layer,
  { output, first, cuts }: { output: Output; first: Buffer | null | undefined; cuts: readonly number[][] },
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  if (first) yield first;
  for (const ids of cuts) {
    const statement = textStatement(layer, output, ids);
    const [row] = await guarded(() => db.raw(statement, { signal }));
    yield row![0]!;
  }
}

/** Ids in one page when a whole layer is read. */
const pageSize = 5_000;

/**
 * All objects of a selection in slices. With an unlimited `limit` in the order of ids (`sort` and `offset` do not
 * count), however many there are: for export.
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
    const page = await select(query, (robust) =>
      db.query<Found>(idsAfter(layer, query, { after, limit: pageSize, robust }), signal),
    );
    yield* readSlices(db, layer, { output: query, cuts: cut(page) }, signal);
    if (page.length < pageSize) return;
    after = page.at(-1)!.id;
  }
}

/** What objects weigh that were not asked: they come in small slices. */
const unknownWeight = 40_000;

/** The objects with these ids that there are, in that order, in slices. */
export function objectsById(
  db: Queryable,
  layer: Layer,
  wanted: { output: Output; ids: readonly number[] },
  signal?: AbortSignal,
): AsyncGenerator<ObjectRow[]> {
  const cuts = cut(wanted.ids.map((id) => ({ id, weight: unknownWeight })));
  return readSlices(db, layer, { output: wanted.output, cuts }, signal);
}

/** Finds the objects of a list: along the index of its order where that promises to be short, else, or where it was not enough, among all. */
async function find<Answer>(
  list: { db: Queryable; layer: Layer; query: ObjectQuery; signal: AbortSignal | undefined },
  ask: (how: Pick<Finding, 'robust' | 'walk'>) => Promise<Answer>,
  isFull: (answer: Answer) => boolean,
): Promise<Answer> {
  const { db, layer, query, signal } = list;
  const walk = await guarded(() => walkLength(db, layer, query, signal));
  if (walk !== undefined) {
    const found = await select(query, (robust) => ask({ robust, walk }));
    if (isFull(found)) return found;
  }
  return select(query, (robust) => ask({ robust }));
}

/**
 * Runs a selection; once more with geometries made valid where the database's geometry library stumbles over one
 * that is not ("TopologyException", which comes as an internal error).
 */
function select<Answer>(query: ObjectQuery, ask: (robust: boolean) => Promise<Answer>): Promise<Answer> {
  return guarded(async () => {
    try {
      return await ask(false);
    } catch (error) {
      if (!query.filter || sqlState(error) !== 'XX000') throw error;
      return await ask(true);
    }
  });
}

/** Up to so many objects a list is one slice, if it is not heavy: as many as most ask for, without more statements. */
const shortList = 1_000;

/** Most objects, and most bytes of long values, in a slice of a longer one: the database and this process are busy with it for some milliseconds. */
const sliceRows = 500;
const sliceBytes = 1024 * 1024;

/** The ids in slices that are neither too many nor too heavy. */
function cut(found: readonly Found[]): number[][] {
  const cuts: number[][] = [];
  let bytes = 0;
  for (const { id, weight } of found) {
    const last = cuts.at(-1);
    bytes += weight;
    if (last && last.length < sliceRows && bytes <= sliceBytes) last.push(id);
    else {
      cuts.push([id]);
      bytes = weight;
    }
  }
  return cuts;
}

async function* readSlices(
  db: Queryable,
  layer: Layer,
  { output, cuts }: { output: Output; cuts: readonly number[][] },
  signal?: AbortSignal,
): AsyncGenerator<ObjectRow[]> {
  for (const ids of cuts) yield await readRows(db, layer, { output, ids }, signal);
}

/** The objects with these ids, in that order, without those that are not there. */
async function readRows(
  db: Queryable,
  layer: Layer,
  { output, ids }: { output: Output; ids: readonly number[] },
  signal?: AbortSignal,
): Promise<ObjectRow[]> {
  const rows = await guarded(() => db.query<RawRow>(rowsStatement(layer, output, ids), signal));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [toRow(row, output)] : [];
  });
}

/** One object; undefined when there is none with that id. */
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

/** The geometry of an object as GeoJSON text, null when it has none. Throws 404. */
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
