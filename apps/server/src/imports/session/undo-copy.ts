import type { Column } from '@cartulary/columns';
import type { Database, Queryable, Transaction } from '@cartulary/database';
import { plainText, type Sql, sql } from '@cartulary/sql';
import { beforeTable } from '../../layers/columns/columns.js';
import { layerTable } from '../../layers/layers.js';
import type { ColumnPlan } from './plan.js';
import type { Staging } from './staging.js';

/*
 * An import keeps a copy of all that it changes, so that `undoImport` can bring it back. Of each layer the last import has one.
 */

/** Who imports which file. */
export interface ImportAuthor {
  accountId: number | null;
  filename: string | undefined;
}

/** What is known of an import before it stores anything. */
export interface ImportBefore {
  layerId: number;
  author: ImportAuthor;
  isReplaced: boolean;
  /** The last id that the layer had assigned. */
  lastId: number;
  /** Objects that a replacing import removes. */
  removed: number;
  columns: readonly Column[];
}

/** The last id that a layer has assigned. */
export async function lastIdOf(db: Queryable, table: Sql): Promise<number> {
  const [row] = await db.query<{ id: number | null }>(sql`
    select pg_sequence_last_value(pg_get_serial_sequence(${plainText(table)}::text, 'svc_id')::regclass) as id`);
  return row?.id ?? 0;
}

/** Notes the layer as it is before an import, and forgets the import before that one. The layer is locked. */
export async function noteBefore(
  tx: Transaction,
  known: Pick<ImportBefore, 'layerId' | 'author' | 'isReplaced' | 'columns'>,
): Promise<ImportBefore> {
  const { layerId, isReplaced } = known;
  const table = layerTable(layerId);
  await forgetImport(tx, layerId);
  const [count] = isReplaced
    ? await tx.query<{ removed: number }>(sql`select count(*) as removed from ${table}`)
    : [{ removed: 0 }];
  return { ...known, lastId: await lastIdOf(tx, table), removed: count!.removed };
}

/** Removes what is kept of the last import of a layer. */
export async function forgetImport(tx: Transaction, layerId: number): Promise<void> {
  const known = await tx.query(
    sql`delete from cartulary.import_undo where layer_id = ${layerId} returning layer_id`,
  );
  if (known.length) await tx.query(sql`drop table if exists ${beforeTable(layerId)}`);
}

/** Keeps all objects of a layer, which are about to be deleted. */
export const keepAll = (tx: Transaction, layerId: number): Promise<unknown> =>
  tx.query(sql`create table ${beforeTable(layerId)} as table ${layerTable(layerId)}`);

/**
 * Keeps the objects that staged rows change, and the ids of those that they make under an id of the file. `slices`: conditions
 * on the number of the rows, each for a statement.
 */
export async function keepChanged(
  tx: Transaction,
  layerId: number,
  { staging, slices }: { staging: Staging; slices: readonly Sql[] },
): Promise<void> {
  const [table, before] = [layerTable(layerId), beforeTable(layerId)];
  await tx.query(sql`create table ${before} as select *, true as existed from ${table} with no data`);
  for (const slice of slices) {
    await tx.query(
      sql`insert into ${before} select t.*, true from ${table} t join ${staging} s on s.id = t.svc_id where ${slice}`,
    );
    await tx.query(sql`insert into ${before} (svc_id, existed) select s.id, false from ${staging} s
      where s.id is not null and ${slice} and not exists (select from ${table} t where t.svc_id = s.id)`);
  }
  await tx.query(sql`alter table ${before} add primary key (svc_id)`);
}

/** Notes an import at the end of its transaction, with the files of the objects that it has removed. */
export async function noteImport(
  tx: Transaction,
  { layerId, author, isReplaced, lastId, removed, columns }: ImportBefore,
  { plans, ...counts }: { plans: readonly ColumnPlan<Column>[]; added: number; changed: number },
): Promise<void> {
  const made = plans.map(({ column }) => column.id).filter((id) => !columns.some((one) => one.id === id));
  await tx.query(sql`
    insert into cartulary.import_undo (layer_id, account_id, filename, data_version, replaced, last_id, column_ids, added, changed, removed)
    select layer_id, ${author.accountId}::integer, ${author.filename ?? null}::text, data_version, ${isReplaced}, ${lastId}::bigint,
      ${made}::integer[], ${counts.added}::bigint, ${counts.changed}::bigint, ${removed}::bigint
    from cartulary.layer_state where layer_id = ${layerId}`);
  if (isReplaced) await removeFiles(tx, layerId, { isKept: true });
}

const fileColumns = sql`id, uuid, content, name, mime, size, layer_id, column_id, object_id, language, account_id, created_at`;

/** Removes the files of all objects of a layer. `isKept`: until its last import is forgotten. */
export async function removeFiles(
  tx: Queryable,
  layerId: number,
  { isKept }: { isKept: boolean },
): Promise<void> {
  if (isKept)
    await tx.query(sql`insert into cartulary.import_undo_file (${fileColumns})
      select ${fileColumns} from cartulary.file where layer_id = ${layerId}`);
  await tx.query(sql`delete from cartulary.file where layer_id = ${layerId}`);
}

/** Brings the files back that an import has removed. Users who are gone meanwhile are not named. */
export const returnFiles = (tx: Queryable, layerId: number): Promise<unknown> =>
  tx.query(sql`
    insert into cartulary.file (${fileColumns}) overriding system value
    select f.id, f.uuid, f.content, f.name, f.mime, f.size, f.layer_id, f.column_id, f.object_id, f.language, a.id, f.created_at
    from cartulary.import_undo_file f left join cartulary.account a on a.id = f.account_id
    where f.layer_id = ${layerId}`);

/** Forgets the imports that are older than `seconds`; 0: all. */
export async function sweepImports(db: Database, seconds: number): Promise<void> {
  const old = await db.query<{ id: number }>(sql`
    select layer_id as id from cartulary.import_undo
    where imported_at <= clock_timestamp() - ${seconds}::integer * interval '1 second'`);
  for (const { id } of old) await db.transaction((tx) => forgetImport(tx, id));
}
