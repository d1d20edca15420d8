import { type Output, valueSql } from '@cartulary/columns';
import { ident, join, type Sql, sql } from '@cartulary/sql';
import { layerTable, stored } from '../../layers/layers.js';
import { keyText, rangesBehind } from '../query/cursor.js';
import { isAmong } from '../query/families.js';
import {
  type ListOrder,
  orderBy,
  orderOf,
  orderParts,
  renamed,
  valueInOrder,
  withoutIndex,
} from '../query/order.js';
import type { ObjectQuery } from '../query/query.js';
import { meetsBoxes } from '../query/spatial.js';
import type { ObjectTable } from './sql.js';

/*
 * Statements that find the objects of a list in its order. They search all objects, or a limited part of the order's index.
 * Deep in a list of all objects they read the ids first, from the index alone.
 */

const t = sql`t`;
const id = sql`t.svc_id`;

/** How to find the objects of a list. */
export interface FindOptions {
  /** Repairs invalid geometries before they are compared. */
  robust: boolean;
  limit: number;
  /** Further columns of the table to select. */
  carried?: readonly Sql[];
  /**
   * Reads only this many objects, the first ones along the index of the order. The objects found are right, but more may
   * follow.
   */
  walkLimit?: number | undefined;
  /**
   * Reads all objects that meet the conditions before it sorts them, at most one more than this; the column `inside` has
   * their number.
   */
  gatherLimit?: number | undefined;
  /**
   * The list comes in several slices. Their weight then follows the time they take: a byte of a geometry counts as several
   * bytes of text.
   */
  isSliced?: boolean;
}

/**
 * Selects `id` and `weight` of the objects of a list, in its order, and the `carried` columns. `weight`: about how many bytes
 * the object's long values take in the table. A sorted list with a cursor also has `keys`, the sort values, in the row before the
 * last.
 */
export function idsStatement(layer: ObjectTable, query: ObjectQuery, how: FindOptions): Sql {
  const { sort } = query;
  const isKeyed = hasKeys(query);
  const carried = how.carried ?? [];
  const { from, where, offset, avoidsIndex } = sourceOf(layer, query, how);
  const order = orderOver(query, t);
  const columns = [...carried, ...(isKeyed ? namesOf(query) : [])].map((name) => sql`t.${name}`);
  const found = sql`select ${join([sql`${id} as id`, sql`${weightSql(query, how.isSliced)} as weight`, ...columns])}
    from ${from} t where ${where} order by ${orderBy(avoidsIndex ? withoutIndex(order) : order)} limit ${how.limit}::bigint offset ${offset}::bigint`;
  if (!isKeyed) return found;
  const texts = sort.map(({ column }, i) => keyText(column, sql`s.${namesOf(query)[i]!}`));
  return sql`select ${join([sql`s.id`, sql`s.weight`, ...carried.map((name) => sql`s.${name}`)])},
      case when row_number() over () = ${how.limit - 1}::bigint then array[${join(texts)}]::text[] end as keys
    from (${found}) s`;
}

/** Whether the cursor behind a list needs sort values: a list in the order of ids goes on behind the last id. */
export const hasKeys = ({ tellsNext, sort }: ObjectQuery): boolean => Boolean(tellsNext) && sort.length > 0;

/** From this offset on, the statement finds the ids first. */
const deepOffset = 1_000;

interface Source {
  /** A subquery with the sort values as k0, k1 …, and the condition and offset that remain for it. */
  from: Sql;
  where: Sql;
  offset: number;
  /** Finds the objects first and then sorts them. */
  avoidsIndex?: boolean;
}

function sourceOf(layer: ObjectTable, query: ObjectQuery, how: FindOptions): Source {
  const { offset, cursor, indexed, sort } = query;
  const where = conditions(query, how.robust);
  const most = how.walkLimit ?? (isQuick(query) ? offset + how.limit : undefined);
  // Prevents a walk along the index of the order: the planner would choose it, although the few wanted objects may lie at its
  // end.
  const avoidsIndex =
    most === undefined && Boolean((cursor || isConditional(query) || indexed) && (sort.length || indexed));
  if (!isConditional(query) && offset >= deepOffset) {
    const found = atDepth(layer, query, { most, limit: how.limit, avoidsIndex });
    return { from: sql`(${found})`, where: sql`true`, offset: 0 };
  }
  if (most !== undefined) return { from: sql`(${walk(layer, query, most)})`, where, offset };
  if (how.gatherLimit !== undefined) {
    const inside = sql`${matching(layer, query, where)} limit ${how.gatherLimit + 1}::bigint`;
    return {
      from: sql`(select i.*, count(*) over () as inside from (${inside}) i)`,
      where: sql`true`,
      offset,
    };
  }
  return { from: sql`(${matching(layer, query, where)})`, where: sql`true`, offset, avoidsIndex };
}

/**
 * Whether the index reaches the offset sooner than sorting all objects does. It does not where many skipped objects must be
 * looked up in the table.
 */
const isQuick = (query: ObjectQuery): boolean =>
  !isConditional(query) &&
  query.indexed !== undefined &&
  (query.indexed.isEnough || query.offset <= query.indexed.objects / 10);

