import { badRequest, ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { type Sql, sql } from '@cartulary/sql';
import type { Column } from './column.js';
import { type Placed, stored } from './column-name.js';
import { isoText } from './conversion.js';
import type { ColumnFormat } from './display.js';
import { isLanguage, spelledLanguage } from './languages.js';
import { type ColumnType, columnTypeTable } from './types.js';

/*
 * Values of columns are accepted, stored, read, converted and displayed by the rows of `columnTypeTable`.
 */

type Typed = Pick<Column, 'type' | 'localized_value'>;

/** The SQL type of a value, of one language where the column is localized. */
export const scalarType = Object.fromEntries(
  Object.entries(columnTypeTable).map(([type, row]) => [type, row.sqlType]),
) as Readonly<Record<ColumnType, Sql>>;

/** The SQL type of a column: jsonb (language → value) where it is localized. Not for `title` columns, which have no storage. */
export const sqlType = (column: Typed): Sql =>
  column.localized_value ? sql`jsonb` : scalarType[column.type];

/** The error for a value that the column's type refuses. */
export const valueInvalid = (code: string, reason: string): ServiceError =>
  new ServiceError('value_invalid', noteOf('ofColumn', { column: code, reason }), { columns: [code] });

/**
 * Returns one value, of one language, in the form in which it is stored: number, string (ISO 8601 in UTC for a datetime),
 * boolean, any JSON, or null. Throws `value_invalid` with the type's expectation as the message; the caller adds the
 * column.
 */
export function acceptScalar(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const { accept, expected } = columnTypeTable[type];
  const accepted = accept?.(value);
  if (accepted === undefined) throw new ServiceError('value_invalid', expected ?? noteOf('takesNothing'));
  return accepted;
}

/** `acceptScalar` with the column's code in the error. */
function acceptFor(column: Pick<Column, 'type' | 'code'>, value: unknown): unknown {
  try {
    return acceptScalar(column.type, value);
  } catch (error) {
    throw error instanceof ServiceError ? valueInvalid(column.code, error.message) : error;
  }
}

/** A value as it is bound to a statement. */
export type AcceptedValue = number | string | boolean | null;

/** Returns one value, of one language, in the form in which it is bound: JSON as text. Throws `value_invalid` naming the column. */
export function acceptValue(column: Pick<Column, 'type' | 'code'>, value: unknown): AcceptedValue {
  const accepted = acceptFor(column, value);
  const isJson = accepted !== null && columnTypeTable[column.type].isJson;
  return (isJson ? JSON.stringify(accepted) : accepted) as AcceptedValue;
}

/** The languages of a value that is written. */
export interface WrittenLanguages {
  /** That of a plain value. */
  readonly language: string;
  /** Those of the project, as it spells them. */
  readonly languages: readonly string[];
}

/**
 * Returns the value to bind for a whole column of the SQL type `sqlType`. For a localized column it is the JSON text of
 * language → value: `value` belongs to `language`, or is an object language → value. A json column takes no such object,
 * since it would be ambiguous. A null member removes the language (`mergeLocalized`).
 */
export function acceptColumn(
  column: Column,
  value: unknown,
  { language, languages }: WrittenLanguages,
): AcceptedValue {
  if (!column.localized_value) return acceptValue(column, value);
  const isByLanguage =
    !columnTypeTable[column.type].isJson &&
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value);
  const values = isByLanguage ? (value as Record<string, unknown>) : { [language]: value };
  const accepted = Object.entries(values).map(([code, one]): [string, unknown] => {
    if (!isLanguage(code)) {
      throw valueInvalid(column.code, noteOf('takesLanguages'));
    }
    return [spelledLanguage(code, languages), acceptFor(column, one)];
  });
  return JSON.stringify(Object.fromEntries(accepted));
}

/** Merges `change` into the stored language → value `before`, which may be null. Null when no language has a value. */
export const mergeLocalized = (before: Sql, change: Sql): Sql =>
  sql`(select jsonb_object_agg(e.key, e.value) from jsonb_each(coalesce(${before}, '{}'::jsonb) || ${change}::jsonb) e
    where jsonb_typeof(e.value) <> 'null')`;

/** SQL condition: the value does not satisfy `required`. A text needs a character other than a space in some language. */
export function isUnfilled(column: Typed, value: Sql): Sql {
  if (!columnTypeTable[column.type].isBlankEmpty) return sql`(${value}) is null`;
  return column.localized_value
    ? sql`not exists (select from jsonb_each_text(${value}) of_language where of_language.value ~ '\\S')`
    : sql`coalesce(${value}, '') !~ '\\S'`;
}

/** The languages in which a value is read: `lng`, then `main`, then any. */
export interface ValueLanguages {
  /** The alias of the layer's table. */
  alias: Sql;
  lng?: string | undefined;
  main: string;
}

