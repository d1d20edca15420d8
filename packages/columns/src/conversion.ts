import { literal, type Sql, sql } from '@cartulary/sql';
import { blanks, datetimePattern, earliestMs, latestMs, numberPattern, zonePattern } from './patterns.js';

/*
 * SQL expressions that convert one value. `source` is an expression without subqueries. No expression raises an error:
 * a value that does not convert becomes null.
 */

/** The largest integer up to which every integer is exact in a double (2^53 - 1). */
const maxExactInteger = sql`9007199254740991`;

const msLiteral = (ms: number): Sql => sql`${literal(String(ms))}::double precision`;
const blankCharacters = literal(blanks);

/** A datetime as text: ISO 8601 in UTC, to the millisecond. */
export const isoText = (source: Sql): Sql =>
  sql`to_char(${source} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Null beyond the range of exact integers; 0 for a value closer to 0 than a double can represent. */
const numericToNumber = (numeric: Sql): Sql => sql`case when abs(${numeric}) > ${maxExactInteger} then null
    when abs(${numeric}) < 1e-307 then 0 else ${numeric}::double precision end`;

export const textToNumber = (source: Sql): Sql =>
  sql`case when ${source} ~ ${literal(numberPattern)} then ${numericToNumber(sql`${source}::numeric`)} end`;

export const textToDatetime = (source: Sql): Sql => sql`case when ${source} ~ ${literal(datetimePattern)} then
    (replace(btrim(${source}, ${blankCharacters}), ',', '.')
      || case when ${source} ~ ${literal(zonePattern)} then '' else ' UTC' end)::timestamptz end`;

export const textToBool = (source: Sql): Sql => sql`case lower(btrim(${source}, ${blankCharacters}))
    when 'true' then true when '1' then true when 'false' then false when '0' then false end`;

export const numberToDatetime = (
  source: Sql,
): Sql => sql`case when ${source} between ${msLiteral(earliestMs)} and ${msLiteral(latestMs)}
    then to_timestamp(trunc(${source}) / 1000.0) end`;

/** Null for a text of more than 4,000 characters. */
export const shortText = (source: Sql): Sql =>
  sql`case when char_length(${source}) <= 4000 then ${source} end`;

/** Text of a JSON value: the characters of a string, the JSON of any other value. */
export const jsonText = (source: Sql): Sql => sql`(${source} #>> '{}')`;

export const jsonToNumber = (source: Sql): Sql => numericToNumber(sql`${jsonText(source)}::numeric`);
