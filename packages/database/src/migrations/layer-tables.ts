import { ident, sql } from '@cartulary/sql';
import type { Queryable } from '../database.js';

/** Drops the views of virtual layers, then the tables of the others, with what their last import has changed. */
export async function dropTables(
  tx: Queryable,
  layers: readonly { id: number; type: string }[],
): Promise<void> {
  const name = (id: number) => ident('cartulary_data', `layer_${id}`);
  for (const { id, type } of layers)
    if (type === 'virtual') await tx.query(sql`drop view if exists ${name(id)} cascade`);
  for (const { id, type } of layers)
    if (type !== 'virtual')
      await tx.query(sql`drop table if exists ${name(id)}, ${ident('cartulary_data', `before_${id}`)}`);
}
