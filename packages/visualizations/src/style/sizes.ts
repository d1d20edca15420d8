import { type Sql, sql } from '@cartulary/sql';
import { isNumber } from '../classes/class-sql.js';

/** Minimum and maximum width of markers. */
export interface SizeRange {
  minPx: number;
  maxPx: number;
}

/** The width in pixels whose area is proportional to a value. The maximum `high` has the maximum width. */
export function sizeOf(value: number, high: number | null, { minPx: least, maxPx: most }: SizeRange): number {
  if (high === null || high <= 0) return least;
  return Math.min(most, Math.max(least, most * Math.sqrt(Math.max(0, value) / high)));
}

/** SQL expression for `sizeOf`. SQL null if the value is not a number. */
export function sizeSql(value: Sql, high: number | null, { minPx: least, maxPx: most }: SizeRange): Sql {
  const smallest = sql`${least}::double precision`;
  if (high === null || high <= 0) return sql`case when ${isNumber(value)} then ${smallest} end`;
  const largest = sql`${most}::double precision`;
  return sql`case when ${isNumber(value)} then
    least(${largest}, greatest(${smallest}, ${largest} * sqrt(greatest(${value}, 0) / ${high}::double precision))) end`;
}
