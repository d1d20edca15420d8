/** Checks the text of a layer's query and finds the layers that it reads. Pure except for loading the parser. */
import { badRequest, ServiceError } from '@cartulary/errors';
import { functions, types } from './allowed.js';
import { checkTree, type QueryRelation } from './check.js';
import { growthOf, tablesOf } from './growth.js';
import { parseStatement, type Token } from './parser.js';
import { placeAt, queryProblem, type TextPlace } from './problem.js';

/** A layer at its place in the text. */
export interface Reference {
  map: string;
  layer: string;
  place: TextPlace;
  /** The reference as written. */
  text: string;
  /** The query defines an alias for it. */
  hasAlias: boolean;
}

/** A checked query. Its text is `parts[0] references[0] parts[1] …`. */
export interface CheckedQuery {
  parts: readonly string[];
  references: readonly Reference[];
  /** Throws `query_invalid` if an `alias.name` is neither one of these columns nor defined by the query. */
  checkColumns(codes: Iterable<string>): void;
}

/** Terms of the expressions of a query after its subqueries and layers are substituted. */
const termLimit = 20_000;

/** Names that PostgreSQL gives to columns of unnamed expressions, and columns of every layer. */
const impliedNames = [
  'case',
  'coalesce',
  'greatest',
  'least',
  'exists',
  'array',
  'row',
  'nullif',
  'svc_id',
  'geom',
];

/**
 * Parses and checks the query of a layer. `isStored`: the result is stored, so the query may read the clock. Throws
 * `query_invalid` with the place, and 400 for a text of more than `limitBytes`.
 */
export async function readQuery(
  text: string,
  { isStored, limitBytes }: { isStored: boolean; limitBytes: number },
): Promise<CheckedQuery> {
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > limitBytes)
    throw badRequest(`json.query has ${sizeBytes} bytes; at most ${limitBytes} are taken`, {
      parameters: ['json.query'],
    });
  const { tree, tokens } = await parseStatement(text);
  const { relations, qualified, named } = checkTree(tree, text, isStored);
  const bytes = Buffer.from(text);
  const references = relations
    .sort((a, b) => a.byte - b.byte)
    .map((relation) => ({ ...relation, end: endOf(relation, tokens, text) }));
  const ends = [0, ...references.map(({ end }) => end)];
  const starts = [...references.map(({ byte }) => byte), bytesWithoutSemicolon(text, tokens)];
  return {
    parts: ends.map((from, i) => bytes.subarray(from, starts[i]).toString()),
    references: references.map(({ map, layer, byte, end, hasAlias }) => ({
      map,
      layer,
      place: placeAt(text, byte),
      text: bytes.subarray(byte, end).toString(),
      hasAlias,
    })),
    checkColumns(codes) {
      const known = new Set([...codes, ...named, ...functions, ...types, ...impliedNames]);
      for (const { name, byte } of qualified) {
        if (!known.has(name)) throw queryProblem(text, byte, `there is no column '${name}'`);
      }
    },
  };
}

/** Byte offset after `map.layer`: three tokens with any space or comment between them. */
function endOf({ byte }: QueryRelation, tokens: readonly Token[], text: string): number {
  const first = tokens.findIndex(({ start }) => start === byte);
  const [, dot, last] = tokens.slice(first, first + 3);
  if (first < 0 || dot?.text !== '.' || !last)
    throw queryProblem(text, byte, 'layers are written map_code.layer_code');
  return last.end;
}

/** Byte length of the text without a final semicolon. */
function bytesWithoutSemicolon(text: string, tokens: readonly Token[]): number {
  const last = tokens.at(-1);
  return last?.text === ';' ? last.start : Buffer.byteLength(text);
}

/**
 * Checks the SQL that the service built from a query: one SELECT that reads only `tables` (`schema.name` → terms per
 * column). Returns the terms of the largest expression of the result. Throws `query_invalid` if there are too many terms;
 * any other table is a bug of the service.
 */
export async function checkBuiltText(text: string, tables: ReadonlyMap<string, number>): Promise<number> {
  const { tree } = await parseStatement(text, Number.POSITIVE_INFINITY);
  checkTree(tree, text, true);
  if (!tablesOf(tree).every((table) => tables.has(table)))
    throw new Error('a query reads what it may not read');
  const { weight, total } = growthOf(tree, tables);
  if (total > termLimit)
    throw new ServiceError(
      'query_invalid',
      'The query is not valid: its subqueries make too large an expression of too few columns',
      { limit: termLimit },
    );
  return weight;
}
