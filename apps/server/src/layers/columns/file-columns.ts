import type { Transaction } from '../db/pool.js';
import { ident, type Sql, sql } from '../db/sql.js';
import { columnName, layerTable } from './layers.js';
import type { StorageChange } from './storage.js';

/** Whether a list of ids with commas names a file. */
export const names = (list: Sql, fileId: Sql): Sql =>
  sql`(${fileId}::text = any(string_to_array(${list}, ',')))`;

/** After a file column was changed: its files stay where its lists still name them, in the language in which they do. */
export async function convertFiles(
  tx: Transaction,
  layerId: number,
  { before, after, main }: StorageChange,
): Promise<void> {
  if (before.type !== 'file') return;
  const ofColumn = sql`f.column_id = ${before.id}`;
  if (after.type !== 'file') {
    await tx.query(sql`delete from cartulary.file f where ${ofColumn}`);
    return;
  }
  if (after.localized_value) {
    await tx.query(sql`update cartulary.file f set language = ${main} where ${ofColumn}`);
    return;
  }
  const list = sql`t.${ident(columnName(after))}`;
  await tx.query(sql`
    delete from cartulary.file f where ${ofColumn} and not exists (
      select from ${layerTable(layerId)} t where t.svc_id = f.object_id and ${names(list, sql`f.id`)})`);
  await tx.query(sql`update cartulary.file f set language = null where ${ofColumn}`);
}