/** SQL expression for a column's value in the first of the languages, of the column's scalar SQL type. */
export function valueSql(
  column: Placed & Pick<Column, 'type' | 'localized_value'>,
  { alias, lng, main }: ValueLanguages,
): Sql {
  const value = stored(column, alias);
  return column.localized_value ? localizedValue(value, column.type, [lng ?? main, main]) : value;
}

/** SQL expression for a value as answers have it: a datetime as text. */
export const answeredValue = (type: ColumnType, value: Sql): Sql =>
  type === 'datetime' ? isoText(value) : value;

/** SQL expression for a localized value in the first of the languages that has one, else in any language. */
function localizedValue(stored: Sql, type: ColumnType, languages: readonly string[]): Sql {
  const { isJson } = columnTypeTable[type];
  const choices = [...new Set(languages)].map((language) =>
    isJson ? sql`${stored} -> ${language}::text` : sql`${stored} ->> ${language}::text`,
  );
  const any = isJson
    ? sql`jsonb_path_query_first(${stored}, '$.*')`
    : sql`jsonb_path_query_first(${stored}, '$.*') #>> '{}'`;
  const all = [...choices, any].reduce((before, choice) => sql`${before}, ${choice}`);
  return sql`coalesce(${all})::${scalarType[type]}`;
}

/**
 * SQL expression that converts one value from type `from` to type `to`. `source` has the SQL type of `from` and no
 * subquery. A value that does not convert becomes null; the expression never raises an error.
 */
export function conversion(source: Sql, from: ColumnType, to: ColumnType): Sql {
  const convert = columnTypeTable[from].convertTo?.[to];
  return convert ? sql`(${convert(source)})::${scalarType[to]}` : sql`null::${scalarType[to]}`;
}

/**
 * SQL expression for the type change of a whole column: `source` has the SQL type of `before`, the result that of
 * `after`. A plain value becomes the value of the main language, and the reverse. There is no subquery unless both sides
 * are localized (`convertLocalized`).
 */
export function columnConversion(source: Sql, before: Typed, after: Typed, main: string): Sql {
  if (before.localized_value && after.localized_value) {
    return before.type === after.type ? source : convertLocalized(source, before.type, after.type);
  }
  const plain = before.localized_value ? localizedValue(source, before.type, [main]) : source;
  const converted = conversion(plain, before.type, after.type);
  return after.localized_value
    ? sql`case when ${converted} is not null then jsonb_build_object(${main}::text, ${jsonOf(converted, after.type)}) end`
    : converted;
}

/** SQL expression for the number of values of a row in a column: 0 or 1, or the number of languages. */
export const countValues = (value: Sql, { type, localized_value }: Typed): Sql =>
  localized_value && type !== 'title'
    ? sql`(select count(*) from jsonb_object_keys(${value}))`
    : sql`case when ${value} is null then 0 else 1 end`;

/** Converts language → value for each language. Not for ALTER … USING, which refuses subqueries. */
const convertLocalized = (source: Sql, from: ColumnType, to: ColumnType): Sql => {
  const value = columnTypeTable[from].isJson ? sql`e.value` : sql`((e.value #>> '{}')::${scalarType[from]})`;
  const converted = conversion(value, from, to);
  return sql`(select jsonb_object_agg(e.key, ${jsonOf(converted, to)}) filter (where ${converted} is not null)
    from jsonb_each(${source}) e)`;
};

/** SQL expression for a value as a member of a localized column. */
const jsonOf = (value: Sql, type: ColumnType): Sql =>
  columnTypeTable[type].toJson?.(value) ?? sql`to_jsonb(${value})`;

/** Returns a column's `format` if its keys are right for the type; unknown keys are kept. Throws 400 naming the key. */
export function checkFormat(type: ColumnType, format: unknown): ColumnFormat | null {
  if (format === null || format === undefined) return null;
  if (typeof format !== 'object' || Array.isArray(format))
    throw badRequest('format must be an object', { format });
  for (const [key, isRight] of Object.entries(columnTypeTable[type].formatKeys ?? {})) {
    const value = (format as ColumnFormat)[key];
    if (value !== undefined && value !== null && !isRight(value)) {
      throw badRequest(`format.${key} is not right for a column of type ${type}`, {
        format: { [key]: value },
      });
    }
  }
  return format as ColumnFormat;
}

/**
 * The display value (`f=fjson`) of a value as JSON has it, by the column's `format`, in the language `lng`. A value
 * stays the same if it is null, if the column has no format, or if its type has none.
 */
export function displayValue(
  { format, type }: Pick<Column, 'type' | 'format'>,
  value: unknown,
  lng: string,
): unknown {
  if (!format || value === null || value === undefined) return value;
  const { show } = columnTypeTable[type];
  return show ? show(value, format, lng) : value;
}
