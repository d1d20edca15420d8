import { ident, type Sql, sql } from '@cartulary/sql';
import type { Column } from './column.js';

/*
 * Where the values of a column lie in the layer's table. Columns of a wide layer share array attributes, so that a row
 * fits into a page of 8 KB.
 */

/** The part of a column that determines its place. */
export type Placed = Pick<Column, 'id' | 'code' | 'pack' | 'slot'>;

/** The attribute of the table that holds the values, alone or with those of other columns. */
export const attributeName = ({ id, code, pack }: Placed): string =>
  code === 'svc_id' || code === 'geom' ? code : `c${pack ?? id}`;

/** SQL expression for the stored values, qualified by the alias of the table if one is given. */
export function stored(column: Placed, alias?: Sql): Sql {
  const name = ident(attributeName(column));
  const attribute = alias ? sql`${alias}.${name}` : name;
  return column.pack ? sql`(${attribute}${subscript(column)})` : attribute;
}

/** The place as a target: in the column list of INSERT and on the left side of an assignment. */
export const target = (column: Placed): Sql => sql`${ident(attributeName(column))}${subscript(column)}`;

/** The place as text, such as `c7` or `c3[2]`; also part of the names of indexes. */
export const placeName = (column: Placed): string => `${attributeName(column)}${subscript(column).text[0]!}`;

/** Columns per shared attribute. */
export const packSize = 16;

/** Subscripts as text: definitions (DDL) take no bound values. */
const subscripts: readonly Sql[] = [
  sql``,
  sql`[1]`,
  sql`[2]`,
  sql`[3]`,
  sql`[4]`,
  sql`[5]`,
  sql`[6]`,
  sql`[7]`,
  sql`[8]`,
  sql`[9]`,
  sql`[10]`,
  sql`[11]`,
  sql`[12]`,
  sql`[13]`,
  sql`[14]`,
  sql`[15]`,
  sql`[16]`,
];
const subscript = ({ pack, slot }: Placed): Sql => subscripts[(pack && slot) || 0]!;
