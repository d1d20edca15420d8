import type { Socket } from 'node:net';
import pg from 'pg';
import { answerOrder, type Phase } from './answer-order.js';
import { letter, messageSplitter, typeOf, valuesOf } from './backend-messages.js';
import { lost } from './failure.js';
import type { RawRow } from './raw.js';

/** What is used of `pg` that its types do not name. */
interface Internals {
  connection: Connection;
  /** undefined until the session is there. */
  readyForQuery: boolean | undefined;
  _activeQuery: Reader | null | undefined;
}

interface Connection {
  stream: Socket;
  attachListeners(stream: Pick<Socket, 'on'>): void;
}

/** What reads the answer to what was asked. */
interface Reader {
  /** Of queries of `pg` alone. */
  requiresPreparation?(): boolean;
  handleRowDescription?: unknown;
  copiesIn?: boolean;
}

const isFatal = (message: Buffer): boolean =>
  message.includes('\0VFATAL\0') || message.includes('\0VPANIC\0');
const [error, row] = [letter('E'), letter('D')];

/**
 * The client of every connection. What comes from the database is looked at before `pg` is given it: a message that is cut short,
 * unknown or that nobody waits for, and one that its reader cannot take, means that the connection is lost, as it
 * is when the network fails. Its stream is destroyed, what waits for it rejects with LostConnection, and nothing is thrown.
 */
export class GuardedClient extends pg.Client {
  /** Takes the rows in place of the query that is under way. */
  takeRow: ((row: RawRow) => void) | undefined;

  constructor(config?: pg.ClientConfig) {
    super(config);
    // Of a client that nobody has, or that was told of the first error.
    this.on('error', () => {});
    const { connection } = this as unknown as Internals;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      const on = (event: string, listener: (bytes: Buffer) => void): unknown =>
        stream.on(event, event === 'data' ? this.#guarded(stream as Socket, listener) : listener);
      attach({ on } as unknown as Socket);
    };
  }

  #guarded(stream: Socket, read: (message: Buffer) => void): (bytes: Buffer) => void {
    const order = answerOrder();
    const split = messageSplitter((message) => {
      const phase = this.#phase();
      order.take(message, phase);
      if (this.takeRow && typeOf(message) === row) this.takeRow(valuesOf(message));
      else read(message);
      // No session goes on after it, whether the server closes it or not.
      if (typeOf(message) === error && (typeof phase === 'string' || isFatal(message))) stream.destroy();
    });
    return (bytes) => {
      if (stream.destroyed) return;
      try {
        split(bytes);
      } catch (reason) {
        stream.destroy(lost(reason));
      }
    };
  }

  #phase(): Phase {
    const { readyForQuery, _activeQuery: reader } = this as unknown as Internals;
    if (readyForQuery === undefined) return 'starting';
    if (readyForQuery) return 'idle';
    const copiesIn = reader?.copiesIn === true;
    return {
      isExtended: reader?.requiresPreparation?.() ?? !copiesIn,
      isDescribed: reader?.handleRowDescription !== undefined,
      copiesIn,
    };
  }
}
