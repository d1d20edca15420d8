import { ident, type Sql, sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import { columnName } from './column-name.js';
import {
  conversion,
  datetimePattern,
  earliestMs,
  isoText,
  latestMs,
  numberPattern,
  scalarType,
  zonePattern,
} from './conversion.js';
import type { Column, ColumnType } from './layers.js';

export { conversion, datetimePattern, isoText, zonePattern } from './conversion.js';
export { checkFormat, displayValue, intlLocales } from './display.js';

type Stored = Pick<Column, 'type' | 'localized_value'>;

/** Most characters of a value of a `string` column. */
export const stringLimit = 4_000;

/** The SQL type of a column; jsonb (language → value) where its values are localized. `title` columns have no storage: do not ask. */
export const sqlType = (column: Stored): Sql =>
  column.localized_value ? sql`jsonb` : scalarType[column.type];

/** A value (one language's) that the column's type refuses. */
export const valueInvalid = (code: string, why: string): ServiceError =>
  new ServiceError('value_invalid', `The column '${code}' ${why}`, { columns: [code] });

/**
 * A value (one language's) in the form in which it is kept: number, string (ISO 8601 UTC for datetime), boolean, JSON
 * as it is, or null. Throws `value_invalid`; the message says what the type takes, the caller adds the column.
 */
export function accept(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const accepted = acceptors[type]?.(value);
  if (accepted === undefined)
    throw new ServiceError('value_invalid', expected[type] ?? 'takes no value here');
  return accepted;
}

/** `accept`, with the column's code in the error. */
function acceptFor(column: Pick<Column, 'type' | 'code'>, value: unknown): unknown {
  try {
    return accept(column.type, value);
  } catch (error) {
    throw error instanceof ServiceError ? valueInvalid(column.code, error.message) : error;
  }
}

/** A value (one language's) in the form in which it is bound: JSON as text. Throws `value_invalid` naming the column. */
export function acceptValue(column: Pick<Column, 'type' | 'code'>, value: unknown): AcceptedValue {
  const accepted = acceptFor(column, value);
  return (accepted !== null && column.type === 'json' ? JSON.stringify(accepted) : accepted) as AcceptedValue;
}

export type AcceptedValue = number | string | boolean | null;

const expected: Partial<Record<ColumnType, string>> = {
  number: 'takes a number below 2^53',
  string: `takes a text of at most ${stringLimit} characters without NUL`,
  text: 'takes a text without NUL',
  datetime: 'takes ISO 8601 (2024-05-01T12:00:00Z) or milliseconds since 1970',
  bool: 'takes true or false',
  json: 'takes JSON without NUL, of at most 100,000 values and 200 deep',
  file: 'takes the ids of files of this object, separated by commas',
};

/** undefined: refused. */
const acceptors: Partial<Record<ColumnType, (value: unknown) => unknown>> = {
  number: acceptNumber,
  string: (value) => {
    const text = acceptText(value);
    return text !== undefined && isAtMost(text, stringLimit) ? text : undefined;
  },
  text: acceptText,
  datetime: acceptDatetime,
  bool: (value) =>
    bools.get(typeof value === 'string' && value.length < 50 ? trimmed(value).toLowerCase() : value),
  json: acceptJson,
  file: acceptFiles,
};

/** Without the blanks that the patterns take for space: fewer than those of `trim`. */
const trimmed = (text: string): string => text.replace(/^[ \t\r\n\f\v]+|[ \t\r\n\f\v]+$/g, '');

const bools = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [1, true],
  ['1', true],
  [false, false],
  ['false', false],
  [0, false],
  ['0', false],
]);

/** Ids of files with commas, each once; whether they are those of this object is judged where it is written. */
function acceptFiles(value: unknown): string | null | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.trim() === '') return null;
  const ids = value.split(',').map((part) => trimmed(part));
  const isList = ids.every((id) => /^[1-9][0-9]{0,9}$/.test(id)) && new Set(ids).size === ids.length;
  return isList ? ids.join(',') : undefined;
}

const numberForm = new RegExp(numberPattern);
const datetimeForm = new RegExp(datetimePattern);
const zoneForm = new RegExp(zonePattern);

function acceptNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && numberForm.test(value) ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

/** A string that the database can hold: no NUL, no half of a surrogate pair. */
function acceptText(value: unknown): string | undefined {
  return typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value) ? value : undefined;
}

/** Characters are code points, as the database counts them. */
const isAtMost = (text: string, limit: number): boolean =>
  text.length <= limit || (text.length <= 2 * limit && [...text].length <= limit);

function acceptDatetime(value: unknown): string | undefined {
  const ms = typeof value === 'string' ? parseDatetime(value) : value;
  if (typeof ms !== 'number' || !(ms >= earliestMs && ms <= latestMs)) return undefined;
  return new Date(ms).toISOString();
}

/** Milliseconds since 1970 of an ISO 8601 text, UTC where it names no zone; undefined when it is none. */
function parseDatetime(text: string): number | undefined {
  if (!datetimeForm.test(text)) return undefined;
  const [, date, clock, offset] = /^(\S{10})[Tt ]?([\d:.,]*) ?(.*)$/.exec(trimmed(text))!;
  const zone = /^[+-]/.test(offset!)
    ? `${offset!.slice(0, 3)}:${offset!.slice(3).replace(':', '') || '00'}`
    : 'Z';
  return Date.parse(`${date}T${(clock || '00:00').replace(',', '.')}${zoneForm.test(text) ? zone : 'Z'}`);
}

