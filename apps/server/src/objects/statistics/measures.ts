import { type Column, isoText, type ValueLanguages, valueSql } from '@cartulary/columns';
import { type Sql, sql } from '@cartulary/sql';
import { isNumber } from '@cartulary/visualizations';
import { comparesAsText, orderedText } from '../query/families.js';
import { textLimit } from './schemas.js';

/** How the values of a column are measured. */
export interface Measure {
  /** The values in the form in which they are compared; texts are cut. */
  value: Sql;
  /** Condition over a compared value: it has a place among the others. */
  counts: (value: Sql) => Sql;
  /** Whether values have a least and a greatest one. */
  ends: boolean;
  /** Whether they have percentiles and bins. */
  ordered: boolean;
  numeric: boolean;
  /** A value in the form of the answer. */
  shown: (value: Sql) => Sql;
}

const always = (value: Sql): Sql => sql`${value} is not null`;
const same = (value: Sql): Sql => value;
/** Texts count by their beginning where they are returned, so that an answer has a bound. */
const beginning = (value: Sql): Sql => sql`left(${value}, ${textLimit}::integer)`;

/** Throws nothing: a column of a type without comparison has no measure. */
export function measureOf(column: Column, reading: ValueLanguages): Measure | undefined {
  const value = valueSql(column, reading);
  switch (column.type) {
    case 'number':
      return {
        value: sql`(${value})::double precision`,
        counts: isNumber,
        ends: true,
        ordered: true,
        numeric: true,
        shown: same,
      };
    case 'datetime':
      return {
        value: sql`(${value})`,
        counts: (one) => sql`isfinite(${one})`,
        ends: true,
        ordered: true,
        numeric: false,
        shown: isoText,
      };
    case 'string':
    case 'text': {
      const text = orderedText(column, value);
      return { value: text, counts: always, ends: true, ordered: false, numeric: false, shown: beginning };
    }
    case 'bool':
      return {
        value: sql`(${value})`,
        counts: always,
        ends: false,
        ordered: false,
        numeric: false,
        shown: same,
      };
    default:
      return undefined;
  }
}

/** The value by which a group is made. */
export const keySql = (column: Pick<Column, 'type'>, { value, shown }: Measure): Sql =>
  comparesAsText(column) ? shown(value) : value;

const of = (list: readonly number[]): Sql => sql`${list.map((one) => one / 100)}::double precision[]`;

/** Percentiles of a compared value as an array, in the form of the answer; null without values. */
function percentilesSql({ numeric, counts }: Measure, value: Sql, percentiles: readonly number[]): Sql {
  const kind = numeric ? sql`percentile_cont` : sql`percentile_disc`;
  const found = sql`${kind}(${of(percentiles)}) within group (order by ${value}) filter (where ${counts(value)})`;
  return numeric
    ? found
    : sql`(select array_agg(${isoText(sql`p.v`)} order by p.place) from unnest(${found}) with ordinality p (v, place))`;
}

/** JSON of min, max, mean, sum and percentiles of a compared value over a group. */
export function summarySql(measure: Measure, value: Sql, percentiles: readonly number[]): Sql {
  const { ends, ordered, numeric, shown, counts } = measure;
  const over = (aggregate: Sql): Sql => sql`${aggregate} filter (where ${counts(value)})`;
  const number = (aggregate: Sql): Sql => (numeric ? over(aggregate) : sql`null::double precision`);
  const end = (aggregate: Sql): Sql => (ends ? shown(over(aggregate)) : sql`null::text`);
  const hasPercentiles = ordered && percentiles.length > 0;
  return sql`json_build_object('count', ${over(sql`count(*)`)},
    'min', ${end(sql`min(${value})`)}, 'max', ${end(sql`max(${value})`)},
    'mean', ${number(sql`avg(${value})`)}, 'sum', ${number(sql`sum(${value})`)},
    'deviation', ${number(sql`stddev_pop(${value})`)},
    'percentiles', ${hasPercentiles ? percentilesSql(measure, value, percentiles) : sql`null::text[]`})`;
}
