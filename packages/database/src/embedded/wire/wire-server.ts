import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { engineEndedState } from '../../failure.js';
import { ClientConnection, type MessageUnit } from './client-connection.js';
import {
  beginNotice,
  fatalError,
  type Message,
  messageReader,
  parseComplete,
  queryMessage,
  syncMessage,
} from './messages.js';
import { SessionQueue } from './session-queue.js';
import { StatementKeeper } from './statement-keeper.js';
import { UnitAnswer, type UnitOrder } from './unit-answer.js';

/** The one session of the embedded database. It runs messages synchronously. */
export interface EmbeddedEngine {
  /** Answer to every startup message. */
  readonly greeting: Buffer;
  /** Runs whole messages. A chunk of the answer is valid only during the call of `write`. */
  execute(messages: Uint8Array, write: (chunk: Uint8Array) => void): void;
  isInTransaction(): boolean;
  /** Sign that the state of the engine is damaged, if there is one. */
  damage(): string | undefined;
  /** Ends the process. */
  fail(reason: string): never;
}

/** Observes the running statement, to cancel one that runs too long. */
export interface StatementWatch {
  /** `limitMs` 0: none. `text` is blamed when the statement does not end. `connection` is named by cancel requests; 0: not cancellable. */
  begin(limitMs: number, text: string, connection: number): void;
  end(): void;
}

export interface WireOptions {
  path: string;
  engine: EmbeddedEngine;
  watch: StatementWatch;
  /** Limit of a statement where the client sets no `statement_timeout`, ms. */
  statementLimitMs: number;
  /** Longest silence of a transaction while others wait for it, ms. */
  silenceLimitMs: number;
  /** Whether a statement is refused, because it has ended the engine before. */
  refuses(text: string): boolean;
}

const maxConnections = 100;

/** Listens on a Unix socket. */
export async function serveWire(options: WireOptions): Promise<WireServer> {
  const server = new WireServer(options);
  await server.listen(options.path);
  return server;
}

/**
 * Serves one session to many connections. A connection keeps the session from its first message to the end of its transaction, so
 * that unnamed statements, portals and transactions of two never mix. Settings and named statements are shared by all: clients
 * must not rely on them, except on statements named by their text (`sharedName`).
 */
export class WireServer {
  readonly #options: WireOptions;
  readonly #server: Server;
  readonly #connections = new Set<ClientConnection>();
  readonly #queue: SessionQueue;
  readonly #keeper: StatementKeeper;
  #running: ClientConnection | undefined;
  #lastNumber = 0;

