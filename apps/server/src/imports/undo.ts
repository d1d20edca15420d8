import type { Column } from '@cartulary/columns';
import type { Database, Queryable, Transaction } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { BackgroundTasks, type Log } from '@cartulary/runtime';
import { ident, join, type Sql, sql } from '@cartulary/sql';
import type { Config } from '../config.js';
import { demandTag } from '../http/headers/precondition.js';
import { etagOf } from '../http/reply.js';
import { beforeTable, createFresh, deleteColumn, replaceTable } from '../layers/columns/columns.js';
import { keepConstraints, writtenNow } from '../layers/constraints/constraint-checks.js';
import { type Layer, layerTable, lockLayer, touchData } from '../layers/layers.js';
import { countImport, sliceRows } from './session/storing.js';
import { forgetImport, returnFiles, sweepImports } from './session/undo-copy.js';

/** The last import of a layer, and whether it can be undone. */
export interface LastImport {
  /** none: no import is kept; changed: objects or columns were changed after it, so it cannot be undone. */
  state: 'none' | 'changed' | 'possible';
  import: {
    file: string | null;
    login: string | null;
    imported_at: string;
    /** Until then it is kept. */
    until: string;
    replaced: boolean;
    added: number;
    changed: number;
    removed: number;
    /** Codes of the columns that it made. */
    columns: string[];
  } | null;
}

interface KeptImport {
  filename: string | null;
  login: string | null;
  imported_at: string;
  until: string;
  data_version: number;
  present_version: number;
  replaced: boolean;
  last_id: number;
  column_ids: number[];
  added: number;
  changed: number;
  removed: number;
}

async function readImport(db: Queryable, layerId: number, seconds: number): Promise<KeptImport | undefined> {
  const until = sql`u.imported_at + ${seconds}::integer * interval '1 second'`;
  const [kept] = await db.query<KeptImport>(sql`
    select u.filename, a.login, to_json(u.imported_at)#>>'{}' as imported_at, to_json(${until})#>>'{}' as until, u.data_version,
      s.data_version as present_version, u.replaced, u.last_id, u.column_ids, u.added, u.changed, u.removed
    from cartulary.import_undo u join cartulary.layer_state s on s.layer_id = u.layer_id
    left join cartulary.account a on a.id = u.account_id
    where u.layer_id = ${layerId} and ${until} > clock_timestamp()`);
  return kept;
}

const tagOf = (layerId: number, kept: KeptImport | undefined): string =>
  etagOf(layerId, kept?.imported_at ?? null, kept ? kept.present_version - kept.data_version : null);

/** Tells the last import of a layer, with its ETag. `seconds`: the time for which imports are kept. */
export async function lastImport(
  db: Queryable,
  layer: Layer,
  seconds: number,
): Promise<{ answer: LastImport; etag: string }> {
  const kept = await readImport(db, layer.id, seconds);
  const etag = tagOf(layer.id, kept);
  if (!kept) return { answer: { state: 'none', import: null }, etag };
  const { filename, login, imported_at, until, replaced, added, changed, removed } = kept;
  const columns = columnsOf(layer, kept).map(({ code }) => code);
  const state = kept.present_version === kept.data_version ? 'possible' : 'changed';
  const counts = { replaced, added, changed, removed, columns };
  return { answer: { state, import: { file: filename, login, imported_at, until, ...counts } }, etag };
}

const columnsOf = ({ columns }: Layer, { column_ids }: KeptImport): Column[] =>
  columns.filter(({ id }) => column_ids.includes(id));

/** What the undoing of an import has done. */
export interface UndoneImport {
  /** Objects that are deleted. */
  deleted: number;
  /** Objects that are as before. */
  restored: number;
  /** Codes of columns that are deleted. */
  columns: string[];
  /** Columns that stay, without values, since the style reads them. */
  kept_columns: string[];
}

/**
 * Undoes the last import of a layer: its objects, files and columns are as before. Throws 400 where none is kept, and 412 where
 * the layer was written after it, or If-Match does not name it.
 */
export async function undoImport(
  tx: Transaction,
  layer: Layer,
  { ifMatch, seconds }: { ifMatch: string | undefined; seconds: number },
): Promise<UndoneImport> {
  await tx.query(sql`set local statement_timeout = 0`);
  const now = await lockLayer(tx, layer);
  // Other writers wait from here on.
  const constrained = await touchData(tx, layer.id);
  const kept = await readImport(tx, layer.id, seconds);
  if (!kept) throw badRequest('No import of this layer is kept that could be undone');
  const seen = { ...kept, present_version: kept.present_version - 1 }; // as it was before `touchData`
  demandTag(ifMatch, tagOf(layer.id, seen));
  if (seen.present_version !== kept.data_version)
    throw new ServiceError('changed_meanwhile', 'The layer was changed after the import', {
      etag: tagOf(layer.id, seen),
    });
  if (kept.replaced) await restoreAll(tx, layer.id, kept);
  else await restoreSome(tx, layer.id, kept);
  await keepConstraints(tx, { layerId: layer.id, constrained, rows: writtenNow, removes: true });
  await countImport(tx, layer.id);
  await forgetImport(tx, layer.id);
  const { added: deleted, changed, removed } = kept;
  return { deleted, restored: changed + removed, ...(await deleteColumns(tx, now, columnsOf(now, kept))) };
}

