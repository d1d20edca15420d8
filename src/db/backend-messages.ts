/**
 * The messages of a PostgreSQL server: their limits and their form, which `pg` does not look at. It waits without end for what
 * an impossible length promises, and reads beyond the end of a message that is cut short, for ever in one case. Pure.
 * Formats: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import { LostConnection } from './failure.js';

/** The letter of a message, as a number. */
export const typeOf = (message: Buffer): number => message[0]!;

export const letter = (type: string): number => type.charCodeAt(0);

const head = 5;
const small = 64 * 1024;
const large = 64 * 1024 ** 2;

interface Kind {
  /** Bytes that it may have behind its head. */
  most: number;
  /** Where its content ends, from behind its head on; NaN where it cannot be read. */
  end(message: Buffer): number;
}

/** Those that may come at all: what is asked here never lets a portal be suspended, copies out or calls a function. */
const kinds = new Map<number, Kind>(
  Object.entries({
    1: { most: 0, end: () => head },
    2: { most: 0, end: () => head },
    3: { most: 0, end: () => head },
    n: { most: 0, end: () => head },
    I: { most: 0, end: () => head },
    Z: {
      most: 1,
      end: (message) => (/[ITE]/.test(String.fromCharCode(message[head]!)) ? head + 1 : Number.NaN),
    },
    C: { most: small, end: (message) => afterText(message, head) },
    S: { most: small, end: (message) => afterText(message, afterText(message, head)) },
    A: { most: small, end: (message) => afterText(message, afterText(message, head + 4)) },
    K: { most: small, end: (message) => (message.length < head + 8 ? Number.NaN : message.length) },
    R: { most: small, end: afterAuthentication },
    E: { most: large, end: afterFields },
    N: { most: large, end: afterFields },
    T: { most: large, end: afterDescription },
    G: { most: small * 2, end: (message) => head + 3 + 2 * numberAt(message, head + 1) },
    D: { most: 1024 ** 3, end: afterRow },
  } satisfies Record<string, Kind>).map(([type, kind]) => [letter(type), kind]),
);

/**
 * A function for the bytes as they come, from the beginning of a message on: `take` is given each message when it is whole. Throws
 * LostConnection when the bytes are none, and what `take` throws; nothing may be given to it after that.
 */
export function messageSplitter(take: (message: Buffer) => void): (bytes: Buffer) => void {
  let held: Buffer[] = [];
  let length = 0;
  let wanted = head;

  return (bytes) => {
    held.push(bytes);
    length += bytes.length;
    if (length < wanted) return;
    const all = held.length === 1 ? bytes : Buffer.concat(held, length);
    let at = 0;
    for (wanted = head; at + wanted <= length; wanted = head) {
      wanted = sizeAt(all, at);
      if (at + wanted > length) break;
      const message = all.subarray(at, at + wanted);
      if (kinds.get(typeOf(message))!.end(message) !== wanted) throw unreadable(message[0]!);
      take(message);
      at += wanted;
    }
    held = at < length ? [all.subarray(at)] : [];
    length -= at;
  };
}

/** Bytes of the message whose head is there. */
function sizeAt(bytes: Buffer, at: number): number {
  const type = bytes[at]!;
  const size = bytes.readUInt32BE(at + 1) + 1;
  const kind = kinds.get(type);
  if (!kind || size < head || size > head + kind.most) throw unreadable(type);
  return size;
}

const unreadable = (type: number): LostConnection =>
  new LostConnection(`the database sent what is not its protocol (type ${type})`);

function afterText(message: Buffer, at: number): number {
  const end = at < message.length ? message.indexOf(0, at) : -1;
  return end < 0 ? Number.NaN : end + 1;
}

const numberAt = (message: Buffer, at: number): number =>
  at + 2 <= message.length ? message.readUInt16BE(at) : Number.NaN;

/** Of an error or a notice: a letter and a text each, until a zero. */
function afterFields(message: Buffer): number {
  let at = head;
  while (message[at]) at = afterText(message, at + 1);
  return message[at] === 0 ? at + 1 : Number.NaN;
}

function afterDescription(message: Buffer): number {
  let at = head + 2;
  for (let left = numberAt(message, head); left > 0; left--) at = afterText(message, at) + 18;
  return at;
}

function afterRow(message: Buffer): number {
  let at = head + 2;
  for (let left = numberAt(message, head); left > 0; left--) {
    if (at + 4 > message.length) return Number.NaN;
    const size = message.readInt32BE(at);
    if (size < -1) return Number.NaN;
    at += 4 + Math.max(0, size);
  }
  return at;
}

/** The ways that `pg` knows. */
function afterAuthentication(message: Buffer): number {
  const code = message.length < head + 4 ? -1 : message.readInt32BE(head);
  if (code === 0 || code === 3) return head + 4;
  if (code === 5) return head + 8;
  if (code === 11 || code === 12) return message.length;
  if (code !== 10) return Number.NaN;
  let at = head + 4;
  while (message[at]) at = afterText(message, at);
  return message[at] === 0 ? at + 1 : Number.NaN;
}

/** The columns that a description, or the values that a row has. */
export const countIn = (message: Buffer): number => message.readUInt16BE(head);

/** The values of a row as the bytes that came; null: none. */
export function valuesOf(row: Buffer): (Buffer | null)[] {
  let at = head + 2;
  return Array.from({ length: countIn(row) }, () => {
    const size = row.readInt32BE(at);
    const from = at + 4;
    at = from + Math.max(0, size);
    return size < 0 ? null : row.subarray(from, at);
  });
}
