import { join, type Sql, sql } from '@cartulary/sql';
import type { DataValue } from '../column.js';

/** Larger numbers count as no data, since the sum of their squares would overflow. */
const maxNumber = sql`1e100::double precision`;

/** SQL condition: the value is a comparable number. PostgreSQL treats NaN as the largest number. */
export const isNumber = (value: Sql): Sql => sql`(${value} > -${maxNumber} and ${value} < ${maxNumber})`;

/** SQL expression for the class of a number, equal to `classOf` (`classes.ts`). 0: not a number. */
export function classByLimits(value: Sql, limits: readonly number[]): Sql {
  if (limits.length < 2) return sql`0`;
  const inner = limits.slice(1, -1).map((limit) => sql`${limit}::double precision`);
  const number = inner.length ? sql`1 + width_bucket(${value}, array[${join(inner)}])` : sql`1`;
  return sql`case when ${isNumber(value)} then ${number} else 0 end`;
}

/** SQL expression for the class of a value: the position of the first equal value, from 1. 0: any other value. */
export function classByValues(value: Sql, values: readonly (DataValue | null)[]): Sql {
  if (!values.length) return sql`0`;
  const cases = values.map((one, i) => {
    const isIt = one === null ? sql`${value} is null` : sql`${value} = ${constant(one)}`;
    return sql`when ${isIt} then ${i + 1}::integer`;
  });
  return sql`case ${join(cases, ' ')} else 0 end`;
}

const constant = (value: DataValue): Sql =>
  typeof value === 'number'
    ? sql`${value}::double precision`
    : typeof value === 'boolean'
      ? sql`${value}::boolean`
      : sql`${value}::text`;
