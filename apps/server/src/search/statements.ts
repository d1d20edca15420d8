import { answeredValue, type Column, stringLimit, valueSql } from '@cartulary/columns';
import { join, type Sql, sql } from '@cartulary/sql';
import { comparedSql } from '../layers/indexes/search-index.js';
import { layerTable } from '../layers/layers.js';
import type { SearchSource } from './sources.js';
import type { Phrase } from './words.js';

/** What an object must contain: the whole phrase as it stands, all of its words, or some of them. */
export type SearchStep = 'same' | 'all' | 'some';

export interface SearchQuestion {
  phrase: Phrase;
  step: SearchStep;
  /** The language of localized values, then the main one, then any. */
  lang: string;
  main: string;
  /** Most objects of one layer. */
  limit: number;
  /** Most objects that are read of a layer without indexes. */
  scan: number;
}

/**
 * A row: the index of the source, the object, its name as JSON, and the values of the searched columns, truncated to the
 * length of a string.
 */
export interface FoundRow {
  source: number;
  id: number;
  name: unknown;
  values: (string | null)[];
}

const t = sql`t`;

/**
 * The objects of some sources that meet a step, as `FoundRow`. A source without indexes always gives all objects that have a
 * word, the best first.
 */
export const findStatement = (sources: readonly SearchSource[], question: SearchQuestion): Sql =>
  join(
    sources.map(
      (source, i) => sql`(${source.isIndexed ? byIndex(source, i, question) : byScan(source, i, question)})`,
    ),
    ' union all ',
  );

const byIndex = (source: SearchSource, index: number, question: SearchQuestion): Sql =>
  sql`${selected(source, index, question)} from ${layerTable(source.layer.id)} t
    where ${meets(question.step, comparisons(source, question), question.phrase)} limit ${question.limit}::bigint`;

/** Compares each value once, because the comparison takes most of the time. */
function byScan(source: SearchSource, index: number, question: SearchQuestion): Sql {
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

function selected(source: SearchSource, index: number, question: SearchQuestion): Sql {
  const values = source.columns.map(
    (column) => sql`left(${valueIn(column, question)}, ${stringLimit}::integer)`,
  );
  return sql`select ${index}::integer as source, t.svc_id as id, ${nameOf(source.name, question)} as name,
    array[${join(values)}]::text[] as values`;
}

const valueIn = (column: Column, { lang, main }: SearchQuestion): Sql =>
  valueSql(column, { alias: t, lng: lang, main });

function nameOf(column: Column, question: SearchQuestion): Sql {
  const value = valueIn(column, question);
  const isText = column.type === 'string' || column.type === 'text';
  return sql`to_jsonb(${isText ? sql`left(${value}, ${stringLimit}::integer)` : answeredValue(column.type, value)})`;
}

/** The comparison of a column with the whole phrase and with one of its words. */
interface Comparison {
  isSame(exact: string): Sql;
  holds(needle: string): Sql;
}

function meets(step: SearchStep, columns: readonly Comparison[], { exact, needles }: Phrase): Sql {
  const any = (one: (column: Comparison) => Sql): Sql => sql`(${join(columns.map(one), ' or ')})`;
  if (step === 'same') return any((column) => column.isSame(exact));
  const parts = needles.map((needle) => any((column) => column.holds(needle)));
  return sql`(${join(parts, step === 'all' ? ' and ' : ' or ')})`;
}

/** Needles contain no special characters of LIKE. */
const isLike = (text: Sql, needle: string): Sql => sql`${text} like ${`%${needle}%`}::text`;

/**
 * Uses the expressions of the indexes. A localized column is compared twice: all its languages, which have an index, and the
 * shown value.
 */
const comparisons = ({ columns }: SearchSource, question: SearchQuestion): Comparison[] =>
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
