import { type Sql, sql } from '../../db/sql.js';
import type { Column } from '../layers.js';
import { isoText, type Reading, valueSql } from '../types.js';

/** A value in a type that Mapnik knows: number, boolean or text. The cast is written out, so that equal texts read equal types. */
export function drawnValue(
  column: Pick<Column, 'id' | 'code' | 'type' | 'localized_value'>,
  reading: Reading,
): Sql {
  const value = valueSql(column, reading);
  if (column.type === 'number') return sql`(${value})::double precision`;
  if (column.type === 'bool') return sql`(${value})::boolean`;
  if (column.type === 'datetime') return isoText(sql`(${value})`);
  return sql`(${value})::text`;
}

/**
 * The values of columns by their ids, in the main language: a class must not depend on the language in which a map is
 * read. A column that is not there any more is null.
 */
export function readById(
  columns: readonly Pick<Column, 'id' | 'code' | 'type' | 'localized_value'>[],
  reading: Omit<Reading, 'lng'>,
): (id: number) => Sql {
  return (id) => {
    const column = columns.find((one) => one.id === id);
    return column ? drawnValue(column, { ...reading, lng: reading.main }) : sql`null::double precision`;
  };
}
