import { literal, type Sql, sql } from '../db/sql.js';
import type { ColumnType } from './layers.js';

/**
 * Patterns in the common part of JavaScript's and PostgreSQL's regular expressions, so that a value sent to the
 * interface and a value that a type change meets are judged alike.
 */
const space = '[ \\t\\r\\n\\f\\v]*';

export const numberPattern = `^${space}[+-]?([0-9]{1,200}([.][0-9]{0,200})?|[.][0-9]{1,200})([eE][+-]?[0-9]{1,3})?${space}$`;

const date = (() => {
  const long = '(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])';
  const middle = '(0[469]|11)-(0[1-9]|[12][0-9]|30)';
  const february = '02-(0[1-9]|1[0-9]|2[0-8])';
  const leapYear = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)';
  return `([0-9]{4}-(${long}|${middle}|${february})|${leapYear}-02-29)`;
})();
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.,][0-9]{1,9})?)?';
const zone = '([Zz]|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)';

/** ISO 8601, years 0001 to 9999 (in UTC too), with or without a zone. */
export const datetimePattern = `^${space}(?!0000|0001-01-01.*[+]|9999-12-31.*:.*-)${date}([Tt ]${time} ?${zone}?)?${space}$`;
/** Whether a text that is a datetime names its zone. */
export const zonePattern = `:.*([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)${space}$`;

/** The greatest whole number up to which every whole number is exact (2^53 - 1). */
const greatest = sql`9007199254740991`;

/** Datetimes from the year 0001 to 9999 in UTC, as milliseconds since 1970. */
export const earliestMs = -62_135_596_800_000;
export const latestMs = 253_402_300_799_999;

const msLiteral = (value: number): Sql => sql`${literal(String(value))}::double precision`;

/** The form in which datetimes become text: ISO 8601 in UTC, to the millisecond. */
export const isoText = (source: Sql): Sql =>
  sql`to_char(${source} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What the patterns take for space. */
const blanks = literal(' \t\r\n\f\v');

/** Beyond the range of exact whole numbers: null; nearer to 0 than a double can be: 0. */
const numericToNumber = (numeric: Sql): Sql => sql`case when abs(${numeric}) > ${greatest} then null
    when abs(${numeric}) < 1e-307 then 0 else ${numeric}::double precision end`;

const textToNumber = (source: Sql): Sql =>
  sql`case when ${source} ~ ${literal(numberPattern)} then ${numericToNumber(sql`${source}::numeric`)} end`;

const textToDatetime = (source: Sql): Sql => sql`case when ${source} ~ ${literal(datetimePattern)} then
    (replace(btrim(${source}, ${blanks}), ',', '.')
      || case when ${source} ~ ${literal(zonePattern)} then '' else ' UTC' end)::timestamptz end`;

const textToBool = (source: Sql): Sql => sql`case lower(btrim(${source}, ${blanks}))
    when 'true' then true when '1' then true when 'false' then false when '0' then false end`;

const numberToDatetime = (
  source: Sql,
): Sql => sql`case when ${source} between ${msLiteral(earliestMs)} and ${msLiteral(latestMs)}
    then to_timestamp(trunc(${source}) / 1000.0) end`;

/** A text of at most 4,000 characters. */
const short = (source: Sql): Sql => sql`case when char_length(${source}) <= 4000 then ${source} end`;

/** The text of a JSON value: of a string its characters, of all else its JSON. */
const jsonText = (source: Sql): Sql => sql`(${source} #>> '{}')`;

const jsonToNumber = (source: Sql): Sql => numericToNumber(sql`${jsonText(source)}::numeric`);

const same = (source: Sql): Sql => source;
type Conversions = Partial<Record<ColumnType, (source: Sql) => Sql>>;

const fromText: Conversions = {
  number: textToNumber,
  string: short,
  text: same,
  datetime: textToDatetime,
  bool: textToBool,
  json: (source) => sql`to_jsonb(${source}::text)`,
};

/** What converts; what is not listed becomes null. */
const conversions: Partial<Record<ColumnType, Conversions>> = {
  string: { ...fromText, string: same },
  text: fromText,
  file: { string: short, text: same, file: same, json: (source) => sql`to_jsonb(${source}::text)` },
  number: {
    number: same,
    string: (source) => sql`${source}::text`,
    text: (source) => sql`${source}::text`,
    datetime: numberToDatetime,
    bool: (source) => sql`case ${source} when 1 then true when 0 then false end`,
    json: (source) => sql`to_jsonb(${source})`,
  },
  datetime: {
    number: (source) => sql`round(extract(epoch from ${source}) * 1000)::double precision`,
    string: isoText,
    text: isoText,
    datetime: same,
    json: (source) => sql`to_jsonb(${isoText(source)})`,
  },
  bool: {
    number: (source) => sql`case when ${source} then 1 when not ${source} then 0 end::double precision`,
    string: (source) => sql`${source}::text`,
    text: (source) => sql`${source}::text`,
    bool: same,
    json: (source) => sql`to_jsonb(${source})`,
  },
  json: {
    number: (source) => sql`case jsonb_typeof(${source})
      when 'boolean' then case when ${source} = 'true' then 1 else 0 end
      when 'number' then ${jsonToNumber(source)}
      when 'string' then ${textToNumber(jsonText(source))} end`,
    string: (source) => short(jsonText(source)),
    text: jsonText,
    datetime: (source) => sql`case jsonb_typeof(${source})
      when 'number' then ${numberToDatetime(sql`(${jsonToNumber(source)})`)}
      when 'string' then ${textToDatetime(jsonText(source))} end`,
    bool: (source) => textToBool(jsonText(source)),
    json: same,
  },
};

/** The SQL type of a value of a column of this type, one language's where it is localized. */
export const scalarType: Readonly<Record<ColumnType, Sql>> = {
  number: sql`double precision`,
  string: sql`text`,
  text: sql`text`,
  file: sql`text`,
  datetime: sql`timestamptz`,
  bool: sql`boolean`,
  json: sql`jsonb`,
  geom: sql`geometry`,
  title: sql`text`,
};

/**
 * A scalar expression (no subquery) over `source`, a value of the SQL type of `from`, that gives the SQL type of
 * `to`: null for what does not convert. It never raises, whatever the value.
 */
export function conversion(source: Sql, from: ColumnType, to: ColumnType): Sql {
  const convert = conversions[from]?.[to];
  return convert ? sql`(${convert(source)})::${scalarType[to]}` : sql`null::${scalarType[to]}`;
}
