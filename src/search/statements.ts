import { ident, join, type Sql, sql } from '../db/sql.js';
import { type Column, layerTable } from '../layers/layers.js';
import { comparedSql } from '../layers/search-index.js';
import { isoText, stringLimit, valueSql } from '../layers/types.js';
import type { Source } from './sources.js';
import type { Phrase } from './words.js';

/** What the objects are asked for: all of the phrase as it stands, all of its words, some of them. */
export type Step = 'same' | 'all' | 'some';

export interface Question {
  phrase: Phrase;
  step: Step;
  /** The language of localized values, then the main one, then any. */
  lang: string;
  main: string;
  /** Most objects of one layer. */
  limit: number;
  /** Most objects that are read of a layer that has no indices. */
  scan: number;
}

/** A row: which of the sources, the object, its name as JSON, and the values of the searched columns, cut off where they are longer than a string. */
export interface Found {
  source: number;
  id: number;
  name: unknown;
  values: (string | null)[];
}

const t = sql`t`;

/** The objects of some sources that meet a step: `Found`. */
export const findStatement = (sources: readonly Source[], question: Question): Sql =>
  join(
    sources.map((source, i) => sql`(${ofSource(source, i, question)})`),
    ' union all ',
  );

function ofSource(source: Source, index: number, question: Question): Sql {
  const table = layerTable(source.layer.id);
  const read = source.isIndexed
    ? table
    : sql`(select * from ${table} order by svc_id limit ${question.scan}::bigint)`;
  const values = source.columns.map(
    (column) => sql`left(${valueIn(column, question)}, ${stringLimit}::integer)`,
  );
  return sql`select ${index}::integer as source, t.svc_id as id, ${nameOf(source.name, question)} as name,
    array[${join(values)}]::text[] as values from ${read} t where ${condition(source, question)} limit ${question.limit}::bigint`;
}

const valueIn = (column: Column, { lang, main }: Question): Sql =>
  valueSql(column, { alias: t, lng: lang, main });

function nameOf(column: Column, question: Question): Sql {
  const value = valueIn(column, question);
  if (column.type === 'datetime') return sql`to_jsonb(${isoText(value)})`;
  const isText = column.type === 'string' || column.type === 'text';
  return sql`to_jsonb(${isText ? sql`left(${value}, ${stringLimit}::integer)` : value})`;
}

function condition({ columns }: Source, question: Question): Sql {
  const { exact, needles } = question.phrase;
  const any = (one: (column: Column) => Sql): Sql => sql`(${join(columns.map(one), ' or ')})`;
  if (question.step === 'same') return any((column) => isSame(column, exact, question));
  const parts = needles.map((needle) => any((column) => holds(column, needle, question)));
  return join(parts, question.step === 'all' ? ' and ' : ' or ');
}

/*
 * A localized column is compared twice: all its languages, for which there is an index, and the value that is shown. A
 * needle has no character that LIKE knows.
 */

function isSame(column: Column, exact: string, question: Question): Sql {
  if (!column.localized_value) return sql`${comparedSql(column, t)} = ${exact}::text`;
  return sql`(${comparedSql(column, t)} like ${`%\n${exact}\n%`}::text and ${compared(column, question)} = ${exact}::text)`;
}

function holds(column: Column, needle: string, question: Question): Sql {
  const pattern = sql`${`%${needle}%`}::text`;
  const stored = sql`${comparedSql(column, t)} like ${pattern}`;
  return column.localized_value ? sql`(${stored} and ${compared(column, question)} like ${pattern})` : stored;
}

const compared = (column: Column, question: Question): Sql =>
  sql`${ident('cartulary', 'search_text')}(${valueIn(column, question)})`;
