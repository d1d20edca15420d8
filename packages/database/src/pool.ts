import { setTimeout as sleep } from 'node:timers/promises';
import { abortable } from '@cartulary/runtime';
import type pg from 'pg';
import { clientConfig, connectTo, maxSilenceMs, newPool, type PoolConfig } from './connection.js';
import type {
  Database,
  DatabaseOptions,
  LongReads,
  RunInSlot,
  StatementSlots,
  Transaction,
} from './database.js';
import { Preemption } from './embedded/preemption.js';
import { cancelEmbedded } from './embedded/wire/cancel.js';
import { heavyName } from './embedded/wire/messages.js';
import { failureOf, isLostConnection } from './failure.js';
import type { GuardedClient, PooledClient } from './protocol/client.js';
import { queryRows } from './protocol/pipeline.js';
import { withRetries } from './retry.js';
import { SnapshotReader } from './snapshots/snapshot.js';
import { SnapshotCache } from './snapshots/snapshot-cache.js';
import { type ConnectionSession, runRaw, runStatement } from './statement.js';
import type { ConnectionTarget, DatabaseEngine } from './target.js';
import { OpenTransaction } from './transaction.js';

export type { Database, DatabaseOptions, LongReads, Queryable, Transaction } from './database.js';
export { sqlState } from './failure.js';
export type { BinaryRow } from './protocol/backend-messages.js';
export { type ConnectionTarget, type DatabaseEngine, parseDatabaseUrl } from './target.js';

/** Longest silence of the database during a cancel request, ms. */
const cancelLimitMs = 1_000;
/** Longest restart of the embedded database, ms: connections wait for it. */
const restartTimeoutMs = 30_000;
const defaultConnections = 10;
/** Connections for cached reads, besides those of the options. Nearly every request waits for such reads, so they wait for no others. */
export const cachedReadConnections = 4;

/** Opens a pool of connections; the first is made when it is needed. */
export const openDatabase = (
  target: ConnectionTarget,
  engine: DatabaseEngine,
  options: DatabaseOptions = {},
): Database => new Connections(target, engine, options).of('');

const withoutSlot = (): RunInSlot => (work) => work();
const noSlots: StatementSlots = {
  short: withoutSlot,
  long: withoutSlot,
  heavy: withoutSlot,
  writes: withoutSlot,
  cached: withoutSlot(),
};

/** Pools of connections by their use. */
class ConnectionPools {
  readonly main: pg.Pool;
  /** Long reads. On the embedded database their connections tell so by their name, and their statements wait for others. */
  readonly long: pg.Pool;
  /** Cancel requests: they must not wait for what they cancel. */
  readonly control: pg.Pool;
  /** Snapshots: cached rows must not wait for other statements. */
  readonly snapshots: pg.Pool;
  /** Reads whose rows are cached. */
  readonly cached: pg.Pool;

  constructor(config: PoolConfig, engine: DatabaseEngine, maxConnections: number) {
    this.main = newPool({ ...config, max: maxConnections });
    this.long = engine === 'embedded' ? newPool({ ...config, application_name: heavyName }) : this.main;
    this.control = newPool({
      ...config,
      max: 1,
      idleTimeoutMillis: 5_000,
      maxSilenceMs: maxSilenceMs(engine, cancelLimitMs),
    });
    this.snapshots = newPool({ ...config, max: 1, idleTimeoutMillis: 0 });
    this.cached = newPool({ ...config, max: cachedReadConnections });
  }

  async close(): Promise<void> {
    await Promise.all([this.main, this.control, this.snapshots, this.cached].map((pool) => pool.end()));
    if (this.long !== this.main) await this.long.end();
  }
}

type ReadWork<Row> = (client: PooledClient) => Promise<Row[]>;
type RunRead = <Row>(work: ReadWork<Row>, signal?: AbortSignal) => Promise<Row[]>;

/** The connections to a database, which its owners share. */
class Connections {
  readonly #engine: DatabaseEngine;
  readonly #target: ConnectionTarget;
  readonly #pools: ConnectionPools;
  readonly #session: ConnectionSession;
  readonly #slots: StatementSlots;
  readonly #snapshotReader: SnapshotReader;
  readonly #cache: SnapshotCache;

