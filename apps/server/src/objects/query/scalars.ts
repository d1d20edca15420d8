import { type Column, valueSql } from '@cartulary/columns';
import { type Sql, sql } from '@cartulary/sql';
import { type Family, familyOf, literalValue } from './families.js';
import {
  argumentOf,
  demandCount,
  type Filter,
  isObject,
  propertyOf,
  type TermPosition,
  wrongAt,
} from './terms.js';

/** A value in a comparison that has a type of its own: a column, arithmetic, a folded text. */
export interface Scalar {
  family: Family;
  /** Of a plain column. */
  column?: Column;
  sql: Filter;
}

/** The value that a term says; undefined for a literal, whose type is that of the value beside it. */
export function scalarOf(term: unknown, place: TermPosition): Scalar | undefined {
  const column = propertyOf(term, place);
  if (column) {
    const family = familyOf(column);
    if (!family) throw wrongAt(place, `values of a column of type ${column.type} are not compared`);
    return { column, family, sql: (context) => valueSql(column, context) };
  }
  if (!isObject(term) || typeof term.op !== 'string') return undefined;
  const { op, args } = term;
  if (!Array.isArray(args)) throw wrongAt(place, 'args must be an array');
  if (Object.hasOwn(calculations, op)) return calculated(calculations[op]!, place, args);
  if (Object.hasOwn(foldings, op)) return folded(foldings[op]!, place, args);
  throw wrongAt(place, `the function '${op.slice(0, 50)}' is not known, or gives no value`);
}

/** Each writes its operands once, so that the statement grows no faster than the filter. */
const calculations: Readonly<Record<string, (a: Sql, b: Sql) => Sql>> = {
  '+': (a, b) => sql`(${a} + ${b})`,
  '-': (a, b) => sql`(${a} - ${b})`,
  '*': (a, b) => sql`(${a} * ${b})`,
  '/': (a, b) => sql`(${a} / nullif(${b}, 0))`,
  '%': (a, b) => sql`mod((${a})::numeric, nullif(${b}, 0)::numeric)::double precision`,
  div: (a, b) => sql`trunc(${a} / nullif(${b}, 0))`,
  '^': (a, b) => sql`power(${a}, ${b})`,
};

/** A calculation with two numbers. A division by 0 has no value. */
function calculated(
  calculate: (a: Sql, b: Sql) => Sql,
  place: TermPosition,
  args: readonly unknown[],
): Scalar {
  demandCount(place, args, 2);
  const [a, b] = args.map((arg, i) => numberOf(arg, argumentOf(place, i))) as [Scalar, Scalar];
  return {
    family: 'number',
    sql: (context) => calculate(a.sql(context), b.sql(context)),
  };
}

function numberOf(term: unknown, place: TermPosition): Scalar {
  const scalar = scalarOf(term, place) ?? constant(term, 'number');
  if (scalar?.family !== 'number') throw wrongAt(place, 'is no number to calculate with');
  return { ...scalar, sql: (context) => sql`(${scalar.sql(context)})::double precision` };
}

function constant(term: unknown, family: 'number' | 'text'): Scalar | undefined {
  const value = literalValue(term, family);
  if (value === undefined) return undefined;
  const type = family === 'number' ? sql`double precision` : sql`text`;
  return { family, sql: () => sql`${value}::${type}` };
}

/** The marks that the decomposed form of Unicode puts behind a letter. */
const marks = '[\u0300-\u036f]';

const foldings: Readonly<Record<string, (text: Sql) => Sql>> = {
  casei: (text) => sql`lower((${text}) collate "und-x-icu")`,
  accenti: (text) => sql`normalize(regexp_replace(normalize(${text}, NFD), ${marks}::text, '', 'g'), NFC)`,
};

/** A text without regard to case, or to accents. */
function folded(fold: (text: Sql) => Sql, place: TermPosition, args: readonly unknown[]): Scalar {
  demandCount(place, args, 1);
  const text = foldableText(args[0], argumentOf(place, 0));
  return {
    family: 'text',
    sql: (context) => fold(text.sql(context)),
  };
}

/** A text: a column, a literal, or one of them folded. */
export function foldableText(term: unknown, place: TermPosition): Scalar {
  const scalar = scalarOf(term, place) ?? constant(term, 'text');
  if (scalar?.family !== 'text') throw wrongAt(place, 'must be a text or a property of type string or text');
  return scalar;
}
