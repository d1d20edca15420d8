import { type Sql, sql } from '../db/sql.js';
import { isNumber } from './class-sql.js';

/** Widths of markers, pixels. */
export interface SizeRange {
  least: number;
  most: number;
}

/** The width whose area is true to a value: as its square root, the greatest value (`high`) with the greatest width. */
export function sizeOf(value: number, high: number | null, { least, most }: SizeRange): number {
  if (high === null || high <= 0) return least;
  return Math.min(most, Math.max(least, most * Math.sqrt(Math.max(0, value) / high)));
}

/** The same in SQL; null for what is no number. */
export function sizeSql(value: Sql, high: number | null, { least, most }: SizeRange): Sql {
  const smallest = sql`${least}::double precision`;
  if (high === null || high <= 0) return sql`case when ${isNumber(value)} then ${smallest} end`;
  const largest = sql`${most}::double precision`;
  return sql`case when ${isNumber(value)} then
    least(${largest}, greatest(${smallest}, ${largest} * sqrt(greatest(${value}, 0) / ${high}::double precision))) end`;
}
