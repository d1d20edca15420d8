import { ident, join, type Sql, sql } from '../db/sql.js';
import { columnName, layerTable } from '../layers/layers.js';
import { valueSql } from '../layers/types.js';
import { isAmong } from './comparisons.js';
import { keyText, rangesBehind } from './cursor.js';
import { apart, type Order, orderBy, orderOf, partsOf, renamed, valueInOrder } from './order.js';
import type { ObjectQuery, Output } from './query.js';
import { meetsBoxes } from './spatial.js';
import type { Table } from './sql.js';

/*
 * Which objects a list has, in its order. They are found among all; or along the index of the order, as far as is allowed; and deep in a
 * list of all objects the ids come first, which the index alone knows.
 */

const t = sql`t`;
const id = sql`t.svc_id`;

/** How the objects of a list are found. */
export interface Finding {
  /** Geometries are made valid before they are compared. */
  robust: boolean;
  limit: number;
  /** Names of columns of the table that are selected, too. */
  carried?: readonly Sql[];
  /** Only so many objects are looked at, the first in the order, along its index: as many as are found are the right ones, but more may follow. */
  walk?: number | undefined;
  /** All that meet the conditions are read before they are put in order, one more than so many at most: their number is the column `inside`. */
  gather?: number | undefined;
}

/**
 * Selects `id` and `weight` (bytes that the object's long values take in the table, about) of a list, in its order, and what is
 * `carried` beside them. Of a list that tells by a cursor where it goes on also `keys`, those of the last but one.
 */
export function idsStatement(layer: Table, query: ObjectQuery, how: Finding): Sql {
  const { sort, tellsNext } = query;
  const carried = how.carried ?? [];
  const { from, where, offset, isApart } = sourceOf(layer, query, how);
  const order = orderOver(query, t);
  const columns = [...carried, ...(tellsNext ? namesOf(query) : [])].map((name) => sql`t.${name}`);
  const found = sql`select ${join([sql`${id} as id`, sql`${weight(query)} as weight`, ...columns])}
    from ${from} t where ${where} order by ${orderBy(isApart ? apart(order) : order)} limit ${how.limit}::bigint offset ${offset}::bigint`;
  if (!tellsNext) return found;
  const texts = sort.map(({ column }, i) => keyText(column, sql`s.${namesOf(query)[i]!}`));
  return sql`select ${join([sql`s.id`, sql`s.weight`, ...carried.map((name) => sql`s.${name}`)])},
      case when row_number() over () = ${how.limit - 1}::bigint then array[${join(texts)}]::text[] end as keys
    from (${found}) s`;
}

/** From which offset on the ids of a list are found first. */
const deep = 1_000;

interface Source {
  /** A subquery with the values of `sort` as k0, k1 …, and what is left to do with it. */
  from: Sql;
  where: Sql;
  offset: number;
  /** The objects are to be found first and then put in order. */
  isApart?: boolean;
}

function sourceOf(layer: Table, query: ObjectQuery, how: Finding): Source {
  const { offset, cursor, indexed, sort } = query;
  const where = conditions(query, how.robust);
  const most = how.walk ?? (isQuick(query) ? offset + how.limit : undefined);
  // The planner would rather go along an index of the order, to its end where the few that are sought lie there.
  const isApart =
    most === undefined && Boolean((cursor || isConditional(query) || indexed) && (sort.length || indexed));
  if (!isConditional(query) && offset >= deep) {
    const found = atDepth(layer, query, { most, limit: how.limit, isApart });
    return { from: sql`(${found})`, where: sql`true`, offset: 0 };
  }
  if (most !== undefined) return { from: sql`(${walk(layer, query, most)})`, where, offset };
  if (how.gather !== undefined) {
    const inside = sql`${plain(layer, query, where)} limit ${how.gather + 1}::bigint`;
    return {
      from: sql`(select i.*, count(*) over () as inside from (${inside}) i)`,
      where: sql`true`,
      offset,
    };
  }
  return { from: sql`(${plain(layer, query, where)})`, where: sql`true`, offset, isApart };
}

/** Whether the index leads to an offset sooner than all objects are put in order: not where each that is left out is looked for in the table, and these are many. */
const isQuick = (query: ObjectQuery): boolean =>
  !isConditional(query) &&
  query.indexed !== undefined &&
  (query.indexed.isEnough || query.offset <= query.indexed.objects / 10);

const namesOf = ({ sort }: ObjectQuery): Sql[] => sort.map((_, i) => ident(`k${i}`));

/** The order over what `selected` gives under an alias. */
const orderOver = (query: ObjectQuery, alias: Sql): Order =>
  renamed(orderOf(query.sort, t, query), alias, namesOf(query));

