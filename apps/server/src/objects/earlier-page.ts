import type { Queryable } from '@cartulary/database';
import { empty, join, type Sql, sql } from '@cartulary/sql';
import { type Layer, layerTable } from '../layers/layers.js';
import { selectRobustly } from './find/find.js';
import { keyText, type ListCursor, rangesBehind, readCursor } from './query/cursor.js';
import { type ListOrder, orderOf, valueInOrder } from './query/order.js';
import type { ObjectQuery } from './query/query.js';
import { conditions } from './sql/ids.js';

const t = sql`t`;

/** Where a page before a cursor begins, and how many objects it has at most. */
export interface EarlierPage {
  start: ListCursor;
  limit: number;
}

/**
 * The page that lies `pages` pages before the cursor of a list. The first one has as many objects as there are before the page
 * behind it; where all of them have gone it begins at the beginning.
 */
export async function pageBefore(
  db: Queryable,
  layer: Pick<Layer, 'id'>,
  { query, pages }: { query: ObjectQuery; pages: number },
  signal?: AbortSignal,
): Promise<EarlierPage> {
  const { sort, cursor, limit } = query;
  const first = { start: readCursor('', sort), limit };
  if (!cursor) return first;
  const order = orderOf(sort, t, query);
  const behind = join(rangesBehind(cursor, order), ') or (');
  const keys = sort.map(({ column }) => keyText(column, valueInOrder(column, t, query)));
  const before = (columns: Sql, robust: boolean): Sql =>
    sql`select ${columns} from ${layerTable(layer.id)} t where not ((${behind})) and ${conditions(query, robust)}`;
  const start = sql`t.svc_id as id, array[${join(keys)}]::text[] as keys`;
  const [found] = await selectRobustly(query, (robust) =>
    db.query<ListCursor>(
      sql`${before(start, robust)} order by ${backwards(order)} limit 1 offset ${limit * pages}::bigint`,
      signal,
    ),
  );
  if (found) return { start: found, limit };
  const [counted] = await selectRobustly(query, (robust) =>
    db.query<{ count: number }>(
      sql`select count(*)::integer as count from (${before(sql`1`, robust)} limit ${limit * pages}::bigint) b`,
      signal,
    ),
  );
  const own = counted!.count - limit * (pages - 1);
  return own > 0 ? { ...first, limit: Math.min(limit, own) } : first;
}

/** The order from its end to its beginning. */
const backwards = ({ keys, id }: ListOrder): Sql =>
  join([
    ...keys.map(({ value, descending }) => sql`(${value})${descending ? empty : sql` desc`} nulls first`),
    sql`(${id.value})${id.descending ? empty : sql` desc`}`,
  ]);
