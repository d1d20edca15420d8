import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  type Asking,
  abortable,
  atOnce,
  cancelStatement,
  clientConfig,
  connectTo,
  type DatabaseOptions,
  newPool,
  processOf,
  runRaw,
  runStatement,
  type Session,
} from './connection.js';
import { cancelEmbedded } from './embedded-cancel.js';
import { failureOf, isLostConnection, sqlState } from './failure.js';
import { Preemption } from './preemption.js';
import type { RawRow } from './raw.js';
import { createRecall } from './recall.js';
import { type Snapshot, snapshotReader } from './snapshot.js';
import type { Sql } from './sql.js';
import type { ConnectionTarget, Engine } from './target.js';
import { openTransaction } from './transaction.js';
import { heavyName } from './wire.js';

export type { Asking, DatabaseOptions } from './connection.js';
export { failsNow, failsOnData, sqlState } from './failure.js';
export type { RawRow } from './raw.js';
export type { Snapshot } from './snapshot.js';
export { type ConnectionTarget, type Engine, parseDatabaseUrl } from './target.js';

/** Rows by a statement. An aborted `signal` cancels it in the database and rejects with the signal's reason. */
export interface Queryable {
  /** One statement; several in one text are refused (42601). Writes go through `transaction`: see `Database`. */
  query<Row = Record<string, unknown>>(statement: Sql, signal?: AbortSignal): Promise<Row[]>;
  /**
   * The same for a read that depends on stored data alone, neither on the time nor on chance: outside a transaction its rows are kept
   * until a transaction is committed, by whomever. They are shared: not to be changed. `at`: they may be as old as this snapshot.
   */
  recall<Row = Record<string, unknown>>(statement: Sql, at?: Snapshot): Promise<readonly Row[]>;
}

/** For reads that may take long. */
export interface LongReads extends Queryable {
  /** Rows as the bytes that the database sends: for much text that is only passed on, and for bytea. */
  raw(statement: Sql, how: Asking): Promise<RawRow[]>;
}

/** Statements that are asked while one is under way, or in one moment, are sent in one message: they run in that order, and none after one that fails. */
export interface Transaction extends Queryable {
  /** Runs with COMMIT, in one message: for what gives no rows that anybody waits for. Nothing is stored when it fails. */
  lastly(statement: Sql): void;
  /** Which of the two engines runs: COPY and ST_AsMVT are for `postgres` alone. */
  readonly engine: Engine;
}

/**
 * `query` outside a transaction is for reads: one whose connection was lost is asked again. On the embedded database all share one session: a transaction makes the
 * others wait, and a call whose `signal` is aborted rejects at once, before its statement has stopped. Long reads there, and
 * statements of transactions that have set a `statement_timeout`, give way to others (`preemption.ts`): a transaction is then done again. Errors of the database come as they are (`sqlState` tells the code), but for those that say
 * nothing about the statement: `timeout` and `busy` ServiceErrors with the original as `cause`.
 */
export interface Database extends Queryable {
  readonly engine: Engine;
  /** For reads that may take long: only some of them run at once, so that short ones find a connection. */
  readonly long: LongReads;
  /** For those that may take very long, as over all objects of a layer: fewer run at once, so that others find a processor, too. */
  readonly heavy: LongReads;
  /** Where Mapnik and other clients connect. */
  readonly connection: ConnectionTarget;
  /** For `recall`: what a statement sees that begins now. */
  snapshot(): Promise<Snapshot>;
  /**
   * Runs `work` in one read-write transaction: its result after COMMIT, or ROLLBACK and the error.
   * A serialization failure or deadlock is tried again (up to 3 times), a query that gave way to others, too, so is a connection that was lost before COMMIT
   * (once), so `work` must only touch the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The same for a row or two that nobody holds for long: it does not wait behind the writes of others. */
  briefly<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Waits for what runs, then closes the connections. */
  close(): Promise<void>;
}

/** How long the embedded database may take to start again, ms. */
const restartPatience = 30_000;
const retries = 3;

