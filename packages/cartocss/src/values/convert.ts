import type { Expression } from './expression.js';
import { parseExpression } from './expression-parse.js';
import type { Value } from './values.js';

/** A value as it goes into Mapnik's XML, not yet escaped. */
export interface Attribute {
  /**
   * `text`: the attribute's value. `omitted`: Mapnik's own default. `label`: the text of the element. `absent` and
   * `default`: the symbolizer as a whole is left out, or drawn with its defaults.
   */
  readonly form: 'text' | 'omitted' | 'label' | 'fonts' | 'stops' | 'absent' | 'default';
  readonly text: string;
  /** The columns that it reads. */
  readonly columns: readonly string[];
  /** The number, when it is a fixed one. */
  readonly number?: number;
  /** The name of the icon whose file `text` is. */
  readonly icon?: string;
  readonly faces?: readonly string[];
  readonly stops?: readonly Stop[];
}

/** A stop of a raster's colours. */
export interface Stop {
  readonly value: string;
  readonly color?: string;
  readonly mode?: string;
}

export type ConvertFault = {
  readonly fault: true;
  readonly message: string;
  readonly expected?: string | undefined;
  /** Where in the style's text, when that is known better than the beginning of the value. */
  readonly at?: number | undefined;
};

export type Converted = { readonly attribute: Attribute } | ConvertFault;

/** How Mapnik compares the values of a column. */
export type ColumnKind = 'number' | 'text' | 'boolean';

/** What the values of a style may name. */
export interface ConvertContext {
  /** Icon name → file. */
  readonly icons: ReadonlyMap<string, string>;
  readonly fonts: readonly string[];
  /** undefined: columns are not checked. */
  readonly columns: ReadonlyMap<string, ColumnKind> | undefined;
}

export const fault = (message: string, expected?: string): ConvertFault => ({
  fault: true,
  message,
  expected,
});

export const textOf = (text: string): Attribute => ({ form: 'text', text, columns: [] });
export const omitted: Attribute = { form: 'omitted', text: '', columns: [] };

/** A fixed number; `fraction`: a percentage stands for its hundredth. */
export function toNumber(value: Value | Expression, fraction: boolean): number | undefined {
  if (value.kind === 'number') {
    if (!('unit' in value) || value.unit !== '%') return value.value;
    return fraction ? value.value / 100 : undefined;
  }
  return value.kind === 'unary' && value.op === '-' && value.operand.kind === 'number'
    ? -value.operand.value
    : undefined;
}

/** What is written as an expression, in quotes or not; undefined for other values. */
export function expressionOf(value: Value): { readonly expression: Expression } | ConvertFault | undefined {
  if (value.kind === 'expression') return { expression: value.expression };
  if (value.kind !== 'string') return undefined;
  const parsed = parseExpression(value.raw);
  if ('expression' in parsed) return parsed;
  const { message, expected, at } = parsed.fault;
  return { fault: true, message, expected, at: value.at === undefined ? undefined : value.at + at };
}
