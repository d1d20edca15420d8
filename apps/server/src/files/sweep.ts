import type { Database } from '@cartulary/database';
import { BackgroundTasks, type Log } from '@cartulary/runtime';
import { sql } from '@cartulary/sql';
import { layerTable } from '../layers/layers.js';
import type { FileStorage } from '../storage/storage.js';

interface Sweeping {
  db: Database;
  storage: FileStorage;
}

/** Contents per statement. */
const batchSize = 500;

/** Removes the bytes of deleted files, unless another file names them. */
export async function removeDeleted({ db, storage }: Sweeping): Promise<void> {
  for (;;) {
    const noted = await db.query<{ id: number; content: string; isNamed: boolean }>(sql`
      select r.id, r.content, exists (select from cartulary.named_content f where f.content = r.content) as "isNamed"
      from cartulary.file_removal r where r.not_before <= now() order by r.id limit ${batchSize}`);
    if (!noted.length) return;
    // A content that another process has removed meanwhile is removed again, which does nothing.
    for (const { content, isNamed } of noted) if (!isNamed) await storage.delete(content);
    const ids = noted.map(({ id }) => id);
    await db.transaction((tx) =>
      tx.query(sql`delete from cartulary.file_removal where id = any(${ids}::bigint[])`),
    );
  }
}

/**
 * Removes leftovers of crashes and failures: files of deleted objects, and unnamed bytes that were stored
 * before a time (ms since 1970). An upload stores its bytes first, so this time must precede every running
 * upload of all processes that share the database.
 */
export async function sweepFiles({ db, storage }: Sweeping, before: number): Promise<void> {
  await deleteAbandoned({ db, storage });
  await storage.removeUnfinished(before);
  await deleteLost(db);
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    for (const key of await unnamed(db, batch)) await storage.delete(key);
    batch = [];
  };
  for await (const { key, since } of storage.list()) {
    if (since < before) batch.push(key);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  await removeDeleted({ db, storage });
}

/** Removes unnamed contents of ended processes, and their unfinished ones. */
export async function deleteAbandoned({ db, storage }: Sweeping): Promise<void> {
  const keys: string[] = [];
  for await (const key of storage.abandoned()) keys.push(key);
  for (const key of await unnamed(db, keys)) await storage.delete(key);
  await storage.removeUnfinished(0);
}

async function unnamed(db: Database, keys: readonly string[]): Promise<string[]> {
  if (!keys.length) return [];
  const rows = await db.query<{ key: string }>(sql`
    select key from unnest(${[...keys]}::uuid[]) as stored (key)
    where not exists (select from cartulary.named_content f where f.content = stored.key)`);
  return rows.map(({ key }) => key);
}

/**
 * Deletes files of objects that no longer exist, which only a change outside of the service leaves behind.
 */
async function deleteLost(db: Database): Promise<void> {
  const layers = await db.query<{ id: number }>(sql`select distinct layer_id as id from cartulary.file`);
  for (const { id } of layers) {
    await db
      .transaction((tx) =>
        tx.query(sql`
          delete from cartulary.file f where f.layer_id = ${id}
            and not exists (select from ${layerTable(id)} t where t.svc_id = f.object_id)`),
      )
      // The layer was deleted meanwhile, with its files.
      .catch(() => {});
  }
}

/**
 * Intervals of removals and sweeps, and the age, ms, beyond which no upload of any process still needs its
 * bytes.
 */
const removalIntervalMs = 30_000;
const sweepIntervalMs = 6 * 3_600_000;
const maxUploadAgeMs = 24 * 3_600_000;

/** Removes and sweeps now and at intervals. */
export function startFileSweep(parts: Sweeping, log: Log): BackgroundTasks {
  // Only this process uses the embedded database, so no upload is older than the process.
  const now = Date.now();
  const first = parts.db.engine === 'embedded' ? now - 1_000 : now - maxUploadAgeMs;
  const background = new BackgroundTasks(log, 'files could not be swept');
  background.run(() => sweepFiles(parts, first));
  background.every(removalIntervalMs, () => removeDeleted(parts));
  background.every(sweepIntervalMs, () => sweepFiles(parts, Date.now() - maxUploadAgeMs));
  return background;
}