/** All columns of the table, and the values of `sort`. */
function selected(query: ObjectQuery): Sql {
  const names = namesOf(query);
  const values = query.sort.map(({ column }, i) => sql`${valueInOrder(column, t, query)} as ${names[i]!}`);
  return join([sql`t.*`, ...values]);
}

/** The objects that meet a condition and lie behind the cursor, in no order. */
function plain(layer: Table, query: ObjectQuery, where: Sql): Sql {
  const { cursor, sort } = query;
  const ranges = cursor ? rangesBehind(cursor, orderOf(sort, t, query)) : [];
  const all = ranges.length ? sql`${where} and ((${join(ranges, ') or (')}))` : where;
  return sql`select ${selected(query)} from ${layerTable(layer.id)} t where ${all}`;
}

/** The first so many objects of all in the order, behind the cursor. */
function walk(layer: Table, query: ObjectQuery, most: number): Sql {
  const order = orderOf(query.sort, t, query);
  const ranges = query.cursor ? rangesBehind(query.cursor, order) : [sql`true`];
  const [short, long] = partsOf(order);
  const parts = ranges.map((range) => sql`${range} and ${short}`);
  if (long) parts.push(sql`((${join(ranges, ') or (')})) and ${long}`);
  const firsts = parts.map(
    (part) =>
      sql`select ${selected(query)} from ${layerTable(layer.id)} t where ${part} order by ${orderBy(order)} limit ${most}::bigint`,
  );
  if (firsts.length === 1) return firsts[0]!;
  return sql`select * from ((${join(firsts, ') union all (')})) t order by ${orderBy(orderOver(query, t))} limit ${most}::bigint`;
}

/** The objects of a list without conditions, their ids first: the rows that an offset leaves out are not read, where an index has the ids. */
function atDepth(
  layer: Table,
  query: ObjectQuery,
  { most, limit, isApart }: { most: number | undefined; limit: number; isApart: boolean },
): Sql {
  const found = most === undefined ? plain(layer, query, sql`true`) : walk(layer, query, most);
  const names = namesOf(query);
  const order = orderOver(query, sql`f`);
  const ids = sql`select ${join([sql`f.svc_id`, ...names.map((name) => sql`f.${name}`)])}
    from (${found}) f order by ${orderBy(isApart ? apart(order) : order)} limit ${limit}::bigint offset ${query.offset}::bigint`;
  return sql`select ${join([sql`t.*`, ...names.map((name) => sql`d.${name}`)])}
    from (${ids}) d join ${layerTable(layer.id)} t on t.svc_id = d.svc_id`;
}

/** Whether a list has not all objects of its layer. */
export const isConditional = ({ equals, boxes, filter }: ObjectQuery): boolean =>
  equals !== undefined || boxes !== undefined || filter !== undefined;

function conditions(query: ObjectQuery, robust: boolean): Sql {
  const reading = { alias: t, lng: query.lng, main: query.main, robust };
  const { equals, boxes, filter } = query;
  const parts = [
    equals && isAmong(equals.column, valueSql(equals.column, reading), equals.values),
    boxes && meetsBoxes(sql`t.geom`, boxes),
    filter?.(reading),
  ].filter((part) => part !== undefined);
  return parts.length
    ? join(
        parts.map((part) => sql`(${part})`),
        ' and ',
      )
    : sql`true`;
}

/** How many objects the planner takes a list for, without its limit and cursor: `QUERY PLAN`, JSON. */
export const planOfList = (layer: Table, query: ObjectQuery): Sql =>
  sql`explain (format json) select from ${layerTable(layer.id)} t where ${conditions(query, false)}`;

/** The sizes that the table knows without reading the values. */
function weight({ columns, geometry }: Output): Sql {
  const long = columns.filter(
    ({ type, localized_value }) => type === 'text' || type === 'json' || localized_value,
  );
  const stored = long.map((column) => sql`t.${ident(columnName(column))}`);
  if (geometry && !geometry.centroid) stored.push(sql`t.geom`);
  if (!stored.length) return sql`0`;
  return join(
    stored.map((value) => sql`coalesce(pg_column_size(${value}), 0)`),
    ' + ',
  );
}

/** Ids and weights of the objects after an id, in the order of ids. */
export const idsAfter = (
  layer: Table,
  query: ObjectQuery,
  how: { after: number; limit: number; robust: boolean },
): Sql =>
  sql`select ${id} as id, ${weight(query)} as weight from ${layerTable(layer.id)} t
    where ${id} > ${how.after}::bigint and ${conditions(query, how.robust)} order by ${id} limit ${how.limit}::bigint`;
