/**
 * The tree of a CartoCSS text. Every `at` is the offset of the first character in the text, every `end` that after the last one,
 * which is a `;` or `}` where there is one.
 */

export interface Stylesheet {
  readonly items: readonly Item[];
}

export type Item = RuleBlock | Declaration | VariableDefinition;

export interface RuleBlock {
  readonly kind: 'block';
  readonly at: number;
  readonly end: number;
  readonly selectors: readonly Selector[];
  readonly items: readonly Item[];
}

/** `instance/name: value;` */
export interface Declaration {
  readonly kind: 'declaration';
  readonly at: number;
  readonly end: number;
  readonly instance: string | undefined;
  readonly name: string;
  readonly value: ValueNode;
}

/** `@name: value;` `name` excludes the `@`. */
export interface VariableDefinition {
  readonly kind: 'variable-definition';
  readonly at: number;
  readonly name: string;
  readonly value: ValueNode;
}

/** `#a.b[x=1][zoom>3]::c` */
export interface Selector {
  readonly at: number;
  readonly elements: readonly Element[];
  readonly filters: readonly FilterNode[];
  readonly zooms: readonly ZoomNode[];
  readonly attachment: string | undefined;
}

export interface Element {
  /** `around`: `&`, the block around the selector. */
  readonly kind: 'id' | 'class' | 'any' | 'map' | 'around';
  readonly at: number;
  readonly name: string;
}

export const comparisonOperators = ['=~', '!=', '<=', '>=', '=', '<', '>'] as const;
export type Comparison = (typeof comparisonOperators)[number];

export interface FilterNode {
  readonly at: number;
  readonly key: ValueNode;
  readonly op: Comparison;
  readonly value: ValueNode;
}

export interface ZoomNode {
  readonly at: number;
  readonly op: Comparison;
  readonly value: ValueNode;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

/** A value in the text. `values/evaluate.ts` evaluates it. */
export type ValueNode =
  | {
      readonly kind: 'number';
      readonly at: number;
      readonly value: number;
      readonly unit: string;
      readonly decimal: boolean;
    }
  | { readonly kind: 'hex-color'; readonly at: number; readonly digits: string }
  /** `raw`: the text between the quotes with its backslashes, so that offsets in it match offsets in the text. */
  | { readonly kind: 'string'; readonly at: number; readonly raw: string }
  | { readonly kind: 'word'; readonly at: number; readonly name: string }
  | { readonly kind: 'variable'; readonly at: number; readonly name: string }
  | { readonly kind: 'column'; readonly at: number; readonly name: string }
  | { readonly kind: 'url'; readonly at: number; readonly name: string | ValueNode }
  | { readonly kind: 'call'; readonly at: number; readonly name: string; readonly args: readonly ValueNode[] }
  | {
      readonly kind: 'operation';
      readonly at: number;
      readonly op: ArithmeticOperator;
      readonly left: ValueNode;
      readonly right: ValueNode;
    }
  | { readonly kind: 'negation'; readonly at: number; readonly operand: ValueNode }
  /** Values separated by spaces: `rotate(5) scale(2, 2)`. */
  | { readonly kind: 'words'; readonly at: number; readonly items: readonly ValueNode[] }
  /** Values separated by commas: `5, 3`. */
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly ValueNode[] };
