import { type Sql, sql } from '@cartulary/sql';
import type { ObjectQuery } from '../query/query.js';
import { type FindOptions, hasKeys, idsStatement } from './ids.js';
import { objectJson, sliceTextWhere } from './object-json.js';
import { type ObjectTable, objectColumns } from './sql.js';

/** A list of one slice, unless its objects weigh more than `limitBytes`; the slice has at least one object. */
interface ShortList extends Pick<FindOptions, 'robust' | 'walkLimit' | 'gatherLimit'> {
  limit: number;
  limitBytes: number;
}

/** The first column of `shortListStatement`, as JSON. */
export interface FirstSlice {
  /** Number of objects; one more than the limit where more follow. */
  count: number;
  /** The objects that are not in the slice. */
  rest: [id: number, weight: number][];
  /** The id of the last object of the list. */
  last: number | null;
  keys: (string | null)[] | null;
  /** With `gatherLimit`: how many objects meet the conditions, at most one more than `gatherLimit`. */
  inside: number;
}

/**
 * Finds the objects of a list and writes its first slice in one statement: a `FirstSlice`, and the text of the slice, null for an
 * empty list. Carrying the values along takes two thirds of the time of looking them up by their ids.
 */
export function shortListStatement(
  layer: ObjectTable,
  query: ObjectQuery,
  { limit, limitBytes, ...how }: ShortList,
): Sql {
  const isFirst = sql`t.place <= ${limit}::bigint and (t.place = 1 or t.total <= ${limitBytes}::bigint)`;
  const carried = [...objectColumns(query), ...(how.gatherLimit === undefined ? [] : [sql`inside`])];
  const found = idsStatement(layer, query, { limit: limit + 1, carried, isSliced: false, ...how });
  // The window numbers the rows in the order of the list, and the aggregates read them in this order.
  return sql`
    select ${description({
      count: sql`count(*)`,
      rest: sql`json_agg(json_build_array(t.id, t.weight)) filter (where not (${isFirst}))`,
      last: sql`max(t.id) filter (where t.place = ${limit}::bigint)`,
      keys: hasKeys(query) ? sql`max(t.keys)` : undefined,
      inside: how.gatherLimit === undefined ? undefined : sql`max(t.inside)`,
    })}, ${sliceTextWhere(objectJson(query), isFirst)}
    from (select f.*, row_number() over () as place, sum(f.weight) over (rows unbounded preceding) as total from (${found}) f) t`;
}

/** A `FirstSlice`. */
const description = (
  parts: Record<'count' | 'rest' | 'last', Sql> & Partial<Record<'keys' | 'inside', Sql | undefined>>,
): Sql =>
  sql`json_build_object('count', ${parts.count}, 'rest', coalesce(${parts.rest}, '[]'), 'last', ${parts.last},
    'keys', ${parts.keys ?? sql`null`}, 'inside', coalesce(${parts.inside ?? sql`null`}, 0))`;

/**
 * Finds the objects of a list of several slices, in one row: `ids` and `weights` as texts of arrays in its order, null for none,
 * and `keys` as JSON. Numbering the rows, or writing them as JSON, takes three times as long as finding them.
 */
export const longListStatement = (layer: ObjectTable, query: ObjectQuery, how: FindOptions): Sql =>
  sql`with found as materialized (${idsStatement(layer, query, how)})
    select array_agg(id)::text as ids, array_agg(weight)::text as weights,
      ${hasKeys(query) ? sql`to_json(max(keys))::text` : sql`null::text`} as keys from found`;

/** Parses the row of `longListStatement`. */
export function longListOf([ids, weights, keys]: readonly (Buffer | null)[]): {
  found: { id: number; weight: number }[];
  keys: (string | null)[] | null;
} {
  const allIds = numbersIn(ids);
  const allWeights = numbersIn(weights);
  return {
    found: allIds.map((id, i) => ({ id, weight: allWeights[i]! })),
    keys: keys ? (JSON.parse(keys.toString()) as (string | null)[]) : null,
  };
}

/** The numbers of an array in the text form of PostgreSQL. */
const numbersIn = (text: Buffer | null | undefined): number[] =>
  text ? (JSON.parse(`[${text.toString('latin1', 1, text.length - 1)}]`) as number[]) : [];
