/**
 * PostgreSQL's protocol, version 3, as far as the embedded database needs it: splits a byte stream into messages of the client, and
 * makes a few messages. Pure.
 * Formats: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

import { createHash } from 'node:crypto';

/** Message of a client. `type` is its letter; before the session has started `startup`, `ssl` or `cancel`. */
export interface Message {
  type: string;
  /** The whole message, including type and length. */
  bytes: Buffer;
}

class ProtocolError extends Error {}

const sslRequest = 80_877_103;
const gssRequest = 80_877_104;
const cancelRequest = 80_877_102;

/** The protocol's own limit is 1 GiB. */
const maxMessageBytes = 1024 ** 3;

/**
 * Makes a function that takes the chunks of one connection and gives the messages that they complete. A large message is joined once,
 * when its last byte has arrived. The function throws ProtocolError for bytes that are not of the protocol.
 */
export function messageReader(): (chunk: Buffer) => Message[] {
  let parts: Buffer[] = [];
  let held = 0;
  let needed = 0;
  let hasStarted = false;

  return (chunk) => {
    parts.push(chunk);
    held += chunk.length;
    if (held < needed) return [];
    let rest = parts.length === 1 ? parts[0]! : Buffer.concat(parts, held);
    const messages: Message[] = [];
    for (;;) {
      const size = messageSize(rest, hasStarted);
      if (rest.length < size) {
        needed = size;
        break;
      }
      const bytes = rest.subarray(0, size);
      const type = hasStarted ? String.fromCharCode(bytes[0]!) : firstType(bytes);
      if (type === 'startup') hasStarted = true;
      messages.push({ type, bytes });
      rest = rest.subarray(size);
    }
    parts = rest.length ? [rest] : [];
    held = rest.length;
    return messages;
  };
}

/** Size of the message at the start of `bytes`, in bytes; size of its header while that is incomplete. */
function messageSize(bytes: Buffer, hasStarted: boolean): number {
  const header = hasStarted ? 5 : 8;
  if (bytes.length < header) return header;
  const length = bytes.readInt32BE(hasStarted ? 1 : 0);
  if (length < (hasStarted ? 4 : 8) || length > maxMessageBytes) {
    throw new ProtocolError(`a message of ${length} bytes`);
  }
  return hasStarted ? 1 + length : length;
}

function firstType(bytes: Buffer): string {
  const code = bytes.readInt32BE(4);
  if (code === sslRequest || code === gssRequest) return 'ssl';
  if (code === cancelRequest) return 'cancel';
  if (code >> 16 === 3) return 'startup';
  throw new ProtocolError(`protocol ${code >> 16}.${code & 0xffff} is not spoken here`);
}

/** Cancel request for the statement of a connection. */
export function cancelMessage(connection: number): Buffer {
  const bytes = Buffer.alloc(16);
  for (const [i, value] of [bytes.length, cancelRequest, connection, 0].entries())
    bytes.writeInt32BE(value, 4 * i);
  return bytes;
}

/** Number of the connection that a cancel request names; undefined for other messages. */
export const cancelledConnection = (bytes: Buffer): number | undefined =>
  bytes.length === 16 && bytes.readInt32BE(4) === cancelRequest ? bytes.readInt32BE(8) : undefined;

/** Answer to a startup message, with the number of the connection for cancel requests. */
export function numberedGreeting(greeting: Buffer, connection: number): Buffer {
  const bytes = Buffer.from(greeting);
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1))
    if (bytes[at] === 'K'.charCodeAt(0)) bytes.writeInt32BE(connection, at + 5);
  return bytes;
}

/** `application_name` of connections whose statements take long: on the embedded database they wait for all others. */
export const heavyName = 'cartulary heavy';

/** Settings of a startup message: `{ user: 'postgres', statement_timeout: '5000' }`. */
export function startupSettings(bytes: Buffer): Record<string, string> {
  const words = bytes.toString('utf8', 8).split('\0');
  const settings: Record<string, string> = {};
  for (let i = 0; words[i]; i += 2) settings[words[i]!] = words[i + 1] ?? '';
  return settings;
}

/** Statement of a Query or Parse message, up to 1,000 bytes; '' for other messages. */
export function statementOf({ type, bytes }: Message): string {
  if (type !== 'Q' && type !== 'P') return '';
  const start = type === 'Q' ? 5 : bytes.indexOf(0, 5) + 1;
  const text = bytes.toString('utf8', start, Math.min(bytes.length, start + 1_000));
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** Name of a statement that all connections share, derived from its text. */
export const sharedName = (text: string): string => `text_${createHash('sha1').update(text).digest('hex')}`;

/** Shared statement that a message parses, or deallocates (`isGone`). */
export function sharedStatement(bytes: Buffer): { name: string | undefined; isGone: boolean } {
  const type = String.fromCharCode(bytes[0]!);
  const start = bytes.toString('latin1', 5, 70);
  const pattern = type === 'P' ? /^(text_[0-9a-f]{40})\0/ : /^deallocate (text_[0-9a-f]{40})\0/;
  return { name: /[PQ]/.test(type) ? pattern.exec(start)?.[1] : undefined, isGone: type === 'Q' };
}

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

/** A startup message. */
export function startupMessage(settings: Record<string, string>): Buffer {
  const words = Object.entries(settings).flat();
  const body = Buffer.from(`${words.join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8, 0);
  head.writeInt32BE(3 << 16, 4);
  return Buffer.concat([head, body]);
}

/** A simple query. */
export const queryMessage = (text: string): Buffer => message('Q', Buffer.from(`${text}\0`));

/** Parse of a statement without values; '' is the unnamed statement. */
export const parseMessage = (text: string, name = ''): Buffer =>
  message('P', Buffer.from(`${name}\0${text}\0\0\0`));

/** Bind, Execute and Sync of such a statement. Its rows come as text, without a RowDescription. */
export const executeMessages = (name: string): Buffer =>
  Buffer.concat([
    message('B', Buffer.from(`\0${name}\0\0\0\0\0\0\0`)),
    message('E', Buffer.from('\0\0\0\0\0')),
    syncMessage,
  ]);

/** Removes a named statement, if it exists. */
export const closeMessage = (name: string): Buffer => message('C', Buffer.from(`S${name}\0`));

/** Answer to a Parse message. */
export const parseComplete: Buffer = message('1', Buffer.alloc(0));

export const syncMessage: Buffer = message('S', Buffer.alloc(0));

/** Header of a CopyData message with so many bytes. */
export function copyDataHead(length: number): Buffer {
  const head = Buffer.from('d\0\0\0\0');
  head.writeUInt32BE(length + 4, 1);
  return head;
}

/** Ends the data of a COPY. */
export const copyDone: Buffer = message('c', Buffer.alloc(0));

/** Tells the client that its statement begins. */
export const beginNotice: Buffer = message(
  'N',
  Buffer.from('SNOTICE\0VNOTICE\0C00000\0Mthe statement begins\0\0'),
);

/** An error that ends the connection. */
export function fatalError(code: string, text: string): Buffer {
  return message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`));
}
