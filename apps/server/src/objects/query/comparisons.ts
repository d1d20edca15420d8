import { acceptScalar, type Column, valueSql } from '@cartulary/columns';
import { type Sql, sql } from '@cartulary/sql';
import {
  argumentOf,
  demandCount,
  type Filter,
  isObject,
  type Operator,
  propertyOf,
  type TermPosition,
  wrongAt,
} from './terms.js';

/**
 * Text is ordered by the root collation of Unicode (CLDR). Both database engines have it, so the order does not depend on the
 * installation.
 */
export const orderedText = (column: Pick<Column, 'type'>, value: Sql): Sql =>
  comparesAsText(column) ? sql`(${value}) collate "und-x-icu"` : value;

type Family = 'number' | 'text' | 'datetime' | 'bool';

/** The family of types whose values compare with each other; undefined for a type without comparison. */
const familyOf = ({ type }: Pick<Column, 'type'>): Family | undefined => families[type];

const families: Partial<Record<Column['type'], Family>> = {
  number: 'number',
  string: 'text',
  text: 'text',
  file: 'text',
  datetime: 'datetime',
  bool: 'bool',
};

/** Whether a column's values may be compared and sorted. */
export const isComparable = (column: Pick<Column, 'type'>): boolean => familyOf(column) !== undefined;

const sqlTypes = {
  number: sql`double precision`,
  text: sql`text`,
  datetime: sql`timestamptz`,
  bool: sql`boolean`,
} as const;

/** Whether a column's values compare as texts. */
export const comparesAsText = (column: Pick<Column, 'type'>): boolean => familyOf(column) === 'text';

/** The SQL type in which values of a column compare. */
export const sqlTypeOf = (column: Pick<Column, 'type'>): Sql => sqlTypes[familyOf(column) ?? 'text'];

/** `svc_id` is a bigint. Comparing it as a bigint lets the planner use its index. */
const typeFor = (column: Column, values: readonly unknown[]): Sql =>
  column.code === 'svc_id' && values.every(Number.isSafeInteger) ? sql`bigint` : sqlTypeOf(column);

/** The column has one of the values, which are of its type. An empty list gives false. */
export const isAmong = (column: Column, value: Sql, values: readonly unknown[]): Sql =>
  sql`${value} = any(${[...values]}::${typeFor(column, values)}[])`;

interface Operand {
  /** Of a property. */
  column?: Column;
  /** Of a literal: the value to bind. */
  value?: unknown;
  family: Family;
  sql: Filter;
}

/** The operands of a comparison, of one family; at least one is a property. */
function operandsOf(place: TermPosition, args: readonly unknown[]): Operand[] {
  const places = args.map((_, i) => argumentOf(place, i));
  const columns = args.map((arg, i) => propertyOf(arg, places[i]!));
  const first = columns.find((column) => column !== undefined);
  if (!first) throw wrongAt(place, 'compares no property');
  return args.map((arg, i) => {
    const column = columns[i];
    return column ? property(column, first, places[i]!) : literal(arg, first, places[i]!);
  });
}

function property(column: Column, first: Column, place: TermPosition): Operand {
  const family = familyOf(column);
  if (!family) throw wrongAt(place, `values of a column of type ${column.type} are not compared`);
  if (family !== familyOf(first)) {
    throw wrongAt(place, `columns of the types ${first.type} and ${column.type} are not compared`);
  }
  return { column, family, sql: (context) => valueSql(column, context) };
}

function literal(term: unknown, beside: Column, place: TermPosition): Operand {
  const family = familyOf(beside);
  if (!family) throw wrongAt(place, `values of a column of type ${beside.type} are not compared`);
  const value = literalValue(term, family);
  if (value === undefined)
    throw wrongAt(place, `is no value for the column '${beside.code}' of type ${beside.type}`);
  return { value, family, sql: () => sql`${value}::${typeFor(beside, [value])}` };
}

