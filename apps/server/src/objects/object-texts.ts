import type { Database, LongReads, Queryable } from '@cartulary/database';
import { prepared } from '@cartulary/sql';
import type { Layer } from '../layers/layers.js';
import { objectTag } from './etags.js';
import {
  cursorAfter,
  cutIntoSlices,
  findInList,
  type OpenList,
  openFound,
  shortListLimit,
  shortListLimitBytes,
} from './find/find.js';
import { inSmallBox } from './find/small-box.js';
import type { ObjectQuery } from './query/query.js';
import { type FirstSlice, longListOf, longListStatement, shortListStatement } from './sql/first-slice.js';
import type { FindOptions } from './sql/ids.js';
import { filledObject, filledSlice, objectJson, type TextOutput } from './sql/object-json.js';
import { objectStatement, sliceStatement } from './sql/sql.js';
import { guarded } from './write/guard.js';

/** An object as JSON, and the ETag of its version, where the layer is no view. */
export interface ObjectText {
  text: string;
  etag?: string | undefined;
}

/** A list as JSON in UTF-8, the objects of a slice with commas between them. The statement that finds a short list writes its first slice. */
export async function openTexts(
  db: Database,
  layer: Layer,
  query: ObjectQuery,
  signal?: AbortSignal,
): Promise<OpenList<Buffer>> {
  const reads = isLight(layer, query) ? db.long : db.heavy;
  return query.limit <= shortListLimit
    ? openShort({ db, reads }, layer, query, signal)
    : openLong(reads, layer, query, signal);
}

/** One object as JSON, and the ETag of its version; undefined where there is none with that id. */
export async function findObjectText(
  db: Queryable,
  layer: Layer,
  { id, output }: { id: number; output: TextOutput },
  signal?: AbortSignal,
): Promise<ObjectText | undefined> {
  const json = objectJson(output);
  const statement = prepared(objectStatement(layer, json, id));
  const [row] = await guarded(() => db.query<{ text: string; version: string | null }>(statement, signal));
  return row && { text: filledObject(json, row.text), etag: objectTag(layer, id, row.version) };
}

async function openShort(
  { db, reads }: { db: Database; reads: LongReads },
  layer: Layer,
  query: ObjectQuery,
  signal: AbortSignal | undefined,
): Promise<OpenList<Buffer>> {
  const { limit } = query;
  // Along an index; the best way to the objects in a box depends on the box.
  const recurs = !query.boxes && isLight(layer, query);
  const ask = async (how: Pick<FindOptions, 'robust' | 'walkLimit' | 'gatherLimit'>) => {
    const statement = shortListStatement(layer, query, { limit, limitBytes: shortListLimitBytes, ...how });
    const [row] = await reads.raw(statement, { signal, isPrepared: recurs || how.gatherLimit !== undefined });
    return { text: row![1], ...(JSON.parse(row![0]!.toString()) as FirstSlice) };
  };
  const inBox = await guarded(() =>
    inSmallBox(db, layer, query, (gatherLimit) => ask({ robust: false, gatherLimit })),
  );
  const found =
    inBox || (await findInList({ db: reads, layer, query, signal }, ask, ({ count }) => count > limit));
  const { count, rest, last, keys, text } = found;
  const hasMore = count > limit;
  const listed = rest.slice(0, rest.length - (hasMore ? 1 : 0));
  const cuts = cutIntoSlices(listed.map(([id, weight]) => ({ id, weight })));
  return {
    hasMore,
    count: Math.min(count, limit),
    cursor: hasMore ? cursorAfter({ id: last ?? undefined, keys }, query) : undefined,
    sliceCount: cuts.length + (text ? 1 : 0),
    slices: readTexts(reads, layer, { output: query, first: text, cuts }, signal),
  };
}

/** Finding a long list takes long enough: its first slice is written by a statement of its own. */
async function openLong(
  db: LongReads,
  layer: Layer,
  query: ObjectQuery,
  signal: AbortSignal | undefined,
): Promise<OpenList<Buffer>> {
  const limit = query.limit + 1;
  const list = await findInList(
    { db, layer, query, signal },
    async (how) => {
      const [row] = await db.raw(longListStatement(layer, query, { limit, isSliced: true, ...how }), {
        signal,
      });
      return longListOf(row!);
    },
    ({ found }) => found.length === limit,
  );
  return openFound(list, query, (cuts) =>
    readTexts(db, layer, { output: query, first: undefined, cuts }, signal),
  );
}

/** Longest way along the index of ids to the end of a list that is light: the database goes it within a few milliseconds. */
const lightDepth = 10_000;

/** Whether an index leads to the objects of a list, and they are few. */
export function isLight({ type }: Layer, query: ObjectQuery): boolean {
  const { limit, offset, filter, equals, boxes, sort, indexed } = query;
  if (filter || equals || (sort.length && !indexed) || type === 'virtual') return false;
  const isById = !sort.length && !boxes;
  return limit <= shortListLimit && limit + offset <= (isById ? lightDepth : shortListLimit);
}

async function* readTexts(
  db: LongReads,
  layer: Layer,
  {
    output,
    first,
    cuts,
  }: { output: TextOutput; first: Buffer | null | undefined; cuts: readonly number[][] },
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const json = objectJson(output);
  if (first) yield filledSlice(json, first);
  for (const ids of cuts) {
    const statement = sliceStatement(layer, json, ids);
    const [row] = await guarded(() => db.raw(statement, { signal }));
    yield filledSlice(json, row![0]!);
  }
}
