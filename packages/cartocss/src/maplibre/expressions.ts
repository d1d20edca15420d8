import { type Constant, type Expression, geometryType } from '../expressions/expression.js';
import type { ColumnKind } from '../values/convert.js';
import { Inexpressible } from './inexpressible.js';

/** An expression of the MapLibre style specification (https://maplibre.org/maplibre-style-spec/expressions/). */
export type MapLibreExpression = string | number | boolean | null | readonly MapLibreExpression[];

/** The features that expressions read. */
export interface MapLibreColumns {
  /** undefined: the kinds are unknown. */
  kinds: ReadonlyMap<string, ColumnKind> | undefined;
  /** Whether a computed column has a value; undefined: no expression says it. */
  hasValue?(column: string, value: number): MapLibreExpression | undefined;
  /** Whether vector tiles can contain a column. */
  has(column: string): boolean;
}

type Binary = Extract<Expression, { kind: 'binary' }>;

/** Converts an expression of a style. Throws `Inexpressible`. */
export function toMapLibre(e: Expression, columns: MapLibreColumns): MapLibreExpression {
  const of = (part: Expression): MapLibreExpression => toMapLibre(part, columns);
  switch (e.kind) {
    case 'column':
      return readColumn(e.name, columns);
    case 'number':
    case 'text':
      return e.value;
    case 'constant':
      return constantOf(e.name);
    case 'unary':
      return e.op === 'not' ? ['!', truth(e.operand, columns)] : ['-', number(e.operand, columns)];
    case 'binary':
      return binary(e, columns);
    case 'call':
      return called(e.name, e.args, columns);
    case 'match':
      throw new Inexpressible('patterns (=~)');
    case 'replace':
      // A guard of colours from the data: MapLibre itself ignores a text that is no colour.
      if (e.replacement === 'transparent') return of(e.target);
      throw new Inexpressible('replacements in texts');
  }
}

function readColumn(name: string, columns: MapLibreColumns): MapLibreExpression {
  if (name === geometryType || !columns.has(name)) throw new Inexpressible(`the value [${name}]`);
  return ['get', name];
}

function constantOf(name: Constant): MapLibreExpression {
  if (name === 'true' || name === 'false') return name === 'true';
  if (name === 'null') return null;
  if (name === 'pi') return Math.PI;
  if (name === 'deg_to_rad') return Math.PI / 180;
  if (name === 'rad_to_deg') return 180 / Math.PI;
  throw new Inexpressible('kinds of geometry as values');
}

const geometries: Readonly<Record<number, readonly string[]>> = {
  1: ['Point', 'MultiPoint'],
  2: ['LineString', 'MultiLineString'],
  3: ['Polygon', 'MultiPolygon'],
};
const geometryNumbers: Readonly<Record<string, number>> = { point: 1, linestring: 2, polygon: 3 };

/** Whether the geometry is of a kind. Vector tiles have the parts of a collection, so nothing in them is one. */
const isGeometry = (kind: Expression): MapLibreExpression => {
  const number =
    kind.kind === 'number' ? kind.value : kind.kind === 'constant' ? geometryNumbers[kind.name] : undefined;
  const names = geometries[number ?? 0];
  return names ? ['in', ['geometry-type'], ['literal', names]] : false;
};

function binary(e: Binary, columns: MapLibreColumns): MapLibreExpression {
  const { op, left, right } = e;
  if (op === 'and' || op === 'or')
    return [op === 'and' ? 'all' : 'any', truth(left, columns), truth(right, columns)];
  if (op === '=' || op === '!=') return equality(e, columns);
  if (op === '<' || op === '<=' || op === '>' || op === '>=') return order(op, left, right, columns);
  if (op === '+' && (isText(left, columns) || isText(right, columns)))
    return ['concat', ...concatenated(left, columns), ...concatenated(right, columns)];
  return [op, number(left, columns), number(right, columns)];
}

