import { ident, join, type Sql, sql } from '@cartulary/sql';
import { layerTable } from '../../layers/layers.js';
import type { ObjectTable } from '../sql/sql.js';
import { keySql, summarySql } from './measures.js';
import type { GroupQuery } from './request.js';

/** Selects `count`, `by` and `of` (JSON arrays in the order of the query's columns) of each group, one group more than the limit. */
export function groupStatement(layer: ObjectTable, query: GroupQuery, where: Sql): Sql {
  const { by, of, percentiles, sort, limit } = query;
  const key = (i: number): Sql => ident(`k${i}`);
  const value = (i: number): Sql => ident(`v${i}`);
  const selected = [
    ...by.map(({ column, measure }, i) => sql`${keySql(column, measure)} as ${key(i)}`),
    ...of.map(({ measure }, i) => sql`${measure.value} as ${value(i)}`),
  ];
  const keys = by.map((_, i) => key(i));
  const order = [
    ...(sort === 'count' ? [sql`count(*) desc`] : []),
    ...keys.map((name) => sql`${name} nulls last`),
  ];
  const shown = by.map(({ measure }, i) => measure.shown(key(i)));
  const summaries = of.map(({ measure }, i) => summarySql(measure, value(i), percentiles));
  // Without columns to group by, no objects give no group.
  const grouped = keys.length ? sql`group by ${join(keys)}` : sql`having count(*) > 0`;
  return sql`select count(*) as count, json_build_array(${join(shown)}) as by, json_build_array(${join(summaries)}) as of
    from (select ${join([sql`1 as one`, ...selected])} from ${layerTable(layer.id)} t where ${where}) o
    ${grouped} ${order.length ? sql`order by ${join(order)}` : sql``} limit ${limit + 1}::bigint`;
}
