import { valueSql } from '@cartulary/columns';
import { join, type Sql, sql } from '@cartulary/sql';
import { familyOf, familyTypes, isAmong, literalValue, orderedText, typeFor } from './families.js';
import { foldableText, type Scalar, scalarOf } from './scalars.js';
import {
  argumentOf,
  demandCount,
  isObject,
  type Operator,
  propertyOf,
  type TermPosition,
  wrongAt,
} from './terms.js';

/** The operands of a comparison, of one family: that of the first that has a type of its own, or else of the first literal. */
function operandsOf(place: TermPosition, args: readonly unknown[]): Scalar[] {
  const places = args.map((_, i) => argumentOf(place, i));
  const typed = args.map((arg, i) => scalarOf(arg, places[i]!));
  const first = typed.find((scalar) => scalar !== undefined) ?? ownLiteral(args[0], places[0]!);
  return args.map((arg, i) => {
    const scalar = typed[i];
    if (!scalar) return literal(arg, first, places[i]!);
    if (scalar.family === first.family) return scalar;
    const [one, other] = [first, scalar].map(({ column, family }) => column?.type ?? family);
    throw wrongAt(places[i]!, `columns of the types ${one} and ${other} are not compared`);
  });
}

/** A literal by its own type. */
function ownLiteral(term: unknown, place: TermPosition): Scalar {
  const isTime = isObject(term) && ('timestamp' in term || 'date' in term);
  const family = isTime
    ? 'datetime'
    : typeof term === 'string'
      ? 'text'
      : typeof term === 'boolean'
        ? 'bool'
        : 'number';
  return literal(term, { family }, place);
}

function literal(
  term: unknown,
  beside: Pick<Scalar, 'family' | 'column'>,
  place: TermPosition,
): Scalar & { value: unknown } {
  const { family, column } = beside;
  const value = literalValue(term, family);
  if (value === undefined)
    throw wrongAt(
      place,
      column ? `is no value for the column '${column.code}' of type ${column.type}` : `is no ${family}`,
    );
  const type = column ? typeFor(column, [value]) : familyTypes[family];
  return { value, family, sql: () => sql`${value}::${type}` };
}

const comparison =
  (symbol: Sql, { ordered }: { ordered: boolean }): Operator =>
  (place, args) => {
    demandCount(place, args, 2);
    const [left, right] = operandsOf(place, args) as [Scalar, Scalar];
    if (ordered && left.family === 'bool') throw wrongAt(place, 'true and false have no order');
    const side = ordered ? ordering(left) : asIs;
    return (context) => sql`${side(left.sql(context))} ${symbol} ${right.sql(context)}`;
  };

const asIs = (value: Sql): Sql => value;
const ordering = ({ family }: Scalar) =>
  family === 'text' ? (value: Sql) => orderedText({ type: 'text' }, value) : asIs;

const between: Operator = (place, args) => {
  demandCount(place, args, 3);
  const [value, low, high] = operandsOf(place, args) as [Scalar, Scalar, Scalar];
  if (value.family === 'bool') throw wrongAt(place, 'true and false have no order');
  const side = ordering(value);
  return (context) => sql`${side(value.sql(context))} between ${low.sql(context)} and ${high.sql(context)}`;
};

const among: Operator = (place, args) => {
  demandCount(place, args, 2);
  const at = argumentOf(place, 0);
  const list = args[1];
  const scalar = scalarOf(args[0], at) ?? ownLiteral(args[0], at);
  if (!Array.isArray(list) || !list.length) throw wrongAt(argumentOf(place, 1), 'must be an array of values');
  const { column } = scalar;
  if (!column || list.some((term) => isObject(term) && ('op' in term || 'property' in term)))
    return isOneOf(place, scalar, list);
  const values = list.map((term) => literal(term, scalar, argumentOf(place, 1)).value);
  return (context) => isAmong(column, valueSql(column, context), values);
};

/** A calculated value, or one among values that are calculated for each object. */
function isOneOf(place: TermPosition, scalar: Scalar, list: readonly unknown[]): ReturnType<Operator> {
  const at = argumentOf(place, 1);
  const others = list.map((term) => scalarOf(term, at) ?? literal(term, scalar, at));
  if (others.some(({ family }) => family !== scalar.family))
    throw wrongAt(at, `must be an array of values of the type ${scalar.family}`);
  return (context) => {
    const values = others.map((other) => other.sql(context));
    return sql`${scalar.sql(context)} in (${join(values)})`;
  };
}

/** Longest pattern of `like`, characters. */
const patternLimit = 4_000;

/** `%` stands for any characters, `_` for one; `\` before one of these or itself makes it literal. */
const like: Operator = (place, args) => {
  demandCount(place, args, 2);
  const at = argumentOf(place, 0);
  if (propertyOf(args[0], at) && familyOf(propertyOf(args[0], at)!) !== 'text')
    throw wrongAt(at, 'must be a property of type string or text');
  const value = foldableText(args[0], at);
  checkPattern(args[1], argumentOf(place, 1));
  const pattern = foldableText(args[1], argumentOf(place, 1));
  return (context) => sql`${value.sql(context)} like ${pattern.sql(context)}`;
};

/** A pattern is a text, or `casei` and `accenti` of one. */
function checkPattern(term: unknown, place: TermPosition): void {
  let pattern = term;
  while (isObject(pattern) && /^(casei|accenti)$/.test(String(pattern.op)))
    pattern = Array.isArray(pattern.args) ? pattern.args[0] : undefined;
  const text = typeof pattern === 'string' ? literalValue(pattern, 'text') : undefined;
  if (typeof text !== 'string' || text.length > patternLimit)
    throw wrongAt(place, `must be a text of at most ${patternLimit} characters`);
  if (/(?<!\\)(\\\\)*\\$/.test(text)) throw wrongAt(place, 'ends in a single backslash');
}

const isNull: Operator = (place, args) => {
  demandCount(place, args, 1);
  const at = argumentOf(place, 0);
  const column = isObject(args[0]) && 'op' in args[0] ? undefined : propertyOf(args[0], at);
  if (column) return (context) => sql`${valueSql(column, context)} is null`;
  const scalar = scalarOf(args[0], at) ?? ownLiteral(args[0], at);
  return (context) => sql`(${scalar.sql(context)}) is null`;
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
