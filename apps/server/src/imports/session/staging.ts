import { type Database, insertPacked } from '@cartulary/database';
import { stagedColumns } from '@cartulary/formats';
import { isAbandoned, ownName } from '@cartulary/runtime';
import { ident, type PackedRows, type PackedType, type Sql, sql } from '@cartulary/sql';

/** A table with the features of one import until they are stored. No other session uses it. */
export type Staging = Sql;

const schema = 'cartulary_data';

/** The name contains the process, so that a sweep recognizes tables of ended processes. */
export const stagingName = (): string => `staging_${ownName()}`;

export async function createStaging(db: Database): Promise<Staging> {
  const staging = ident(schema, stagingName());
  // Unlogged: written once, read once, and useless after a crash.
  await db.transaction((tx) =>
    tx.query(
      sql`create unlogged table ${staging} (n bigint not null, id bigint, geom geometry, properties jsonb not null)`,
    ),
  );
  return staging;
}

/** Removes a staging table. Where the database does not answer, the table is left to the sweep. */
export async function dropStaging(db: Database, staging: Staging): Promise<void> {
  await db.transaction((tx) => tx.query(sql`drop table if exists ${staging}`)).catch(() => {});
}

/**
 * Removes the tables of ended processes, and those of other machines that are a day old.
 * `all`: every table, where no process is importing yet.
 */
export async function sweepStaging(db: Database, { all = false } = {}): Promise<void> {
  const tables = await db.query<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace s on s.oid = c.relnamespace
    where s.nspname = ${schema} and c.relkind = 'r' and c.relname ~ '^staging_[0-9]+_[0-9a-f]+$'`);
  for (const { name } of tables) if (all || isAbandoned(name)) await dropStaging(db, ident(schema, name));
}

/** Rows for a table, and their columns. */
export interface StagingRows {
  table: Sql;
  columns: readonly { name: string; type: PackedType }[];
  pieces: AsyncIterable<PackedRows>;
}

/** The rows of a staging table. */
export const stagedRows = (staging: Staging, pieces: AsyncIterable<PackedRows>): StagingRows => ({
  table: staging,
  columns: stagedColumns,
  pieces,
});

export interface StagingOptions {
  signal?: AbortSignal | undefined;
  /** Receives the number of rows that were read. */
  progress?: ((rows: number) => void) | undefined;
}

/**
 * Adds rows to a table that nobody else knows, each piece in a transaction: an upload may take as long as it likes. While one is written the
 * next ones are read.
 */
export async function fillStaging(
  db: Database,
  { table, columns, pieces }: StagingRows,
  { signal, progress }: StagingOptions,
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
      writing.catch(() => {}); // handled where it is awaited
    }
    await writing;
  } finally {
    await writing.catch(() => {}); // no write may run when the table is dropped
  }
}
