import {
  type Expression,
  expressionSize,
  isConstant,
  maxExpressionSize,
  maxNumber,
  writeNumber,
} from '../expressions/expression.js';
import { findForbidden } from '../syntax/tokens.js';
import { type Color, writeColor } from './colors.js';
import { unescapeText } from './text.js';

/** A value after evaluation of its variables, arithmetic and colour functions. */
export type StyleValue =
  | NumberValue
  /** `word`: the name of a named colour; `gray` is also an image filter. */
  | { readonly kind: 'color'; readonly color: Color; readonly word?: string }
  /** `raw`: with backslashes. `at`: the offset of its first character in the text. Absent for a computed text. */
  | { readonly kind: 'string'; readonly raw: string; readonly at?: number }
  | { readonly kind: 'word'; readonly name: string }
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'url'; readonly name: string }
  /** A transform, an image filter or a stop, depending on the property. */
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly StyleValue[] }
  | { readonly kind: 'words'; readonly items: readonly StyleValue[] }
  | { readonly kind: 'list'; readonly items: readonly StyleValue[] };

export interface NumberValue {
  readonly kind: 'number';
  readonly value: number;
  readonly unit: '' | 'px' | '%';
  readonly decimal: boolean;
}

/** Characters, items or nodes of one value. Variables that double each other would grow without limit. */
const maxValueSize = 10_000;

const sizes = new WeakMap<StyleValue, number>();

function valueSize(value: StyleValue): number {
  let size = sizes.get(value);
  if (size === undefined) {
    size = measure(value);
    sizes.set(value, size);
  }
  return size;
}

function measure(value: StyleValue): number {
  switch (value.kind) {
    case 'string':
      return 1 + value.raw.length;
    case 'expression':
      return expressionSize(value.expression);
    case 'call':
      return value.args.reduce((sum, item) => sum + valueSize(item), 1);
    case 'words':
    case 'list':
      return value.items.reduce((sum, item) => sum + valueSize(item), 1);
    default:
      return 1;
  }
}

export const isTooLarge = (value: StyleValue): boolean =>
  valueSize(value) > maxValueSize ||
  (value.kind === 'expression' && expressionSize(value.expression) > maxExpressionSize);

/** A value as a part of an expression. undefined: it cannot be one. */
export function toExpression(value: StyleValue): Expression | undefined {
  switch (value.kind) {
    case 'expression':
      return value.expression;
    case 'number':
      if (value.unit === '%' || Math.abs(value.value) > maxNumber) return undefined;
      return { kind: 'number', value: value.value, decimal: value.decimal };
    case 'string': {
      const text = unescapeText(value.raw);
      return findForbidden(text) >= 0 ? undefined : { kind: 'text', value: text };
    }
    case 'word':
      return isConstant(value.name) ? { kind: 'constant', name: value.name } : undefined;
    default:
      return undefined;
  }
}

/** A description for messages: `'red'`, `the number 5%`, `a list`. */
export function describeValue(value: StyleValue): string {
  switch (value.kind) {
    case 'number':
      return `the number ${writeNumber(value.value)}${value.unit}`;
    case 'color':
      return `the colour ${value.word ?? writeColor(value.color)}`;
    case 'string':
      return `the text '${shorten(value.raw)}'`;
    case 'word':
      return `'${shorten(value.name)}'`;
    case 'expression':
      return 'an expression';
    case 'url':
      return `url(${shorten(value.name)})`;
    case 'call':
      return `${value.name}()`;
    case 'words':
      return 'several values';
    case 'list':
      return 'a list';
  }
}

export const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
