import { type Expression, geometryType } from './expression.js';

/** A value of a feature as Mapnik has it. */
export type FeatureValue = number | string | boolean | null;

/** Longest text that a pattern is compared with, characters. */
const patternTextLimit = 10_000;

/**
 * Evaluates an expression as Mapnik does: null equals only null, values of different kinds are different and have no order, and a
 * truth value counts as 0 or 1. `geometryType` has its number under its name. A function of values that it does not take gives
 * null.
 */
export function evaluateExpression(e: Expression, values: ReadonlyMap<string, FeatureValue>): FeatureValue {
  const of = (part: Expression): FeatureValue => evaluateExpression(part, values);
  switch (e.kind) {
    case 'column':
      return values.get(e.name === geometryType ? geometryType : e.name) ?? null;
    case 'number':
    case 'text':
      return e.value;
    case 'constant':
      return constantValues[e.name];
    case 'unary':
      return e.op === 'not' ? !isTrue(of(e.operand)) : negated(of(e.operand));
    case 'binary':
      return binary(e, of);
    case 'call':
      return called(e.name, e.args.map(of));
    case 'match':
      return matches(of(e.target), e.pattern);
    case 'replace':
      return replaced(of(e.target), e.pattern, e.replacement);
  }
}

const constantValues: Readonly<Record<Extract<Expression, { kind: 'constant' }>['name'], FeatureValue>> = {
  true: true,
  false: false,
  null: null,
  point: 1,
  linestring: 2,
  polygon: 3,
  collection: 4,
  pi: Math.PI,
  deg_to_rad: Math.PI / 180,
  rad_to_deg: 180 / Math.PI,
};

export const isTrue = (value: FeatureValue): boolean =>
  typeof value === 'string' ? value !== '' : Boolean(value);

const negated = (value: FeatureValue): FeatureValue => (typeof value === 'number' ? -value : null);

function binary(
  { op, left, right }: Extract<Expression, { kind: 'binary' }>,
  of: (part: Expression) => FeatureValue,
): FeatureValue {
  if (op === 'and') return isTrue(of(left)) && isTrue(of(right));
  if (op === 'or') return isTrue(of(left)) || isTrue(of(right));
  const [a, b] = [numbered(of(left)), numbered(of(right))];
  if (op === '=') return a === b;
  if (op === '!=') return a !== b;
  if (op === '<' || op === '<=' || op === '>' || op === '>=') return compares(op, a, b);
  return computed(op, of(left), of(right));
}

/** Without a value the result is the other one, and with a text it is the text, unless both are texts. */
function computed(op: keyof typeof arithmetic, a: FeatureValue, b: FeatureValue): FeatureValue {
  if (a === null || b === null) return op === '%' ? a : (a ?? b);
  if (typeof a !== 'string' && typeof b !== 'string') return arithmetic[op](Number(a), Number(b));
  if (op === '+') return `${a}${b}`;
  return typeof a === typeof b ? null : typeof a === 'string' ? a : b;
}

/** A truth value equals 0 or 1. */
const numbered = (value: FeatureValue): number | string | null =>
  typeof value === 'boolean' ? Number(value) : value;

function compares(
  op: '<' | '<=' | '>' | '>=',
  a: number | string | null,
  b: number | string | null,
): boolean {
  if (a === null || b === null || typeof a !== typeof b) return false;
  if (op === '<') return a < b;
  if (op === '<=') return a <= b;
  return op === '>' ? a > b : a >= b;
}

const arithmetic = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
};

const functions: Readonly<Record<string, (...args: number[]) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  atan: Math.atan,
  exp: Math.exp,
  log: Math.log,
  abs: Math.abs,
  min: Math.min,
  max: Math.max,
  pow: (a, b) => a ** b!,
  sqrt: Math.sqrt,
};

function called(name: string, args: readonly FeatureValue[]): FeatureValue {
  if (name === 'length') return typeof args[0] === 'string' ? [...args[0]].length : null;
  const numbers = args.filter((arg) => typeof arg === 'number');
  return numbers.length === args.length ? (functions[name]?.(...numbers) ?? null) : null;
}

/** A pattern that the style may have has letters, classes, groups and few repetitions: it means the same here. */
function patternOf(pattern: string, whole: boolean): RegExp | undefined {
  try {
    return new RegExp(whole ? `^(?:${pattern})$` : pattern, 'gs');
  } catch {
    return undefined;
  }
}

const textOf = (value: FeatureValue): string =>
  (value === null ? '' : String(value)).slice(0, patternTextLimit);

const matches = (value: FeatureValue, pattern: string): boolean =>
  patternOf(pattern, true)?.test(textOf(value)) ?? false;

function replaced(value: FeatureValue, pattern: string, replacement: string): FeatureValue {
  const found = patternOf(pattern, false);
  return found ? textOf(value).replace(found, replacement) : null;
}
