import { join, type Sql, sql } from '@cartulary/sql';
import { layerTable } from '../../layers/layers.js';
import type { ObjectTable } from '../sql/sql.js';
import { type Measure, summarySql } from './measures.js';
import type { ColumnQuery } from './request.js';

const nothing = sql`null::json`;

/**
 * Selects the statistics of a column as one JSON value. All parts come from one statement, so that they count the same objects
 * while others write. `where`: a condition over the alias `t`.
 */
export function columnStatement(
  layer: ObjectTable,
  { measure, ...asked }: ColumnQuery,
  { where, isNull }: { where: Sql; isNull: Sql },
): Sql {
  if (!measure)
    return sql`select json_build_object('count', count(*), 'nulls', count(*) filter (where ${isNull})) as found
      from ${layerTable(layer.id)} t where ${where}`;
  const withs = [
    sql`everything as materialized (select ${measure.value} as v from ${layerTable(layer.id)} t where ${where})`,
    sql`counted as (select v from everything where ${measure.counts(sql`v`)})`,
  ];
  const isBinned = asked.histogram !== undefined && measure.ordered;
  if (isBinned) withs.push(sql`edges as materialized (${edges(measure, asked.histogram!, asked.bins)})`);
  const { shown } = measure;
  return sql`with ${join(withs)}
    select json_build_object(
      'count', (select count(*) from everything),
      'nulls', (select count(*) from everything where v is null),
      'summary', (select ${summarySql(measure, sql`v`, asked.percentiles)} from counted),
      'distinct', (select count(*) from (select distinct v from counted limit ${asked.distinct + 1}::bigint) d),
      'edges', ${isBinned ? sql`(select json_agg(${shown(sql`e`)} order by e) from edges, unnest(es) e)` : nothing},
      'bins', ${isBinned ? binCounts : nothing},
      'frequent', ${asked.frequent ? frequent(shown(sql`v`), asked.frequent) : nothing}
    ) as found`;
}

/**
 * The limits of bins as an ordered array without repetitions. Those of equal width are weighted means of the ends, which cannot
 * overflow and are exact at the ends.
 */
function edges({ numeric }: Measure, histogram: 'equal' | 'quantile', bins: number): Sql {
  const parts = sql`generate_series(0, ${bins}::integer) i`;
  const part = sql`i::double precision / ${bins}::double precision`;
  const distinct = (values: Sql): Sql =>
    sql`select coalesce(array_agg(distinct e order by e), '{}') as es from (${values}) limits where e is not null`;
  if (histogram === 'quantile')
    return distinct(
      sql`select unnest(percentile_disc((select array_agg(${part} order by i) from ${parts})) within group (order by v)) as e from counted`,
    );
  const between = numeric
    ? sql`greatest(low, ${share(sql`low`, sql`(1 - ${part})`)} + ${share(sql`high`, part)})`
    : sql`low + (high - low) * (${part})`;
  return distinct(
    sql`select case i when 0 then low when ${bins}::integer then high else ${between} end as e
      from (select min(v) as low, max(v) as high from counted) ends, ${parts}`,
  );
}

/** A share of a value. That of the smallest numbers is no number, which the database refuses: they count as 0. */
const share = (value: Sql, part: Sql): Sql =>
  sql`case when abs(${value}) < 1e-290 then 0 else ${value} * (${part}) end`;

/** Number of values by the number of their bin, from 1. The last bin has its upper limit too. */
const binCounts = sql`(select json_object_agg(bin, n) from (
  select greatest(1, least(width_bucket(v, es), cardinality(es) - 1)) as bin, count(*) as n
  from counted, edges group by 1) binned)`;

const frequent = (value: Sql, limit: number): Sql => sql`(
  select json_agg(json_build_object('value', value, 'count', n) order by n desc, value) from (
    select value, count(*) as n from (select ${value} as value from counted) shown
    group by value order by n desc, value limit ${limit}::bigint) most)`;
