import type { Transaction } from '@cartulary/database';
import { sql } from '@cartulary/sql';

/**
 * Runs work inside a savepoint that is always rolled back, including settings and role, and returns its result or throws its
 * error. Only `statement_timeout` remains on the embedded database, which does not apply it itself.
 */
export async function withSavepoint<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx.query(sql`savepoint temporary`);
  const rollBack = async (): Promise<void> => {
    await tx.query(sql`rollback to savepoint temporary`);
    await tx.query(sql`release savepoint temporary`);
  };
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // A lost connection has rolled back already.
    await rollBack().catch(() => {});
    throw error;
  }
  await rollBack();
  return result;
}
