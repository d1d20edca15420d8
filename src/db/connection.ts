import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ServiceError } from '../errors.js';
import { GuardedClient } from './client.js';
import { caused, isLostConnection, lost, sqlState } from './failure.js';
import type { Preemption } from './preemption.js';
import { withName, withSharedName } from './prepared.js';
import { queryRaw, type RawRow } from './raw.js';
import { type Sql, statement } from './sql.js';
import type { ConnectionTarget, Engine } from './target.js';
import { type Answer, runTogether } from './together.js';
import { typeParsers } from './types.js';

export interface DatabaseOptions {
  maxConnections?: number;
  /** Longest time of one statement, ms; 0: none. On the embedded database its process is ended for it, and starts again. */
  statementTimeoutMs?: number;
  applicationName?: string;
  /** Of a database with one session: how long heavy statements may keep others waiting, ms; absent: for ever. */
  heavyWaitMs?: number | undefined;
  /** In which statements wait; absent: they wait for connections alone. */
  turns?: StatementTurns;
}

/** Work in its turn. */
type Turn = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Turns of the kinds of statements. Those of long reads and of writes leave some connections to short reads; heavy reads are long ones that wait for both. */
export interface StatementTurns {
  short: Turn;
  long: Turn;
  heavy: Turn;
  writes: Turn;
}

export const atOnce: Turn = (work) => work();

/** What the connections of a pool have in common. */
export interface Session {
  engine: Engine;
  /** Longest time of one statement, ms; 0: none. */
  limit: number;
  cancel(client: pg.PoolClient): Promise<unknown>;
  /** Of a database with one session. */
  preemption?: Preemption | undefined;
  /** Its statements give way to those of others. */
  isHeavy?: boolean;
}

/** Longest wait for a connection, ms. */
const patience = 15_000;

export function clientConfig(target: ConnectionTarget, options: DatabaseOptions): pg.PoolConfig {
  const { ssl, ...rest } = target;
  return {
    ...rest,
    ...(ssl ? { ssl: { rejectUnauthorized: ssl === 'verify-full' } } : {}),
    application_name: options.applicationName ?? 'cartulary',
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
    // Compiling plans takes longer than what is asked here.
    options: '-c TimeZone=UTC -c jit=off',
    connectionTimeoutMillis: patience,
    keepAlive: true,
    types: typeParsers,
  };
}

/** A pool that outlives a restart of its server: the errors of resting connections are no one's, it drops those. */
export function newPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, Client: GuardedClient });
  pool.on('error', () => {});
  return pool;
}

/** A connection of a pool. What the database does not refuse in its own words is a lost connection: whoever asks has nothing to do with it. */
export const connectTo = (pool: pg.Pool): Promise<pg.PoolClient> =>
  pool.connect().catch((error) => {
    throw sqlState(error) === undefined ? lost(error) : error;
  });

export const cancelStatement = (control: pg.Pool, client: pg.PoolClient): Promise<unknown> =>
  control.query('select pg_cancel_backend($1)', [processOf(client)]).catch(() => {});

/** The number by which a connection's statements are cancelled. */
export const processOf = (client: pg.PoolClient): number =>
  (client as unknown as { processID: number }).processID;

/** The rows, or the error, when the connection is free again. */
export const runStatement = <Row>(
  client: pg.PoolClient,
  session: Session,
  part: Sql,
  signal: AbortSignal | undefined,
): Promise<Row[]> =>
  ask(client, session, signal, () => {
    const run = async (query: pg.QueryConfig) => (await client.query(query)).rows as Row[];
    if (!part.isOften) return run(queryOf(part));
    return (session.engine === 'postgres' ? withName : withSharedName)(client, queryOf(part), run);
  });

/** Statements in one message, one after the other: `take` is given the answers to those that were run. Rejects with the error of the first that fails. */
export const runStatements = (
  client: pg.PoolClient,
  session: Session,
  { parts, take, signal }: StatementsTogether,
): Promise<void> => ask(client, session, signal, () => runTogether(client, parts.map(queryOf), take));

export interface StatementsTogether {
  parts: readonly Sql[];
  take(answer: Answer): void;
  signal: AbortSignal | undefined;
}

/** How a statement is asked. */
export interface Asking {
  signal?: AbortSignal | undefined;
  /** It comes again and again, and whatever its values are, one plan is good for it: PostgreSQL keeps it. */
  isPrepared?: boolean;
}

/** The same with the values as bytes. On the embedded database, where all connections share one session, nothing is kept. */
export const runRaw = (
  client: pg.PoolClient,
  session: Session,
  part: Sql,
  { signal, isPrepared = false }: Asking,
): Promise<RawRow[]> =>
  ask(client, session, signal, () => {
    const run = (query: pg.QueryConfig) => queryRaw(client, query);
    const query = queryOf(part);
    return isPrepared && session.engine === 'postgres' ? withName(client, query, run) : run(query);
  });

/** 'extended' also without values: one statement and no more, whatever the text is. */
const queryOf = (part: Sql): pg.QueryConfig =>
  ({ queryMode: 'extended', ...statement(part) }) as pg.QueryConfig;

/** How long until a statement is cancelled again: what waits for its turn in the embedded database does not hear of it, ms. */
const cancelPeriod = 50;

/** What a client is asked, cancelled in the database when the signal is aborted, or when it has to give way to others. */
async function ask<T>(
  client: pg.PoolClient,
  session: Session,
  asked: AbortSignal | undefined,
  query: () => Promise<T>,
): Promise<T> {
  asked?.throwIfAborted();
  const { isHeavy = false } = session;
  const running = session.preemption?.ask(isHeavy);
  const signal = anyOf(asked, running?.signal);
  const ended = new AbortController();
  let cancelling: Promise<unknown> | undefined;
  const onAbort = (): void => {
    cancelling = keepCancelling(() => session.cancel(client), ended.signal);
  };
  signal?.addEventListener('abort', onAbort);
  if (isHeavy && running) client.on('notice', running.begin);
  const start = Date.now();
  try {
    return await query();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const isLate = session.limit > 0 && Date.now() - start >= session.limit;
    // There the process was ended for it.
    if (session.engine === 'embedded' && isLate && isLostConnection(error)) {
      throw caused(new ServiceError('timeout'), error);
    }
    throw error;
  } finally {
    if (isHeavy && running) client.removeListener('notice', running.begin);
    running?.end();
    ended.abort();
    signal?.removeEventListener('abort', onAbort);
    // A cancel that is still under way must not hit the connection's next statement.
    await cancelling;
  }
}

const anyOf = (one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined =>
  one && other ? AbortSignal.any([one, other]) : (one ?? other);

async function keepCancelling(cancel: () => Promise<unknown>, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await cancel();
    await sleep(cancelPeriod, undefined, { signal: ended }).catch(() => {});
  }
}

/** The promise, or the signal's reason as soon as it is aborted; what comes later is given to `drop`. */
export function abortable<T>(
  promise: Promise<T>,
  signal?: AbortSignal,
  drop?: (late: T) => void,
): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      promise.then(drop, () => {});
      reject(signal.reason);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
