import type { Socket } from 'node:net';
import type pg from 'pg';
import { copyEnd, copyHead, type PackedRows, type PackedType, unpackRows } from './copy-binary.js';
import type { Transaction } from './pool.js';
import { ident, join, plainText, Sql, sql } from './sql.js';
import { withClient } from './transaction.js';
import { copyDataHead } from './wire.js';

export interface PackedInsert {
  /** `ident('cartulary_data', 'layer_7')` */
  table: Sql;
  columns: readonly { name: string; type: PackedType }[];
  packed: PackedRows;
  signal?: AbortSignal | undefined;
}

/**
 * Stores rows that were packed elsewhere inside a transaction: by COPY on PostgreSQL, by INSERT of unnested arrays
 * on the embedded database, which has no COPY FROM STDIN. Rejects with the database's error or the signal's reason; the
 * transaction must then be given up.
 */
export const insertPacked = (tx: Transaction, insert: PackedInsert): Promise<void> =>
  (tx.engine === 'postgres' ? copy : insertUnnested)(tx, insert);

const namesOf = (columns: PackedInsert['columns']): Sql => join(columns.map(({ name }) => ident(name)));

function copy(tx: Transaction, { table, columns, packed, signal }: PackedInsert): Promise<void> {
  const text = plainText(sql`copy ${table} (${namesOf(columns)}) from stdin (format binary)`);
  return withClient(tx, (client) => {
    signal?.throwIfAborted();
    return copyIn(client, text, packed.bytes);
  });
}

/**
 * COPY FROM STDIN of bytes that are there. Resolves when all are stored, rejects as a query does. What the connection cannot send yet it
 * keeps, and drops it when the database has refused before.
 */
function copyIn(client: pg.PoolClient, text: string, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    // What `pg` calls while it reads the answer.
    client.query({
      copiesIn: true,
      submit: (connection: CopyConnection) => connection.query(text),
      handleCopyInResponse(connection: CopyConnection) {
        const { stream } = connection;
        stream.write(copyDataHead(copyHead.length + bytes.length + copyEnd.length));
        for (const part of [copyHead, bytes, copyEnd]) stream.write(part);
        connection.endCopyFrom();
      },
      handleCommandComplete: () => {},
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    } as unknown as pg.Submittable);
  });
}

interface CopyConnection {
  stream: Socket;
  query(text: string): void;
  endCopyFrom(): void;
}

async function insertUnnested(
  tx: Transaction,
  { table, columns, packed, signal }: PackedInsert,
): Promise<void> {
  const types = columns.map(({ type }) => type);
  const rows = unpackRows(types, packed);
  const arrays = types.map((type, i) => {
    const values = rows.map((row) => row[i]);
    return sql`${values}::${new Sql([parameterType[type]], [])}[]`;
  });
  const aliases = columns.map((_, i) => ident(`v${i}`));
  const taken = types.map((type, i) => sql`${aliases[i]!}::${new Sql([type], [])}`);
  await tx.query(
    sql`insert into ${table} (${namesOf(columns)}) select ${join(taken)} from unnest(${join(arrays)}) as u (${join(aliases)})`,
    signal,
  );
}

/** The items of an array of geometries are parted by other characters than commas, so that they need another way. */
const parameterType: Readonly<Record<PackedType, string>> = {
  bigint: 'bigint',
  geometry: 'text',
  jsonb: 'jsonb',
  text: 'text',
  'double precision': 'double precision',
  boolean: 'boolean',
  timestamptz: 'timestamptz',
};
