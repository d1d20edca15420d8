import { type Sql, sql } from '../db/sql.js';
import { layerTable } from '../layers/layers.js';
import { type Finding, idsStatement } from './ids.js';
import type { ObjectQuery } from './query.js';
import { objectText, readColumns, type Table } from './sql.js';

/** The first slice of a list: at most so many `rows` and `bytes`, but one object. */
interface Slice extends Pick<Finding, 'robust' | 'walk' | 'gather'> {
  /** Of the list. */
  limit: number;
  rows: number;
  bytes: number;
}

/** What `firstSliceStatement` selects, as JSON. */
export interface FirstSlice {
  /** Of the objects; one more than the limit where more follow. */
  count: number;
  /** Of what is not in the slice. */
  rest: [id: number, weight: number][];
  /** The id of the last object of the list. */
  last: number | null;
  keys: (string | null)[] | null;
  /** Where `gather` was given: how many objects meet the conditions, one more than that at most. */
  inside: number;
}

/** `idsStatement` and `textStatement` of its first slice in one: a `FirstSlice`, and the text, null for an empty list. */
export const firstSliceStatement = (layer: Table, query: ObjectQuery, slice: Slice): Sql =>
  (slice.limit <= slice.rows ? shortListStatement : longListStatement)(layer, query, slice);

/** Of a list that is one slice, unless it is heavy: the values come along with the ids, which takes two thirds of the time of finding them again. */
function shortListStatement(layer: Table, query: ObjectQuery, { limit, bytes, ...how }: Slice): Sql {
  const isFirst = sql`t.place <= ${limit}::bigint and (t.place = 1 or t.total <= ${bytes}::bigint)`;
  const carried = [...readColumns(query), ...(how.gather === undefined ? [] : [sql`inside`])];
  const found = idsStatement(layer, query, { limit: limit + 1, carried, ...how });
  // The numbering keeps the order of the list, in which the aggregates then read it.
  return sql`
    select ${described({
      count: sql`count(*)`,
      rest: sql`json_agg(json_build_array(t.id, t.weight)) filter (where not (${isFirst}))`,
      last: sql`max(t.id) filter (where t.place = ${limit}::bigint)`,
      keys: query.tellsNext ? sql`max(t.keys)` : undefined,
      inside: how.gather === undefined ? undefined : sql`max(t.inside)`,
    })}, string_agg(${objectText(query)}, ',') filter (where ${isFirst})
    from (select f.*, row_number() over () as place, sum(f.weight) over (rows unbounded preceding) as total from (${found}) f) t`;
}

/** A `FirstSlice`. */
const described = (
  parts: Record<'count' | 'rest' | 'last', Sql> & Partial<Record<'keys' | 'inside', Sql | undefined>>,
): Sql =>
  sql`json_build_object('count', ${parts.count}, 'rest', coalesce(${parts.rest}, '[]'), 'last', ${parts.last},
    'keys', ${parts.keys ?? sql`null`}, 'inside', coalesce(${parts.inside ?? sql`null`}, 0))`;

/** Of a list of several slices: as many values as it may have would not stay in memory. */
function longListStatement(
  layer: Table,
  query: ObjectQuery,
  { robust, walk, limit, rows, bytes }: Slice,
): Sql {
  const isFirst = sql`p.place <= ${rows}::bigint and (p.place = 1 or p.total <= ${bytes}::bigint)`;
  return sql`
    with found as materialized (${idsStatement(layer, query, { robust, walk, limit: limit + 1 })}),
      placed as materialized (
        select id, weight, row_number() over () as place, sum(weight) over (rows unbounded preceding) as total from found)
    select ${described({
      count: sql`(select count(*) from placed)`,
      rest: sql`(select json_agg(json_build_array(p.id, p.weight) order by p.place) from placed p where not (${isFirst}))`,
      last: sql`(select p.id from placed p where p.place = ${limit}::bigint)`,
      keys: query.tellsNext ? sql`(select keys from found where keys is not null)` : undefined,
    })}, (select string_agg(${objectText(query)}, ',' order by p.place)
      from placed p join ${layerTable(layer.id)} t on t.svc_id = p.id where ${isFirst})`;
}
