import type pg from 'pg';
import { abortable, runStatement, type Session } from './connection.js';
import { isLostConnection } from './failure.js';
import type { Transaction } from './pool.js';
import type { Sql } from './sql.js';
import { timeoutSetBy } from './statement-timeout.js';

export interface OpenTransaction {
  transaction: Transaction;
  /** Uses the connection when what was asked before is done. */
  use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** From now on everything is refused. */
  end(): void;
}

const openTransactions = new WeakMap<Transaction, OpenTransaction['use']>();

/** For `bulk.ts` and `migrate.ts`: the connection of a transaction, in turn with its statements. */
export function withClient<T>(tx: Transaction, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const turn = openTransactions.get(tx);
  if (!turn) throw new Error('not a transaction of this pool');
  return turn(use);
}

/** The transaction of a connection on which it was begun. */
export function openTransaction(
  client: pg.PoolClient,
  shared: Session,
  signal: AbortSignal | undefined,
): OpenTransaction {
  const session = { ...shared };
  let last: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  const use = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    if (hasEnded) return Promise.reject(new Error('the transaction has ended'));
    const result = last.then(() => work(client));
    last = result.catch(() => {});
    return result;
  };
  const transaction: Transaction = {
    engine: session.engine,
    query: async <Row>(part: Sql, own?: AbortSignal) => {
      const either = own && signal ? AbortSignal.any([own, signal]) : (own ?? signal);
      either?.throwIfAborted();
      const change = timeoutSetBy(part.text[0]!);
      if (change) session.limit = change.ms ?? shared.limit;
      const rows = use(() => runStatement<Row>(client, session, part, either));
      return session.engine === 'embedded' ? abortable(rows, either) : rows;
    },
    recall: (part) => transaction.query(part),
  };
  openTransactions.set(transaction, use);
  return { transaction, use, end: () => (hasEnded = true) };
}

/** Ends a failed transaction and gives its connection back, or throws it away when it cannot be trusted. */
export async function rollback(client: pg.PoolClient, tx: OpenTransaction, error: unknown): Promise<void> {
  try {
    if (isLostConnection(error)) throw error;
    await tx.use((own) => own.query('rollback'));
    client.release();
  } catch {
    client.release(true);
  }
}
