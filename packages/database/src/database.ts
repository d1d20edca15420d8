import type { Sql } from '@cartulary/sql';
import type { BinaryRow } from './protocol/backend-messages.js';
import type { Snapshot } from './snapshots/snapshot.js';
import type { ConnectionTarget, DatabaseEngine } from './target.js';

/** Runs statements. An aborted `signal` cancels the statement in the database and rejects with the signal's reason. */
export interface Queryable {
  /** Rows of one statement; several statements in one text are refused (42601). Writes go through `transaction`. */
  query<Row = Record<string, unknown>>(statement: Sql, signal?: AbortSignal): Promise<Row[]>;
  /**
   * Rows of a read that depends on stored data alone, neither on time nor on chance. Outside a transaction they are cached until any
   * transaction commits. All callers share the rows: they must not be changed. `at`: rows as old as this snapshot are allowed.
   */
  cachedQuery<Row = Record<string, unknown>>(statement: Sql, at?: Snapshot): Promise<readonly Row[]>;
}

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  /** The statement is frequent and one plan suits all its values: PostgreSQL keeps the plan. */
  isPrepared?: boolean;
}

/** Reads that may take long. */
export interface LongReads extends Queryable {
  /** Rows as bytes: for bytea, and for text that is passed on without decoding. */
  raw(statement: Sql, options: ReadOptions): Promise<BinaryRow[]>;
}

/** Concurrent statements are sent as one pipeline: they run in their order, and none runs after one that fails. */
export interface Transaction extends Queryable {
  /** Queues a statement that runs in one pipeline with COMMIT; its rows are dropped. If it fails, nothing is stored. */
  beforeCommit(statement: Sql): void;
  /** COPY and ST_AsMVT need `postgres`. */
  readonly engine: DatabaseEngine;
}

/**
 * Outside a transaction `query` is for reads: if its connection is lost, or another client replaces or deletes a table meanwhile, it runs
 * again.
 *
 * All connections to the embedded database share one session, so a transaction makes the others wait. A call whose `signal` is
 * aborted rejects at once, before its statement has stopped. Long reads, and statements of transactions that have set a
 * `statement_timeout`, are preempted there by others (`preemption.ts`): the transaction then runs again.
 *
 * Errors of the database are passed on (`sqlState` gives the code), except those that say nothing about the statement: they become
 * `timeout` and `busy` ServiceErrors with the original as `cause`.
 */
export interface Database extends Queryable {
  readonly engine: DatabaseEngine;
  /** Reads that may take long. Only some run at once, so that short ones find a connection. */
  readonly long: LongReads;
  /** Reads that may take very long, such as those of all objects of a layer. Fewer run at once, so that others find a processor. */
  readonly heavy: LongReads;
  /** Address for Mapnik and other clients. */
  readonly connection: ConnectionTarget;
  /** Snapshot of a statement that begins now, for `cachedQuery`. */
  snapshot(): Promise<Snapshot>;
  /**
   * Runs `work` in one read-write transaction. Resolves with its result after COMMIT; after an error it rolls back and rejects.
   * `work` runs again after a conflict with another client (`retry.ts`), after a preemption, and after a connection that was lost before
   * COMMIT (once): it must only touch the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** A transaction on a few rows that are never locked for long: it does not queue behind other writes. */
  shortTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * The same database, whose slots are taken for an owner, such as the caller of a request: one owner leaves a slot of long reads
   * and of writes to others, and owners take turns. Statements without an owner count as one owner.
   */
  for(owner: string): Database;
  /** Waits for running statements, then closes the connections. */
  close(): Promise<void>;
}

/** Runs work in a slot of a semaphore. */
export type RunInSlot = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Slots of an owner. */
type SlotsOf = (owner: string) => RunInSlot;

/**
 * Slots by kind of statement. Those of long reads and of writes leave some connections to short reads. A heavy read takes a slot
 * of `heavy` and one of `long`.
 */
export interface StatementSlots {
  short: SlotsOf;
  long: SlotsOf;
  heavy: SlotsOf;
  writes: SlotsOf;
  /** Of reads whose rows are cached for all owners. */
  cached: RunInSlot;
}

export interface DatabaseOptions {
  maxConnections?: number;
  /** Limit of one statement, ms; 0: none. A statement of the embedded database that does not stop ends its process, which restarts. */
  statementTimeoutMs?: number;
  applicationName?: string;
  /** Embedded database: time for which heavy statements may keep others waiting, ms; absent: no limit. */
  heavyWaitMs?: number | undefined;
  /** Absent: statements wait for connections alone. */
  slots?: StatementSlots;
}

/** What identifies a database: one object for all its owners. */
const databaseKeyOf = (db: Queryable): object => ('connection' in db ? (db as Database).connection : db);

/** Something of each database, such as a cache of what was read from it. It is made when it is first asked for, and goes with its database. */
export function perDatabase<T>(make: () => T): (db: Queryable) => T {
  const made = new WeakMap<object, T>();
  return (db) => {
    const key = databaseKeyOf(db);
    const known = made.get(key) ?? make();
    made.set(key, known);
    return known;
  };
}

/** Where a heavy read runs: in a heavy slot of a database, without one inside a transaction. */
export const heavyReads = (db: Queryable): Queryable => ('heavy' in db ? (db as Database).heavy : db);
