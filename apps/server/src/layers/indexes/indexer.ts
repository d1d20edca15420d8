import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase, type Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { ident, type Sql, sql } from '@cartulary/sql';

/** An index that requests need. */
export interface WantedIndex {
  name: string;
  table: Sql;
  /** The part of CREATE INDEX from `on` on; `schema` is that of the extension pg_trgm. */
  definition: (schema: string) => Sql;
  /** Whether to analyze the table afterwards. */
  isAnalyzed?: boolean;
  /** Asked before the index is made. */
  isWanted?: (db: Queryable) => Promise<boolean>;
}

/** Makes indexes of layers in the background, one after the other. */
export interface Indexer {
  /** Asks for indexes. One that is pending, or failed recently, is not made again. Resolves when none of them is pending. */
  make(indexes: readonly WantedIndex[]): Promise<void>;
  /** Stops the running statement as far as the database can. */
  close(): Promise<void>;
}

/** Pause after a failure, ms. */
const retryPauseMs = 600_000;

/**
 * Creates an Indexer. PostgreSQL makes an index CONCURRENTLY, so that reads and writes of objects continue; on the embedded
 * database all wait for it. `warn` gets failures; requests then run without the index.
 */
export function createIndexer(db: Database, warn: (text: string) => void): Indexer {
  const asked = new Map<string, Promise<void>>();
  const leaving = new AbortController();
  let last: Promise<void> = Promise.resolve();

  const makeOne = async (index: WantedIndex): Promise<void> => {
    if (leaving.signal.aborted) return;
    try {
      const isWanted = (await index.isWanted?.(db)) ?? true;
      if (isWanted)
        await (db.engine === 'postgres'
          ? makeConcurrently(db, index, leaving.signal)
          : makeInTransaction(db, index));
      asked.delete(index.name);
    } catch (error) {
      if (leaving.signal.aborted) return;
      warn(`The index ${index.name} could not be made: ${(error as Error).message}`);
      setTimeout(() => asked.delete(index.name), retryPauseMs).unref();
    }
  };

  return {
    async make(indexes) {
      for (const index of indexes) {
        if (asked.has(index.name)) continue;
        last = last.then(() => makeOne(index));
        asked.set(index.name, last);
      }
      await Promise.all(indexes.map(({ name }) => asked.get(name)));
    },
    async close() {
      leaving.abort();
      await last;
    },
  };
}

async function definition(db: Queryable, index: WantedIndex): Promise<ReturnType<WantedIndex['definition']>> {
  const [row] = await db.query<{ schema: string }>(sql`
    select n.nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'`);
  return index.definition(row!.schema);
}

/** A timeout far above the duration of any statement. The database may interrupt a statement with a timeout for others. */
const longTimeout = sql`set local statement_timeout = '1h'`;
/** The database does not interrupt a statement without a timeout. */
const noTimeout = sql`set local statement_timeout = 0`;

/**
 * Runs each statement in a separate transaction that the database may interrupt for other statements. An interrupted statement
 * runs once more without interruption, because requests that lack the index would interrupt it again and again.
 */
async function makeInTransaction(db: Database, index: WantedIndex): Promise<void> {
  const statement = sql`create index if not exists ${ident(index.name)} ${await definition(db, index)}`;
  const steps = index.isAnalyzed ? [statement, sql`analyze ${index.table}`] : [statement];
  for (const step of steps)
    await runStep(db, longTimeout, step).catch((error) => {
      if (!(error instanceof ServiceError && error.code === 'busy')) throw error;
      return runStep(db, noTimeout, step);
    });
}

const runStep = (db: Database, limit: Sql, step: Sql): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.query(limit);
    await tx.query(step);
  });

/** Uses a connection of its own: the statement has no time limit and must not run in a transaction. */
async function makeConcurrently(db: Database, index: WantedIndex, signal: AbortSignal): Promise<void> {
  const own = openDatabase(db.connection, db.engine, { maxConnections: 1, statementTimeoutMs: 0 });
  try {
    if (!(await takesLock(own, index))) {
      // Another process makes it.
      while (!(await takesLock(own, index))) await sleep(lockPollMs, undefined, { signal });
      return;
    }
    // An unfinished index of a stopped server. This waits while another process still works on it.
    await dropIfUnfinished(own, index.name, signal);
    const statement = sql`create index concurrently if not exists ${ident(index.name)} ${await definition(own, index)}`;
    await own.query(statement, signal);
    if (index.isAnalyzed) await own.query(sql`analyze ${index.table}`, signal);
  } finally {
    await own.close();
  }
}

async function dropIfUnfinished(own: Queryable, name: string, signal?: AbortSignal): Promise<void> {
  const [half] = await own.query(sql`
    select from pg_index where indexrelid = to_regclass(${`cartulary_data.${name}`}) and not indisvalid`);
  if (half) await own.query(sql`drop index concurrently if exists ${ident('cartulary_data', name)}`, signal);
}

/** Drops unfinished indexes, which every write would have to maintain, unless another process is making them. */
export async function dropUnfinished(db: Database): Promise<void> {
  if (db.engine === 'embedded') return; // a statement makes them whole or not at all
  const own = openDatabase(db.connection, db.engine, { maxConnections: 1, statementTimeoutMs: 0 });
  try {
    const found = await own.query<{ name: string }>(sql`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
        join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'cartulary_data' and not i.indisvalid`);
    for (const index of found) if (await takesLock(own, index)) await dropIfUnfinished(own, index.name);
  } finally {
    await own.close();
  }
}

/** Interval of checks whether another process has made an index, ms. */
const lockPollMs = 200;

/**
 * Takes the lock for making an index, unless another process has it. Waiting inside a statement would deadlock: CREATE INDEX
 * CONCURRENTLY waits for running statements.
 */
async function takesLock(own: Queryable, { name }: Pick<WantedIndex, 'name'>): Promise<boolean> {
  const [lock] = await own.query<{ ours: boolean }>(
    sql`select pg_try_advisory_lock(hashtextextended(${`index ${name}`}, 0)) as ours`,
  );
  return lock!.ours;
}
