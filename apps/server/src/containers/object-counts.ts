import { type Queryable, sqlState } from '@cartulary/database';
import { ident, join, sql } from '@cartulary/sql';

/** A table up to this size is counted; of a larger one the planner's estimate is taken, where it has one. */
const countedBytes = 1024 * 1024;
/** Tables that one statement counts. */
const tablesAtOnce = 100;

interface LayerOfMap {
  id: number;
  map_id: number;
}

interface TableSize {
  id: number;
  /** null: to be counted. */
  estimate: number | null;
}

/** The objects of layers, added up by the id of their map. For lists: cheap, and of large layers an estimate. */
export async function countByMap(
  db: Queryable,
  layers: readonly LayerOfMap[],
  signal?: AbortSignal,
): Promise<Map<number, number>> {
  const counts = await objectCounts(
    db,
    layers.map(({ id }) => id),
    signal,
  );
  const sums = new Map<number, number>();
  for (const { id, map_id } of layers) sums.set(map_id, (sums.get(map_id) ?? 0) + (counts.get(id) ?? 0));
  return sums;
}

/** The objects of layers by their ids. A layer that is deleted meanwhile is left out. */
async function objectCounts(
  db: Queryable,
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (let at = 0; at < ids.length; at += tablesAtOnce)
    for (const [id, count] of await countTables(db, ids.slice(at, at + tablesAtOnce), signal))
      counts.set(id, count);
  return counts;
}

async function countTables(
  db: Queryable,
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<[id: number, count: number][]> {
  const sizes = await db.query<TableSize>(sizesSql(ids), signal);
  const estimated = sizes.flatMap(({ id, estimate }): [number, number][] =>
    estimate === null ? [] : [[id, estimate]],
  );
  const rest = sizes.flatMap(({ id, estimate }) => (estimate === null ? [id] : []));
  if (!rest.length) return estimated;
  const parts = rest.map(
    (id) =>
      sql`select ${id}::integer as id, count(*) as count from ${ident('cartulary_data', `layer_${id}`)}`,
  );
  try {
    const counted = await db.query<{ id: number; count: number }>(join(parts, ' union all '), signal);
    return [...estimated, ...counted.map(({ id, count }): [number, number] => [id, count])];
  } catch (error) {
    // 42P01, undefined_table: without the one that was deleted.
    if (sqlState(error) === '42P01') return countTables(db, ids, signal);
    throw error;
  }
}

/** As the planner estimates: the density at the last ANALYZE times the present pages. */
const sizesSql = (ids: readonly number[]) => sql`
    select found.id, case when t.relpages > 0 and t.reltuples >= 0 and size.bytes > ${countedBytes}
      then round(t.reltuples / t.relpages * size.bytes / current_setting('block_size')::integer)::bigint end as estimate
    from unnest(${ids}::integer[]) as found (id)
    join pg_class t on t.relnamespace = 'cartulary_data'::regnamespace and t.relname = 'layer_' || found.id
    cross join lateral (select pg_relation_size(t.oid) as bytes) size`;
