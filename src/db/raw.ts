import type pg from 'pg';
import type { GuardedClient } from './client.js';

/** The values of a row as the database sends them in its binary form (text and JSON: UTF-8, bytea: the bytes themselves); null: none. */
export type RawRow = readonly (Buffer | null)[];

/**
 * The rows of a statement as bytes, which `pg` would read as text: of bytea as hexadecimal digits, and text that is only passed on
 * is written as bytes again. Rejects as `client.query`. The client is in use by nobody else.
 */
export async function queryRaw(client: pg.PoolClient, query: pg.QueryConfig): Promise<RawRow[]> {
  const guarded = client as unknown as GuardedClient;
  const rows: RawRow[] = [];
  guarded.takeRow = (row) => rows.push(row);
  try {
    // `binary` is not among its types.
    await client.query({ binary: true, ...query } as pg.QueryConfig);
  } finally {
    guarded.takeRow = undefined;
  }
  return rows;
}
