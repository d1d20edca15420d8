import type { Socket } from 'node:net';
import type pg from 'pg';

/** The values of a row as the database sends them in its binary form (text and JSON: UTF-8, bytea: the bytes themselves); null: none. */
export type RawRow = readonly (Buffer | null)[];

/**
 * The rows of a statement as bytes, which `pg` would read as text: of bytea as hexadecimal digits, and text that is only passed on
 * is written as bytes again. Rejects as `client.query`. The client is in use by nobody else.
 */
export async function queryRaw(client: pg.PoolClient, query: pg.QueryConfig): Promise<RawRow[]> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const rows: RawRow[] = [];
  const giveBack = takeRows(stream, (row) => rows.push(row));
  try {
    // `binary` is not among its types.
    await client.query({ binary: true, ...query } as pg.QueryConfig);
  } finally {
    giveBack();
  }
  return rows;
}

/** Takes the rows out of what a connection reads; all else goes where it went before. Returns how to end it. */
function takeRows(stream: Socket, take: (row: RawRow) => void): () => void {
  const readers = stream.listeners('data') as ((bytes: Buffer) => void)[];
  const split = rowSplitter(take, (bytes) => {
    for (const read of readers) read(bytes);
  });
  const read = (bytes: Buffer): void => {
    try {
      split(bytes);
    } catch (error) {
      stream.destroy(error as Error);
    }
  };
  // Never without a reader, since the stream would stop.
  stream.on('data', read);
  for (const reader of readers) stream.off('data', reader);
  return () => {
    for (const reader of readers) stream.on('data', reader);
    stream.off('data', read);
  };
}

const head = 5;
const dataRow = 'D'.charCodeAt(0);

/**
 * A function for the bytes of PostgreSQL's protocol as they come, from the beginning of a message on (message formats:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html). Throws when they are none.
 */
export function rowSplitter(
  take: (row: RawRow) => void,
  pass: (messages: Buffer) => void,
): (bytes: Buffer) => void {
  let held: Buffer[] = [];
  let length = 0;
  let wanted = head;

  return (bytes) => {
    held.push(bytes);
    length += bytes.length;
    if (length < wanted) return;
    const all = held.length === 1 ? bytes : Buffer.concat(held, length);
    let at = 0;
    let passed = 0;
    const passUpTo = (end: number): void => {
      if (end > passed) pass(all.subarray(passed, end));
    };
    for (wanted = head; at + wanted <= length; wanted = head) {
      wanted = 1 + all.readUInt32BE(at + 1);
      if (wanted < head) throw new Error('what the database sends is not its protocol');
      if (at + wanted > length) break;
      if (all[at] === dataRow) {
        passUpTo(at);
        take(valuesOf(all.subarray(at, at + wanted)));
        passed = at + wanted;
      }
      at += wanted;
    }
    passUpTo(at);
    held = at < length ? [all.subarray(at)] : [];
    length -= at;
  };
}

function valuesOf(message: Buffer): RawRow {
  let at = head + 2;
  return Array.from({ length: message.readUInt16BE(head) }, () => {
    const size = message.readInt32BE(at);
    const from = at + 4;
    at = from + Math.max(0, size);
    return size < 0 ? null : message.subarray(from, at);
  });
}
