import { type Column, type Languages, valueSql } from '@cartulary/columns';
import { empty, join, type Sql, sql } from '@cartulary/sql';
import { comparesAsText, orderedText } from './families.js';

/** A column that a list is sorted by. */
export interface Sort {
  column: Column;
  descending: boolean;
}

/** The order of a list as SQL over a table: the sort values, then the id, so that no two objects have the same place. */
export interface ListOrder {
  /** The sort columns before the id. Columns behind it are ignored, because ids are unique. */
  keys: readonly { column: Column; value: Sql; descending: boolean }[];
  id: { value: Sql; descending: boolean };
}

export const isId = ({ code }: Pick<Column, 'code'>): boolean => code === 'svc_id';

/** A column's value over a table in the form that lists are sorted by. */
export const valueInOrder = (column: Column, table: Sql, { lng, main }: Languages): Sql =>
  orderedText(column, valueSql(column, { alias: table, lng, main }));

export function orderOf(sort: readonly Sort[], table: Sql, languages: Languages): ListOrder {
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

/** The columns of `order by` and of the order's index. Null comes last in both directions. */
export const orderBy = ({ keys, id }: ListOrder): Sql =>
  join([
    ...keys.map(({ value, descending }) => sql`(${value})${descending ? sql` desc` : empty} nulls last`),
    sql`(${id.value})${id.descending ? sql` desc` : empty}`,
  ]);

/** The same order in a form that matches no index, so that the planner sorts. */
export const withoutIndex = ({ keys, id }: ListOrder): ListOrder => ({
  keys: keys.map((key) => ({ ...key, value: same(key.value) })),
  id: { ...id, value: same(id.value) },
});

const same = (value: Sql): Sql => sql`coalesce(${value}, ${value})`;

/** The same order over a subquery that has the values under other names. */
export const renamed = (order: ListOrder, table: Sql, names: readonly Sql[]): ListOrder => ({
  keys: order.keys.map((key, i) => ({ ...key, value: sql`${table}.${names[i]!}` })),
  id: { ...order.id, value: sql`${table}.svc_id` },
});

/**
 * Conditions that divide a table into the objects of the order's index and those of a second index, whose texts are too long
 * for the first. An order without texts has one part with all objects. PostgreSQL refuses an index row of more than 2,704
 * bytes, and would refuse to write such an object. The upper bound, which no text reaches, makes the planner expect few long
 * texts.
 */
export function orderParts({ keys }: ListOrder): [short: Sql, long: Sql] | [all: Sql] {
  const texts = keys.filter(({ column }) => comparesAsText(column));
  if (!texts.length) return [sql`true`];
  const bytes = join(
    texts.map(({ value }) => sql`coalesce(octet_length(${value}), 0)`),
    ' + ',
  );
  const isLong = sql`${bytes} > 2000 and ${bytes} < 2000000000`;
  return [sql`(${isLong}) is not true`, isLong];
}
