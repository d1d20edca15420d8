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
 * The most columns that a layer may have: those of any layer, and no more than the other layers of its map leave. Pictures and
 * documents of a map read the columns of all its layers at once.
 */
export async function mostColumns(
  db: Queryable,
  layerId: number,
  { columnLimit, mapColumns }: ColumnLimits,
): Promise<number> {
  const [others] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from cartulary.container l join cartulary.layer_column c on c.layer_id = l.id
    where l.map_id = (select map_id from cartulary.container where id = ${layerId}) and l.id <> ${layerId}`);
  return Math.min(columnLimit, Math.max(mapColumns - others!.count, 0));
}
