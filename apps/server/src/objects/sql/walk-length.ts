import type { Queryable } from '../db/pool.js';
import type { Layer } from '../layers/layers.js';
import { isConditional, planOfList } from './ids.js';
import { isId } from './order.js';
import type { ObjectQuery } from './query.js';

/** How many times as many objects are looked at as would do if those that meet the conditions lay evenly in the order: less is not tried. */
const margin = 2;

/**
 * How many objects are looked at, at most, for each that meets the conditions. That many cost a fraction of what it takes to find all of these and
 * put them in order: a list by a column goes from one page of the table to any other, one by ids through it from its beginning to its end.
 */
const reach = { byColumn: 1 / 32, byId: 5 };

/**
 * How far a list with conditions is worth looking for along the index of its order: where many of the layer's objects meet
 * them, the first of these mostly lie near. Where they lie at the other end all are found after all, and that far was gone in vain: hence the
 * limit, which the planner does not have. undefined: not at all.
 */
export async function walkLength(
  db: Queryable,
  layer: Layer,
  query: ObjectQuery,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const { indexed, offset, limit, sort } = query;
  if (!indexed || !isConditional(query)) return undefined;
  const wanted = offset + limit + 1;
  const share = sort.every(({ column }) => isId(column)) ? reach.byId : reach.byColumn;
  /** Of `found` objects that meet the conditions. */
  const lengthOf = (found: number): number | undefined =>
    margin * wanted * indexed.objects <= share * found ** 2 ? Math.ceil(share * found) : undefined;
  // Not even if all met them.
  if (lengthOf(indexed.objects) === undefined) return undefined;
  const [plan] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    planOfList(layer, query),
    signal,
  );
  return lengthOf(plan!['QUERY PLAN'][0].Plan['Plan Rows']);
}
