import type { Duplex } from 'node:stream';
import { executeMessages, parseMessage } from '../embedded/wire/messages.js';
import { LostConnection } from '../failure.js';
import type { AnswerForm } from '../protocol/answer-order.js';
import { rowValues } from '../protocol/backend-messages.js';
import type { GuardedClient, PooledClient } from '../protocol/client.js';
import { Request, type Settle } from '../protocol/request.js';
import type { DatabaseEngine } from '../target.js';

/** Set of transactions that a statement sees. Between two equal snapshots nothing was committed. */
export type Snapshot = string;

/** Contains the session's process number, so that snapshots of two connections never match: they may be of two servers. */
const text = `select pg_backend_pid() || ' ' || pg_current_snapshot()`;

const parsedEachTime = Buffer.concat([parseMessage(text), executeMessages('')]);

/** PostgreSQL parses the statement once per connection. On the embedded database names are shared by all connections, so none is used. */
const messages = {
  postgres: {
    first: Buffer.concat([parseMessage(text, 'snapshot'), executeMessages('snapshot')]),
    next: executeMessages('snapshot'),
  },
  embedded: { first: parsedEachTime, next: parsedEachTime },
} as const;

/**
 * Reads snapshots on a connection of its own. Nearly every request asks for one, so the same prepared bytes are sent each time: a
 * query made anew takes a fifth of the time of a request that is answered from memory.
 */
export class SnapshotReader {
  readonly #connect: () => Promise<PooledClient>;
  readonly #engine: DatabaseEngine;
  #client: PooledClient | undefined;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(connect: () => Promise<PooledClient>, engine: DatabaseEngine) {
    this.#connect = connect;
    this.#engine = engine;
  }

  /** Snapshot of a statement that begins now. Rejects as a query does. Calls must not overlap. */
  read(): Promise<Snapshot> {
    const found = this.#read();
    this.#reading = found.catch(() => {});
    return found;
  }

  /** Waits for the running read, then releases the connection. */
  async close(): Promise<void> {
    await this.#reading;
    this.#release(false);
  }

  async #read(): Promise<Snapshot> {
    const { first, next } = messages[this.#engine];
    const bytes = this.#client ? next : first;
    this.#client ??= await this.#connect();
    try {
      return await readValue(this.#client, bytes);
    } catch (error) {
      this.#release(true);
      throw error;
    }
  }

  #release(isBroken: boolean): void {
    this.#client?.release(isBroken);
    this.#client = undefined;
  }
}

const readValue = (client: GuardedClient, bytes: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = new SnapshotRequest(bytes, { resolve: () => resolve(request.value), reject });
    client.run(request);
  });

/** Sends fixed bytes and reads one value. */
class SnapshotRequest extends Request {
  readonly form: AnswerForm = { isExtended: true, isDescribed: false, copiesIn: false };
  readonly #bytes: Buffer;
  readonly #settle: Settle;
  value = '';

  constructor(bytes: Buffer, settle: Settle) {
    super();
    this.#bytes = bytes;
    this.#settle = settle;
  }

  send({ stream }: { stream: Duplex }): void {
    stream.write(this.#bytes);
  }

  override handleRow(row: Buffer): void {
    const [value] = rowValues(row);
    if (!value?.length) throw new LostConnection('the database did not send its snapshot');
    this.value = value.toString();
  }

  handleReadyForQuery(): void {
    this.#settle.resolve();
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
  }
}
