/*
 * Rows in PostgreSQL's binary format of COPY (https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"): made in
 * one thread they are sent by another as they are, which texts or objects would not be.
 */

/**
 * Types of columns, each with its values: a bigint is a whole number below 2^53, a geometry EWKB, a jsonb its text, a text may be
 * its bytes in UTF-8, a timestamptz is a number of milliseconds since 1970.
 */
export type PackedType =
  | 'bigint'
  | 'geometry'
  | 'jsonb'
  | 'text'
  | 'double precision'
  | 'boolean'
  | 'timestamptz';
export type PackedValue = number | boolean | Uint8Array | ByteRange | string | null;

/** Some bytes of others: it may be used again when its row was packed. */
export interface ByteRange {
  bytes: Buffer;
  start: number;
  end: number;
}

export interface PackedRows {
  /** Tuples one after the other, without head and end. */
  bytes: Uint8Array<ArrayBuffer>;
  rows: number;
}

/** What begins and ends the stream. */
export const copyHead: Buffer = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
export const copyEnd: Buffer = Buffer.from([0xff, 0xff]);

const jsonbVersion = 1;

/** The database counts from 2000-01-01, in microseconds. */
const epoch = 946_684_800_000;
const microseconds = (ms: number): bigint => BigInt(ms - epoch) * 1000n;

export interface RowPacker {
  add(values: readonly PackedValue[]): void;
  /** What was added since the last time, in pieces of their own memory. */
  take(): PackedRows[];
  /** How much that is, about. */
  readonly bytes: number;
}

/** Packs rows into pieces of at most about so many rows and bytes. */
export function createRowPacker(
  types: readonly PackedType[],
  most: { rows: number; bytes: number },
): RowPacker {
  let pieces: PackedRows[] = [];
  let closed = 0;
  /** Bytes that the next piece is begun with: those of the last one, and a little more. */
  let usual = 64 * 1024;
  let buffer = Buffer.alloc(0);
  let at = 0;
  let rows = 0;

  function makeRoom(length: number): void {
    if (at + length <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(at + length, 2 * buffer.length, usual));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  }

  function close(): void {
    if (rows) pieces.push({ bytes: new Uint8Array(buffer.buffer as ArrayBuffer, 0, at), rows });
    closed += at;
    usual = Math.max(usual, Math.ceil(1.02 * at));
    buffer = Buffer.alloc(0);
    at = 0;
    rows = 0;
  }

  function put(type: PackedType, value: PackedValue): void {
    if (value === null) {
      at = buffer.writeInt32BE(-1, at);
    } else if (typeof value === 'number') {
      at = buffer.writeInt32BE(8, at);
      if (type === 'double precision') at = buffer.writeDoubleBE(value, at);
      else at = buffer.writeBigInt64BE(type === 'bigint' ? BigInt(value) : microseconds(value), at);
    } else if (typeof value === 'string') putText(value, type === 'jsonb');
    else if (typeof value === 'boolean') {
      at = buffer.writeInt32BE(1, at);
      at = buffer.writeUInt8(Number(value), at);
    } else if ('start' in value) {
      const { bytes, start, end } = value;
      at = buffer.writeInt32BE(end - start, at);
      // For a few bytes a call takes longer than they do.
      if (end - start < 32) for (let i = start; i < end; i++) buffer[at++] = bytes[i]!;
      else at += bytes.copy(buffer, at, start, end);
    } else {
      at = buffer.writeInt32BE(value.length, at);
      buffer.set(value, at);
      at += value.length;
    }
  }

  function putText(value: string, isJson: boolean): void {
    const start = at + 4 + Number(isJson);
    const length = buffer.write(value, start);
    if (isJson) buffer[start - 1] = jsonbVersion;
    buffer.writeInt32BE(start + length - at - 4, at);
    at = start + length;
  }

  return {
    add(values) {
      let room = 2;
      for (const value of values) room += roomOf(value);
      makeRoom(room);
      at = buffer.writeInt16BE(types.length, at);
      for (let i = 0; i < types.length; i++) put(types[i]!, values[i]!);
      if (++rows >= most.rows || at >= most.bytes) close();
    },
    take() {
      close();
      const taken = pieces;
      pieces = [];
      closed = 0;
      return taken;
    },
    get bytes() {
      return closed + at;
    },
  };
}

/** Bytes that a value may take: UTF-8 has at most three for a UTF-16 unit. */
function roomOf(value: PackedValue): number {
  if (typeof value === 'string') return 5 + 3 * value.length;
  if (typeof value !== 'object' || value === null) return 12;
  return 4 + ('start' in value ? value.end - value.start : value.length);
}

/** The rows of a piece again, each value as the database reads it in a text: a geometry as hexadecimal digits. */
export function unpackRows(types: readonly PackedType[], { bytes, rows }: PackedRows): (string | null)[][] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const next = (type: PackedType): string | null => {
    const length = buffer.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    const start = at;
    at += length;
    return texts[type](buffer, start, at);
  };
  return Array.from({ length: rows }, () => {
    at += 2;
    return types.map(next);
  });
}

const texts: Readonly<Record<PackedType, (bytes: Buffer, start: number, end: number) => string>> = {
  bigint: (bytes, start) => bytes.readBigInt64BE(start).toString(),
  geometry: (bytes, start, end) => bytes.toString('hex', start, end),
  jsonb: (bytes, start, end) => bytes.toString('utf8', start + 1, end),
  text: (bytes, start, end) => bytes.toString('utf8', start, end),
  'double precision': (bytes, start) => String(bytes.readDoubleBE(start)),
  boolean: (bytes, start) => String(bytes[start] === 1),
  timestamptz: (bytes, start) => new Date(Number(bytes.readBigInt64BE(start) / 1000n) + epoch).toISOString(),
};
