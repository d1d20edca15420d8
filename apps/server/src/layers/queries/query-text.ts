/** The query of a layer as SQL: its text with the tables of the layers in place of their names. Pure. */
import { ident, join, Sql, sql, withTexts } from '../db/sql.js';
import { type Place, placeOfCharacter } from '../queries/query.js';
import { type Column, layerTable } from './layers.js';
import { valueSql } from './types.js';

/** A layer that a query reads, as it is stored. */
export interface StoredReference {
  /** The id of the layer. */
  source: number;
  /** As it is written in the query: `map_code.layer_code`. */
  text: string;
  /** By what name the query knows it; null: it gives it one itself. */
  alias: string | null;
}

/** A query as it is stored: `parts[0] refs[0] parts[1] …`. */
export interface StoredQuery {
  parts: readonly string[];
  refs: readonly StoredReference[];
}

/** The query as it is written. */
export const writtenText = ({ parts, refs }: StoredQuery): string =>
  parts.map((part, i) => (i ? refs[i - 1]!.text : '') + part).join('');

const characters = (text: string): number => [...text].length;

/** A piece of SQL that we put in the place of a reference, or of the query as it is. */
interface Piece {
  text: string;
  isOurs: boolean;
}

/** A query with tables in place of layers. */
export interface QueryText {
  text: string;
  pieces: readonly Piece[];
}

/** The text that is run. `columns`: of each layer by its id; values of localized ones are those of `main`. */
export function queryText(
  { parts, refs }: StoredQuery,
  columns: ReadonlyMap<number, readonly Column[]>,
  main: string,
): QueryText {
  const pieces = parts.flatMap((part, i): Piece[] => {
    const own = { text: part, isOurs: false };
    if (!i) return [own];
    const { source, alias } = refs[i - 1]!;
    const table = readable(source, columns.get(source) ?? [], main);
    const named = alias === null ? table : sql`${table} as ${ident(alias)}`;
    return [{ text: ` ${named.text[0]} `, isOurs: true }, own];
  });
  return { text: pieces.map(({ text }) => text).join(''), pieces };
}

/** The objects of a layer with the codes of its columns as names. */
function readable(id: number, columns: readonly Column[], main: string): Sql {
  const reading = { alias: sql`t`, lng: main, main };
  const selected = columns
    .filter(({ type }) => type !== 'title')
    .map((column) => sql`${valueSql(column, reading)} as ${ident(column.code)}`);
  return withTexts(sql`(select ${join(selected)} from ${layerTable(id)} t)`);
}

/** Text that `readQuery` has taken, with tables in place of its layers: the one place where text of a caller is SQL. */
export const checkedSql = ({ text }: QueryText): Sql => new Sql([text], []);

/**
 * The place in the written query of a character of a statement that holds the text after `before` characters; undefined
 * outside of it.
 */
export function placeInQuery(
  stored: StoredQuery,
  { pieces }: QueryText,
  character: number,
): Place | undefined {
  let run = 0;
  let written = 0;
  let reference = 0;
  for (const { text, isOurs } of pieces) {
    const length = characters(text);
    if (character >= run && character < run + length)
      return placeOfCharacter(writtenText(stored), isOurs ? written : written + character - run);
    run += length;
    written += isOurs ? characters(stored.refs[reference++]!.text) : length;
  }
  return character === run ? placeOfCharacter(writtenText(stored), written) : undefined;
}
