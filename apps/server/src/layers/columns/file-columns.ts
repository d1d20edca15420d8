import type { Transaction } from '@cartulary/database';
import { type Sql, sql } from '@cartulary/sql';
import { layerTable, stored } from '../layers.js';
import type { StorageChange } from './storage-change.js';

/** Whether a comma-separated list of ids contains the file. */
const listsFile = (list: Sql, fileId: Sql): Sql =>
  sql`(${fileId}::text = any(string_to_array(${list}, ',')))`;

/** After a change of a file column, keeps the files that its lists still name, in the language of the list. */
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
  const list = stored(after, sql`t`);
  await tx.query(sql`
    delete from cartulary.file f where ${ofColumn} and not exists (
      select from ${layerTable(layerId)} t where t.svc_id = f.object_id and ${listsFile(list, sql`f.id`)})`);
  await tx.query(sql`update cartulary.file f set language = null where ${ofColumn}`);
}