function equality({ op, left, right }: Binary, columns: MapLibreColumns): MapLibreExpression {
  const found = specialEquality(left, right, columns);
  if (found === undefined)
    return [op === '=' ? '==' : '!=', toMapLibre(left, columns), toMapLibre(right, columns)];
  if (typeof found === 'boolean') return op === '=' ? found : !found;
  return op === '=' ? found : ['!', found];
}

/** An equality with the kind of geometry or with a computed column. */
function specialEquality(
  left: Expression,
  right: Expression,
  { hasValue }: MapLibreColumns,
): MapLibreExpression | undefined {
  if (left.kind !== 'column') return undefined;
  if (left.name === geometryType) return isGeometry(right);
  return right.kind === 'number' ? hasValue?.(left.name, right.value) : undefined;
}

/** A comparison. As in Mapnik, values of different kinds have no order; MapLibre would fail. */
function order(
  op: string,
  left: Expression,
  right: Expression,
  columns: MapLibreColumns,
): MapLibreExpression {
  const kind = left.kind === 'text' || right.kind === 'text' ? 'string' : 'number';
  const sides = [left, right].map((side) => toMapLibre(side, columns));
  const guards = sides
    .filter((side) => typeof side === 'object')
    .map((side): MapLibreExpression => ['==', ['typeof', side], kind]);
  const comparison: MapLibreExpression = [
    op,
    ...sides.map((side) => (typeof side === 'object' ? [kind, side] : side)),
  ];
  return guards.length ? ['all', ...guards, comparison] : comparison;
}

const isText = (e: Expression, columns: MapLibreColumns): boolean =>
  e.kind === 'text' ||
  (e.kind === 'column' && columns.kinds?.get(e.name) === 'text') ||
  (e.kind === 'binary' && e.op === '+' && (isText(e.left, columns) || isText(e.right, columns)));

/** The value as a text; null is an empty one. */
export function toMapLibreText(e: Expression, columns: MapLibreColumns): MapLibreExpression {
  const value = toMapLibre(e, columns);
  return typeof value === 'string' || isConcat(value) ? value : ['to-string', value];
}

const isConcat = (value: MapLibreExpression): value is readonly MapLibreExpression[] =>
  Array.isArray(value) && value[0] === 'concat';

function concatenated(e: Expression, columns: MapLibreColumns): readonly MapLibreExpression[] {
  const value = toMapLibreText(e, columns);
  return isConcat(value) ? value.slice(1) : [value];
}

/** The value as a number; 0 where it is none. */
function number(e: Expression, columns: MapLibreColumns): MapLibreExpression {
  const value = toMapLibre(e, columns);
  return e.kind === 'column' ? ['to-number', value, 0] : value;
}

const logical = new Set(['and', 'or', '=', '!=', '<', '<=', '>', '>=']);

/** The value as a truth value. */
export function truth(e: Expression, columns: MapLibreColumns): MapLibreExpression {
  const value = toMapLibre(e, columns);
  const isLogical =
    (e.kind === 'binary' && logical.has(e.op)) ||
    (e.kind === 'unary' && e.op === 'not') ||
    typeof value === 'boolean';
  return isLogical ? value : ['to-boolean', value];
}

const sameName = new Set(['sin', 'cos', 'tan', 'atan', 'abs', 'min', 'max', 'sqrt']);

function called(name: string, args: readonly Expression[], columns: MapLibreColumns): MapLibreExpression {
  const [first] = args;
  if (name === 'length') return ['length', toMapLibreText(first!, columns)];
  const numbers = args.map((arg) => number(arg, columns));
  if (sameName.has(name)) return [name, ...numbers];
  if (name === 'exp') return ['^', ['e'], ...numbers];
  if (name === 'log') return ['ln', ...numbers];
  if (name === 'pow') return ['^', ...numbers];
  throw new Inexpressible(`the function ${name}()`);
}
