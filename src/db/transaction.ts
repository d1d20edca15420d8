import type pg from 'pg';
import { abortable, runStatements, type Session } from './connection.js';
import { isLostConnection } from './failure.js';
import type { Transaction } from './pool.js';
import { type Sql, sql } from './sql.js';
import { timeoutSetBy } from './statement-timeout.js';
import type { Answer } from './together.js';

export interface OpenTransaction {
  transaction: Transaction;
  /** COMMIT, behind what was put off. Throws when nothing was stored. */
  commit(): Promise<void>;
  /** Gives the connection back as it was before, or throws it away when it cannot be trusted after this error. */
  rollback(error: unknown): Promise<void>;
  /** From now on everything is refused. */
  end(): void;
}

type Use = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

const openTransactions = new WeakMap<Transaction, Use>();

/** For `bulk.ts` and `migrate.ts`: the connection of a transaction, in turn with its statements. */
export function withClient<T>(tx: Transaction, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const turn = openTransactions.get(tx);
  if (!turn) throw new Error('not a transaction of this pool');
  return turn(use);
}

/** A transaction on a connection; it begins with its first statement. */
export function openTransaction(
  client: pg.PoolClient,
  shared: Session,
  signal: AbortSignal | undefined,
): OpenTransaction {
  const session = { ...shared };
  const sender = createSender(client, session);
  const { ask, inTurn, end } = createTurns(sender);
  const putOff: Sql[] = [];
  const transaction: Transaction = {
    engine: session.engine,
    query: async <Row>(part: Sql, own?: AbortSignal) => {
      const either = own && signal ? AbortSignal.any([own, signal]) : (own ?? signal);
      either?.throwIfAborted();
      const change = timeoutSetBy(part.text[0]!);
      if (change) {
        session.limit = change.ms ?? shared.limit;
        // A query that a user has written.
        session.isHeavy = Boolean(change.ms);
      }
      const rows = ask(part, either) as Promise<Row[]>;
      return session.engine === 'embedded' ? abortable(rows, either) : rows;
    },
    recall: (part) => transaction.query(part),
    lastly: (part) => void putOff.push(part),
  };
  openTransactions.set(transaction, (work) =>
    inTurn(async () => {
      if (!sender.hasBegun()) all(await sender.send([]));
      return work(client);
    }),
  );
  return {
    transaction,
    commit: () => inTurn(() => commit(sender, putOff)),
    rollback: (error) =>
      giveBack(client, error, () => inTurn(async () => sender.hasBegun() && client.query('rollback'))),
    end,
  };
}

/** What came back of statements that were sent in one message: the answers to those before the one that failed. */
interface Sent {
  answers: readonly Answer[];
  failure?: { reason: unknown };
}

interface Sender {
  /** The first statements go with BEGIN: where it fails they are not run, and nothing is after it. */
  send(parts: readonly Sql[], signal?: AbortSignal): Promise<Sent>;
  hasBegun(): boolean;
}

function createSender(client: pg.PoolClient, session: Session): Sender {
  let hasBegun = false;
  let failure: Sent['failure'];
  return {
    async send(parts, signal) {
      if (failure) return { answers: [], failure };
      const opening = hasBegun ? [] : [sql`begin read write`];
      const answers: Answer[] = [];
      const take = (answer: Answer): void => void answers.push(answer);
      try {
        await runStatements(client, session, { parts: [...opening, ...parts], take, signal });
      } catch (reason) {
        if (!hasBegun && !answers.length) failure = { reason };
        return { answers: answers.slice(opening.length), failure: { reason } };
      } finally {
        hasBegun ||= answers.length > 0;
      }
      return { answers: answers.slice(opening.length) };
    },
    hasBegun: () => hasBegun,
  };
}

function all({ answers, failure }: Sent): readonly Answer[] {
  if (failure) throw failure.reason;
  return answers;
}

async function commit(sender: Sender, putOff: readonly Sql[]): Promise<void> {
  if (!sender.hasBegun() && !putOff.length) return;
  const answers = all(await sender.send([...putOff, sql`commit`]));
  if (answers.at(-1)!.command !== 'COMMIT')
    throw new Error('a statement of the transaction failed, so nothing was stored');
}

async function giveBack(
  client: pg.PoolClient,
  error: unknown,
  rollback: () => Promise<unknown>,
): Promise<void> {
  try {
    if (isLostConnection(error)) throw error;
    await rollback();
    client.release();
  } catch {
    client.release(true);
  }
}

/** A statement that waits to be sent with others. */
interface Asked {
  part: Sql;
  signal: AbortSignal | undefined;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** One thing after the other on a connection; statements that are asked while one waits go with it in one message. */
function createTurns({ send }: Sender): {
  ask(part: Sql, signal: AbortSignal | undefined): Promise<unknown[]>;
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
} {
  let last: Promise<unknown> = Promise.resolve();
  let gathering: Asked[] | undefined;
  let hasEnded = false;

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (hasEnded) return Promise.reject(new Error('the transaction has ended'));
    gathering = undefined;
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };

  function gather(asked: Asked): void {
    if (gathering) return void gathering.push(asked);
    const group = [asked];
    inTurn(() => {
      if (gathering === group) gathering = undefined;
      return sendGroup(group, send);
    }).catch(asked.reject);
    if (!hasEnded) gathering = group;
  }

  return {
    ask: (part, signal) =>
      new Promise((resolve, reject) => {
        gather({ part, signal, resolve, reject });
      }),
    inTurn,
    end: () => (hasEnded = true),
  };
}

/** Tells each the rows of its statement, or why it failed or was not run. */
async function sendGroup(group: readonly Asked[], send: Sender['send']): Promise<void> {
  const signals = [...new Set(group.flatMap(({ signal }) => signal ?? []))];
  const parts = group.map(({ part }) => part);
  const { answers, failure } = await send(parts, signals.length > 1 ? AbortSignal.any(signals) : signals[0]);
  for (const [i, { resolve, reject }] of group.entries()) {
    const answer = answers[i];
    if (answer) resolve(answer.rows);
    else reject(failure?.reason);
  }
}
