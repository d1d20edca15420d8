import { type Queryable, sqlState, tooLongState, tooManyCrossingsState } from '@cartulary/database';
import { badRequest, type ServiceError } from '@cartulary/errors';
import type { Layer } from '../../layers/layers.js';
import { writeCursor } from '../query/cursor.js';
import type { ObjectQuery } from '../query/query.js';
import type { FindOptions } from '../sql/ids.js';
import { guarded } from '../write/guard.js';
import { walkLimitOf } from './walk-length.js';

/** An object of a list: its id, and about how many bytes its long values take. */
export interface FoundObject {
  id: number;
  weight: number;
  /** Of the last object of a sorted list with a cursor. */
  keys?: (string | null)[] | null;
}

/** A list whose objects were found. Each slice is read when it is asked for. */
export interface OpenList<Slice> {
  /** Whether more objects follow after its limit. */
  hasMore: boolean;
  /** Number of its objects. */
  count: number;
  /** The cursor of its end, where more objects follow and the query wants a cursor. */
  cursor?: string | undefined;
  sliceCount: number;
  slices: AsyncIterable<Slice>;
}

/**
 * The list of what was found: where more objects follow, one more than the limit. `keys` are those of the last listed object,
 * which itself has them otherwise.
 */
export function openFound<Slice>(
  { found, keys }: { found: readonly FoundObject[]; keys?: FoundObject['keys'] },
  query: ObjectQuery,
  readSlices: (cuts: readonly number[][]) => AsyncIterable<Slice>,
): OpenList<Slice> {
  const hasMore = found.length > query.limit;
  const listed = hasMore ? found.slice(0, query.limit) : found;
  const last = listed.at(-1);
  const cuts = cutIntoSlices(listed);
  return {
    hasMore,
    count: listed.length,
    cursor: hasMore ? cursorAfter({ id: last?.id, keys: keys ?? last?.keys }, query) : undefined,
    sliceCount: cuts.length,
    slices: readSlices(cuts),
  };
}

/** The cursor behind the last object of a list; undefined where the query wants none. */
export function cursorAfter(
  last: { [key in keyof FoundObject]?: FoundObject[key] | undefined } | undefined,
  { sort, tellsNext }: ObjectQuery,
): string | undefined {
  const keys = sort.length ? last?.keys : [];
  return tellsNext && keys && last?.id !== undefined ? writeCursor({ keys, id: last.id }, sort) : undefined;
}

/** Finds the objects of a list along the index of its order where `walkLimitOf` expects a short way; otherwise, or without success, among all. */
export async function findInList<Answer>(
  list: { db: Queryable; layer: Layer; query: ObjectQuery; signal: AbortSignal | undefined },
  ask: (how: Pick<FindOptions, 'robust' | 'walkLimit'>) => Promise<Answer>,
  isFull: (answer: Answer) => boolean,
): Promise<Answer> {
  const { db, layer, query, signal } = list;
  const walkLimit = await filtered(query, () => walkLimitOf(db, layer, query, signal));
  if (walkLimit !== undefined) {
    const found = await selectRobustly(query, (robust) => ask({ robust, walkLimit }));
    if (isFull(found)) return found;
  }
  return selectRobustly(query, (robust) => ask({ robust }));
}

/**
 * Runs a selection. Where the geometry library of the database fails on an invalid geometry ("TopologyException", an internal
 * error), runs it once more with geometries made valid.
 */
export function selectRobustly<Answer>(
  query: Pick<ObjectQuery, 'filter'>,
  ask: (robust: boolean) => Promise<Answer>,
): Promise<Answer> {
  return filtered(query, async () => {
    try {
      return await ask(false);
    } catch (error) {
      if (!query.filter || sqlState(error) !== 'XX000') throw error;
      return await ask(true);
    }
  });
}

/** Runs a statement with the filter of a list. Throws 400 where the filter fails on its values. */
export function filtered<Answer>(
  query: Pick<ObjectQuery, 'filter'>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  return guarded(async () => {
    try {
      return await work();
    } catch (error) {
      throw (query.filter && filterFailure(error)) || error;
    }
  });
}

const filterInvalid = (what: string): ServiceError =>
  badRequest(`filter: ${what}`, { parameters: ['filter'] });

export const calculationInvalid = (): ServiceError =>
  filterInvalid('calculates a number that is too large, or one that is no real number');

export const crossesTooOften = (): ServiceError =>
  filterInvalid('a geometry that it compares crosses itself too often, or has too many positions');

/** Errors of filters by states of the database: out of range, a root of a negative number, crossings, and long arrays. */
const filterFailures: Readonly<Record<string, () => ServiceError>> = {
  '22003': calculationInvalid,
  '2201F': calculationInvalid,
  [tooManyCrossingsState]: crossesTooOften,
  [tooLongState]: () => filterInvalid('compares arrays that are too long'),
};

/** The error of a filter that fails on its values; undefined for other failures of the database. */
export const filterFailure = (error: unknown): ServiceError | undefined =>
  filterFailures[sqlState(error) ?? '']?.();

/** Lists up to this many objects, and bytes of long values, are one slice: most lists need a single statement then. */
export const shortListLimit = 1_000;
export const shortListLimitBytes = 1024 * 1024;

/**
 * Limits of a slice of a longer list: the database and this process are busy with it for some milliseconds. Geometries count
 * several times: the embedded database writes a MiB of them in about 60 ms.
 */
const sliceLimit = 500;
const sliceLimitBytes = 1024 * 1024;

/** Divides the ids of a list into slices within the limits. */
export function cutIntoSlices(found: readonly FoundObject[]): number[][] {
  const cuts: number[][] = [];
  let bytes = 0;
  for (const { id, weight } of found) {
    const last = cuts.at(-1);
    bytes += weight;
    if (last && last.length < sliceLimit && bytes <= sliceLimitBytes) last.push(id);
    else {
      cuts.push([id]);
      bytes = weight;
    }
  }
  return cuts;
}
