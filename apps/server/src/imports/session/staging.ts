import { insertPacked } from '../db/bulk.js';
import type { PackedRows, PackedType } from '../db/copy-binary.js';
import type { Database } from '../db/pool.js';
import { ident, type Sql, sql } from '../db/sql.js';
import { isAbandoned, ownName } from '../own-names.js';
import { stagedColumns } from './rows.js';

/** A table that holds the features of one import until they are stored; nobody else knows it. */
export type Staging = Sql;

const schema = 'cartulary_data';

/** The name tells who made the table, so that a sweep can tell what was left behind. */
export const stagingName = (): string => `staging_${ownName()}`;

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

/** Removes a staging table. Where the database is away it is left to the sweep: what an import has stored is stored. */
export async function dropStaging(db: Database, staging: Staging): Promise<void> {
  await db.transaction((tx) => tx.query(sql`drop table if exists ${staging}`)).catch(() => {});
}

/**
 * Removes what imports left behind whose process has ended; of other machines on the same database what is a day old.
 * `all`: every table, where no process is importing yet.
 */
export async function sweepStaging(db: Database, { all = false } = {}): Promise<void> {
  const tables = await db.query<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace s on s.oid = c.relnamespace
    where s.nspname = ${schema} and c.relkind = 'r' and c.relname ~ '^staging_[0-9]+_[0-9a-f]+$'`);
  for (const { name } of tables) if (all || isAbandoned(name)) await dropStaging(db, ident(schema, name));
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
