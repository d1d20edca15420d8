import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase, type Queryable } from '../db/pool.js';
import { ident, type Sql, sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';

/** An index that requests need. */
export interface WantedIndex {
  name: string;
  table: Sql;
  /** `on …` of CREATE INDEX; `schema` is that of the extension pg_trgm. */
  definition: (schema: string) => Sql;
  /** Whether the planner must know what is in it. */
  isAnalyzed?: boolean;
  /** Asked before it is made. */
  isWanted?: (db: Queryable) => Promise<boolean>;
}

/** Makes indices of layers beside the requests, one after the other. */
export interface Indexer {
  /** Asks for indices; those that are asked for already, or failed a while ago, are not made again. Resolves when none of them is being made any more. */
  make(indexes: readonly WantedIndex[]): Promise<void>;
  /** Stops what runs, as far as the database can. */
  close(): Promise<void>;
}

/** After a failure, ms. */
const pause = 600_000;

/**
 * On PostgreSQL an index is made CONCURRENTLY, so that objects are read and written meanwhile; on the embedded database
 * all wait for it. `warn` is told of failures: requests go on without the index.
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
          : makeAtOnce(db, index));
      asked.delete(index.name);
    } catch (error) {
      if (leaving.signal.aborted) return;
      warn(`The index ${index.name} could not be made: ${(error as Error).message}`);
      setTimeout(() => asked.delete(index.name), pause).unref();
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

/** Longest time of a statement that gives way to others, far more than any takes. */
const longest = sql`set local statement_timeout = '1h'`;
/** With no limit it does not give way. */
const unlimited = sql`set local statement_timeout = 0`;

/**
 * Each statement in a transaction of its own, so that others come in between. It gives way to them; when that has found no room
 * for it, they wait once, since without the index they would wait again and again.
 */
async function makeAtOnce(db: Database, index: WantedIndex): Promise<void> {
  const statement = sql`create index if not exists ${ident(index.name)} ${await definition(db, index)}`;
  const steps = index.isAnalyzed ? [statement, sql`analyze ${index.table}`] : [statement];
  for (const step of steps)
    await carryOut(db, longest, step).catch((error) => {
      if (!(error instanceof ServiceError && error.code === 'busy')) throw error;
      return carryOut(db, unlimited, step);
    });
}

const carryOut = (db: Database, limit: Sql, step: Sql): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.query(limit);
    await tx.query(step);
  });

/** Over a connection of its own, since it takes as long as it takes and must not be in a transaction. */
async function makeConcurrently(db: Database, index: WantedIndex, signal: AbortSignal): Promise<void> {
  const own = openDatabase(db.connection, db.engine, { maxConnections: 1, statementTimeoutMs: 0 });
  try {
    if (!(await takesTurn(own, index))) {
      // Another process makes it.
      while (!(await takesTurn(own, index))) await sleep(turnPause, undefined, { signal });
      return;
    }
    // What a stopped server has left half made; nobody works on it now if it can be locked, else this waits for who does.
    await dropIfHalf(own, index.name, signal);
    const statement = sql`create index concurrently if not exists ${ident(index.name)} ${await definition(own, index)}`;
    await own.query(statement, signal);
    if (index.isAnalyzed) await own.query(sql`analyze ${index.table}`, signal);
  } finally {
    await own.close();
  }
}

async function dropIfHalf(own: Queryable, name: string, signal?: AbortSignal): Promise<void> {
  const [half] = await own.query(sql`
    select from pg_index where indexrelid = to_regclass(${`cartulary_data.${name}`}) and not indisvalid`);
  if (half) await own.query(sql`drop index concurrently if exists ${ident('cartulary_data', name)}`, signal);
}

/** Drops indices that were left half made, and that every write would have to keep; not those that somebody is making. */
export async function dropHalfMade(db: Database): Promise<void> {
  if (db.engine === 'embedded') return; // makes them whole or not at all
  const own = openDatabase(db.connection, db.engine, { maxConnections: 1, statementTimeoutMs: 0 });
  try {
    const found = await own.query<{ name: string }>(sql`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
        join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'cartulary_data' and not i.indisvalid`);
    for (const index of found) if (await takesTurn(own, index)) await dropIfHalf(own, index.name);
  } finally {
    await own.close();
  }
}

/** How often is looked whether another process has made an index, ms. */
const turnPause = 200;

/** Whether nobody else makes an index. Whoever waited in a statement would be waited for by the one that does. */
async function takesTurn(own: Queryable, { name }: Pick<WantedIndex, 'name'>): Promise<boolean> {
  const [turn] = await own.query<{ ours: boolean }>(
    sql`select pg_try_advisory_lock(hashtextextended(${`index ${name}`}, 0)) as ours`,
  );
  return turn!.ours;
}
