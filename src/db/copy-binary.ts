/*
 * Rows in PostgreSQL's binary format of COPY (https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"): made in
 * one thread they are sent by another as they are, which texts or objects would not be.
 */

/** Types of columns, each with its values: a number is whole and below 2^53, a geometry is EWKB, a jsonb its text. */
export type PackedType = 'bigint' | 'geometry' | 'jsonb';
export type PackedValue = number | Uint8Array | string | null;

export interface PackedRows {
  /** Tuples one after the other, without head and end. */
  bytes: Uint8Array<ArrayBuffer>;
  rows: number;
}

/** What begins and ends the stream. */
export const copyHead: Buffer = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
export const copyEnd: Buffer = Buffer.from([0xff, 0xff]);

const jsonbVersion = 1;

export interface RowPacker {
  add(values: readonly PackedValue[]): void;
  /** What was added since the last time, in pieces of their own memory. */
  take(): PackedRows[];
}

/** Packs rows into pieces of at most about so many rows and bytes. */
export function createRowPacker(
  types: readonly PackedType[],
  most: { rows: number; bytes: number },
): RowPacker {
  let pieces: PackedRows[] = [];
  let buffer = Buffer.alloc(0);
  let at = 0;
  let rows = 0;

  function makeRoom(length: number): void {
    if (at + length <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(at + length, 2 * buffer.length, 64 * 1024));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  }

  function close(): void {
    if (rows) pieces.push({ bytes: new Uint8Array(buffer.buffer as ArrayBuffer, 0, at), rows });
    buffer = Buffer.alloc(0);
    at = 0;
    rows = 0;
  }

  function put(type: PackedType, value: PackedValue): void {
    if (value === null) {
      at = buffer.writeInt32BE(-1, at);
    } else if (type === 'bigint') {
      at = buffer.writeInt32BE(8, at);
      at = buffer.writeBigInt64BE(BigInt(value as number), at);
    } else if (type === 'geometry') {
      const bytes = value as Uint8Array;
      at = buffer.writeInt32BE(bytes.length, at);
      buffer.set(bytes, at);
      at += bytes.length;
    } else {
      const length = buffer.write(value as string, at + 5);
      buffer.writeInt32BE(length + 1, at);
      buffer[at + 4] = jsonbVersion;
      at += 5 + length;
    }
  }

  return {
    add(values) {
      makeRoom(values.reduce((sum: number, value) => sum + roomOf(value), 2));
      at = buffer.writeInt16BE(types.length, at);
      for (const [i, type] of types.entries()) put(type, values[i]!);
      if (++rows >= most.rows || at >= most.bytes) close();
    },
    take() {
      close();
      const taken = pieces;
      pieces = [];
      return taken;
    },
  };
}

/** Bytes that a value may take: UTF-8 has at most three for a UTF-16 unit. */
function roomOf(value: PackedValue): number {
  if (typeof value === 'string') return 5 + 3 * value.length;
  return value instanceof Uint8Array ? 4 + value.length : 12;
}

/** The rows of a piece again: a geometry as hexadecimal digits, a bigint as its digits. */
export function unpackRows(types: readonly PackedType[], { bytes, rows }: PackedRows): (string | null)[][] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const next = (type: PackedType): string | null => {
    const length = buffer.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    const start = at;
    at += length;
    if (type === 'bigint') return buffer.readBigInt64BE(start).toString();
    return type === 'geometry' ? buffer.toString('hex', start, at) : buffer.toString('utf8', start + 1, at);
  };
  return Array.from({ length: rows }, () => {
    at += 2;
    return types.map(next);
  });
}
