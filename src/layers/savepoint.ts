import type { Transaction } from '../db/pool.js';
import { sql } from '../db/sql.js';

/**
 * Runs work whose effects in the database, settings and role among them, are taken back in any case: its result, or its
 * error. Only a `statement_timeout` stays on the embedded database, which does not keep it itself.
 */
export async function tentatively<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx.query(sql`savepoint tentative`);
  const back = async (): Promise<void> => {
    await tx.query(sql`rollback to savepoint tentative`);
    await tx.query(sql`release savepoint tentative`);
  };
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // A connection that is lost has taken it back already.
    await back().catch(() => {});
    throw error;
  }
  await back();
  return result;
}
