import type { Queryable } from '../db/pool.js';
import type { Layer } from '../layers/layers.js';
import { isConditional, planOfList } from './ids.js';
import type { ObjectQuery } from './query.js';

/** How many times as many objects are looked at as would do if those that meet the conditions lay evenly in the order. */
const margin = 4;

/**
 * How far a list with conditions is worth looking for along the index of its order: where many of the layer's objects meet
 * them, the first of these lie near. The price, where they lie together at the other end, is at most as many objects as half of those that are then
 * put in order. undefined: not at all.
 */
export async function walkLength(
  db: Queryable,
  layer: Layer,
  query: ObjectQuery,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const { indexed, offset, limit } = query;
  if (!indexed || !isConditional(query)) return undefined;
  const wanted = offset + limit + 1;
  // It would be too long if all met them.
  if (2 * margin * wanted > indexed.objects) return undefined;
  const [plan] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    planOfList(layer, query),
    signal,
  );
  const estimate = plan!['QUERY PLAN'][0].Plan['Plan Rows'];
  const length = Math.ceil((margin * wanted * indexed.objects) / estimate);
  return length <= estimate / 2 ? length : undefined;
}
