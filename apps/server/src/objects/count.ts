import type { Queryable } from '../db/pool.js';
import type { Layer } from '../layers/layers.js';
import { guarded } from './guard.js';
import { countUpTo, isAnalyzed, planOf } from './sql.js';

/** Up to here the number of objects is counted, above it is the planner's estimate. */
const countedLimit = 10_000;

/**
 * How many objects a layer has: exact, or where `precise` is off and there are more than 10,000 the planner's
 * estimate. A table that was never analyzed, of which the planner knows nothing, is counted.
 */
export async function countObjects(
  db: Queryable,
  layer: Layer,
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