/** The value of a literal of this family; undefined where the term is no such literal. */
function literalValue(term: unknown, family: Family): unknown {
  switch (family) {
    case 'number':
      return typeof term === 'number' ? term : undefined;
    case 'bool':
      return typeof term === 'boolean' ? term : undefined;
    case 'text':
      return typeof term === 'string' ? accepted('text', term) : undefined;
    case 'datetime': {
      const value = isObject(term) ? (term.timestamp ?? term.date) : term;
      return typeof value === 'string' || typeof value === 'number' ? accepted('datetime', value) : undefined;
    }
  }
}

function accepted(type: 'text' | 'datetime', value: unknown): unknown {
  try {
    return acceptScalar(type, value);
  } catch {
    return undefined;
  }
}

const comparison =
  (symbol: Sql, { ordered }: { ordered: boolean }): Operator =>
  (place, args) => {
    demandCount(place, args, 2);
    const [left, right] = operandsOf(place, args) as [Operand, Operand];
    if (ordered && left.family === 'bool') throw wrongAt(place, 'true and false have no order');
    const side = ordered ? ordering(left) : asIs;
    return (context) => sql`${side(left.sql(context))} ${symbol} ${right.sql(context)}`;
  };

const asIs = (value: Sql): Sql => value;
const ordering = ({ family }: Operand) =>
  family === 'text' ? (value: Sql) => orderedText({ type: 'text' }, value) : asIs;

const between: Operator = (place, args) => {
  demandCount(place, args, 3);
  const [value, low, high] = operandsOf(place, args) as [Operand, Operand, Operand];
  if (value.family === 'bool') throw wrongAt(place, 'true and false have no order');
  const side = ordering(value);
  return (context) => sql`${side(value.sql(context))} between ${low.sql(context)} and ${high.sql(context)}`;
};

const among: Operator = (place, args) => {
  demandCount(place, args, 2);
  const at = argumentOf(place, 0);
  const column = propertyOf(args[0], at);
  const list = args[1];
  if (!column || !familyOf(column)) throw wrongAt(at, 'must be a property with values that compare');
  if (!Array.isArray(list) || !list.length) throw wrongAt(argumentOf(place, 1), 'must be an array of values');
  const values = list.map((term) => literal(term, column, argumentOf(place, 1)).value);
  return (context) => isAmong(column, valueSql(column, context), values);
};

/** Longest pattern of `like`, characters. */
const patternLimit = 4_000;

/** `%` stands for any characters, `_` for one; `\` before one of these or itself makes it literal. */
const like: Operator = (place, args) => {
  demandCount(place, args, 2);
  const at = argumentOf(place, 0);
  const column = propertyOf(args[0], at);
  if (!column || familyOf(column) !== 'text') throw wrongAt(at, 'must be a property of type string or text');
  const pattern = typeof args[1] === 'string' ? accepted('text', args[1]) : undefined;
  if (typeof pattern !== 'string' || pattern.length > patternLimit) {
    throw wrongAt(argumentOf(place, 1), `must be a text of at most ${patternLimit} characters`);
  }
  if (/(?<!\\)(\\\\)*\\$/.test(pattern)) throw wrongAt(argumentOf(place, 1), 'ends in a single backslash');
  return (context) => sql`${valueSql(column, context)} like ${pattern}::text`;
};

const isNull: Operator = (place, args) => {
  demandCount(place, args, 1);
  const column = propertyOf(args[0], argumentOf(place, 0));
  if (!column) throw wrongAt(argumentOf(place, 0), 'must be a property');
  return (context) => sql`${valueSql(column, context)} is null`;
};

export const filterComparisons: Readonly<Record<string, Operator>> = {
  '=': comparison(sql`=`, { ordered: false }),
  '<>': comparison(sql`<>`, { ordered: false }),
  '<': comparison(sql`<`, { ordered: true }),
  '<=': comparison(sql`<=`, { ordered: true }),
  '>': comparison(sql`>`, { ordered: true }),
  '>=': comparison(sql`>=`, { ordered: true }),
  in: among,
  between,
  like,
  isNull,
};
