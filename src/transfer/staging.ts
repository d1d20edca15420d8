import { randomBytes } from 'node:crypto';
import { insertPacked } from '../db/bulk.js';
import type { PackedRows, PackedType } from '../db/copy-binary.js';
import type { Database } from '../db/pool.js';
import { ident, type Sql, sql } from '../db/sql.js';
import { stagedColumns } from './rows.js';

/** A table that holds the features of one import until they are stored; nobody else knows it. */
export type Staging = Sql;

const schema = 'cartulary_data';

const age = (table: Sql): Sql => sql`(extract(epoch from now()) - split_part(${table}, '_', 2)::bigint)`;

/** The name tells when it was made, s since 1970, so that a sweep can tell what was left behind. */
export const stagingName = (): string =>
  `staging_${Math.floor(Date.now() / 1000)}_${randomBytes(6).toString('hex')}`;

export async function createStaging(db: Database): Promise<Staging> {
  const staging = ident(schema, stagingName());
  // Not logged: written once, read once, and worth nothing after a crash.
  await db.transaction((tx) =>
    tx.query(
      sql`create unlogged table ${staging} (n bigint not null, id bigint, geom geometry, properties jsonb not null)`,
    ),
  );
  return staging;
}

export async function dropStaging(db: Database, staging: Staging): Promise<void> {
  await db.transaction((tx) => tx.query(sql`drop table if exists ${staging}`));
}

/** Longest life of an import of another process on the same database, s. */
const longestImport = 24 * 3600;

/** Removes what imports left behind when the process was ended. On PostgreSQL another process may be importing: there only what is a day old. */
export async function sweepStaging(db: Database): Promise<void> {
  const oldest = db.engine === 'embedded' ? 0 : longestImport;
  const tables = await db.query<{ relname: string }>(sql`
    select c.relname from pg_class c join pg_namespace s on s.oid = c.relnamespace
    where s.nspname = ${schema} and c.relkind = 'r' and c.relname ~ '^staging_[0-9]+_[0-9a-f]+$'
      and ${age(sql`c.relname`)} >= ${oldest}`);
  for (const { relname } of tables) await dropStaging(db, ident(schema, relname));
}

/** What a table is filled with: rows of these columns. */
export interface Filling {
  table: Sql;
  columns: readonly { name: string; type: PackedType }[];
  pieces: AsyncIterable<PackedRows>;
}

/** The rows of a staging table. */
export const stagedRows = (staging: Staging, pieces: AsyncIterable<PackedRows>): Filling => ({
  table: staging,
  columns: stagedColumns,
  pieces,
});

export interface FillOptions {
  signal?: AbortSignal | undefined;
  /** Told how many rows were read. */
  progress?: ((rows: number) => void) | undefined;
}

/**
 * Adds rows to a table that nobody else knows, each piece in a transaction: an upload may take as long as it likes. While one is written the
 * next ones are read.
 */
export async function fillStaging(
  db: Database,
  { table, columns, pieces }: Filling,
  { signal, progress }: FillOptions,
): Promise<void> {
  let total = 0;
  const write = (packed: PackedRows): Promise<unknown> =>
    db.transaction((tx) => insertPacked(tx, { table, columns, packed, signal }), signal);
  let writing: Promise<unknown> = Promise.resolve();
  try {
    for await (const packed of pieces) {
      total += packed.rows;
      progress?.(total);
      await writing;
      writing = write(packed);
      writing.catch(() => {}); // met when it is awaited
    }
    await writing;
  } finally {
    await writing.catch(() => {}); // nothing writes any more when the table is dropped
  }
}
