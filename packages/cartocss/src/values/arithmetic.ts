import { writeNumber } from '../expressions/expression.js';
import type { ArithmeticOperator } from '../syntax/tree.js';
import { fromRgb, type Rgb, toRgb } from './colors.js';
import { describeValue, type NumberValue, type StyleValue, toExpression } from './values.js';

export type ArithmeticResult =
  | { readonly value: StyleValue }
  | { readonly fault: string; readonly expected?: string };

/** Computes `left op right` for numbers, colours, texts and columns, with carto's rules for units. */
export function operate(op: ArithmeticOperator, left: StyleValue, right: StyleValue): ArithmeticResult {
  if (left.kind === 'expression' || right.kind === 'expression') return operateExpressions(op, left, right);
  if (left.kind === 'number' && right.kind === 'number') return operateNumbers(op, left, right);
  if (left.kind === 'color' && (right.kind === 'color' || right.kind === 'number')) {
    return operateColors(op, left, right);
  }
  if (left.kind === 'number' && right.kind === 'color') {
    return op === '+' || op === '*'
      ? operateColors(op, right, left)
      : { fault: 'a colour cannot be subtracted from a number, nor divide it' };
  }
  if (left.kind === 'string' && (right.kind === 'string' || right.kind === 'number')) {
    if (op !== '+') return { fault: `texts can only be joined with +, not with ${op}` };
    return {
      value: {
        kind: 'string',
        raw: left.raw + (right.kind === 'string' ? right.raw : writeNumber(right.value)),
      },
    };
  }
  return { fault: `cannot compute ${describeValue(left)} ${op} ${describeValue(right)}` };
}

function operateExpressions(op: ArithmeticOperator, left: StyleValue, right: StyleValue): ArithmeticResult {
  const a = toExpression(left);
  const b = toExpression(right);
  const wrong = a === undefined ? left : right;
  if (a === undefined || b === undefined)
    return { fault: `${describeValue(wrong)} cannot be a part of an expression` };
  return { value: { kind: 'expression', expression: { kind: 'binary', op, left: a, right: b } } };
}

function calculate(op: ArithmeticOperator, a: number, b: number): number {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
  }
}

/** A percentage added to a number is a fraction of that number. Two percentages combine directly. */
function operateNumbers(op: ArithmeticOperator, left: NumberValue, right: NumberValue): ArithmeticResult {
  if (left.unit === '%' && right.unit !== '%') {
    return { fault: 'when only one of two numbers is a percentage, it must be the second' };
  }
  let { value, unit } = right;
  if (left.unit !== '%' && right.unit === '%') {
    if (op !== '+' && op !== '-')
      return { fault: 'percentages can only be added to or subtracted from other numbers' };
    value = left.value * right.value * 0.01;
    unit = '';
  }
  const result = calculate(op, left.value, value);
  if (!Number.isFinite(result)) return { fault: 'the result is not a number' };
  const decimal = left.decimal || right.decimal || !Number.isInteger(result);
  return { value: { kind: 'number', value: result, unit: left.unit || unit, decimal } };
}

type ColorValue = Extract<StyleValue, { kind: 'color' }>;

/** Computes per channel. The alpha is that of the left colour. */
function operateColors(
  op: ArithmeticOperator,
  left: ColorValue,
  right: ColorValue | NumberValue,
): ArithmeticResult {
  const a = toRgb(left.color);
  const b: Rgb = right.kind === 'color' ? toRgb(right.color) : [right.value, right.value, right.value];
  const rgb = a.map((channel, i) => calculate(op, channel, b[i] as number));
  if (rgb.some((channel) => !Number.isFinite(channel))) return { fault: 'the result is not a colour' };
  const { alpha, perceptual } = left.color;
  return { value: { kind: 'color', color: fromRgb(rgb as unknown as Rgb, alpha, perceptual) } };
}
