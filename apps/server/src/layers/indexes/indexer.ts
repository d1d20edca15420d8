import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase, type Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { ident, plainText, type Sql, sql } from '@cartulary/sql';

/** An index that requests need. */
export interface WantedIndex {
  name: string;
  table: Sql;
  /** The part of CREATE INDEX from `on` on; `schema` is that of the extension pg_trgm. */
  definition: (schema: string) => Sql;
  /** Whether to analyze the table when this index and the others of the same request exist. */
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

  /** Makes indexes of one table, and then analyzes it once: that takes as long as an index. */
  const makeAll = async (indexes: readonly WantedIndex[]): Promise<void> => {
    const made: WantedIndex[] = [];
    for (const index of indexes) if (await makeOne(index)) made.push(index);
    const analyzed = made.find(({ isAnalyzed }) => isAnalyzed);
    if (analyzed)
      await attempt(`Statistics with ${analyzed.name}`, () => analyze(db, analyzed.table, leaving.signal));
  };

  /** Whether the index was made here. */
  const makeOne = async (index: WantedIndex): Promise<boolean> => {
    let isMade = false;
    const isDone = await attempt(`The index ${index.name}`, async () => {
      if ((await index.isWanted?.(db)) === false) return;
      isMade = await (db.engine === 'postgres'
        ? makeConcurrently(db, index, leaving.signal)
        : makeInTransaction(db, index));
    });
    if (isDone) asked.delete(index.name);
    else setTimeout(() => asked.delete(index.name), retryPauseMs).unref();
    return isMade;
  };

  /** Whether the work is done. Reports a failure as that of `what`, and does nothing after `close`. */
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<boolean> => {
    if (leaving.signal.aborted) return false;
    try {
      await work();
      return true;
    } catch (error) {
      if (!leaving.signal.aborted) warn(`${what} could not be made: ${(error as Error).message}`);
      return false;
    }
  };

  return {
    async make(indexes) {
      const fresh = indexes.filter(({ name }) => !asked.has(name));
      for (const group of byTable(fresh)) {
        last = last.then(() => makeAll(group));
        for (const { name } of group) asked.set(name, last);
      }
      await Promise.all(indexes.map(({ name }) => asked.get(name)));
    },
    async close() {
      leaving.abort();
      await last;
    },
  };
}

function byTable(indexes: readonly WantedIndex[]): Iterable<readonly WantedIndex[]> {
  const groups = new Map<string, WantedIndex[]>();
  for (const index of indexes) {
    const table = plainText(index.table);
    groups.set(table, [...(groups.get(table) ?? []), index]);
  }
  return groups.values();
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

/** Gives true, as `makeConcurrently`. */
async function makeInTransaction(db: Database, index: WantedIndex): Promise<boolean> {
  await runAlone(db, sql`create index if not exists ${ident(index.name)} ${await definition(db, index)}`);
  return true;
}

async function analyze(db: Database, table: Sql, signal: AbortSignal): Promise<void> {
  const statement = sql`analyze ${table}`;
  if (db.engine === 'embedded') return runAlone(db, statement);
  const own = openDatabase(db.connection, db.engine, { maxConnections: 1, statementTimeoutMs: 0 });
  await own.query(statement, signal).finally(() => own.close());
}

/**
 * Runs a statement in a transaction that the embedded database may interrupt for other statements. An interrupted statement
 * runs once more without interruption, because requests that lack the index would interrupt it again and again.
 */
const runAlone = (db: Database, statement: Sql): Promise<void> =>
  runStep(db, longTimeout, statement).catch((error) => {
    if (!(error instanceof ServiceError && error.code === 'busy')) throw error;
    return runStep(db, noTimeout, statement);
  });

const runStep = (db: Database, limit: Sql, step: Sql): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query(limit);
    await tx.query(step);
  });

/**
 * Uses a connection of its own: the statement has no time limit and must not run in a transaction. Gives false when another process
 * has made the index.
 */
async function makeConcurrently(db: Database, index: WantedIndex, signal: AbortSignal): Promise<boolean> {
  const own = openDatabase(db.connection, db.engine, { maxConnections: 1, statementTimeoutMs: 0 });
  try {
    if (!(await takesLock(own, index))) {
      // Another process makes it.
      while (!(await takesLock(own, index))) await sleep(lockPollMs, undefined, { signal });
      return false;
    }
    // An unfinished index of a stopped server. This waits while another process still works on it.
    await dropIfUnfinished(own, index.name, signal);
    const statement = sql`create index concurrently if not exists ${ident(index.name)} ${await definition(own, index)}`;
    await own.query(statement, signal);
    return true;
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
