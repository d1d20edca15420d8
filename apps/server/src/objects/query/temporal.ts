import { valueSql } from '@cartulary/columns';
import { type Sql, sql } from '@cartulary/sql';
import { literalValue } from './families.js';
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

/** An instant or an interval: its beginning and its end. */
interface Period {
  start: Filter;
  end: Filter;
}

/** `{"timestamp": …}`, `{"date": …}`, a text, a column, or `{"interval": [start, end]}`, where `..` is open. */
function periodOf(term: unknown, place: TermPosition): Period {
  if (!isObject(term) || !('interval' in term)) {
    const instant = instantOf(term, place, undefined);
    return { start: instant, end: instant };
  }
  const { interval } = term;
  if (!Array.isArray(interval) || interval.length !== 2)
    throw wrongAt(place, 'interval must be [start, end]');
  const start = instantOf(interval[0], place, sql`'-infinity'::timestamptz`);
  const end = instantOf(interval[1], place, sql`'infinity'::timestamptz`);
  return { start, end };
}

function instantOf(term: unknown, place: TermPosition, open: Sql | undefined): Filter {
  if (term === '..' && open) return () => open;
  const column = propertyOf(term, place);
  if (column && column.type !== 'datetime')
    throw wrongAt(place, `the column '${column.code}' of type ${column.type} holds no time`);
  if (column) return (context) => valueSql(column, context);
  const value = literalValue(term, 'datetime');
  if (typeof value !== 'string') throw wrongAt(place, 'must be a date, a timestamp, an interval or a column');
  return () => sql`${value}::timestamptz`;
}

type Edges = Record<'s1' | 'e1' | 's2' | 'e2', Sql>;

const relation =
  (write: (edges: Edges) => Sql): Operator =>
  (place, args) => {
    demandCount(place, args, 2);
    const [a, b] = args.map((arg, i) => periodOf(arg, argumentOf(place, i))) as [Period, Period];
    return (context) =>
      sql`(${write({ s1: a.start(context), e1: a.end(context), s2: b.start(context), e2: b.end(context) })})`;
  };

export const temporals: Readonly<Record<string, Operator>> = {
  t_after: relation(({ s1, e2 }) => sql`${s1} > ${e2}`),
  t_before: relation(({ e1, s2 }) => sql`${e1} < ${s2}`),
  t_contains: relation(({ s1, e1, s2, e2 }) => sql`${s1} < ${s2} and ${e1} > ${e2}`),
  t_disjoint: relation(({ s1, e1, s2, e2 }) => sql`${e1} < ${s2} or ${s1} > ${e2}`),
  t_during: relation(({ s1, e1, s2, e2 }) => sql`${s1} > ${s2} and ${e1} < ${e2}`),
  t_equals: relation(({ s1, e1, s2, e2 }) => sql`${s1} = ${s2} and ${e1} = ${e2}`),
  t_finishedBy: relation(({ s1, e1, s2, e2 }) => sql`${s1} < ${s2} and ${e1} = ${e2}`),
  t_finishes: relation(({ s1, e1, s2, e2 }) => sql`${s1} > ${s2} and ${e1} = ${e2}`),
  t_intersects: relation(({ s1, e1, s2, e2 }) => sql`${s1} <= ${e2} and ${e1} >= ${s2}`),
  t_meets: relation(({ e1, s2 }) => sql`${e1} = ${s2}`),
  t_metBy: relation(({ s1, e2 }) => sql`${s1} = ${e2}`),
  t_overlappedBy: relation(({ s1, e1, s2, e2 }) => sql`${s1} > ${s2} and ${s1} < ${e2} and ${e1} > ${e2}`),
  t_overlaps: relation(({ s1, e1, s2, e2 }) => sql`${s1} < ${s2} and ${e1} > ${s2} and ${e1} < ${e2}`),
  t_startedBy: relation(({ s1, e1, s2, e2 }) => sql`${s1} = ${s2} and ${e1} > ${e2}`),
  t_starts: relation(({ s1, e1, s2, e2 }) => sql`${s1} = ${s2} and ${e1} < ${e2}`),
};