const namesOf = ({ sort }: ObjectQuery): Sql[] => sort.map((_, i) => ident(`k${i}`));

/** The order over the columns of `selected` under an alias. */
const orderOver = (query: ObjectQuery, alias: Sql): ListOrder =>
  renamed(orderOf(query.sort, t, query), alias, namesOf(query));

/** All columns of the table, and the sort values. */
function selected(query: ObjectQuery): Sql {
  const names = namesOf(query);
  const values = query.sort.map(({ column }, i) => sql`${valueInOrder(column, t, query)} as ${names[i]!}`);
  return join([sql`t.*`, ...values]);
}

/** The objects that meet a condition and lie behind the cursor, in no order. */
function matching(layer: ObjectTable, query: ObjectQuery, where: Sql): Sql {
  const { cursor, sort } = query;
  const ranges = cursor ? rangesBehind(cursor, orderOf(sort, t, query)) : [];
  const all = ranges.length ? sql`${where} and ((${join(ranges, ') or (')}))` : where;
  return sql`select ${selected(query)} from ${layerTable(layer.id)} t where ${all}`;
}

/** The first `most` of all objects in the order, behind the cursor. */
function walk(layer: ObjectTable, query: ObjectQuery, most: number): Sql {
  const order = orderOf(query.sort, t, query);
  const ranges = query.cursor ? rangesBehind(query.cursor, order) : [sql`true`];
  const [short, long] = orderParts(order);
  const parts = ranges.map((range) => sql`${range} and ${short}`);
  if (long) parts.push(sql`((${join(ranges, ') or (')})) and ${long}`);
  const firsts = parts.map(
    (part) =>
      sql`select ${selected(query)} from ${layerTable(layer.id)} t where ${part} order by ${orderBy(order)} limit ${most}::bigint`,
  );
  if (firsts.length === 1) return firsts[0]!;
  return sql`select * from ((${join(firsts, ') union all (')})) t order by ${orderBy(orderOver(query, t))} limit ${most}::bigint`;
}

/**
 * The objects of a list without conditions, found by their ids first. Where an index has the ids, the skipped rows are not
 * read.
 */
function atDepth(
  layer: ObjectTable,
  query: ObjectQuery,
  { most, limit, avoidsIndex }: { most: number | undefined; limit: number; avoidsIndex: boolean },
): Sql {
  const found = most === undefined ? matching(layer, query, sql`true`) : walk(layer, query, most);
  const names = namesOf(query);
  const order = orderOver(query, sql`f`);
  const ids = sql`select ${join([sql`f.svc_id`, ...names.map((name) => sql`f.${name}`)])}
    from (${found}) f order by ${orderBy(avoidsIndex ? withoutIndex(order) : order)} limit ${limit}::bigint offset ${query.offset}::bigint`;
  return sql`select ${join([sql`t.*`, ...names.map((name) => sql`d.${name}`)])}
    from (${ids}) d join ${layerTable(layer.id)} t on t.svc_id = d.svc_id`;
}

/** Whether a list has conditions, so that it may leave out objects of its layer. */
export const isConditional = ({ equals, boxes, filter }: ObjectQuery): boolean =>
  equals !== undefined || boxes !== undefined || filter !== undefined;

/** The condition of a list over the alias `t`. */
export function conditions(query: ObjectQuery, robust: boolean): Sql {
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

/** Counts the objects that meet the conditions of a list, up to a limit: `count`. */
export const matchesUpTo = (layer: ObjectTable, query: ObjectQuery, limit: number): Sql =>
  sql`select count(*) as count from (
    select from ${layerTable(layer.id)} t where ${conditions(query, true)} limit ${limit}::bigint) counted`;

/** The planner's estimate for a list without its limit and cursor: `QUERY PLAN`, JSON. */
export const planOfList = (layer: ObjectTable, query: ObjectQuery): Sql =>
  sql`explain (format json) select from ${layerTable(layer.id)} t where ${conditions(query, false)}`;

/** Writing one byte of a geometry takes as long as writing this many bytes of text. */
const geometryWeightFactor = 4;

/** The sizes that the table knows without reading the values. */
function weightSql({ columns, geometry }: Output, isSliced = true): Sql {
  const long = columns.filter(
    ({ type, localized_value }) => type === 'text' || type === 'json' || localized_value,
  );
  const sizes = long.map((column) => sizeOf(stored(column, t)));
  if (geometry && !geometry.centroid)
    sizes.push(
      isSliced ? sql`${geometryWeightFactor}::integer * ${sizeOf(sql`t.geom`)}` : sizeOf(sql`t.geom`),
    );
  return sizes.length ? join(sizes, ' + ') : sql`0`;
}

const sizeOf = (value: Sql): Sql => sql`coalesce(pg_column_size(${value}), 0)`;

/** Ids and weights of the objects behind an id, in the order of ids. */
export const idsAfter = (
  layer: ObjectTable,
  query: ObjectQuery,
  how: { after: number; limit: number; robust: boolean },
): Sql =>
  sql`select ${id} as id, ${weightSql(query)} as weight from ${layerTable(layer.id)} t
    where ${id} > ${how.after}::bigint and ${conditions(query, how.robust)} order by ${id} limit ${how.limit}::bigint`;
