import type { Database } from '../db/pool.js';
import { sql } from '../db/sql.js';
import type { Log } from '../http/service.js';
import { layerTable } from '../layers/layers.js';
import type { FileStorage } from '../storage/storage.js';

interface Sweeping {
  db: Database;
  storage: FileStorage;
}

/** Contents in one statement. */
const batchSize = 500;

/** Removes the bytes of files that were deleted, whatever deleted them, unless another file has them. */
export async function removeDeleted({ db, storage }: Sweeping): Promise<void> {
  for (;;) {
    const noted = await db.query<{ id: number; content: string; isNamed: boolean }>(sql`
      select r.id, r.content, exists (select from cartulary.named_content f where f.content = r.content) as "isNamed"
      from cartulary.file_removal r where r.not_before <= now() order by r.id limit ${batchSize}`);
    if (!noted.length) return;
    // What another process has removed meanwhile is removed once more, which does nothing.
    for (const { content, isNamed } of noted) if (!isNamed) await storage.delete(content);
    const ids = noted.map(({ id }) => id);
    await db.transaction((tx) =>
      tx.query(sql`delete from cartulary.file_removal where id = any(${ids}::bigint[])`),
    );
  }
}

/**
 * Removes what a crash or a failure left behind: files of objects that are gone, and bytes stored before a time (ms
 * since 1970) that nothing names. Whoever adds a file stores its bytes first, so the time must lie before any upload
 * that may still run, of all processes that share the database.
 */
export async function sweepFiles({ db, storage }: Sweeping, before: number): Promise<void> {
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

async function unnamed(db: Database, keys: readonly string[]): Promise<string[]> {
  if (!keys.length) return [];
  const rows = await db.query<{ key: string }>(sql`
    select key from unnest(${[...keys]}::uuid[]) as stored (key)
    where not exists (select from cartulary.named_content f where f.content = stored.key)`);
  return rows.map(({ key }) => key);
}

/** Deletes files whose object is gone: nothing of ours leaves such behind. */
async function deleteLost(db: Database): Promise<void> {
  const layers = await db.query<{ id: number }>(sql`select distinct layer_id as id from cartulary.file`);
  for (const { id } of layers) {
    await db
      .transaction((tx) =>
        tx.query(sql`
          delete from cartulary.file f where f.layer_id = ${id}
            and not exists (select from ${layerTable(id)} t where t.svc_id = f.object_id)`),
      )
      // Deleted meanwhile, with its files.
      .catch(() => {});
  }
}

/** ms between two removals and two sweeps; age of bytes, ms, at which no upload of any process still needs them. */
const removalPeriod = 30_000;
const sweepPeriod = 6 * 3_600_000;
const uploadAge = 24 * 3_600_000;

/** Removes and sweeps from time to time, and now. Gives a function that ends it, when what runs is done. */
export function startSweeping(parts: Sweeping, log: Log): () => Promise<void> {
  // The embedded database belongs to this process alone: what is older than it is nobody's.
  const now = Date.now();
  const first = parts.db.engine === 'embedded' ? now - 1_000 : now - uploadAge;
  let running = Promise.resolve();
  let hasEnded = false;
  const run = (work: () => Promise<void>): void => {
    running = running
      .then(() => (hasEnded ? undefined : work()))
      .catch((error) => log.warn({ err: error }, 'files could not be swept'));
  };
  run(() => sweepFiles(parts, first));
  const timers = [
    setInterval(() => run(() => removeDeleted(parts)), removalPeriod),
    setInterval(() => run(() => sweepFiles(parts, Date.now() - uploadAge)), sweepPeriod),
  ];
  for (const timer of timers) timer.unref();
  return async () => {
    hasEnded = true;
    timers.forEach(clearInterval);
    await running;
  };
}
