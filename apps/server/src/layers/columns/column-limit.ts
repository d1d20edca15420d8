import type { Queryable } from '@cartulary/database';
import { sql } from '@cartulary/sql';

/** Limits of columns, as in the settings. */
export interface ColumnLimits {
  /** Of a layer. */
  columnLimit: number;
  /** Of all layers of a map. */
  mapColumns: number;
}

/**
 * The most columns that a layer may have: those of any layer, and no more than the other layers of its map leave; those that it has
 * may stay. Pictures and documents of a map read the columns of all its layers at once.
 */
export async function mostColumns(
  db: Queryable,
  layerId: number,
  { columnLimit, mapColumns }: ColumnLimits,
): Promise<number> {
  const [count] = await db.query<{ own: number; others: number }>(sql`
    select count(*) filter (where l.id = ${layerId})::integer as own, count(*) filter (where l.id <> ${layerId})::integer as others
    from cartulary.container l join cartulary.layer_column c on c.layer_id = l.id
    where l.map_id = (select map_id from cartulary.container where id = ${layerId})`);
  const { own, others } = count!;
  return Math.max(own, Math.min(columnLimit, mapColumns - others));
}
