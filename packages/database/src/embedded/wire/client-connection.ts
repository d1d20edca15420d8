import type { Socket } from 'node:net';
import { type TimeoutChange, timeoutOf, timeoutSetBy } from '../../statement-timeout.js';
import {
  fatalError,
  heavyName,
  type Message,
  numberedGreeting,
  parseMessage,
  queryMessage,
  sharedStatement,
  startupSettings,
  statementOf,
} from './messages.js';
import type { QueuedConnection } from './session-queue.js';

/** Messages that run together. */
export interface MessageUnit {
  messages: readonly Buffer[];
  /** Texts of their statements that can be blamed when the engine ends, except shared ones. */
  text: string;
  /** They end with a Query or Sync, after which the session may be free; false: with a Flush. */
  isWhole: boolean;
  changes: readonly TimeoutChange[];
}

/** A client's connection: it collects messages until a unit is complete. */
export class ClientConnection implements QueuedConnection {
  /** Cancel requests name it. */
  readonly number: number;
  readonly socket: Socket;
  isHeavy = false;
  /** After an error the engine skips messages up to a Sync. */
  isSkipping = false;
  readonly #defaultLimitMs: number;
  #limitMs: number;
  #limitInTransactionMs: number | undefined;
  #messages: Buffer[] = [];
  #texts: string[] = [];
  #changes: TimeoutChange[] = [];

  /** `limitMs`: limit of a statement where the client sets no `statement_timeout`. */
  constructor(number: number, socket: Socket, limitMs: number) {
    this.number = number;
    this.socket = socket;
    this.#defaultLimitMs = limitMs;
    this.#limitMs = limitMs;
  }

  /** Limit of a statement, ms; 0: none. */
  get limitMs(): number {
    return this.#limitInTransactionMs ?? this.#limitMs;
  }

  /** Statements that the client may have to stop for others: heavy ones, and those of a transaction with a limit of its own. */
  get isPreemptible(): boolean {
    return this.isHeavy || Boolean(this.#limitInTransactionMs);
  }

  write(bytes: Uint8Array): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  endSilent(): void {
    this.socket.end(fatalError('25P03', 'the transaction was silent for too long while others waited'));
    this.socket.destroySoon();
  }

  /** Answers a startup message. */
  start(message: Buffer, greeting: Buffer): void {
    const { statement_timeout: limit, application_name: name } = startupSettings(message);
    this.#limitMs = timeoutOf(limit) ?? this.#defaultLimitMs;
    this.isHeavy = name === heavyName;
    this.socket.write(numberedGreeting(greeting, this.number));
  }

  /** Adds a message of a started session. Gives the unit that it completes. */
  add(message: Message): MessageUnit | undefined {
    const { type, bytes } = message;
    const text = statementOf(message);
    this.#messages.push(replacement(type, text) ?? bytes);
    if (canBeBlamed(text) && !sharedStatement(bytes).name) this.#texts.push(text);
    const change = timeoutSetBy(text);
    if (change) this.#changes.push(change);
    if (!'QSHF'.includes(type)) return undefined;
    const unit = {
      messages: this.#messages,
      text: this.#texts.join('\n'),
      isWhole: type !== 'H',
      changes: this.#changes,
    };
    this.#messages = [];
    this.#texts = [];
    this.#changes = [];
    return unit;
  }

  /** Applies a change of `statement_timeout` that has run. */
  setLimit({ isLocal, ms }: TimeoutChange, isInTransaction: boolean): void {
    if (!isLocal) this.#limitMs = ms ?? this.#defaultLimitMs;
    else if (isInTransaction) this.#limitInTransactionMs = ms ?? this.#defaultLimitMs;
  }

  endTransaction(): void {
    this.#limitInTransactionMs = undefined;
  }
}

/** Whether a statement can have ended the engine: those that begin and end transactions run together with others. */
const canBeBlamed = (text: string): boolean => !/^\s*(?:$|begin\b|commit\b|rollback\b)/i.test(text);

/**
 * Message that runs in place of a statement that would harm other connections. Mapnik makes its session read-only, but here all share
 * one. COPY FROM STDIN waits for bytes that cannot arrive while the session runs.
 */
function replacement(type: string, text: string): Buffer | undefined {
  const toMessage = type === 'P' ? parseMessage : queryMessage;
  if (/^\s*set\s+(session\s+)?(default_transaction_read_only\b|characteristics\b)/i.test(text)) {
    return toMessage("set client_encoding = 'UTF8'");
  }
  if (/^\s*copy\b.*\bfrom\s+stdin\b/is.test(text)) {
    const problem = 'COPY FROM STDIN is not possible on the embedded database';
    return toMessage(`do $$ begin raise exception using errcode = '0A000', message = '${problem}'; end $$`);
  }
  return undefined;
}
