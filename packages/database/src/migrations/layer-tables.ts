import type { Queryable } from './pool.js';
import { ident, sql } from './sql.js';

/** Drops what the database has of layers: the views of virtual ones, then the tables. */
export async function dropTables(
  tx: Queryable,
  layers: readonly { id: number; type: string }[],
): Promise<void> {
  const name = (id: number) => ident('cartulary_data', `layer_${id}`);
  for (const { id, type } of layers)
    if (type === 'virtual') await tx.query(sql`drop view if exists ${name(id)} cascade`);
  for (const { id, type } of layers)
    if (type !== 'virtual') await tx.query(sql`drop table if exists ${name(id)}`);
}