function acceptJson(value: unknown): unknown {
  if (isTooMuch(value)) return undefined;
  const text = JSON.stringify(value);
  // An escaped NUL or half of a surrogate pair, which jsonb does not take.
  return text === undefined || /(?<!\\)(\\\\)*\\u(0000|d[89a-f])/i.test(text) ? undefined : value;
}

/** Deeper JSON is refused, since those who read it recurse, and larger, since it is written as text at once. */
const depthLimit = 200;
const sizeLimit = 100_000;

function isTooMuch(value: unknown): boolean {
  let level: unknown[] = [value];
  let size = 1;
  for (let depth = 0; level.length; depth++) {
    if (depth > depthLimit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      const parts = Object.values(item);
      size += parts.length;
      if (size > sizeLimit) return true;
      for (const part of parts) if (typeof part === 'object' && part !== null) next.push(part);
    }
    level = next;
  }
  return false;
}

/**
 * What to bind for a whole column (its SQL type is `sqlType`). For a localized column the JSON text of language →
 * value: `value` is the value of `language`, or (except for json columns, where it would be ambiguous) an object
 * language → value. null members mean: this language has no value; `mergeLocalized` applies them.
 */
export function acceptColumn(column: Column, value: unknown, language: string): AcceptedValue {
  if (!column.localized_value) return acceptValue(column, value);
  const values =
    column.type !== 'json' && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : { [language]: value };
  const accepted = Object.entries(values).map(([code, one]): [string, unknown] => {
    if (!/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(code)) {
      throw valueInvalid(column.code, 'takes values by language code');
    }
    return [code, acceptFor(column, one)];
  });
  return JSON.stringify(Object.fromEntries(accepted));
}

/** The stored language → value `before` (may be null) with those of `change` put in; null when no language has a value. */
export const mergeLocalized = (before: Sql, change: Sql): Sql =>
  sql`(select jsonb_object_agg(e.key, e.value) from jsonb_each(coalesce(${before}, '{}'::jsonb) || ${change}::jsonb) e
    where jsonb_typeof(e.value) <> 'null')`;

/** Whether a column's value fills none that is required: a text of blanks alone is no more than none, in whatever languages. */
export function isUnfilled(column: Stored, value: Sql): Sql {
  if (!/^(string|text)$/.test(column.type)) return sql`(${value}) is null`;
  return column.localized_value
    ? sql`not exists (select from jsonb_each_text(${value}) of_language where of_language.value ~ '\\S')`
    : sql`coalesce(${value}, '') !~ '\\S'`;
}

/** In which languages a value is read: the asked one, the main one, then any. */
export interface Reading {
  /** The alias of the layer's table. */
  alias: Sql;
  lng?: string | undefined;
  main: string;
}

/** A scalar expression for a column's value in the language of the reading, of the column's scalar SQL type. */
export function valueSql(
  column: Pick<Column, 'id' | 'code' | 'type' | 'localized_value'>,
  { alias, lng, main }: Reading,
): Sql {
  const stored = sql`${alias}.${ident(columnName(column))}`;
  return column.localized_value ? localizedValue(stored, column.type, [lng ?? main, main]) : stored;
}

/** A scalar expression for the value of a localized column in the first of the languages that has one, else in any. */
export function localizedValue(stored: Sql, type: ColumnType, languages: readonly string[]): Sql {
  const isJson = type === 'json';
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
 * The type change of a whole column (an expression without subquery over `source`, of the SQL type of `before`), that
 * gives the SQL type of `after`: `conversion` where values are plain or become so; a plain value becomes that of the
 * main language. Localized on both sides needs a subquery, so it is left to `convertLocalized`.
 */
export function columnConversion(source: Sql, before: Stored, after: Stored, main: string): Sql {
  if (before.localized_value && after.localized_value) {
    return before.type === after.type ? source : convertLocalized(source, before.type, after.type);
  }
  const plain = before.localized_value ? localizedValue(source, before.type, [main]) : source;
  const converted = conversion(plain, before.type, after.type);
  return after.localized_value
    ? sql`case when ${converted} is not null then jsonb_build_object(${main}::text, ${jsonOf(converted, after.type)}) end`
    : converted;
}

/** How many values one row holds in a column: 0 or 1, or the number of languages. */
export const countValues = (value: Sql, { type, localized_value }: Stored): Sql =>
  localized_value && type !== 'title'
    ? sql`(select count(*) from jsonb_object_keys(${value}))`
    : sql`case when ${value} is null then 0 else 1 end`;

/** Language → value converted language by language; not for ALTER … USING, which takes no subquery. */
const convertLocalized = (source: Sql, from: ColumnType, to: ColumnType): Sql => {
  const value = from === 'json' ? sql`e.value` : sql`((e.value #>> '{}')::${scalarType[from]})`;
  const converted = conversion(value, from, to);
  return sql`(select jsonb_object_agg(e.key, ${jsonOf(converted, to)}) filter (where ${converted} is not null)
    from jsonb_each(${source}) e)`;
};

/** A value as it stands within a localized column. */
const jsonOf = (value: Sql, type: ColumnType): Sql =>
  type === 'datetime' ? sql`to_jsonb(${isoText(value)})` : sql`to_jsonb(${value})`;

/** A value read by `valueSql` as JSON has it: datetime ISO 8601 in UTC, all else as it is. */
export function returnValue(column: Pick<Column, 'type'>, raw: unknown): unknown {
  if (raw === null || raw === undefined) return null;
  if (column.type === 'datetime') return new Date(raw as Date | string).toISOString();
  if (column.type === 'number') return Number(raw);
  return raw;
}
