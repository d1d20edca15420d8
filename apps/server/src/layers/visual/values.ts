import { type Column, isoText, type ValueLanguages, valueSql } from '@cartulary/columns';
import { type Sql, sql } from '@cartulary/sql';

/** A value in a type that Mapnik knows: number, boolean or text. The explicit cast gives equal texts for equal types. */
export function drawnValue(
  column: Pick<Column, 'id' | 'code' | 'type' | 'localized_value' | 'pack' | 'slot'>,
  reading: ValueLanguages,
): Sql {
  const value = valueSql(column, reading);
  if (column.type === 'number') return sql`(${value})::double precision`;
  if (column.type === 'bool') return sql`(${value})::boolean`;
  if (column.type === 'datetime') return isoText(sql`(${value})`);
  return sql`(${value})::text`;
}

/**
 * The values of columns by their ids, in the main language: a class must not depend on the language of a request. A deleted
 * column gives null.
 */
export function readById(
  columns: readonly Pick<Column, 'id' | 'code' | 'type' | 'localized_value' | 'pack' | 'slot'>[],
  reading: Omit<ValueLanguages, 'lng'>,
): (id: number) => Sql {
  return (id) => {
    const column = columns.find((one) => one.id === id);
    return column ? drawnValue(column, { ...reading, lng: reading.main }) : sql`null::double precision`;
  };
}
