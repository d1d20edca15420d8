import type { Queryable } from '@cartulary/database';
import { empty, join, type Sql, sql } from '@cartulary/sql';
import { type Layer, layerTable } from '../layers/layers.js';
import { selectRobustly } from './find.js';
import { keyText, rangesBehind, writeCursor } from './query/cursor.js';
import { type ListOrder, orderOf, valueInOrder } from './query/order.js';
import type { ObjectQuery } from './query/query.js';
import { conditions } from './sql/ids.js';

const t = sql`t`;

/**
 * The cursor of the page before the cursor of a list: `limit` objects before it. '' where fewer come before: the page is the
 * first one.
 */
export async function cursorBefore(
  db: Queryable,
  layer: Pick<Layer, 'id'>,
  query: ObjectQuery,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { sort, cursor, limit } = query;
  if (!cursor) return '';
  const order = orderOf(sort, t, query);
  const behind = join(rangesBehind(cursor, order), ') or (');
  const keys = sort.map(({ column }) => keyText(column, valueInOrder(column, t, query)));
  const [found] = await selectRobustly(query, (robust) =>
    db.query<{ id: number; keys: (string | null)[] }>(
      sql`select t.svc_id as id, array[${join(keys)}]::text[] as keys from ${layerTable(layer.id)} t
        where not ((${behind})) and ${conditions(query, robust)} order by ${backwards(order)} limit 1 offset ${limit}::bigint`,
      signal,
    ),
  );
  return found ? writeCursor(found, sort) : '';
}

/** The order from its end to its beginning. */
const backwards = ({ keys, id }: ListOrder): Sql =>
  join([
    ...keys.map(({ value, descending }) => sql`(${value})${descending ? empty : sql` desc`} nulls first`),
    sql`(${id.value})${id.descending ? empty : sql` desc`}`,
  ]);
