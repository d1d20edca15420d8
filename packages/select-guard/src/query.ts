/** The query of a layer as text: what it reads, and whether it is one that may be run. Pure but for the parser. */
import { badRequest, ServiceError } from '../errors.js';
import { functions, types } from './allowed.js';
import { checkTree, type Relation } from './check.js';
import { growthOf, tablesOf } from './growth.js';
import { parseStatement, type Token } from './parser.js';
import { type Place, placeAt, queryProblem } from './problem.js';

export { type Place, placeOfCharacter, problemAt } from './problem.js';

/** A layer where it stands in the text. */
export interface Reference {
  map: string;
  layer: string;
  place: Place;
  /** As it was written. */
  text: string;
  /** Whether the query gives it a name of its own. */
  hasAlias: boolean;
}

/** A query that may be run: its text is `parts[0] references[0] parts[1] …`. */
export interface Query {
  parts: readonly string[];
  references: readonly Reference[];
  /** Throws `query_invalid` when `alias.name` names none of these columns and none of the query's own. */
  checkColumns(codes: Iterable<string>): void;
}

/** Most terms of the expressions of a query, when those of its subqueries and layers stand in their places. */
const mostTerms = 20_000;

/** Names of columns that expressions without a name of their own get. */
const implied = [
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
 * Reads the query of a layer. `isStored`: its result is stored, so that it may read the clock. Throws `query_invalid` with
 * the place, 400 where it is longer than `limit` bytes.
 */
export async function readQuery(
  text: string,
  { isStored, limit }: { isStored: boolean; limit: number },
): Promise<Query> {
  const size = Buffer.byteLength(text);
  if (size > limit)
    throw badRequest(`json.query has ${size} bytes; at most ${limit} are taken`, {
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
      const known = new Set([...codes, ...named, ...functions, ...types, ...implied]);
      for (const { name, byte } of qualified) {
        if (!known.has(name)) throw queryProblem(text, byte, `there is no column '${name}'`);
      }
    },
  };
}

/** The byte after `map.layer`: three tokens, whatever stands between them. */
function endOf({ byte }: Relation, tokens: readonly Token[], text: string): number {
  const first = tokens.findIndex(({ start }) => start === byte);
  const [, dot, last] = tokens.slice(first, first + 3);
  if (first < 0 || dot?.text !== '.' || !last)
    throw queryProblem(text, byte, 'layers are written map_code.layer_code');
  return last.end;
}

/** Where the text ends without the semicolon that may stand at its end. */
function bytesWithoutSemicolon(text: string, tokens: readonly Token[]): number {
  const last = tokens.at(-1);
  return last?.text === ';' ? last.start : Buffer.byteLength(text);
}

/**
 * Judges a text that we made of a query: it must still be one SELECT that reads nothing but these tables (`schema.name`),
 * which is a fault of ours otherwise. Gives how many terms the largest expression of its result has when those of the tables
 * have these weights. Throws `query_invalid` when there are too many of them.
 */
export async function judgeText(text: string, tables: ReadonlyMap<string, number>): Promise<number> {
  const { tree } = await parseStatement(text, Number.POSITIVE_INFINITY);
  checkTree(tree, text, true);
  if (!tablesOf(tree).every((table) => tables.has(table)))
    throw new Error('a query reads what it may not read');
  const { weight, total } = growthOf(tree, tables);
  if (total > mostTerms)
    throw new ServiceError(
      'query_invalid',
      'The query is not valid: its subqueries make too large an expression of too few columns',
      { limit: mostTerms },
    );
  return weight;
}
