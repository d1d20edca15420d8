import { valueSql } from '@cartulary/columns';
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

/** The array of a json column, null where the value is none, or an array of the filter. */
function valuesOf(term: unknown, place: TermPosition): Filter {
  const column = propertyOf(term, place);
  if (column && column.type !== 'json')
    throw wrongAt(place, `the column '${column.code}' of type ${column.type} holds no array`);
  if (column) {
    return (context) => {
      const value = valueSql(column, context);
      return sql`(case jsonb_typeof(${value}) when 'array' then ${value} end)`;
    };
  }
  if (!Array.isArray(term)) throw wrongAt(place, 'must be an array or a column of type json');
  const text = JSON.stringify(term.map((one) => plain(one, place)));
  return () => sql`${text}::jsonb`;
}

/** A value as it stands in a json column: a date or a timestamp as its text. */
function plain(term: unknown, place: TermPosition): string | number | boolean {
  const value = isObject(term) ? (term.timestamp ?? term.date) : term;
  const isRight = ['string', 'number', 'boolean'].includes(typeof value);
  if (isRight && !(typeof value === 'string' && /[\0\p{Surrogate}]/u.test(value)))
    return value as string | number | boolean;
  throw wrongAt(place, 'an array holds texts, numbers, true and false');
}

const relation =
  (write: (a: Sql, b: Sql) => Sql): Operator =>
  (place, args) => {
    demandCount(place, args, 2);
    const [a, b] = args.map((arg, i) => valuesOf(arg, argumentOf(place, i))) as [Filter, Filter];
    return (context) => sql`(${write(a(context), b(context))})`;
  };

/** Compares each value with each other one, and no time limit of the database ends that: this one refuses what is too long. */
const contains = (a: Sql, b: Sql): Sql => sql`${a} operator(cartulary_queries.@>) ${b}`;

/** Arrays compare as sets: neither order nor repetition counts. */
export const arrayFunctions: Readonly<Record<string, Operator>> = {
  a_contains: relation(contains),
  a_containedBy: relation((a, b) => contains(b, a)),
  a_equals: relation((a, b) => sql`${contains(a, b)} and ${contains(b, a)}`),
  a_overlaps: relation(
    (a, b) =>
      sql`exists (select from jsonb_array_elements(${a}) x join jsonb_array_elements(${b}) y on x.value = y.value)`,
  ),
};
