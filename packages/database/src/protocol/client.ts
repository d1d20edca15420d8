import type { Duplex } from 'node:stream';
import pg from 'pg';
import { lost, Unanswered } from '../failure.js';
import { AnswerOrder, type ProtocolPhase } from './answer-order.js';
import { letter, MessageSplitter, processIdIn, typeOf } from './backend-messages.js';
import { PreparedStatements } from './prepared.js';
import { type Request, type Settle, SimpleRequest } from './request.js';

export interface GuardedConfig extends pg.ClientConfig {
  maxSilenceMs?: number;
}

/** The one undocumented method of `pg` that is relied on: it connects the parser of messages to a stream. See decision 75. */
interface StreamReader {
  attachListeners(stream: Pick<Duplex, 'on'>): void;
}

const isFatal = (message: Buffer): boolean =>
  message.includes('\0VFATAL\0') || message.includes('\0VPANIC\0');

const [parseComplete, row, error, ready, backendKey] = ['1', 'D', 'E', 'Z', 'K'].map(letter);

/**
 * The client of every connection. It checks each message of the database before `pg` sees it. A message that is truncated,
 * unknown, unexpected or unreadable means that the connection is lost, as a network failure does: its stream is destroyed,
 * and the request rejects with LostConnection. Requests go through `run`; `query` is for `pg` itself.
 */
export class GuardedClient extends pg.Client {
  /**
   * Longest silence of the database during a request, ms; 0: no limit. The database has limits of its own, but does not keep
   * them when it is stopped, or when the network swallows what is sent.
   */
  maxSilenceMs: number;
  /** Statements that this connection has prepared. */
  readonly prepared: PreparedStatements = new PreparedStatements(this);
  /** Process number of the server's session: cancel requests name it. */
  processId = 0;
  #isStarted = false;
  #active: Request | undefined;
  #lastHeard = 0;
  #silenceTimer: NodeJS.Timeout | undefined;

  constructor(config?: GuardedConfig) {
    super(config);
    this.maxSilenceMs = config?.maxSilenceMs ?? 0;
    // `pg` throws errors of connections without a listener, such as those of idle ones.
    this.on('error', () => {});
    const connection = this.connection as unknown as StreamReader;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      const on = (event: string, listener: (bytes: Buffer) => void): unknown =>
        stream.on(event, event === 'data' ? this.#guard(stream as Duplex, listener) : listener);
      attach({ on } as unknown as Duplex);
    };
  }

  /** Submits a request; it is sent when those before it are answered. */
  run(request: Request): void {
    if (!this.#isStarted) throw new Error('pg does not read its stream by attachListeners: see decision 75');
    request.onSubmit = () => {
      this.#active = request;
    };
    this.query(request);
    this.#lastHeard = performance.now();
    this.#watchSilence();
  }

  /** Runs statements without values in one text, whose rows are dropped. */
  runSimple(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.run(new SimpleRequest(text, { resolve, reject } satisfies Settle));
    });
  }

  #guard(stream: Duplex, read: (message: Buffer) => void): (bytes: Buffer) => void {
    const order = new AnswerOrder();
    const splitter = new MessageSplitter(
      (message) => {
        const phase = this.#phase();
        order.take(message, phase);
        this.#deliver(message, read);
        // No session continues after such an error, even where the server does not close it.
        if (typeOf(message) === error && (typeof phase === 'string' || isFatal(message))) stream.destroy();
      },
      () => this.#active?.handleLongRow(),
    );
    return (bytes) => {
      if (stream.destroyed) return;
      this.#lastHeard = performance.now();
      try {
        splitter.push(bytes);
      } catch (reason) {
        stream.destroy(lost(reason));
      }
    };
  }

  /** Hands rows to the request, all else to `pg`. */
  #deliver(message: Buffer, read: (message: Buffer) => void): void {
    const type = typeOf(message);
    if (type === row) {
      this.#active!.handleRow(message);
      return;
    }
    if (type === backendKey) this.processId = processIdIn(message);
    else if (type === parseComplete) this.#active?.handleParseComplete();
    else if (type === ready) {
      // Before `pg` reads it: `pg` submits the next request at once.
      this.#isStarted = true;
      this.#active = undefined;
    }
    read(message);
  }

  #phase(): ProtocolPhase {
    return this.#active?.form ?? (this.#isStarted ? 'idle' : 'starting');
  }

  /** One timer serves all requests that follow each other. */
  #watchSilence(restMs = this.maxSilenceMs): void {
    if (this.#silenceTimer || this.maxSilenceMs <= 0) return;
    this.#silenceTimer = setTimeout(() => {
      this.#silenceTimer = undefined;
      const { stream } = this.connection;
      // The timer may be one of an earlier request, and the one that runs may have no limit.
      if (!this.#active || stream.destroyed || this.maxSilenceMs <= 0) return;
      const leftMs = this.#lastHeard + this.maxSilenceMs - performance.now();
      if (leftMs > 0) this.#watchSilence(leftMs);
      else stream.destroy(new Unanswered('the database did not answer in time'));
    }, restMs).unref();
  }
}

/** A client of a pool. */
export type PooledClient = GuardedClient & Pick<pg.PoolClient, 'release'>;
