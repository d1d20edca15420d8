/** An expression over the columns of a feature for Mapnik. The compiler parses, checks and rewrites it; the original text never reaches Mapnik. */
export type Expression =
  | { readonly kind: 'column'; readonly name: string }
  /** `decimal`: written with a decimal point, so that Mapnik does not use integer division. */
  | { readonly kind: 'number'; readonly value: number; readonly decimal: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'constant'; readonly name: Constant }
  | { readonly kind: 'unary'; readonly op: '-' | 'not'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly op: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'match'; readonly target: Expression; readonly pattern: string }
  | {
      readonly kind: 'replace';
      readonly target: Expression;
      readonly pattern: string;
      readonly replacement: string;
    };

export type BinaryOperator =
  | 'and'
  | 'or'
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

export const constants = [
  'true',
  'false',
  'null',
  'point',
  'linestring',
  'polygon',
  'collection',
  'pi',
  'deg_to_rad',
  'rad_to_deg',
] as const;
export type Constant = (typeof constants)[number];
const constantNames: ReadonlySet<string> = new Set(constants);
export const isConstant = (name: string): name is Constant => constantNames.has(name);

/** Mapnik's functions with their numbers of arguments. The compiler adds `sqrt`, which Mapnik does not have. */
export const functionArity: ReadonlyMap<string, number> = new Map([
  ['sin', 1],
  ['cos', 1],
  ['tan', 1],
  ['atan', 1],
  ['exp', 1],
  ['log', 1],
  ['abs', 1],
  ['length', 1],
  ['min', 2],
  ['max', 2],
  ['pow', 2],
  ['sqrt', 1],
]);

/** The pseudo-column with the kind of the geometry: point, linestring, polygon or collection. */
export const geometryType = 'mapnik::geometry_type';

/** Nodes of one expression, far below the limit of Mapnik's recursive parser and evaluator. */
export const maxExpressionSize = 300;

/** Larger numbers are refused: doubles do not distinguish them, so Mapnik compares them wrongly. */
export const maxNumber = Number.MAX_SAFE_INTEGER;

function subexpressions(e: Expression): readonly Expression[] {
  switch (e.kind) {
    case 'unary':
      return [e.operand];
    case 'binary':
      return [e.left, e.right];
    case 'call':
      return e.args;
    case 'match':
    case 'replace':
      return [e.target];
    default:
      return [];
  }
}

const sizes = new WeakMap<Expression, number>();

/** Number of nodes. A shared part (a variable) counts each time it is written but is measured once. */
export function expressionSize(e: Expression): number {
  let size = sizes.get(e);
  if (size === undefined) {
    size = subexpressions(e).reduce((sum, child) => sum + expressionSize(child), 1);
    sizes.set(e, size);
  }
  return size;
}

/** Adds the columns that the expression reads. */
export function addColumns(e: Expression, columns: Set<string>): void {
  if (e.kind === 'column' && e.name !== geometryType) columns.add(e.name);
  for (const child of subexpressions(e)) addColumns(child, columns);
}

const precedence: Record<string, number> = {
  or: 1,
  and: 1,
  not: 2,
  '=': 3,
  '!=': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};
const unaryMinus = 7;
const atom = 8;

/** The expression in Mapnik's language, not yet escaped for XML. */
export const writeExpression = (e: Expression): string => write(e, 0);

/** Adds parentheses if the expression binds less strongly than `minBinding`. */
function write(e: Expression, minBinding: number): string {
  const text = writeBare(e);
  return bindingOf(e) < minBinding ? `(${text})` : text;
}

function bindingOf(e: Expression): number {
  if (e.kind === 'binary') return precedence[e.op] as number;
  if (e.kind === 'unary') return e.op === '-' ? unaryMinus : (precedence.not as number);
  // Patterns bind like products in Mapnik's grammar, so operands around them get parentheses.
  if (e.kind === 'match' || e.kind === 'replace') return 6;
  return e.kind === 'number' && e.value < 0 ? unaryMinus : atom;
}

function writeBare(e: Expression): string {
  switch (e.kind) {
    case 'column':
      return `[${e.name}]`;
    case 'number':
      return writeNumber(e.value, e.decimal);
    case 'text':
      return quote(e.value);
    case 'constant':
      return e.name;
    case 'unary':
      return e.op === '-' ? `-${write(e.operand, atom)}` : `not (${write(e.operand, 0)})`;
    case 'binary':
      return writeBinary(e);
    case 'call':
      return `${e.name}(${e.args.map((arg) => write(arg, 0)).join(',')})`;
    case 'match':
      return `${write(e.target, atom)}.match(${quote(e.pattern)})`;
    case 'replace':
      return `${write(e.target, atom)}.replace(${quote(e.pattern)},${quote(e.replacement)})`;
  }
}

function writeBinary(e: Extract<Expression, { kind: 'binary' }>): string {
  const own = precedence[e.op] as number;
  const logical = e.op === 'and' || e.op === 'or';
  // `and` and `or` have equal precedence in Mapnik: only chains of the same operator need no parentheses.
  const chained = !logical || (e.left.kind === 'binary' && e.left.op === e.op);
  const left = write(e.left, chained ? own : own + 1);
  const right = write(e.right, own + 1);
  const op = /[a-z=<>]/.test(e.op) ? ` ${e.op} ` : e.op;
  return `${left}${op}${right}`;
}

/** A number for XML and Mapnik: no exponent, at most 12 significant digits. */
export function writeNumber(value: number, decimal = false): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21)
    return `${value === 0 ? 0 : value}${decimal ? '.0' : ''}`;
  const short = String(Number(value.toPrecision(12)));
  return short.includes('e') ? value.toFixed(12).replace(/\.?0+$/, '') || '0' : short;
}

/** A text in single quotes, with Mapnik's escapes. */
const quote = (text: string): string =>
  `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')}'`;