  constructor(options: WireOptions) {
    this.#options = options;
    this.#queue = new SessionQueue(options.silenceLimitMs);
    this.#keeper = new StatementKeeper((messages) => options.engine.execute(messages, () => {}));
    this.#server = createServer((socket) => this.#accept(socket));
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, resolve);
    });
  }

  /** Runs `work` when no connection is inside a transaction; the others wait meanwhile. */
  exclusively(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const run = async (): Promise<void> => {
        this.#options.watch.begin(0, '', 0);
        await work().then(resolve, reject);
        this.#options.watch.end();
        this.#failOn(this.#options.engine.damage());
      };
      this.#queue.add({ connection: undefined, run });
    });
  }

  /** Time since a client's statement ended, ms; 0 while some wait. */
  idleMs(): number {
    return this.#queue.idleMs();
  }

  /** Tells the client of the running statement that it has ended the engine. */
  breakOff(): void {
    const { socket } = this.#running ?? {};
    if (!socket?.writable) return;
    socket.uncork();
    socket.write(fatalError(engineEndedState, 'the statement has ended the database'));
  }

  async close(): Promise<void> {
    this.#queue.endSilence();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const { socket } of this.#connections) socket.destroy();
    await closed;
    while (this.#queue.isRunning) await nextRound();
  }

  #accept(socket: Socket): void {
    const connection = new ClientConnection(++this.#lastNumber, socket, this.#options.statementLimitMs);
    const read = messageReader();
    this.#connections.add(connection);
    if (this.#connections.size > maxConnections) socket.end(fatalError('53300', 'too many connections'));
    socket.on('data', (chunk) => {
      try {
        for (const message of read(chunk)) this.#take(connection, message);
      } catch (error) {
        socket.end(fatalError('08P01', (error as Error).message));
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#leave(connection));
  }

  #take(connection: ClientConnection, message: Message): void {
    const { type, bytes } = message;
    if (type === 'ssl') connection.socket.write('N');
    else if (type === 'cancel' || type === 'X') connection.socket.end();
    else if (type === 'startup') connection.start(bytes, this.#options.engine.greeting);
    // The data of a COPY belongs to a statement that was replaced.
    else if (!'dcf'.includes(type)) {
      const unit = connection.add(message);
      if (unit) this.#queue.add({ connection, run: () => this.#run(connection, unit) });
    }
  }

  #leave(connection: ClientConnection): void {
    this.#connections.delete(connection);
    this.#queue.drop(connection);
    if (this.#queue.owner !== connection) return;
    this.#queue.add({ connection, run: () => this.#run(connection, rollback) });
  }

  #run(connection: ClientConnection, unit: MessageUnit): void {
    const { engine, watch, refuses } = this.#options;
    const { messages, isWhole } = unit.isWhole && refuses(unit.text) ? refusal : unit;
    this.#queue.endSilence();
    this.#running = connection;
    watch.begin(connection.limitMs, unit.text, connection.number);
    if (connection.isPreemptible) connection.write(beginNotice);
    connection.socket.cork();
    const hasFailed = this.#execute(connection, messages, isWhole);
    connection.socket.uncork();
    this.#running = undefined;
    connection.isSkipping = !isWhole && (connection.isSkipping || hasFailed);
    const isOwner = engine.isInTransaction() || !isWhole;
    this.#queue.owner = isOwner ? connection : undefined;
    if (!isOwner) connection.endTransaction();
    for (const change of unit.changes) connection.setLimit(change, isOwner);
  }

  /** Writes the answer to the messages of a unit. Gives whether it contains an error. */
  #execute(connection: ClientConnection, messages: readonly Buffer[], isWhole: boolean): boolean {
    const { engine, watch } = this.#options;
    const isParsed = this.#keeper.isParsed(messages[0]!);
    if (isParsed) connection.write(parseComplete);
    const run = isParsed ? messages.slice(1) : messages;
    const order = { ...orderOf(messages), isWhole, isSkipped: connection.isSkipping };
    const answer = new UnitAnswer(order, (chunk) => {
      if (connection.socket.writable) connection.socket.write(Buffer.from(chunk));
    });
    engine.execute(run.length === 1 ? run[0]! : Buffer.concat(run), (chunk) => answer.take(chunk));
    watch.end();
    this.#failOn(answer.fault() ?? engine.damage());
    const ready = answer.ready();
    if (ready) connection.write(ready);
    return answer.hasFailed();
  }

  /** Ends a damaged engine before the client is told that its statement has succeeded. */
  #failOn(fault: string | undefined): void {
    if (fault !== undefined) this.#options.engine.fail(fault);
  }
}

/** Statements that the messages of a unit run. */
function orderOf(messages: readonly Buffer[]): Pick<UnitOrder, 'statements' | 'isLimited'> {
  const types = messages.map((message) => String.fromCharCode(message[0]!));
  const executes = messages.filter((_, i) => types[i] === 'E');
  const queries = types.filter((type) => 'QF'.includes(type)).length;
  return {
    statements: executes.length + queries,
    // An Execute ends with its limit of rows; 0: none.
    isLimited: executes.some((message) => message.readInt32BE(message.length - 4) !== 0),
  };
}

/** Runs when a connection is closed inside a transaction. */
const rollback: MessageUnit = {
  messages: [syncMessage, queryMessage('rollback')],
  text: '',
  isWhole: true,
  changes: [],
};

/** Runs in place of a statement that has ended the engine. */
const refusal: Pick<MessageUnit, 'messages' | 'isWhole'> = {
  messages: [
    queryMessage(
      `do $$ begin raise exception using errcode = '${engineEndedState}', message = 'the statement has ended the database before'; end $$`,
    ),
  ],
  isWhole: true,
};