/** Puts the objects back that an import has replaced, with their files. */
async function restoreAll(tx: Transaction, layerId: number, { removed }: KeptImport): Promise<void> {
  const fresh = await createFresh(tx, layerId);
  if (removed) {
    const names = join((await sharedColumns(tx, layerId)).map((name) => ident(name)));
    await inSlices(tx, layerId, (slice) =>
      tx.query(
        sql`insert into ${fresh} (${names}) select ${names} from ${beforeTable(layerId)} b where ${slice}`,
      ),
    );
  }
  await replaceTable(tx, layerId);
  await returnFiles(tx, layerId);
}

/** Deletes the objects that an import has added, and gives those that it has changed their values again. */
async function restoreSome(tx: Transaction, layerId: number, kept: KeptImport): Promise<void> {
  const table = layerTable(layerId);
  const [top] = await tx.query<{ last: number | null }>(sql`select max(svc_id) as last from ${table}`);
  for (let from = kept.last_id; from < (top?.last ?? 0); from += sliceRows)
    await tx.query(
      sql`delete from ${table} where svc_id > ${from}::bigint and svc_id <= ${from + sliceRows}::bigint`,
    );
  const names = (await sharedColumns(tx, layerId)).filter((name) => name !== 'svc_id');
  if (!names.length) return;
  const sets = join(names.map((name) => sql`${ident(name)} = b.${ident(name)}`));
  await inSlices(tx, layerId, async (slice) => {
    await tx.query(sql`delete from ${table} t using ${beforeTable(layerId)} b
      where t.svc_id = b.svc_id and not b.existed and ${slice}`);
    await tx.query(sql`update ${table} t set ${sets} from ${beforeTable(layerId)} b
      where t.svc_id = b.svc_id and b.existed and ${slice}`);
  });
}

/** The columns that the layer's table and the kept one have alike; none where nothing is kept. */
async function sharedColumns(tx: Queryable, layerId: number): Promise<string[]> {
  const found = await tx.query<{ name: string }>(sql`
    select n.attname as name from pg_attribute n join pg_attribute o on o.attname = n.attname and o.atttypid = n.atttypid
    where n.attrelid = to_regclass(${`cartulary_data.layer_${layerId}`}) and n.attnum > 0 and not n.attisdropped
      and o.attrelid = to_regclass(${`cartulary_data.before_${layerId}`}) and o.attnum > 0 and not o.attisdropped`);
  return found.map(({ name }) => name);
}

/** Runs work for every slice of the kept objects `b`, in the order of their ids. */
async function inSlices(
  tx: Queryable,
  layerId: number,
  work: (slice: Sql) => Promise<unknown>,
): Promise<void> {
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await tx.query<{ last: number | null }>(sql`
      select max(svc_id) as last from (select svc_id from ${beforeTable(layerId)} where svc_id > ${after}::bigint
        order by svc_id limit ${sliceRows}::bigint) page`);
    const last = rows[0]?.last ?? null;
    if (last === null) return;
    await work(sql`b.svc_id > ${after}::bigint and b.svc_id <= ${last}::bigint`);
    after = last;
  }
}

/** Deletes columns, but for those that the style of the layer reads. */
async function deleteColumns(
  tx: Transaction,
  layer: Layer,
  made: readonly Column[],
): Promise<Pick<UndoneImport, 'columns' | 'kept_columns'>> {
  const done: Pick<UndoneImport, 'columns' | 'kept_columns'> = { columns: [], kept_columns: [] };
  let now = layer;
  for (const { id, code } of made) {
    try {
      await deleteColumn(tx, now, code);
    } catch (error) {
      // Thrown before anything is changed.
      if (!(error instanceof ServiceError) || error.code !== 'style_invalid') throw error;
      done.kept_columns.push(code);
      continue;
    }
    done.columns.push(code);
    now = { ...now, columns: now.columns.filter((one) => one.id !== id) };
  }
  return done;
}

const sweepIntervalMs = 600_000;

/** Forgets imports whose time is over, at intervals. */
export function startImportSweep(
  { db, config }: { db: Database; config: Pick<Config, 'importUndoTimeS'> },
  log: Log,
): BackgroundTasks {
  const background = new BackgroundTasks(log, 'kept imports could not be swept');
  background.every(sweepIntervalMs, () => sweepImports(db, config.importUndoTimeS));
  return background;
}
