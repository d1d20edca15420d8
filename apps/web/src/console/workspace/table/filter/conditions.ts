import type { ColumnDetails } from '@cartulary/client';
import { valueIn } from '../edit/values.js';

/** A column that objects are filtered by. */
export type FilterColumn = Pick<ColumnDetails, 'code' | 'name' | 'type'>;

/** A condition of the form: values are texts as they are entered. */
export interface Condition {
  column: string;
  operator: OperatorName;
  values: readonly string[];
}

/** Conditions that hold together, or of which one is enough. */
export interface ConditionList {
  isAny: boolean;
  conditions: readonly Condition[];
}

export type OperatorName = keyof typeof operators;

type Term = { op: string; args: unknown[] };

interface ConditionOperator {
  /** Number of values. */
  takes: 0 | 1 | 2;
  op: string;
  /** The argument in place of a text, and the text in an argument; undefined: it is of another operator. */
  pattern?: { of: (text: string) => string; in: (pattern: string) => string | undefined };
  isNegated?: true;
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The text of a pattern without wildcards; undefined where it has some. */
const unescaped = (pattern: string): string | undefined =>
  /^(?:[^\\%_]|\\[\\%_])*$/.test(pattern) ? pattern.replace(/\\(.)/g, '$1') : undefined;

const operators = {
  contains: {
    takes: 1,
    op: 'like',
    pattern: {
      of: (text) => `%${escaped(text)}%`,
      in: (one) => unescaped(/^%(.*)%$/s.exec(one)?.[1] ?? '%'),
    },
  },
  begins: {
    takes: 1,
    op: 'like',
    pattern: {
      of: (text) => `${escaped(text)}%`,
      in: (one) => unescaped(/^([^%].*)%$/s.exec(one)?.[1] ?? '%'),
    },
  },
  is: { takes: 1, op: '=' },
  isNot: { takes: 1, op: '<>' },
  less: { takes: 1, op: '<' },
  atMost: { takes: 1, op: '<=' },
  more: { takes: 1, op: '>' },
  atLeast: { takes: 1, op: '>=' },
  between: { takes: 2, op: 'between' },
  isEmpty: { takes: 0, op: 'isNull' },
  hasValue: { takes: 0, op: 'isNull', isNegated: true },
} satisfies Record<string, ConditionOperator>;

const entries = Object.entries(operators) as [OperatorName, ConditionOperator][];

const ofTexts = ['contains', 'begins', 'is', 'isNot', 'isEmpty', 'hasValue'] as const;
const byType: Readonly<Record<string, readonly OperatorName[]>> = {
  string: ofTexts,
  text: ofTexts,
  number: ['is', 'isNot', 'less', 'atMost', 'more', 'atLeast', 'between', 'isEmpty', 'hasValue'],
  datetime: ['less', 'atLeast', 'between', 'is', 'isEmpty', 'hasValue'],
  bool: ['is', 'isEmpty', 'hasValue'],
};

/** The operators of a column, the usual one first. */
export const operatorsOf = ({ type }: FilterColumn): readonly OperatorName[] =>
  byType[type] ?? ['hasValue', 'isEmpty'];

/** Number of values that an operator takes. */
export const takes = (operator: OperatorName): number => operators[operator].takes;

/** A condition of a column to begin with. */
export const firstCondition = (column: FilterColumn): Condition => ({
  column: column.code,
  operator: operatorsOf(column)[0]!,
  values: column.type === 'bool' ? ['true'] : [],
});

/** The conditions as CQL2-JSON; null: none is complete. */
export function cqlOfConditions(
  { isAny, conditions }: ConditionList,
  columns: readonly FilterColumn[],
): object | null {
  const terms = conditions.flatMap((one) => termOf(one, columns) ?? []);
  if (terms.length < 2) return terms[0] ?? null;
  return { op: isAny ? 'or' : 'and', args: terms };
}

function termOf(
  { column: code, operator, values }: Condition,
  columns: readonly FilterColumn[],
): Term | null {
  const column = columns.find((one) => one.code === code);
  const { op, takes: count, pattern, isNegated }: ConditionOperator = operators[operator];
  if (!column || values.filter(Boolean).length < count) return null;
  const given = values.slice(0, count);
  const args = pattern ? given.map(pattern.of) : given.map((text) => valueIn(column, text));
  const term = { op, args: [{ property: code }, ...args] };
  return isNegated ? { op: 'not', args: [term] } : term;
}

/** A filter with a further condition, which the form can show if it could show the filter. */
export function withTerm(filter: object | null, term: object): object {
  if (!filter) return term;
  const terms = isTerm(filter) && filter.op === 'and' ? filter.args : [filter];
  return { op: 'and', args: [...terms, term] };
}

/** The conditions of a filter; null: it has more than the form can show. */
export function conditionsOf(filter: unknown, columns: readonly FilterColumn[]): ConditionList | null {
  if (filter === null) return { isAny: false, conditions: [] };
  const isList = isTerm(filter) && (filter.op === 'and' || filter.op === 'or');
  const terms = isList ? filter.args : [filter];
  const conditions = terms.map((term) => conditionIn(term, columns));
  if (conditions.some((one) => one === null)) return null;
  return { isAny: isList && filter.op === 'or', conditions: conditions as Condition[] };
}

const isTerm = (value: unknown): value is Term =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Term).op === 'string' &&
  Array.isArray((value as Term).args);

function conditionIn(term: unknown, columns: readonly FilterColumn[]): Condition | null {
  if (!isTerm(term)) return null;
  const isNegated = term.op === 'not';
  const inner = isNegated ? term.args[0] : term;
  if (!isTerm(inner)) return null;
  const [property, ...args] = inner.args as [{ property?: string } | null, ...unknown[]];
  const column = columns.find(({ code }) => code === property?.property);
  if (!column || args.some((one) => typeof one === 'object')) return null;
  const texts = args.map(String);
  for (const operator of operatorsOf(column)) {
    const known = entries.find(([name]) => name === operator)![1];
    if (known.op !== inner.op || known.takes !== texts.length || (known.isNegated ?? false) !== isNegated)
      continue;
    const values = known.pattern ? texts.map(known.pattern.in) : texts;
    if (values.every((one) => one !== undefined)) return { column: column.code, operator, values };
  }
  return null;
}
