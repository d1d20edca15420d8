import { type Column, displayValue, type Output } from '@cartulary/columns';
import { cornersOf, type SR } from '@cartulary/geo';
import { join, type Sql, sql } from '@cartulary/sql';
import { type GmlOutput, gmlTexts } from './object-gml.js';
import { geometryText, objectGeom, objectId, returnedValue } from './values.js';

/*
 * The one writer of an object's JSON (`object-gml.ts` writes GML in its place): keys, order and escaping are defined here. The database writes the text. It leaves a gap for
 * each value that only the service can write: the corners of the extent, and a value in the format of its column, which depends
 * on Intl.
 */

/** Writes the JSON of a value from the text that the database sends for its gap. */
type GapWriter = (value: string) => string;

export interface ObjectJson {
  /** Text expressions: JSON, then the value of a gap, JSON, and so on; one more piece of JSON than there are gaps. */
  parts: readonly Sql[];
  gaps: readonly GapWriter[];
  /** What stands between objects. */
  separator: ',' | '';
}

/** The beginning of an object with its id, and the keys of its values and its geometry. */
const objectKeys = { id: sql`'{"id":'`, fields: sql`',"fields":{'`, geometry: sql`',"geom":'` };
/** The same of a feature (RFC 7946). */
const featureKeys = {
  id: sql`'{"type":"Feature","id":'`,
  fields: sql`',"properties":{'`,
  geometry: sql`',"geometry":'`,
};

/** What is returned of an object as text. */
export interface TextOutput extends Output {
  /** In GML instead of JSON. */
  gml?: GmlOutput | undefined;
}

/** The JSON of an object of the table `t`. */
export function objectJson(output: TextOutput): ObjectJson {
  if (output.gml) return { parts: [concat(gmlTexts(output, output.gml))], gaps: [], separator: '' };
  const parts: Sql[] = [];
  const gaps: GapWriter[] = [];
  const keys = output.isFeature ? featureKeys : objectKeys;
  let texts: Sql[] = [keys.id, objectId, keys.fields];
  const leaveGap = (value: Sql, write: GapWriter): void => {
    parts.push(concat(texts), value);
    gaps.push(write);
    texts = [];
  };
  for (const [i, column] of output.columns.entries()) {
    texts.push(sql`${`${i ? ',' : ''}${JSON.stringify(column.code)}:`}::text`);
    if (output.display && column.format && column.type !== 'json')
      leaveGap(sql`(${returnedValue(column, output)})::text`, shownIn(column, output));
    else texts.push(sql`coalesce(${jsonText(column, output)}, 'null')`);
  }
  texts.push(sql`'}'`);
  if (output.geometry) texts.push(keys.geometry, sql`coalesce(${geometryText(output.geometry)}, 'null')`);
  else if (output.isFeature) texts.push(keys.geometry, sql`'null'`);
  if (output.bbox) {
    texts.push(sql`',"bbox":'`);
    leaveGap(extentText, cornersIn(output.bbox));
  }
  return { parts: [...parts, concat([...texts, sql`'}'`])], gaps, separator: ',' };
}

/** The JSON of one object as text; where it has gaps, its parts as a JSON array. */
export function objectText({ parts, gaps }: ObjectJson): Sql {
  return gaps.length ? sql`${partsArray(parts)}::text` : parts[0]!;
}

/** The JSON of the objects of a slice as text, with commas between them; where they have gaps, a JSON array with the parts of each. */
export function sliceText({ parts, gaps, separator }: ObjectJson, order: Sql): Sql {
  return gaps.length
    ? sql`json_agg(${partsArray(parts)} ${order})::text`
    : sql`string_agg(${parts[0]!}, ${separator}::text ${order})`;
}

/** The same under a condition, in the order in which the rows come. */
export function sliceTextWhere({ parts, gaps, separator }: ObjectJson, condition: Sql): Sql {
  return gaps.length
    ? sql`(json_agg(${partsArray(parts)}) filter (where ${condition}))::text`
    : sql`string_agg(${parts[0]!}, ${separator}::text) filter (where ${condition})`;
}

const partsArray = (parts: readonly Sql[]): Sql => sql`to_json(array[${join(parts)}]::text[])`;

/** The JSON that `objectText` has selected, its gaps filled. */
export const filledObject = ({ gaps }: ObjectJson, text: string): string =>
  gaps.length ? fill(gaps, JSON.parse(text)) : text;

/** The JSON that `sliceText` has selected, in UTF-8, its gaps filled. Bytes without gaps are passed on as they are. */
export function filledSlice({ gaps }: ObjectJson, bytes: Buffer): Buffer {
  if (!gaps.length || !bytes.length) return bytes;
  const objects = JSON.parse(bytes.toString()) as (string | null)[][];
  return Buffer.from(objects.map((parts) => fill(gaps, parts)).join(','));
}

function fill(gaps: readonly GapWriter[], parts: readonly (string | null)[]): string {
  let text = parts[0]!;
  for (const [i, write] of gaps.entries()) {
    const value = parts[2 * i + 1];
    text += value === null || value === undefined ? 'null' : write(value);
    text += parts[2 * i + 2]!;
  }
  return text;
}

function shownIn(column: Column, { lng, main }: Output): GapWriter {
  const parse = column.type === 'number' ? Number : column.type === 'bool' ? isTrue : asText;
  return (value) => JSON.stringify(displayValue(column, parse(value), lng ?? main));
}

const isTrue = (text: string): boolean => text === 'true';
const asText = (text: string): string => text;

/** Null without a geometry, or for an empty one. */
const extentText = sql`(ST_XMin(${objectGeom}) || ' ' || ST_YMin(${objectGeom}) || ' ' || ST_XMax(${objectGeom}) || ' ' || ST_YMax(${objectGeom}))`;

const cornersIn =
  (sr: SR): GapWriter =>
  (value) => {
    const [west, south, east, north] = value.split(' ').map(Number) as [number, number, number, number];
    return JSON.stringify(cornersOf({ west, south, east, north }, sr));
  };

/** PostgreSQL allows so many arguments of a function. */
const argumentLimit = 100;

/** Texts one after the other, however many. */
function concat(parts: readonly Sql[]): Sql {
  if (parts.length <= argumentLimit) return sql`concat(${join(parts)})`;
  const groups: Sql[] = [];
  for (let at = 0; at < parts.length; at += argumentLimit)
    groups.push(concat(parts.slice(at, at + argumentLimit)));
  return concat(groups);
}

const numberText = (value: Sql, { hasFractions }: Output): Sql =>
  hasFractions ? sql`regexp_replace((${value})::text, '^-?\\d+$', '\\&.0')` : sql`(${value})::text`;

/** A value as JSON. JSON has no infinite numbers and no NaN: they become null, as in `JSON.stringify`. */
function jsonText(column: Column, output: Output): Sql {
  const value = returnedValue(column, output);
  if (column.type === 'number')
    return sql`case when abs((${value})::double precision) < 'Infinity' then ${numberText(value, output)} end`;
  if (column.type === 'bool') return sql`case when ${value} then 'true' when not ${value} then 'false' end`;
  // ISO 8601 has nothing to escape.
  if (column.type === 'datetime') return sql`'"' || ${value} || '"'`;
  return column.type === 'json' ? value : sql`to_json(${value})::text`;
}