/** Opens a pool of connections; the first is made when it is needed. */
export function openDatabase(
  target: ConnectionTarget,
  engine: Engine,
  options: DatabaseOptions = {},
): Database {
  const config = clientConfig(target, options);
  const pool = newPool({ ...config, max: options.maxConnections ?? 10 });
  /** For long reads: to the embedded database, where they wait for others, by connections that tell so. */
  const longPool = engine === 'embedded' ? newPool({ ...config, application_name: heavyName }) : pool;
  /** For cancelling, so that it need not wait for what it cancels. */
  const control = newPool({ ...config, max: 1, idleTimeoutMillis: 5_000 });
  /** Of its own, so that what is known by heart waits for no other statement. */
  const watch = newPool({ ...config, max: 1, idleTimeoutMillis: 0 });
  const preemption =
    engine === 'embedded' && options.heavyWaitMs !== undefined
      ? new Preemption(options.heavyWaitMs)
      : undefined;
  const limit = options.statementTimeoutMs ?? 0;
  const session: Session = {
    engine,
    limit,
    cancel: (client) =>
      engine === 'embedded'
        ? cancelEmbedded(target.host, processOf(client))
        : cancelStatement(control, client),
    preemption,
  };
  const heavySession: Session = { ...session, isHeavy: true };
  const persist = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    preemption ? preemption.persist(work, limit, signal) : work();

  async function connect(signal: AbortSignal | undefined, from = pool): Promise<pg.PoolClient> {
    const end = Date.now() + (engine === 'embedded' ? restartPatience : 0);
    for (;;) {
      try {
        return await abortable(connectTo(from), signal, (late) => late.release());
      } catch (error) {
        if (signal?.aborted || !isLostConnection(error) || Date.now() > end) throw error;
        await sleep(100);
      }
    }
  }

  async function read<Row>(
    run: (client: pg.PoolClient) => Promise<Row[]>,
    from: pg.Pool,
    signal?: AbortSignal,
  ): Promise<Row[]> {
    const client = await connect(signal, from);
    const rows = run(client);
    rows.then(
      () => client.release(),
      (error) => client.release(isLostConnection(error)),
    );
    return engine === 'embedded' ? abortable(rows, signal) : rows;
  }

  async function write<T>(work: (tx: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const client = await connect(signal);
    const tx = openTransaction(client, session, signal);
    let isOpen = true;
    try {
      const result = await work(tx.transaction);
      signal?.throwIfAborted();
      isOpen = false;
      await tx.commit();
      client.release();
      return result;
    } catch (error) {
      await tx.rollback(error);
      // Nobody knows whether a COMMIT that got no answer has taken place.
      throw isOpen ? error : failureOf(error, signal);
    } finally {
      tx.end();
    }
  }

  const { turns = { short: atOnce, long: atOnce, heavy: atOnce, writes: atOnce } } = options;
  const readIn =
    (turn: typeof atOnce, from = pool) =>
    <Row>(run: (client: pg.PoolClient) => Promise<Row[]>, signal?: AbortSignal): Promise<Row[]> =>
      turn(() => persistently(() => read(run, from, signal), signal), signal);
  const queryIn =
    (reading: ReturnType<typeof readIn>, of = session): Queryable['query'] =>
    (part, signal) =>
      reading((client) => runStatement(client, of, part, signal), signal);
  const longReads = (reading: ReturnType<typeof readIn>): LongReads => ({
    query: queryIn(reading, heavySession),
    raw: (part, how) => reading((client) => runRaw(client, heavySession, part, how), how.signal),
    recall,
  });
  const readPersistently =
    (turn: typeof atOnce): ReturnType<typeof readIn> =>
    (run, signal) =>
      persist(() => readIn(turn, longPool)(run, signal), signal);
  const writeIn =
    (turn: typeof atOnce): Database['transaction'] =>
    (work, signal) =>
      persist(() => turn(() => persistently(() => write(work, signal), signal), signal), signal);
  const query = queryIn(readIn(turns.short));
  const snapshots = snapshotReader(() => connectTo(watch), engine);
  const { snapshot, recall } = createRecall(query, () => persistently(() => snapshots.read(), undefined));

  return {
    engine,
    connection: target,
    query,
    long: longReads(readPersistently(turns.long)),
    heavy: longReads(readPersistently((work, signal) => turns.heavy(() => turns.long(work, signal), signal))),
    snapshot,
    recall,
    transaction: writeIn(turns.writes),
    briefly: writeIn(turns.short),
    async close() {
      await Promise.all([pool.end(), control.end(), watch.end(), snapshots.close()]);
      if (longPool !== pool) await longPool.end();
    },
  };
}

/** For a heavy read: in its turn on a database, at once in a transaction. */
export const inHeavyTurn = (db: Queryable): Queryable => ('heavy' in db ? (db as Database).heavy : db);

/** Tries again what failed only because of others. */
async function persistently<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let hasLostConnection = false;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = ['40001', '40P01'].includes(sqlState(error) ?? '') && attempt < retries;
      const isLost: boolean = isLostConnection(error) && !hasLostConnection;
      if (signal?.aborted || !(isConflict || isLost)) throw failureOf(error, signal);
      hasLostConnection ||= isLost;
      await sleep(Math.random() * 50 * 2 ** attempt);
    }
  }
}
