import type pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { ServiceError } from '../errors.js';
import { copyEnd, copyHead, type PackedRows, type PackedType, unpackRows } from './copy-binary.js';
import { type Transaction, withClient } from './pool.js';
import { ident, join, plainText, Sql, sql } from './sql.js';

export interface BulkInsert {
  /** `ident('cartulary_data', 'layer_7')` */
  table: Sql;
  /** `type` is a scalar type as in CREATE TABLE: `double precision`, `geometry(Point, 4326)`. */
  columns: readonly { name: string; type: string }[];
  /**
   * Batches of rows, a value for each column. Null and undefined are NULL; a geometry is EWKB in hexadecimal; a jsonb is
   * its text; a Buffer is bytea; a Date, boolean, number or bigint and all else as text that the type reads.
   */
  rows: AsyncIterable<readonly (readonly unknown[])[]>;
  signal?: AbortSignal | undefined;
}

/** One statement's worth on the embedded database: rows, and characters of their values. */
const mostRows = 5_000;
const mostText = 8 * 1024 * 1024;

const used = new WeakSet<object>();

/**
 * Stores many rows inside a transaction and gives their number: by COPY on PostgreSQL, by INSERT of unnested arrays
 * on the embedded database, which has no COPY FROM STDIN. Rejects with the database's error, that of `rows`, or the
 * signal's reason; the transaction must then be given up.
 */
export async function bulkInsert(tx: Transaction, insert: BulkInsert): Promise<number> {
  // A transaction that is tried again would find them at their end, and store nothing.
  if (used.has(insert.rows)) {
    throw new ServiceError(
      'busy',
      'The service is busy: the rows, which can be read only once, must be sent again',
    );
  }
  used.add(insert.rows);
  return tx.engine === 'postgres' ? copy(tx, insert) : insertSlices(tx, insert);
}

export interface PackedInsert {
  table: Sql;
  columns: readonly { name: string; type: PackedType }[];
  packed: PackedRows;
  signal?: AbortSignal | undefined;
}

/** Stores rows that were packed elsewhere, as `bulkInsert` does. */
export async function insertPacked(tx: Transaction, insert: PackedInsert): Promise<void> {
  const { table, columns, packed, signal } = insert;
  if (tx.engine === 'postgres') {
    await copied(tx, insert, { format: 'binary' }, async (stream) => {
      stream.write(copyHead);
      stream.write(packed.bytes);
      stream.end(copyEnd);
    });
  } else {
    const types = columns.map(({ type }) => type);
    await tx.query(insertStatement({ table, columns }, unpackRows(types, packed)), signal);
  }
}

const copy = (tx: Transaction, insert: BulkInsert): Promise<number> =>
  copied(tx, insert, { format: 'text' }, (stream, end) => fill(stream, end, insert));

type Target = Pick<BulkInsert, 'table' | 'columns' | 'signal'>;

/** COPY FROM STDIN of what `send` writes; the number of rows. */
async function copied(
  tx: Transaction,
  { table, columns, signal }: Target,
  { format }: { format: 'text' | 'binary' },
  send: (stream: CopyStreamQuery, end: Promise<void>) => Promise<void>,
): Promise<number> {
  const names = join(columns.map(({ name }) => ident(name)));
  const text = plainText(sql`copy ${table} (${names}) from stdin (format ${ident(format)})`);
  return withClient(tx, async (client: pg.PoolClient) => {
    signal?.throwIfAborted();
    const stream = client.query(copyFrom(text));
    const end = new Promise<void>((resolve, reject) => {
      stream.once('finish', resolve);
      // Not once: it may tell of the same failure again when it is destroyed.
      stream.on('error', reject);
    });
    try {
      await Promise.all([end, send(stream, end)]);
    } catch (error) {
      stream.destroy(error as Error);
      await end.catch(() => {});
      throw error;
    }
    return stream.rowCount;
  });
}

/** Writes all rows, no faster than they are taken. */
async function fill(stream: CopyStreamQuery, end: Promise<void>, insert: BulkInsert): Promise<void> {
  const { columns, rows, signal } = insert;
  for await (const batch of rows) {
    signal?.throwIfAborted();
    if (batch.length === 0) continue;
    const lines = batch.map((row) => `${checked(row, columns.length).map(copyText).join('\t')}\n`);
    if (!stream.write(lines.join(''))) {
      await Promise.race([end, new Promise((resolve) => stream.once('drain', resolve))]);
    }
  }
  signal?.throwIfAborted();
  stream.end();
}

const copyEscapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A field of COPY's text format: https://www.postgresql.org/docs/current/sql-copy.html */
function copyText(value: unknown): string {
  const text = textOf(value);
  return text === null ? '\\N' : text.replace(/[\\\t\n\r]/g, (character) => copyEscapes[character]!);
}

async function insertSlices(tx: Transaction, insert: BulkInsert): Promise<number> {
  let count = 0;
  for await (const slice of slices(insert)) {
    await tx.query(insertStatement(insert, slice), insert.signal);
    count += slice.length;
  }
  return count;
}

type TextRow = (string | null)[];

async function* slices({ columns, rows, signal }: BulkInsert): AsyncGenerator<TextRow[]> {
  let slice: TextRow[] = [];
  let size = 0;
  for await (const batch of rows) {
    signal?.throwIfAborted();
    for (const row of batch) {
      const texts = checked(row, columns.length).map(textOf);
      slice.push(texts);
      for (const text of texts) size += text?.length ?? 0;
      if (slice.length < mostRows && size < mostText) continue;
      yield slice;
      slice = [];
      size = 0;
    }
  }
  if (slice.length) yield slice;
}

function insertStatement({ table, columns }: Target, slice: readonly TextRow[]): Sql {
  const names = join(columns.map(({ name }) => ident(name)));
  const arrays = columns.map(({ type }, i) => {
    const values = slice.map((row) => row[i]);
    return sql`${values}::${isTakenAsText(type) ? sql`text` : typeName(type)}[]`;
  });
  const taken = columns.map(({ type }, i) =>
    isTakenAsText(type) ? sql`${ident(`v${i}`)}::${typeName(type)}` : ident(`v${i}`),
  );
  const aliases = join(columns.map((_, i) => ident(`v${i}`)));
  return sql`insert into ${table} (${names}) select ${join(taken)} from unnest(${join(arrays)}) as u (${aliases})`;
}

/** The items of an array of these are parted by other characters than commas, so that they need another way. */
const isTakenAsText = (type: string): boolean => /^(geometry|geography|box)/i.test(type);

const scalarType =
  /^(double precision|character varying|[a-z_][a-z0-9_]*)(\([a-z0-9, ]+\))?( with(out)? time zone)?$/i;
/** Without a length these mean one character. */
const fixedLength = /^(bit|char|character)$/i;

/** The type without its length: to cast to that would cut off what is too long, to store it there is an error. */
function typeName(type: string): Sql {
  const [, name, , zone = ''] = scalarType.exec(type) ?? [];
  if (name === undefined || fixedLength.test(name)) throw new RangeError(`not a scalar type: ${type}`);
  return new Sql([name + zone], []);
}

function checked(row: readonly unknown[], length: number): readonly unknown[] {
  if (row.length !== length) throw new RangeError(`a row has ${row.length} values instead of ${length}`);
  return row;
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
