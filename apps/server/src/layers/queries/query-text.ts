/** The query of a layer as SQL: its text with the tables of the layers in place of their names. Pure. */

import { type Column, valueSql } from '@cartulary/columns';
import { placeOfCharacter, type TextPlace } from '@cartulary/select-guard';
import { ident, inlineTexts, join, Sql, sql } from '@cartulary/sql';
import { layerTable } from '../layers.js';

/** A stored reference from a query to a layer. */
export interface StoredReference {
  /** The id of the layer. */
  source: number;
  /** As it is written in the query: `map_code.layer_code`. */
  text: string;
  /** The alias that the query gives the layer; null: none, so one is generated. */
  alias: string | null;
}

/** A stored query: `parts[0] refs[0] parts[1] …`. */
export interface StoredQuery {
  parts: readonly string[];
  refs: readonly StoredReference[];
}

/** The query as its author wrote it. */
const writtenText = ({ parts, refs }: StoredQuery): string =>
  parts.map((part, i) => (i ? refs[i - 1]!.text : '') + part).join('');

const characters = (text: string): number => [...text].length;

/** A piece of the text that is run: generated SQL in place of a reference, or an unchanged part of the query. */
interface Piece {
  text: string;
  isOurs: boolean;
}

/** A query with tables in place of layers. */
export interface QueryText {
  text: string;
  pieces: readonly Piece[];
}

/** The text to run. `columns`: those of each layer by its id; localized values are read in the language `main`. */
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
  return inlineTexts(sql`(select ${join(selected)} from ${layerTable(id)} t)`);
}

/**
 * Text that `readQuery` has checked, with tables in place of layers. This is the only place where text of a caller becomes
 * SQL.
 */
export const checkedSql = ({ text }: QueryText): Sql => new Sql([text], []);

/**
 * The position in the written query of a character of a statement that holds the text behind `before` characters; undefined
 * outside of the query.
 */
export function placeInQuery(
  stored: StoredQuery,
  { pieces }: QueryText,
  character: number,
): TextPlace | undefined {
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
