/**
 * Messages of a PostgreSQL server: limits of their sizes and checks of their form, which `pg` does not make. Without them `pg`
 * waits for as many bytes as any length promises, and reads past the end of a truncated message. Pure.
 * Formats: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import { LostConnection } from '../failure.js';

/** Values of a row in the database's binary format (text and JSON: UTF-8; bytea: its bytes); null: SQL NULL. */
export type BinaryRow = readonly (Buffer | null)[];

/** Message type as a byte. */
export const typeOf = (message: Buffer): number => message[0]!;

export const letter = (type: string): number => type.charCodeAt(0);

const headerBytes = 5;
const smallLimitBytes = 64 * 1024;
const largeLimitBytes = 64 * 1024 ** 2;

interface MessageKind {
  /** Limit of the bytes behind the header. */
  limitBytes: number;
  /** Offset where the content ends by its own fields; NaN where they are unreadable. */
  end(message: Buffer): number;
}

/** Allowed messages. The service never suspends portals, copies out or calls functions, so their messages are absent. */
const kinds = new Map<number, MessageKind>(
  Object.entries({
    1: { limitBytes: 0, end: () => headerBytes },
    2: { limitBytes: 0, end: () => headerBytes },
    3: { limitBytes: 0, end: () => headerBytes },
    n: { limitBytes: 0, end: () => headerBytes },
    I: { limitBytes: 0, end: () => headerBytes },
    Z: {
      limitBytes: 1,
      end: (message) =>
        /[ITE]/.test(String.fromCharCode(message[headerBytes]!)) ? headerBytes + 1 : Number.NaN,
    },
    C: { limitBytes: smallLimitBytes, end: (message) => afterText(message, headerBytes) },
    S: { limitBytes: smallLimitBytes, end: (message) => afterText(message, afterText(message, headerBytes)) },
    A: {
      limitBytes: smallLimitBytes,
      end: (message) => afterText(message, afterText(message, headerBytes + 4)),
    },
    K: {
      limitBytes: smallLimitBytes,
      end: (message) => (message.length < headerBytes + 8 ? Number.NaN : message.length),
    },
    R: { limitBytes: smallLimitBytes, end: afterAuthentication },
    E: { limitBytes: largeLimitBytes, end: afterFields },
    N: { limitBytes: largeLimitBytes, end: afterFields },
    T: { limitBytes: largeLimitBytes, end: afterDescription },
    G: {
      limitBytes: smallLimitBytes * 2,
      end: (message) => headerBytes + 3 + 2 * uint16At(message, headerBytes + 1),
    },
    D: { limitBytes: 1024 ** 3, end: afterRow },
  } satisfies Record<string, MessageKind>).map(([type, kind]) => [letter(type), kind]),
);

/** Longest row that is read. The largest feature of an import (64 MiB) is at most twice as long as JSON. */
export const maxRowBytes: number = 128 * 1024 ** 2;

/** Splits a byte stream into whole, well-formed messages. */
export class MessageSplitter {
  readonly #take: (message: Buffer) => void;
  readonly #skip: () => void;
  #bytesToSkip = 0;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #neededBytes = headerBytes;

  /** `take` receives each message. `skip` is called in the place of a row that is too long: its bytes are dropped. */
  constructor(take: (message: Buffer) => void, skip: () => void) {
    this.#take = take;
    this.#skip = skip;
  }

  /** Adds the next bytes. Throws LostConnection for bytes that are no message, and errors of `take`; the splitter is unusable then. */
  push(chunk: Buffer): void {
    const bytes = chunk.subarray(this.#bytesToSkip);
    this.#bytesToSkip = Math.max(0, this.#bytesToSkip - chunk.length);
    if (!bytes.length) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes < this.#neededBytes) return;
    const length = this.#heldBytes;
    const all = this.#held.length === 1 ? bytes : Buffer.concat(this.#held, length);
    let at = 0;
    let needed = headerBytes;
    for (; at + needed <= length; needed = headerBytes) {
      needed = messageBytes(all, at);
      if (needed > maxRowBytes) {
        this.#skip();
        this.#bytesToSkip = Math.max(0, at + needed - length);
        at = Math.min(at + needed, length);
        continue;
      }
      if (at + needed > length) break;
      const message = all.subarray(at, at + needed);
      if (kinds.get(typeOf(message))!.end(message) !== needed) throw malformed(typeOf(message));
      this.#take(message);
      at += needed;
    }
    this.#neededBytes = needed;
    this.#held = at < length ? [all.subarray(at)] : [];
    this.#heldBytes = length - at;
  }
}

/** Bytes of the message whose header begins at an offset. */
function messageBytes(bytes: Buffer, at: number): number {
  const type = bytes[at]!;
  const size = bytes.readUInt32BE(at + 1) + 1;
  const kind = kinds.get(type);
  if (!kind || size < headerBytes || size > headerBytes + kind.limitBytes) throw malformed(type);
  return size;
}

const malformed = (type: number): LostConnection =>
  new LostConnection(`the database sent bytes that are not of its protocol (type ${type})`);

function afterText(message: Buffer, at: number): number {
  const end = at < message.length ? message.indexOf(0, at) : -1;
  return end < 0 ? Number.NaN : end + 1;
}

const uint16At = (message: Buffer, at: number): number =>
  at + 2 <= message.length ? message.readUInt16BE(at) : Number.NaN;

/** Fields of an error or notice: a letter and a text each, ended by a zero. */
function afterFields(message: Buffer): number {
  let at = headerBytes;
  while (message[at]) at = afterText(message, at + 1);
  return message[at] === 0 ? at + 1 : Number.NaN;
}

function afterDescription(message: Buffer): number {
  let at = headerBytes + 2;
  for (let left = uint16At(message, headerBytes); left > 0; left--) at = afterText(message, at) + 18;
  return at;
}

function afterRow(message: Buffer): number {
  let at = headerBytes + 2;
  for (let left = uint16At(message, headerBytes); left > 0; left--) {
    if (at + 4 > message.length) return Number.NaN;
    const size = message.readInt32BE(at);
    if (size < -1) return Number.NaN;
    at += 4 + Math.max(0, size);
  }
  return at;
}

/** Authentication requests that `pg` supports. */
function afterAuthentication(message: Buffer): number {
  const code = message.length < headerBytes + 4 ? -1 : message.readInt32BE(headerBytes);
  if (code === 0 || code === 3) return headerBytes + 4;
  if (code === 5) return headerBytes + 8;
  if (code === 11 || code === 12) return message.length;
  if (code !== 10) return Number.NaN;
  let at = headerBytes + 4;
  while (message[at]) at = afterText(message, at);
  return message[at] === 0 ? at + 1 : Number.NaN;
}

/** Number of columns of a RowDescription, or of values of a DataRow. */
export const countIn = (message: Buffer): number => message.readUInt16BE(headerBytes);

/** Process number of a BackendKeyData message: cancel requests name it. */
export const processIdIn = (message: Buffer): number => message.readInt32BE(headerBytes);

/** Offset of the first value of a DataRow. */
export const firstValueOffset: number = headerBytes + 2;

/** Values of a DataRow, as views of its bytes. */
export function rowValues(row: Buffer): BinaryRow {
  let at = firstValueOffset;
  return Array.from({ length: countIn(row) }, () => {
    const size = row.readInt32BE(at);
    const from = at + 4;
    at = from + Math.max(0, size);
    return size < 0 ? null : row.subarray(from, at);
  });
}
