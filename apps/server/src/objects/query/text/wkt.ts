import { type Tokens, wrongText } from './tokens.js';

type Positions = number[] | Positions[];

/** How deep the positions of each type lie. */
const depths: Readonly<Record<string, readonly [type: string, depth: number]>> = {
  POINT: ['Point', 0],
  MULTIPOINT: ['MultiPoint', 1],
  LINESTRING: ['LineString', 1],
  MULTILINESTRING: ['MultiLineString', 2],
  POLYGON: ['Polygon', 2],
  MULTIPOLYGON: ['MultiPolygon', 3],
};

/** Whether a word begins a geometry, when a bracket or Z follows. */
export const isGeometryWord = (word: string): boolean =>
  Object.hasOwn(depths, word.toUpperCase()) || word.toUpperCase() === 'GEOMETRYCOLLECTION';

/** Levels of collections in each other. */
const collectionLimit = 8;

/** Reads a geometry in WKT behind its word, as GeoJSON. */
export function readWkt(tokens: Tokens, word: string, level = 0): object {
  const { at } = tokens.next;
  if (tokens.isWord('EMPTY')) throw wrongText(at, 'an empty geometry meets nothing');
  if (tokens.isWord('M') || tokens.isWord('ZM')) throw wrongText(at, 'measures are not known here');
  tokens.takeWord('Z');
  if (word.toUpperCase() === 'GEOMETRYCOLLECTION') return collection(tokens, level);
  const [type, depth] = depths[word.toUpperCase()]!;
  return { type, coordinates: type === 'MultiPoint' ? points(tokens) : positions(tokens, depth) };
}

function collection(tokens: Tokens, level: number): object {
  if (level === collectionLimit) throw wrongText(tokens.next.at, 'too many collections in each other');
  return { type: 'GeometryCollection', geometries: listOf(tokens, () => member(tokens, level + 1)) };
}

function member(tokens: Tokens, level: number): object {
  const { kind, value } = tokens.next;
  if (kind !== 'word' || !isGeometryWord(value)) throw tokens.unexpected('a geometry');
  tokens.take();
  return readWkt(tokens, value, level);
}

function listOf<T>(tokens: Tokens, one: () => T): T[] {
  tokens.demand('(');
  const all = [one()];
  while (tokens.takeSymbol(',')) all.push(one());
  tokens.demand(')');
  return all;
}

function positions(tokens: Tokens, depth: number): Positions {
  if (depth === 0) {
    tokens.demand('(');
    const one = position(tokens);
    tokens.demand(')');
    return one;
  }
  if (depth === 1) return listOf(tokens, () => position(tokens));
  return listOf(tokens, () => positions(tokens, depth - 1)) as Positions[];
}

/** `(1 2, 3 4)`, or each point in brackets of its own. */
const points = (tokens: Tokens): Positions =>
  listOf(tokens, () => (tokens.isSymbol('(') ? positions(tokens, 0) : position(tokens))) as Positions[];

function position(tokens: Tokens): number[] {
  const numbers = [signedNumber(tokens), signedNumber(tokens)];
  if (!tokens.isSymbol(',') && !tokens.isSymbol(')')) numbers.push(signedNumber(tokens));
  return numbers;
}

/** A number with its sign. */
export function signedNumber(tokens: Tokens): number {
  const isNegative = tokens.takeSymbol('-');
  if (!isNegative) tokens.takeSymbol('+');
  if (tokens.next.kind !== 'number') throw tokens.unexpected('a number');
  const value = Number(tokens.take().value);
  return isNegative ? -value : value;
}