  constructor(target: ConnectionTarget, engine: DatabaseEngine, options: DatabaseOptions) {
    this.#engine = engine;
    this.#target = target;
    const { maxConnections = defaultConnections, heavyWaitMs, slots = noSlots } = options;
    this.#slots = slots;
    this.#pools = new ConnectionPools(clientConfig(target, engine, options), engine, maxConnections);
    const isPreemptive = engine === 'embedded' && heavyWaitMs !== undefined;
    this.#session = {
      engine,
      statementLimitMs: options.statementTimeoutMs ?? 0,
      cancel: (client) => this.#cancel(client),
      preemption: isPreemptive ? new Preemption(heavyWaitMs) : undefined,
    };
    this.#snapshotReader = new SnapshotReader(() => this.#connect(this.#pools.snapshots), engine);
    this.#cache = new SnapshotCache(this.#readShort(slots.cached, this.#pools.cached), () =>
      withRetries(() => this.#snapshotReader.read(), undefined),
    );
  }

  readonly #cachedQuery: Database['cachedQuery'] = (part, at) => this.#cache.query(part, at);

  /** The database for an owner of slots. Its methods are properties, so that callers may pass them on without their object. */
  of(owner: string): Database {
    const slots = this.#slots;
    const [short, long, heavy] = [slots.short(owner), slots.long(owner), slots.heavy(owner)];
    const writes = slots.writes(owner);
    return {
      engine: this.#engine,
      connection: this.#target,
      query: this.#readShort(short, this.#pools.main),
      cachedQuery: this.#cachedQuery,
      long: this.#longReads(long),
      heavy: this.#longReads((work, signal) => heavy(() => long(work, signal), signal)),
      snapshot: () => this.#cache.snapshot(),
      transaction: (work, signal) => this.#writeIn(writes, work, signal),
      shortTransaction: (work) => this.#writeIn(short, work),
      for: (other) => this.of(other),
      close: async () => {
        await Promise.all([this.#pools.close(), this.#snapshotReader.close()]);
      },
    };
  }

  #readShort(slot: RunInSlot, pool: pg.Pool): Database['query'] {
    const read = this.#readIn(slot, pool);
    return (part, signal) => read((client) => runStatement(client, this.#session, part, signal), signal);
  }

  #longReads(slot: RunInSlot): LongReads {
    const session = { ...this.#session, isHeavy: true };
    const readInSlot = this.#readIn(slot, this.#pools.long);
    const read: RunRead = (work, signal) => this.#preemptible(() => readInSlot(work, signal), signal);
    return {
      query: (part, signal) => read((client) => runStatement(client, session, part, signal), signal),
      raw: (part, options) => read((client) => runRaw(client, session, part, options), options.signal),
      cachedQuery: this.#cachedQuery,
    };
  }

  #readIn(slot: RunInSlot, pool: pg.Pool): RunRead {
    return (work, signal) => slot(() => withRetries(() => this.#read(work, pool, signal), signal), signal);
  }

  async #read<Row>(work: ReadWork<Row>, pool: pg.Pool, signal?: AbortSignal): Promise<Row[]> {
    const client = await this.#connect(pool, signal);
    const rows = work(client);
    rows.then(
      () => client.release(),
      (error) => client.release(isLostConnection(error)),
    );
    return this.#engine === 'embedded' ? abortable(rows, signal) : rows;
  }

  #writeIn<T>(slot: RunInSlot, work: (tx: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const write = (): Promise<T> => withRetries(() => this.#write(work, signal), signal);
    return this.#preemptible(() => slot(write, signal), signal);
  }

  async #write<T>(work: (tx: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const client = await this.#connect(this.#pools.main, signal);
    const open = new OpenTransaction(client, this.#session, signal);
    let isCommitting = false;
    try {
      const result = await work(open.transaction);
      signal?.throwIfAborted();
      isCommitting = true;
      await open.commit();
      client.release();
      return result;
    } catch (error) {
      await open.rollback(error);
      // A COMMIT without an answer may have taken place: as a ServiceError the failure is not retried.
      throw isCommitting ? failureOf(error, signal) : error;
    } finally {
      open.end();
    }
  }

  async #connect(pool: pg.Pool, signal?: AbortSignal): Promise<PooledClient> {
    const end = Date.now() + (this.#engine === 'embedded' ? restartTimeoutMs : 0);
    for (;;) {
      try {
        return await abortable(connectTo(pool), signal, (late) => late.release());
      } catch (error) {
        if (signal?.aborted || !isLostConnection(error) || Date.now() > end) throw error;
        await sleep(100);
      }
    }
  }

  #preemptible<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { preemption, statementLimitMs } = this.#session;
    return preemption ? preemption.run(work, statementLimitMs, signal) : work();
  }

  async #cancel({ processId }: GuardedClient): Promise<void> {
    if (this.#engine === 'embedded') return cancelEmbedded(this.#target.host, processId);
    try {
      const control = await connectTo(this.#pools.control);
      await queryRows(control, { text: 'select pg_cancel_backend($1)', values: [processId] }).then(
        () => control.release(),
        (error) => control.release(error),
      );
    } catch {
      // The statement then ends by its own limit.
    }
  }
}
