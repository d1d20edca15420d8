/** The tree of a CartoCSS text. `at` is everywhere the offset of the first character in the text. */

export interface Sheet {
  readonly items: readonly Item[];
}

export type Item = Block | Declaration | VariableDefinition;

export interface Block {
  readonly kind: 'block';
  readonly at: number;
  readonly selectors: readonly Selector[];
  readonly items: readonly Item[];
}

/** `instance/name: value;` */
export interface Declaration {
  readonly kind: 'declaration';
  readonly at: number;
  readonly instance: string | undefined;
  readonly name: string;
  readonly value: ValueNode;
}

/** `@name: value;` The name is without its `@`. */
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
  readonly kind: 'id' | 'class' | 'any' | 'map';
  readonly at: number;
  readonly name: string;
}

export const comparisons = ['=~', '!=', '<=', '>=', '=', '<', '>'] as const;
export type Comparison = (typeof comparisons)[number];

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

/** A value as it is written; what it means is found in values.ts. */
export type ValueNode =
  | {
      readonly kind: 'number';
      readonly at: number;
      readonly value: number;
      readonly unit: string;
      readonly decimal: boolean;
    }
  | { readonly kind: 'hex-color'; readonly at: number; readonly digits: string }
  /** `raw` is the text between the quotes with its backslashes, so that an offset in it is an offset in the text. */
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
  /** Values with blanks between them: `rotate(5) scale(2, 2)`. */
  | { readonly kind: 'words'; readonly at: number; readonly items: readonly ValueNode[] }
  /** Values with commas between them: `5, 3`. */
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly ValueNode[] };
