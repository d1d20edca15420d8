import type { Expression } from '../expressions/expression.js';
import { parseExpression } from '../expressions/expression-parse.js';
import type { StyleValue } from './values.js';

/** A value for Mapnik's XML, not yet escaped. */
export interface Attribute {
  /**
   * `text`: the attribute's value. `omitted`: Mapnik's default applies. `label`: the text of the element. `absent`: the
   * symbolizer is not drawn. `default`: the symbolizer is drawn with its defaults.
   */
  readonly form: 'text' | 'omitted' | 'label' | 'fonts' | 'stops' | 'absent' | 'default';
  readonly text: string;
  /** The columns that the value reads. */
  readonly columns: readonly string[];
  /** The number of a constant. */
  readonly number?: number;
  /** What a value that depends on the data computes, within the range of its property. */
  readonly expression?: Expression;
  /** The icon's name; `text` is its file. */
  readonly icon?: string;
  readonly faces?: readonly string[];
  readonly stops?: readonly Stop[];
}

/** A colour stop of a raster. */
export interface Stop {
  readonly value: string;
  readonly color?: string;
  readonly mode?: string;
}

export type ConvertFault = {
  readonly fault: true;
  readonly message: string;
  readonly expected?: string | undefined;
  /** Offset in the style's text. Absent: the beginning of the value. */
  readonly at?: number | undefined;
};

export type ConvertedValue = { readonly attribute: Attribute } | ConvertFault;

/** The type by which Mapnik compares the values of a column. */
export type ColumnKind = 'number' | 'text' | 'boolean';

/** The names that values of a style can reference. */
export interface ConvertContext {
  /** Icon name → file. null: icons are not checked. */
  readonly icons: ReadonlyMap<string, string> | null;
  /** null: fonts are not checked. */
  readonly fonts: readonly string[] | null;
  /** undefined: columns are not checked. */
  readonly columns: ReadonlyMap<string, ColumnKind> | undefined;
}

export const fault = (message: string, expected?: string): ConvertFault => ({
  fault: true,
  message,
  expected,
});

export const textAttribute = (text: string): Attribute => ({ form: 'text', text, columns: [] });
export const omitted: Attribute = { form: 'omitted', text: '', columns: [] };

/** The number of a constant. `fraction`: a percentage becomes its hundredth. */
export function toNumber(value: StyleValue | Expression, fraction: boolean): number | undefined {
  if (value.kind === 'number') {
    if (!('unit' in value) || value.unit !== '%') return value.value;
    return fraction ? value.value / 100 : undefined;
  }
  return value.kind === 'unary' && value.op === '-' && value.operand.kind === 'number'
    ? -value.operand.value
    : undefined;
}

/** The expression of a value, quoted or not. undefined: the value is not an expression. */
export function expressionOf(
  value: StyleValue,
): { readonly expression: Expression } | ConvertFault | undefined {
  if (value.kind === 'expression') return { expression: value.expression };
  if (value.kind !== 'string') return undefined;
  const parsed = parseExpression(value.raw);
  if ('expression' in parsed) return parsed;
  const { message, expected, at } = parsed.fault;
  return { fault: true, message, expected, at: value.at === undefined ? undefined : value.at + at };
}
