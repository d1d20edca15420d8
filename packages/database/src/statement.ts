import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@cartulary/errors';
import { anySignal } from '@cartulary/runtime';
import { type Sql, statement } from '@cartulary/sql';
import { maxSilenceMs } from './connection.js';
import type { ReadOptions } from './database.js';
import type { Preemption } from './embedded/preemption.js';
import { caused, isLostConnection } from './failure.js';
import type { BinaryRow } from './protocol/backend-messages.js';
import type { GuardedClient } from './protocol/client.js';
import { type Answer, queryBinary, queryRows, runPipeline } from './protocol/pipeline.js';
import type { DatabaseEngine } from './target.js';

/** Settings of the connections of a pool. */
export interface ConnectionSession {
  engine: DatabaseEngine;
  /** Limit of one statement, ms; 0: none. */
  statementLimitMs: number;
  /** Asks the database to cancel the client's statement. */
  cancel(client: GuardedClient): Promise<unknown>;
  /** Of the embedded database. */
  preemption?: Preemption | undefined;
  /** Its statements can be preempted. */
  isHeavy?: boolean;
}

/** Rows of one statement. Settles when the connection is free again. */
export const runStatement = <Row>(
  client: GuardedClient,
  session: ConnectionSession,
  part: Sql,
  signal: AbortSignal | undefined,
): Promise<Row[]> =>
  runCancellable(client, session, signal, () => {
    const asked = statement(part);
    if (!part.isPrepared) return queryRows(client, asked) as Promise<Row[]>;
    const { prepared } = client;
    const run = session.engine === 'postgres' ? prepared.run : prepared.runShared;
    return run.call(prepared, asked.text, (name) => queryRows(client, asked, name)) as Promise<Row[]>;
  });

/** Runs a statement without values and without rows. */
export function runPlain(
  client: GuardedClient,
  { engine, statementLimitMs }: ConnectionSession,
  text: string,
): Promise<void> {
  client.maxSilenceMs = maxSilenceMs(engine, statementLimitMs);
  return client.runSimple(text);
}

export interface PipelinedStatements {
  parts: readonly Sql[];
  /** Receives the answers to the statements that ran. */
  take(answer: Answer): void;
  signal: AbortSignal | undefined;
}

/** Runs statements in one pipeline. Rejects with the error of the one that fails; those behind it do not run. */
export const runStatements = (
  client: GuardedClient,
  session: ConnectionSession,
  { parts, take, signal }: PipelinedStatements,
): Promise<void> =>
  runCancellable(client, session, signal, () => runPipeline(client, parts.map(statement), take));

/** Rows of one statement as bytes. `isPrepared` has no effect on the embedded database, whose connections share one session. */
export const runRaw = (
  client: GuardedClient,
  session: ConnectionSession,
  part: Sql,
  { signal, isPrepared = false }: ReadOptions,
): Promise<BinaryRow[]> =>
  runCancellable(client, session, signal, () => {
    const asked = statement(part);
    return isPrepared && session.engine === 'postgres'
      ? client.prepared.run(asked.text, (name) => queryBinary(client, asked, name))
      : queryBinary(client, asked);
  });

/** Pause between two cancel requests, ms: the embedded database ignores those for a statement that still waits. */
const cancelPeriodMs = 50;

/** Runs a request that is cancelled in the database when the signal is aborted, or when it is preempted. */
async function runCancellable<T>(
  client: GuardedClient,
  session: ConnectionSession,
  requested: AbortSignal | undefined,
  request: () => Promise<T>,
): Promise<T> {
  requested?.throwIfAborted();
  const { engine, statementLimitMs, isHeavy = false } = session;
  client.maxSilenceMs = maxSilenceMs(engine, statementLimitMs);
  const running = session.preemption?.register(isHeavy);
  const signal = anySignal(requested, running?.signal);
  let cancelling: Cancelling | undefined;
  const onAbort = (): void => {
    cancelling = new Cancelling(() => session.cancel(client));
  };
  signal?.addEventListener('abort', onAbort);
  if (isHeavy && running) client.on('notice', running.begin);
  const start = performance.now();
  try {
    return await request();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const isLate = statementLimitMs > 0 && performance.now() - start >= statementLimitMs;
    // The embedded database's process was ended because of the statement.
    if (engine === 'embedded' && isLate && isLostConnection(error)) {
      throw caused(new ServiceError('timeout'), error);
    }
    throw error;
  } finally {
    if (isHeavy && running) client.removeListener('notice', running.begin);
    running?.end();
    signal?.removeEventListener('abort', onAbort);
    if (cancelling) await cancelling.end();
  }
}

/** Cancels a statement again and again until it ends. */
class Cancelling {
  readonly #ended = new AbortController();
  readonly #work: Promise<unknown>;

  constructor(cancel: () => Promise<unknown>) {
    this.#work = this.#repeat(cancel, this.#ended.signal);
  }

  /** A cancel request that is still under way must not hit the connection's next statement. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#work;
  }

  async #repeat(cancel: () => Promise<unknown>, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await cancel();
      await sleep(cancelPeriodMs, undefined, { signal: ended }).catch(() => {});
    }
  }
}
