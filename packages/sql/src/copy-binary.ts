/*
 * Rows in PostgreSQL's binary format of COPY (https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format").
 * One thread packs the rows and another sends the bytes unchanged; texts or objects would be copied between threads.
 */

/**
 * Column types with their values: bigint takes an integer below 2^53, geometry EWKB, jsonb its text, text a string or its
 * bytes in UTF-8, timestamptz milliseconds since 1970.
 */
export type PackedType =
  | 'bigint'
  | 'geometry'
  | 'jsonb'
  | 'text'
  | 'double precision'
  | 'boolean'
  | 'timestamptz';
export type PackedValue = number | boolean | Uint8Array | BufferRange | string | null;

/** A range of a larger buffer. The caller may reuse the object after `add`. */
export interface BufferRange {
  bytes: Buffer;
  start: number;
  end: number;
}

export interface PackedRows {
  /** Consecutive tuples, without header and trailer. */
  bytes: Uint8Array<ArrayBuffer>;
  rows: number;
}

/** Header of the stream. */
export const copyHead: Buffer = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
/** Trailer of the stream. */
export const copyEnd: Buffer = Buffer.from([0xff, 0xff]);

const jsonbVersion = 1;

/** PostgreSQL counts microseconds since 2000-01-01. */
const postgresEpochMs = 946_684_800_000;
const postgresMicroseconds = (ms: number): bigint => BigInt(ms - postgresEpochMs) * 1000n;

/** From this length on a bulk copy is faster than a loop over the bytes. */
const bulkCopyBytes = 32;

/** Packs rows into pieces of about the given numbers of rows and bytes. */
export class RowPacker {
  readonly #types: readonly PackedType[];
  readonly #limits: { readonly rows: number; readonly bytes: number };
  #pieces: PackedRows[] = [];
  /** Bytes of the finished pieces. */
  #finishedBytes = 0;
  /** Initial size of the next piece: slightly more than the largest piece so far. */
  #initialBytes = 64 * 1024;
  #buffer = Buffer.alloc(0);
  #at = 0;
  #rows = 0;

  constructor(types: readonly PackedType[], limits: { rows: number; bytes: number }) {
    this.#types = types;
    this.#limits = limits;
  }

  add(values: readonly PackedValue[]): void {
    const types = this.#types;
    let maxBytes = 2;
    for (const value of values) maxBytes += maxBytesOf(value);
    this.#reserve(maxBytes);
    this.#at = this.#buffer.writeInt16BE(types.length, this.#at);
    for (let i = 0; i < types.length; i++) this.#put(types[i]!, values[i]!);
    if (++this.#rows >= this.#limits.rows || this.#at >= this.#limits.bytes) this.#finishPiece();
  }

  /** Returns the rows added since the last call, in pieces with memory of their own. */
  take(): PackedRows[] {
    this.#finishPiece();
    const taken = this.#pieces;
    this.#pieces = [];
    this.#finishedBytes = 0;
    return taken;
  }

  /** Bytes added since the last `take`. */
  get bytes(): number {
    return this.#finishedBytes + this.#at;
  }

  #reserve(length: number): void {
    const at = this.#at;
    const buffer = this.#buffer;
    if (at + length <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(at + length, 2 * buffer.length, this.#initialBytes));
    buffer.copy(larger, 0, 0, at);
    this.#buffer = larger;
  }

  #finishPiece(): void {
    const at = this.#at;
    const bytes = new Uint8Array(this.#buffer.buffer as ArrayBuffer, 0, at);
    if (this.#rows) this.#pieces.push({ bytes, rows: this.#rows });
    this.#finishedBytes += at;
    this.#initialBytes = Math.max(this.#initialBytes, Math.ceil(1.02 * at));
    this.#buffer = Buffer.alloc(0);
    this.#at = 0;
    this.#rows = 0;
  }

  #put(type: PackedType, value: PackedValue): void {
    const buffer = this.#buffer;
    let at = this.#at;
    if (value === null) {
      at = buffer.writeInt32BE(-1, at);
    } else if (typeof value === 'number') {
      at = buffer.writeInt32BE(8, at);
      if (type === 'double precision') at = buffer.writeDoubleBE(value, at);
      else at = buffer.writeBigInt64BE(type === 'bigint' ? BigInt(value) : postgresMicroseconds(value), at);
    } else if (typeof value === 'string') {
      at = putText(buffer, at, value, type === 'jsonb');
    } else if (typeof value === 'boolean') {
      at = buffer.writeInt32BE(1, at);
      at = buffer.writeUInt8(Number(value), at);
    } else if ('start' in value) {
      const { bytes, start, end } = value;
      at = buffer.writeInt32BE(end - start, at);
      if (end - start < bulkCopyBytes) for (let i = start; i < end; i++) buffer[at++] = bytes[i]!;
      else at += bytes.copy(buffer, at, start, end);
    } else {
      at = buffer.writeInt32BE(value.length, at);
      buffer.set(value, at);
      at += value.length;
    }
    this.#at = at;
  }
}

/** Writes a text with its length and returns the offset after it. */
function putText(buffer: Buffer, at: number, value: string, isJson: boolean): number {
  const start = at + 4 + Number(isJson);
  const length = buffer.write(value, start);
  if (isJson) buffer[start - 1] = jsonbVersion;
  buffer.writeInt32BE(start + length - at - 4, at);
  return start + length;
}

/** Upper bound of a packed value's size: UTF-8 takes at most three bytes per UTF-16 unit. */
function maxBytesOf(value: PackedValue): number {
  if (typeof value === 'string') return 5 + 3 * value.length;
  if (typeof value !== 'object' || value === null) return 12;
  return 4 + ('start' in value ? value.end - value.start : value.length);
}

/** Unpacks a piece. Each value is a text that the database reads; a geometry is hexadecimal EWKB. */
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
  timestamptz: (bytes, start) =>
    new Date(Number(bytes.readBigInt64BE(start) / 1000n) + postgresEpochMs).toISOString(),
};
