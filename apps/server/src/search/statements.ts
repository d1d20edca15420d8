import { join, type Sql, sql } from '../db/sql.js';
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

/** The objects of some sources that meet a step: `Found`. A source without indices gives in whatever step all that have a word, the best first. */
export const findStatement = (sources: readonly Source[], question: Question): Sql =>
  join(
    sources.map(
      (source, i) => sql`(${source.isIndexed ? byIndex(source, i, question) : byScan(source, i, question)})`,
    ),
    ' union all ',
  );

const byIndex = (source: Source, index: number, question: Question): Sql =>
  sql`${selected(source, index, question)} from ${layerTable(source.layer.id)} t
    where ${meets(question.step, comparisons(source, question), question.phrase)} limit ${question.limit}::bigint`;

/** Compares each value once: that is what takes the time. */
function byScan(source: Source, index: number, question: Question): Sql {
  const texts = source.columns.map((column) => sql`cartulary.search_text(${valueIn(column, question)})`);
  const compared = source.columns.map((_, i): Comparison => {
    const text = sql`t.compared[${i + 1}::integer]`;
    return { isSame: (exact) => sql`${text} = ${exact}::text`, holds: (needle) => isLike(text, needle) };
  });
  const { phrase } = question;
  const best = (['same', 'all'] as const).map(
    (step) => sql`coalesce(${meets(step, compared, phrase)}, false) desc`,
  );
  return sql`${selected(source, index, question)}
    from (select t.*, array[${join(texts)}]::text[] as compared
      from (select * from ${layerTable(source.layer.id)} order by svc_id limit ${question.scan}::bigint) t offset 0) t
    where ${meets('some', compared, phrase)} order by ${join(best)} limit ${question.limit}::bigint`;
}

function selected(source: Source, index: number, question: Question): Sql {
  const values = source.columns.map(
    (column) => sql`left(${valueIn(column, question)}, ${stringLimit}::integer)`,
  );
  return sql`select ${index}::integer as source, t.svc_id as id, ${nameOf(source.name, question)} as name,
    array[${join(values)}]::text[] as values`;
}

const valueIn = (column: Column, { lang, main }: Question): Sql =>
  valueSql(column, { alias: t, lng: lang, main });

function nameOf(column: Column, question: Question): Sql {
  const value = valueIn(column, question);
  if (column.type === 'datetime') return sql`to_jsonb(${isoText(value)})`;
  const isText = column.type === 'string' || column.type === 'text';
  return sql`to_jsonb(${isText ? sql`left(${value}, ${stringLimit}::integer)` : value})`;
}

/** How a column is compared with the whole phrase and with one of its words. */
interface Comparison {
  isSame(exact: string): Sql;
  holds(needle: string): Sql;
}

function meets(step: Step, columns: readonly Comparison[], { exact, needles }: Phrase): Sql {
  const any = (one: (column: Comparison) => Sql): Sql => sql`(${join(columns.map(one), ' or ')})`;
  if (step === 'same') return any((column) => column.isSame(exact));
  const parts = needles.map((needle) => any((column) => column.holds(needle)));
  return sql`(${join(parts, step === 'all' ? ' and ' : ' or ')})`;
}

/** A needle has no character that LIKE knows. */
const isLike = (text: Sql, needle: string): Sql => sql`${text} like ${`%${needle}%`}::text`;

/** By the expressions that the indices are made of. A localized column is compared twice: all its languages, for which there is an index, and the value that is shown. */
const comparisons = ({ columns }: Source, question: Question): Comparison[] =>
  columns.map((column) => {
    const stored = comparedSql(column, t);
    if (!column.localized_value)
      return {
        isSame: (exact) => sql`${stored} = ${exact}::text`,
        holds: (needle) => isLike(stored, needle),
      };
    const shown = sql`cartulary.search_text(${valueIn(column, question)})`;
    return {
      isSame: (exact) => sql`(${isLike(stored, `\n${exact}\n`)} and ${shown} = ${exact}::text)`,
      holds: (needle) => sql`(${isLike(stored, needle)} and ${isLike(shown, needle)})`,
    };
  });
