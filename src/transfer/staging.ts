import { randomBytes } from 'node:crypto';
import { bulkInsert } from '../db/bulk.js';
import type { Database } from '../db/pool.js';
import { ident, type Sql, sql } from '../db/sql.js';
import type { StagedRow } from './rows.js';

/** A table that holds the features of one import until they are stored; nobody else knows it. */
export type Staging = Sql;

const schema = 'cartulary_data';

const age = (table: Sql): Sql => sql`(extract(epoch from now()) - split_part(${table}, '_', 2)::bigint)`;

/** The name tells when it was made, s since 1970, so that a sweep can tell what was left behind. */
export async function createStaging(db: Database): Promise<Staging> {
  const name = `staging_${Math.floor(Date.now() / 1000)}_${randomBytes(6).toString('hex')}`;
  const staging = ident(schema, name);
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

/** Rows and characters of one transaction: on the embedded database all others wait for it. */
const sliceRows = 5_000;
const sliceSize = 1024 * 1024;

export interface FillOptions {
  signal?: AbortSignal | undefined;
  /** Told how many rows were read. */
  progress?: ((rows: number) => void) | undefined;
}

/**
 * Adds rows to the staging table, in short transactions: an upload may take as long as it likes. While one is written the
 * next ones are read. The number of rows.
 */
export async function fillStaging(
  db: Database,
  staging: Staging,
  batches: AsyncIterable<StagedRow[]>,
  { signal, progress }: FillOptions,
): Promise<number> {
  let total = 0;
  async function* counted(): AsyncGenerator<StagedRow[]> {
    for await (const batch of batches) {
      total += batch.length;
      progress?.(total);
      yield batch;
    }
  }
  // A transaction that is tried again needs its rows again.
  const write = (rows: readonly Values[]): Promise<unknown> =>
    db.transaction((tx) => bulkInsert(tx, { table: staging, columns, rows: once(rows), signal }), signal);
  let writing: Promise<unknown> = Promise.resolve();
  try {
    for await (const rows of slices(counted())) {
      await writing;
      writing = write(rows);
      writing.catch(() => {}); // met when it is awaited
    }
    await writing;
  } finally {
    await writing.catch(() => {}); // nothing writes any more when the table is dropped
  }
  return total;
}

const columns = [
  { name: 'n', type: 'bigint' },
  { name: 'id', type: 'bigint' },
  { name: 'geom', type: 'geometry' },
  { name: 'properties', type: 'jsonb' },
] as const;

type Values = [n: number, id: number | null, geom: string | null, properties: string];

async function* once<T>(item: T): AsyncGenerator<T> {
  yield item;
}

async function* slices(batches: AsyncIterable<readonly StagedRow[]>): AsyncGenerator<Values[]> {
  let rows: Values[] = [];
  let size = 0;
  for await (const batch of batches) {
    for (const { n, id, geom, properties } of batch) {
      rows.push([n, id, geom, properties]);
      size += (geom?.length ?? 0) + properties.length;
      if (rows.length < sliceRows && size < sliceSize) continue;
      yield rows;
      rows = [];
      size = 0;
    }
  }
  if (rows.length) yield rows;
}
