import type { Duplex } from 'node:stream';
import {
  copyEnd,
  copyHead,
  ident,
  join,
  type PackedRows,
  type PackedType,
  plainText,
  Sql,
  sql,
  unpackRows,
} from '@cartulary/sql';
import type pg from 'pg';
import type { Transaction } from './database.js';
import { copyDataHead, copyDone } from './embedded/wire/messages.js';
import type { AnswerForm } from './protocol/answer-order.js';
import type { GuardedClient } from './protocol/client.js';
import { Request, type Settle } from './protocol/request.js';
import { withClient } from './transaction.js';

export interface PackedInsert {
  /** `ident('cartulary_data', 'layer_7')` */
  table: Sql;
  columns: readonly { name: string; type: PackedType }[];
  packed: PackedRows;
  signal?: AbortSignal | undefined;
}

/**
 * Stores packed rows in a transaction: by COPY on PostgreSQL, by INSERT of unnested arrays on the embedded database, which
 * has no COPY FROM STDIN. Rejects with the database's error or the signal's reason; the transaction must then be rolled back.
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

/** Resolves when all rows are stored; rejects as a query does. */
const copyIn = (client: GuardedClient, text: string, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    client.run(new CopyRequest(text, bytes, { resolve, reject }));
  });

/** COPY FROM STDIN of bytes in memory. The stream buffers what the network does not take yet, and drops it when the database has refused. */
class CopyRequest extends Request {
  readonly form: AnswerForm = { isExtended: false, isDescribed: false, copiesIn: true };
  readonly #text: string;
  readonly #bytes: Uint8Array;
  readonly #settle: Settle;

  constructor(text: string, bytes: Uint8Array, settle: Settle) {
    super();
    this.#text = text;
    this.#bytes = bytes;
    this.#settle = settle;
  }

  send(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  override handleCopyInResponse({ stream }: { stream: Duplex }): void {
    const bytes = this.#bytes;
    stream.write(copyDataHead(copyHead.length + bytes.length + copyEnd.length));
    for (const part of [copyHead, bytes, copyEnd, copyDone]) stream.write(part);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve();
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
  }
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
  const casts = types.map((type, i) => sql`${aliases[i]!}::${new Sql([type], [])}`);
  await tx.query(
    sql`insert into ${table} (${namesOf(columns)}) select ${join(casts)} from unnest(${join(arrays)}) as u (${join(aliases)})`,
    signal,
  );
}

/** Types of the array parameters. Arrays of geometries use another separator than commas, so geometries are passed as text. */
const parameterType: Readonly<Record<PackedType, string>> = {
  bigint: 'bigint',
  geometry: 'text',
  jsonb: 'jsonb',
  text: 'text',
  'double precision': 'double precision',
  boolean: 'boolean',
  timestamptz: 'timestamptz',
};
