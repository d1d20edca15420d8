import { join, type Sql, sql } from '../db/sql.js';
import type { Value } from './kind.js';

/** Numbers beyond it are taken for no data: their squares could not be summed. */
const greatest = sql`1e100::double precision`;

/** Whether a number is one that can be compared: PostgreSQL holds NaN for the greatest of all. */
export const isNumber = (value: Sql): Sql => sql`(${value} > -${greatest} and ${value} < ${greatest})`;

/** The class of a number by its limits, as `classOf` (classes.ts) says it: 0 for what is none. */
export function classByLimits(value: Sql, limits: readonly number[]): Sql {
  if (limits.length < 2) return sql`0`;
  const inner = limits.slice(1, -1).map((limit) => sql`${limit}::double precision`);
  const number = inner.length ? sql`1 + width_bucket(${value}, array[${join(inner)}])` : sql`1`;
  return sql`case when ${isNumber(value)} then ${number} else 0 end`;
}

/** The class of a value: the place of the first that is equal, from 1; 0 for any other. */
export function classByValues(value: Sql, values: readonly (Value | null)[]): Sql {
  if (!values.length) return sql`0`;
  const cases = values.map((one, i) => {
    const isIt = one === null ? sql`${value} is null` : sql`${value} = ${constant(one)}`;
    return sql`when ${isIt} then ${i + 1}::integer`;
  });
  return sql`case ${join(cases, ' ')} else 0 end`;
}

const constant = (value: Value): Sql =>
  typeof value === 'number'
    ? sql`${value}::double precision`
    : typeof value === 'boolean'
      ? sql`${value}::boolean`
      : sql`${value}::text`;
