import type { Queryable } from '@cartulary/database';
import type { Layer } from '../layers/layers.js';
import { filtered } from './find/find.js';
import type { ObjectQuery } from './query/query.js';
import { isConditional, matchesUpTo, planOfList } from './sql/ids.js';
import { countUpTo, isAnalyzed, planOf } from './sql/sql.js';
import { guarded } from './write/guard.js';

/** Up to this number objects are counted; above it the planner's estimate is used. */
const countedLimit = 10_000;

/**
 * The number of objects of a layer. It is an estimate of the planner where `precise` is off and there are more than 10,000. A
 * table that was never analyzed is counted, because the planner knows nothing of it.
 */
export async function countObjects(
  db: Queryable,
  layer: Pick<Layer, 'id'>,
  precise: boolean,
  signal?: AbortSignal,
): Promise<number> {
  const count = async (limit?: number): Promise<number> => {
    const [row] = await db.query<{ count: number }>(countUpTo(layer, limit), signal);
    return row?.count ?? 0;
  };
  return guarded(async () => {
    if (precise) return count();
    const counted = await count(countedLimit + 1);
    if (counted <= countedLimit) return counted;
    const [statistics] = await db.query<{ known: boolean }>(isAnalyzed(layer), signal);
    if (!statistics?.known) return count();
    const [plan] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      planOf(layer),
      signal,
    );
    return Math.max(counted, plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
  });
}

/** The number of objects that meet the conditions of a list, up to `limit`; exactly without one. */
export async function countMatches(
  db: Queryable,
  layer: Pick<Layer, 'id'>,
  { query, limit = Number.MAX_SAFE_INTEGER }: { query: ObjectQuery; limit?: number },
  signal?: AbortSignal,
): Promise<number> {
  return filtered(query, async () => {
    const [row] = await db.query<{ count: number }>(matchesUpTo(layer, query, limit), signal);
    return row?.count ?? 0;
  });
}

/** The number of objects of a list without its limit: exact up to 10,000, an estimate above. */
export async function countListed(
  db: Queryable,
  layer: Pick<Layer, 'id'>,
  query: ObjectQuery,
  signal?: AbortSignal,
): Promise<number> {
  if (!isConditional(query)) return countObjects(db, layer, false, signal);
  return filtered(query, async () => {
    const counted = await countMatches(db, layer, { query, limit: countedLimit + 1 }, signal);
    if (counted <= countedLimit) return counted;
    const [plan] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      planOfList(layer, query),
      signal,
    );
    return Math.max(counted, plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
  });
}
