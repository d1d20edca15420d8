import { empty, join, type Sql, sql } from '../db/sql.js';
import type { Column } from '../layers/layers.js';
import { valueSql } from '../layers/types.js';
import { inOrder, isText } from './comparisons.js';
import type { Languages, Sort } from './query.js';

/** A list's order as SQL over a table: the values of its columns, then the id, so that no two objects have the same place. */
export interface Order {
  /** Those of `sort` that count: behind the id, which no two objects share, nothing does. */
  keys: readonly { column: Column; value: Sql; descending: boolean }[];
  id: { value: Sql; descending: boolean };
}

export const isId = ({ code }: Pick<Column, 'code'>): boolean => code === 'svc_id';

/** A column's value over a table, as lists are put in order by it. */
export const valueInOrder = (column: Column, table: Sql, { lng, main }: Languages): Sql =>
  inOrder(column, valueSql(column, { alias: table, lng, main }));

export function orderOf(sort: readonly Sort[], table: Sql, languages: Languages): Order {
  const at = sort.findIndex(({ column }) => isId(column));
  return {
    keys: sort.slice(0, at < 0 ? undefined : at).map(({ column, descending }) => ({
      column,
      descending,
      value: valueInOrder(column, table, languages),
    })),
    id: { value: sql`${table}.svc_id`, descending: sort[at]?.descending ?? false },
  };
}

/** `order by` without these words, and the columns of the order's index: no value comes last, whatever the direction. */
export const orderBy = ({ keys, id }: Order): Sql =>
  join([
    ...keys.map(({ value, descending }) => sql`(${value})${descending ? sql` desc` : empty} nulls last`),
    sql`(${id.value})${id.descending ? sql` desc` : empty}`,
  ]);

/** The same order in words that the planner knows no index of. */
export const apart = ({ keys, id }: Order): Order => ({
  keys: keys.map((key) => ({ ...key, value: same(key.value) })),
  id: { ...id, value: same(id.value) },
});

const same = (value: Sql): Sql => sql`coalesce(${value}, ${value})`;

/** The same over a subquery that gives the values under other names. */
export const renamed = (order: Order, table: Sql, names: readonly Sql[]): Order => ({
  keys: order.keys.map((key, i) => ({ ...key, value: sql`${table}.${names[i]!}` })),
  id: { ...order.id, value: sql`${table}.svc_id` },
});

/**
 * Conditions that part a table: the objects in the index of the order, and those in the index beside it, whose texts are too long
 * for it; one that holds for all where the order has no texts. PostgreSQL refuses a row of more than 2,704 bytes in an index, and so would
 * the write of such an object. The upper end, which no text reaches, lets the planner take the long ones
 * for few.
 */
export function partsOf({ keys }: Order): [short: Sql, long: Sql] | [all: Sql] {
  const texts = keys.filter(({ column }) => isText(column));
  if (!texts.length) return [sql`true`];
  const bytes = join(
    texts.map(({ value }) => sql`coalesce(octet_length(${value}), 0)`),
    ' + ',
  );
  const isLong = sql`${bytes} > 2000 and ${bytes} < 2000000000`;
  return [sql`(${isLong}) is not true`, isLong];
}
