import type { Queryable } from '@cartulary/database';
import type { Layer } from '../../layers/layers.js';
import { isId } from '../query/order.js';
import type { ObjectQuery } from '../query/query.js';
import { isConditional, planOfList } from '../sql/ids.js';

/**
 * The walk needs this many times the objects that would suffice if the matching objects were spread evenly over the order. A
 * shorter walk is not tried.
 */
const margin = 2;

/**
 * Most objects that the walk reads for each matching object. A walk of this length costs a fraction of finding and sorting
 * all matching objects. A walk by a column reads pages in random order; one by ids reads the table from its beginning to its
 * end.
 */
const reach = { byColumn: 1 / 32, byId: 5 };

/**
 * How many objects to read along the index of the order for a list with conditions; undefined: do not try. Where many objects
 * match, the first ones mostly lie near. Where they lie at the other end, the walk was in vain and all are found the other
 * way. The planner has no such limit.
 */
export async function walkLimitOf(
  db: Queryable,
  layer: Layer,
  query: ObjectQuery,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const { indexed, offset, limit, sort } = query;
  if (!indexed || !isConditional(query)) return undefined;
  const wanted = offset + limit + 1;
  const share = sort.every(({ column }) => isId(column)) ? reach.byId : reach.byColumn;
  /** The length for `found` matching objects. */
  const lengthOf = (found: number): number | undefined =>
    margin * wanted * indexed.objects <= share * found ** 2 ? Math.ceil(share * found) : undefined;
  // Too long even if all objects matched.
  if (lengthOf(indexed.objects) === undefined) return undefined;
  const [plan] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    planOfList(layer, query),
    signal,
  );
  return lengthOf(plan!['QUERY PLAN'][0].Plan['Plan Rows']);
}
