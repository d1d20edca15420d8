import type { PGlite } from '@electric-sql/pglite';
import type { WireServer } from './wire/wire-server.js';

/** Interval at which the engine looks at what can wait, ms. */
export const checkPeriodMs = 1_000;
/** Time without statements after which work that can wait is done, ms. */
export const idleAfterMs = 1_500;
/** Sizes of the WAL at which a checkpoint is made, when idle and at once: recovery after a crash reads 10 to 40 MB a second. */
const idleWalBytes = 16 * 1024 * 1024;
const maxWalBytes = 32 * 1024 * 1024;

/**
 * Replaces the background processes of a PostgreSQL server, which PGlite lacks: checkpoints keep the log short and recovery quick;
 * VACUUM and ANALYZE run one table at a time, by the default thresholds of autovacuum
 * (https://www.postgresql.org/docs/current/routine-vacuuming.html). Gives a function that ends it.
 */
export function startUpkeep(pg: PGlite, server: WireServer, warn: (text: string) => void): () => void {
  const failed = new Set<string>();
  let last = 0;
  let isBusy = false;

  const work = async (isIdle: boolean): Promise<void> => {
    const walSize = await walBytes(pg);
    if (walSize > (isIdle ? idleWalBytes : maxWalBytes)) await pg.exec('checkpoint');
    if (!isIdle) return;
    const task = (await neediestTables(pg)).find((statement) => !failed.has(statement));
    if (!task) last = performance.now();
    else
      await pg.exec(task).catch((error) => {
        failed.add(task);
        warn(`${task}: ${error.message}`);
      });
  };

  const timer = setInterval(() => {
    const idleMs = server.idleMs();
    const hasChanged = performance.now() - idleMs > last;
    if (isBusy || !hasChanged) return;
    isBusy = true;
    server
      .exclusively(() => work(idleMs > idleAfterMs))
      .catch((error) => warn(error.message))
      .finally(() => {
        isBusy = false;
      });
  }, checkPeriodMs);
  return () => clearInterval(timer);
}

/** Size of the log since the last checkpoint, bytes. */
async function walBytes(pg: PGlite): Promise<number> {
  const { rows } = await pg.query<{ size: string }>(
    'select (pg_current_wal_insert_lsn() - redo_lsn)::text as size from pg_control_checkpoint()',
  );
  return Number(rows[0]?.size ?? 0);
}

/** Statements for the tables above a threshold of autovacuum, the highest ratio first. */
async function neediestTables(pg: PGlite): Promise<string[]> {
  const { rows } = await pg.query<{ statement: string }>(`
    select format('%s %I.%I', case when dead > 1 or inserted > 1 then 'vacuum (analyze)' else 'analyze' end,
      schemaname, relname) as statement
    from (
      select schemaname, s.relname,
        n_dead_tup / (50 + 0.2 * greatest(reltuples, 0)) as dead,
        n_ins_since_vacuum / (1000 + 0.2 * greatest(reltuples, 0)) as inserted,
        n_mod_since_analyze / (50 + 0.1 * greatest(reltuples, 0)) as changed
      from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    ) need
    where greatest(dead, inserted, changed) > 1
    order by greatest(dead, inserted, changed) desc`);
  return rows.map(({ statement }) => statement);
}
