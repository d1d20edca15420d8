import { abortable, anySignal } from '@cartulary/runtime';
import { type Sql, sql } from '@cartulary/sql';
import type { Transaction } from './database.js';
import { isLostConnection } from './failure.js';
import type { PooledClient } from './protocol/client.js';
import type { Answer } from './protocol/pipeline.js';
import { type ConnectionSession, runPlain, runStatements } from './statement.js';
import { timeoutSetBy } from './statement-timeout.js';

const openTransactions = new WeakMap<Transaction, OpenTransaction>();

/** Runs requests on the connection of a transaction, for `bulk.ts` and `migrate.ts`. They wait for the statements before them. */
export function withClient<T>(tx: Transaction, use: (client: PooledClient) => Promise<T>): Promise<T> {
  const open = openTransactions.get(tx);
  if (!open) throw new Error('not a transaction of this pool');
  return open.withClient(use);
}

/** A transaction on a connection of a pool. BEGIN is sent with its first statement. */
export class OpenTransaction {
  /** Interface for the work inside the transaction. */
  readonly transaction: Transaction;
  readonly #client: PooledClient;
  readonly #poolSession: ConnectionSession;
  readonly #session: ConnectionSession;
  readonly #signal: AbortSignal | undefined;
  readonly #sender: StatementSender;
  readonly #queue: StatementQueue;
  readonly #beforeCommit: Sql[] = [];

  constructor(client: PooledClient, session: ConnectionSession, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#poolSession = session;
    this.#session = { ...session };
    this.#signal = signal;
    this.#sender = new StatementSender(client, this.#session);
    this.#queue = new StatementQueue(this.#sender);
    this.transaction = {
      engine: session.engine,
      query: <Row>(part: Sql, own?: AbortSignal) => this.#query(part, own) as Promise<Row[]>,
      cachedQuery: <Row>(part: Sql) => this.#query(part) as Promise<Row[]>,
      beforeCommit: (part) => void this.#beforeCommit.push(part),
    };
    openTransactions.set(this.transaction, this);
  }

  /** Runs the statements queued by `beforeCommit`, then COMMIT. Throws when nothing was stored. */
  commit(): Promise<void> {
    return this.#queue.run(async () => {
      const queued = this.#beforeCommit;
      if (!this.#sender.hasBegun && !queued.length) return;
      const answers = answersOf(await this.#sender.send([...queued, sql`commit`]));
      if (answers.at(-1)!.command !== 'COMMIT')
        throw new Error('a statement of the transaction failed, so nothing was stored');
    });
  }

  /** Rolls back and releases the connection, or destroys it when its state is unknown after this error. */
  async rollback(error: unknown): Promise<void> {
    try {
      if (isLostConnection(error)) throw error;
      await this.#queue.run(
        async () => this.#sender.hasBegun && runPlain(this.#client, this.#poolSession, 'rollback'),
      );
      this.#client.release();
    } catch {
      this.#client.release(true);
    }
  }

  /** Refuses all later statements. */
  end(): void {
    this.#queue.end();
  }

  withClient<T>(use: (client: PooledClient) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      if (!this.#sender.hasBegun) answersOf(await this.#sender.send([]));
      return use(this.#client);
    });
  }

  async #query(part: Sql, own?: AbortSignal): Promise<unknown[]> {
    const signal = anySignal(own, this.#signal);
    signal?.throwIfAborted();
    const change = timeoutSetBy(part.text[0]!);
    if (change) {
      this.#session.statementLimitMs = change.ms ?? this.#poolSession.statementLimitMs;
      // Only queries that users have written get a limit of their own.
      this.#session.isHeavy = Boolean(change.ms);
    }
    const rows = this.#queue.query(part, signal);
    return this.#session.engine === 'embedded' ? abortable(rows, signal) : rows;
  }
}

/** Result of a pipeline: the answers to the statements before the one that failed. */
interface PipelineResult {
  answers: readonly Answer[];
  failure?: { reason: unknown };
}

/** Sends pipelines of a transaction, BEGIN with the first one. After a BEGIN that fails it sends nothing. */
class StatementSender {
  readonly #client: PooledClient;
  readonly #session: ConnectionSession;
  #hasBegun = false;
  #beginFailure: PipelineResult['failure'];

  constructor(client: PooledClient, session: ConnectionSession) {
    this.#client = client;
    this.#session = session;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  async send(parts: readonly Sql[], signal?: AbortSignal): Promise<PipelineResult> {
    if (this.#beginFailure) return { answers: [], failure: this.#beginFailure };
    const opening = this.#hasBegun ? [] : [sql`begin read write`];
    const answers: Answer[] = [];
    const take = (answer: Answer): void => void answers.push(answer);
    try {
      await runStatements(this.#client, this.#session, { parts: [...opening, ...parts], take, signal });
    } catch (reason) {
      if (!this.#hasBegun && !answers.length) this.#beginFailure = { reason };
      return { answers: answers.slice(opening.length), failure: { reason } };
    } finally {
      this.#hasBegun ||= answers.length > 0;
    }
    return { answers: answers.slice(opening.length) };
  }
}

function answersOf({ answers, failure }: PipelineResult): readonly Answer[] {
  if (failure) throw failure.reason;
  return answers;
}

/** A statement that waits for its pipeline. */
interface QueuedStatement {
  part: Sql;
  signal: AbortSignal | undefined;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** Work of a transaction, one after the other. Statements that are queued while their pipeline waits are sent with it. */
class StatementQueue {
  readonly #sender: StatementSender;
  #last: Promise<unknown> = Promise.resolve();
  /** Pipeline that is not sent yet. */
  #waiting: QueuedStatement[] | undefined;
  #hasEnded = false;

  constructor(sender: StatementSender) {
    this.#sender = sender;
  }

  query(part: Sql, signal: AbortSignal | undefined): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#add({ part, signal, resolve, reject });
    });
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#hasEnded) return Promise.reject(new Error('the transaction has ended'));
    this.#waiting = undefined;
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  end(): void {
    this.#hasEnded = true;
  }

  #add(queued: QueuedStatement): void {
    if (this.#waiting) {
      this.#waiting.push(queued);
      return;
    }
    const pipeline = [queued];
    this.run(() => {
      if (this.#waiting === pipeline) this.#waiting = undefined;
      return this.#send(pipeline);
    }).catch(queued.reject);
    if (!this.#hasEnded) this.#waiting = pipeline;
  }

  /** Settles each statement with its rows, or with the failure because of which it did not run. */
  async #send(pipeline: readonly QueuedStatement[]): Promise<void> {
    const signals = [...new Set(pipeline.flatMap(({ signal }) => signal ?? []))];
    const parts = pipeline.map(({ part }) => part);
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    const { answers, failure } = await this.#sender.send(parts, signal);
    for (const [i, { resolve, reject }] of pipeline.entries()) {
      const answer = answers[i];
      if (answer) resolve(answer.rows);
      else reject(failure?.reason);
    }
  }
}
