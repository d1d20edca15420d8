import type { PGlite } from '@electric-sql/pglite';
import type { WireServer } from './wire-server.js';

/** ms between two looks, and how long the clients must have been quiet for the work that can wait. */
const period = 1_000;
const quiet = 1_500;
/** Bytes of WAL after which a checkpoint is made, in a quiet moment or at once: a start after a crash reads some 10 to 40 MB a second. */
const walWhenQuiet = 16 * 1024 * 1024;
const walAtOnce = 32 * 1024 * 1024;

/**
 * Does what a PostgreSQL server's own background processes do and the embedded one does not have: checkpoints, so
 * that the log stays short and a start after a crash quick, and VACUUM and ANALYZE by autovacuum's default rule
 * (https://www.postgresql.org/docs/current/routine-vacuuming.html), one table at a time. Gives a function that ends it.
 */
export function startUpkeep(pg: PGlite, server: WireServer, warn: (text: string) => void): () => void {
  const failed = new Set<string>();
  let last = 0;
  let isBusy = false;

  const work = async (isQuiet: boolean): Promise<void> => {
    const wal = await walSize(pg);
    if (wal > (isQuiet ? walWhenQuiet : walAtOnce)) await pg.exec('checkpoint');
    if (!isQuiet) return;
    const task = (await neediestTables(pg)).find((statement) => !failed.has(statement));
    if (!task) last = Date.now();
    else
      await pg.exec(task).catch((error) => {
        failed.add(task);
        warn(`${task}: ${error.message}`);
      });
  };

  const timer = setInterval(() => {
    const idle = server.idleTime();
    const hasNews = Date.now() - idle > last;
    if (isBusy || !hasNews) return;
    isBusy = true;
    server
      .exclusively(() => work(idle > quiet))
      .catch((error) => warn(error.message))
      .finally(() => {
        isBusy = false;
      });
  }, period);
  return () => clearInterval(timer);
}

/** Bytes of log since the last checkpoint. */
async function walSize(pg: PGlite): Promise<number> {
  const { rows } = await pg.query<{ size: string }>(
    'select (pg_current_wal_insert_lsn() - redo_lsn)::text as size from pg_control_checkpoint()',
  );
  return Number(rows[0]?.size ?? 0);
}

/** The statements for the tables that need it by autovacuum's thresholds, the neediest first. */
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
