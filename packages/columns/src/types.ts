import { noteOf } from '@cartulary/errors/notes';
import { type Sql, sql } from '@cartulary/sql';
import {
  acceptBool,
  acceptDatetime,
  acceptFiles,
  acceptJson,
  acceptNumber,
  acceptString,
  acceptText,
  stringLimit,
} from './accept.js';
import {
  isoText,
  jsonText,
  jsonToNumber,
  numberToDatetime,
  shortText,
  textToBool,
  textToDatetime,
  textToNumber,
} from './conversion.js';
import {
  type ColumnFormat,
  displayDatetime,
  displayNumber,
  isDecimals,
  isFormatText,
  isZone,
  textOf,
} from './display.js';

export type ColumnType =
  | 'number'
  | 'string'
  | 'text'
  | 'datetime'
  | 'bool'
  | 'file'
  | 'title'
  | 'json'
  | 'geom';

type Convert = (source: Sql) => Sql;

/** A column type. All functions are pure and take one value, of one language where the column is localized. */
export interface ColumnTypeRow {
  /** The SQL type of a value. */
  readonly sqlType: Sql;
  /** Returns the value in the form in which it is stored, undefined for a refused value. Absent: the type has no values. */
  readonly accept?: (value: unknown) => unknown;
  /** Completes an error message: "The column 'x' takes …". */
  readonly expected?: string;
  /** Conversions to other types. A value becomes null where none is listed. */
  readonly convertTo?: Partial<Record<ColumnType, Convert>>;
  /** The value as jsonb, within a localized column. Absent: `to_jsonb`. */
  readonly toJson?: Convert;
  /** The keys of `format` and the values that they take. */
  readonly formatKeys?: Readonly<Record<string, (value: unknown) => boolean>>;
  /** The display value of a returned value, by the column's `format`. Absent: the same. */
  readonly show?: (value: unknown, format: ColumnFormat, lng: string) => unknown;
  /** A value is one number, text, moment or truth: it can be compared, ruled, counted and show its object. */
  readonly isScalar?: true;
  /** The value itself is jsonb. */
  readonly isJson?: true;
  /** A text of spaces alone does not satisfy `required`. */
  readonly isBlankEmpty?: true;
  /** Only the service creates columns of this type. */
  readonly isSystem?: true;
}

const same: Convert = (source) => source;
const asText: Convert = (source) => sql`${source}::text`;
const textAsJson: Convert = (source) => sql`to_jsonb(${source}::text)`;
const asJson: Convert = (source) => sql`to_jsonb(${source})`;

const fromText: ColumnTypeRow['convertTo'] = {
  number: textToNumber,
  string: shortText,
  text: same,
  datetime: textToDatetime,
  bool: textToBool,
  json: textAsJson,
};

const textFormat = {
  formatKeys: { template: isFormatText },
  show: (value: unknown, format: ColumnFormat): unknown =>
    textOf(format.template)?.replaceAll('{value}', () => String(value)) ?? value,
};

/** The one table of column types, in the order in which messages list them. */
const rows = {
  number: {
    sqlType: sql`double precision`,
    accept: acceptNumber,
    expected: noteOf('takesNumber'),
    convertTo: {
      number: same,
      string: asText,
      text: asText,
      datetime: numberToDatetime,
      bool: (source) => sql`case ${source} when 1 then true when 0 then false end`,
      json: asJson,
    },
    formatKeys: {
      decimals: isDecimals,
      thousands: isFormatText,
      decimal: isFormatText,
      prefix: isFormatText,
      suffix: isFormatText,
    },
    show: (value, format, lng) => displayNumber(value as number, format, lng),
    isScalar: true,
  },
  string: {
    sqlType: sql`text`,
    accept: acceptString,
    expected: noteOf('takesString', { count: stringLimit }),
    convertTo: { ...fromText, string: same },
    ...textFormat,
    isScalar: true,
    isBlankEmpty: true,
  },
  text: {
    sqlType: sql`text`,
    accept: acceptText,
    expected: noteOf('takesText'),
    convertTo: fromText,
    ...textFormat,
    isScalar: true,
    isBlankEmpty: true,
  },
  datetime: {
    sqlType: sql`timestamptz`,
    accept: acceptDatetime,
    expected: noteOf('takesDatetime'),
    convertTo: {
      number: (source) => sql`round(extract(epoch from ${source}) * 1000)::double precision`,
      string: isoText,
      text: isoText,
      datetime: same,
      json: (source) => asJson(isoText(source)),
    },
    toJson: (value) => asJson(isoText(value)),
    formatKeys: { pattern: isFormatText, zone: isZone },
    show: (value, format, lng) => displayDatetime(value as string, format, lng),
    isScalar: true,
  },
  bool: {
    sqlType: sql`boolean`,
    accept: acceptBool,
    expected: noteOf('takesBool'),
    convertTo: {
      number: (source) => sql`case when ${source} then 1 when not ${source} then 0 end::double precision`,
      string: asText,
      text: asText,
      bool: same,
      json: asJson,
    },
    formatKeys: { true: isFormatText, false: isFormatText },
    show: (value, format) => textOf(format[String(value)]) ?? value,
    isScalar: true,
  },
  file: {
    sqlType: sql`text`,
    accept: acceptFiles,
    expected: noteOf('takesFiles'),
    convertTo: { string: shortText, text: same, file: same, json: textAsJson },
  },
  title: { sqlType: sql`text` },
  json: {
    sqlType: sql`jsonb`,
    accept: acceptJson,
    expected: noteOf('takesJson'),
    convertTo: {
      number: (source) => sql`case jsonb_typeof(${source})
      when 'boolean' then case when ${source} = 'true' then 1 else 0 end
      when 'number' then ${jsonToNumber(source)}
      when 'string' then ${textToNumber(jsonText(source))} end`,
      string: (source) => shortText(jsonText(source)),
      text: jsonText,
      datetime: (source) => sql`case jsonb_typeof(${source})
      when 'number' then ${numberToDatetime(sql`(${jsonToNumber(source)})`)}
      when 'string' then ${textToDatetime(jsonText(source))} end`,
      bool: (source) => textToBool(jsonText(source)),
      json: same,
    },
    isJson: true,
  },
  geom: { sqlType: sql`geometry`, isSystem: true },
} satisfies Record<ColumnType, ColumnTypeRow>;

export const columnTypeTable: Readonly<Record<ColumnType, ColumnTypeRow>> = rows;

/** The types of which a user can create columns, each with whether its values are scalars. A page has a copy that the compiler compares. */
export type UserColumnTypes = {
  readonly [Type in ColumnType as (typeof rows)[Type] extends { isSystem: true }
    ? never
    : Type]: (typeof rows)[Type] extends { isScalar: true } ? true : false;
};

/** Whether objects have values in a column: neither in a title nor in `geom`. */
export const hasValues = ({ type }: { type: ColumnType }): boolean =>
  columnTypeTable[type].accept !== undefined;

/** Whether a value of a column is one number, text, moment or truth. */
export const isScalar = ({ type }: { type: ColumnType }): boolean => columnTypeTable[type].isScalar === true;

/** The types of which a user can create columns. */
export const userColumnTypes: readonly ColumnType[] = (Object.keys(columnTypeTable) as ColumnType[]).filter(
  (type) => !columnTypeTable[type].isSystem,
);
