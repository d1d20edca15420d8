import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brokenOff } from './failure.js';
import { type TimeoutChange, timeoutOf, timeoutSetBy } from './statement-timeout.js';
import { type UnitOrder, unitAnswer } from './unit-answer.js';
import {
  beginNotice,
  closeMessage,
  fatalError,
  heavyName,
  type Message,
  messageReader,
  numberedGreeting,
  parseComplete,
  parseMessage,
  queryMessage,
  sharedStatement,
  startupSettings,
  statementOf,
  syncMessage,
} from './wire.js';

/** The one session underneath: it runs messages at once, and nothing else happens in the process meanwhile. */
export interface Engine {
  /** The answer to every startup message. */
  readonly greeting: Buffer;
  /** Runs whole messages. A piece of the answer is valid only during the call of `write`. */
  execute(messages: Uint8Array, write: (piece: Uint8Array) => void): void;
  isInTransaction(): boolean;
  /** What shows that it cannot be trusted any more, if anything does. */
  damage(): string | undefined;
  /** Ends it with the process. */
  fail(reason: string): never;
}

/** Told when a statement starts and ends, so that one that runs too long can be dealt with. */
export interface Watch {
  /** `limit` in ms; 0: none. `text`: of the statement that is to blame when it does not end. `connection`: the number by which it is cancelled; 0: it cannot be. */
  begin(limit: number, text: string, connection: number): void;
  end(): void;
}

export interface WireServer {
  /** Runs `work` when no connection is in a transaction; the others wait meanwhile. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** ms since a client's statement ended; 0 while some wait. */
  idleTime(): number;
  /** Tells whose statement is running that it has ended the engine. */
  breakOff(): void;
  close(): Promise<void>;
}

export interface WireOptions {
  path: string;
  engine: Engine;
  watch: Watch;
  /** ms for one statement of a connection that does not say `statement_timeout` itself. */
  statementLimit: number;
  /** ms that a transaction may be silent while others wait for it. */
  silenceLimit: number;
  /** Statements that are not run any more, since they end the engine. */
  refuses(text: string): boolean;
}

interface Connection {
  /** By which its statements are cancelled. */
  readonly number: number;
  readonly socket: Socket;
  /** Messages that came after the last whole unit, and what they set. */
  pending: Buffer[];
  texts: string[];
  changes: TimeoutChange[];
  /** `statement_timeout` of the connection, and what its transaction set instead, ms. */
  limit: number;
  limitInTransaction: number | undefined;
  /** Its statements begin when no others wait. */
  isHeavy: boolean;
  /** After an error the engine skips what comes up to a Sync. */
  isSkipping: boolean;
}

/** Messages that run together, and the texts of their statements, but of those that are kept by their texts. */
interface Asked {
  messages: Buffer[];
  text: string;
  /** They end with a Query or Sync, after which the session may be free. */
  isWhole: boolean;
}

/** What runs without a break: messages up to a Query, Sync or Flush. Parts of two connections never mix inside one. */
interface Unit {
  connection: Connection | undefined;
  run(): void | Promise<void>;
}

const mostConnections = 100;

/** How long a heavy statement waits after one that is not: what a request asks next mostly comes at once, ms. */
const heavyPauseMs = 5;
/** Statements that go before a heavy one that waits. */
const maxLightBeforeHeavy = 5;

/**
 * Serves one session to many connections on a Unix socket. A connection keeps the session from its first message
 * to the end of its transaction, so that unnamed statements, portals and transactions of two never mix; what a
 * connection SETs, all have, and named statements are shared: use neither, but for names of texts (`sharedName`).
 */
export async function serveWire(options: WireOptions): Promise<WireServer> {
  const { engine, watch, statementLimit, silenceLimit, refuses } = options;
  const connections = new Set<Connection>();
  const waiting: Unit[] = [];
  const keeps = statementKeeper(engine);
  let owner: Connection | undefined;
  let running: Connection | undefined;
  let isRunning = false;
  let lastNumber = 0;
  let lastEnd = Date.now();
  let lastLight = 0;
  let wentFirst = 0;
  let silence: NodeJS.Timeout | undefined;

  const add = (unit: Unit): void => {
    waiting.push(unit);
    void runWaiting();
  };

  async function runWaiting(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let unit = next(); unit; unit = next()) {
      await unit.run();
      note(unit);
      await nextTurn();
    }
    isRunning = false;
    if (owner && waiting.length) silence ??= setTimeout(endSilent, silenceLimit, owner);
  }

  function note({ connection }: Unit): void {
    const now = Date.now();
    if (connection) lastEnd = now;
    if (!connection?.isHeavy) lastLight = now;
    const isPassed = !connection?.isHeavy && waiting.some((unit) => unit.connection?.isHeavy);
    wentFirst = isPassed ? wentFirst + 1 : 0;
  }

  /** The oldest unit of the connection that holds the session, or of all when none does: a heavy one when no others have come for a while, or many have gone first. */
  function next(): Unit | undefined {
    const isDue = wentFirst >= maxLightBeforeHeavy;
    const place = waiting.findIndex(({ connection }) =>
      owner ? connection === owner : isDue || !connection?.isHeavy,
    );
    if (place >= 0) return waiting.splice(place, 1)[0];
    if (owner || !waiting.length) return undefined;
    const rest = lastLight + heavyPauseMs - Date.now();
    // Alone it is no crowd that others must be kept from.
    if (rest <= 0 || waiting.length === 1) return waiting.shift();
    setTimeout(runWaiting, rest);
    return undefined;
  }

  function endSilent(connection: Connection): void {
    connection.socket.end(fatalError('25P03', 'the transaction was silent for too long while others waited'));
    connection.socket.destroySoon();
  }

  function runMessages(connection: Connection, asked: Asked): void {
    const { socket } = connection;
    const { messages, isWhole } = asked.isWhole && refuses(asked.text) ? refusal : asked;
    clearTimeout(silence);
    silence = undefined;
    running = connection;
    watch.begin(connection.limitInTransaction ?? connection.limit, asked.text, connection.number);
    if (givesWay(connection) && socket.writable) socket.write(beginNotice);
    socket.cork();
    const isKept = keeps(messages[0]!);
    if (isKept && socket.writable) socket.write(parseComplete);
    const run = isKept ? messages.slice(1) : messages;
    const answer = unitAnswer({ ...unitOf(messages), isWhole, isSkipped: connection.isSkipping }, (piece) => {
      if (socket.writable) socket.write(Buffer.from(piece));
    });
    engine.execute(run.length === 1 ? run[0]! : Buffer.concat(run), answer.take);
    watch.end();
    examine(answer.fault());
    const ready = answer.ready();
    if (ready && socket.writable) socket.write(ready);
    socket.uncork();
    running = undefined;
    connection.isSkipping = !isWhole && (connection.isSkipping || answer.hasFailed());
    owner = engine.isInTransaction() || !isWhole ? connection : undefined;
    if (!owner) connection.limitInTransaction = undefined;
  }

  /** Nothing runs on an engine that is damaged, and nobody is told that what damaged it has succeeded. */
  function examine(fault = engine.damage()): void {
    if (fault !== undefined) engine.fail(fault);
  }

  function take(connection: Connection, message: Message): void {
    const { socket, pending, texts, changes } = connection;
    const { type, bytes } = message;
    if (type === 'ssl') socket.write('N');
    else if (type === 'cancel' || type === 'X') socket.end();
    else if (type === 'startup') {
      const { statement_timeout: limit, application_name: name } = startupSettings(bytes);
      connection.limit = timeoutOf(limit) ?? statementLimit;
      connection.isHeavy = name === heavyName;
      socket.write(numberedGreeting(engine.greeting, connection.number));
    } else if (!'dcf'.includes(type)) {
      const text = statementOf(message);
      pending.push(replacement(type, text) ?? bytes);
      if (isToBlame(text) && !sharedStatement(bytes).name) texts.push(text);
      const change = timeoutSetBy(text);
      if (change) changes.push(change);
      if ('QSHF'.includes(type)) {
        const messages = pending.splice(0);
        const joined = texts.splice(0).join('\n');
        const set = changes.splice(0);
        add({
          connection,
          run() {
            runMessages(connection, { messages, text: joined, isWhole: type !== 'H' });
            for (const one of set) setLimit(connection, one);
          },
        });
      }
    }
  }

  function setLimit(connection: Connection, { isLocal, ms }: TimeoutChange): void {
    if (!isLocal) connection.limit = ms ?? statementLimit;
    else if (owner === connection) connection.limitInTransaction = ms ?? statementLimit;
  }

  function leave(connection: Connection): void {
    connections.delete(connection);
    for (let i = waiting.length - 1; i >= 0; i--) {
      if (waiting[i]!.connection === connection) waiting.splice(i, 1);
    }
    if (owner !== connection) return;
    const messages = [syncMessage, queryMessage('rollback')];
    add({ connection, run: () => runMessages(connection, { messages, text: '', isWhole: true }) });
  }

  const server = createServer((socket) => {
    const connection: Connection = {
      number: ++lastNumber,
      socket,
      pending: [],
      texts: [],
      changes: [],
      limit: statementLimit,
      limitInTransaction: undefined,
      isHeavy: false,
      isSkipping: false,
    };
    const read = messageReader();
    connections.add(connection);
    if (connections.size > mostConnections) socket.end(fatalError('53300', 'too many connections'));
    socket.on('data', (chunk) => {
      try {
        for (const message of read(chunk)) take(connection, message);
      } catch (error) {
        socket.end(fatalError('08P01', (error as Error).message));
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => leave(connection));
  });
  await listen(server, options.path);

  return {
    exclusively: (work) =>
      new Promise((resolve, reject) => {
        const run = async (): Promise<void> => {
          watch.begin(0, '', 0);
          await work().then(resolve, reject);
          examine();
        };
        add({ connection: undefined, run });
      }),
    idleTime: () => (owner || waiting.length ? 0 : Date.now() - lastEnd),
    breakOff() {
      const { socket } = running ?? {};
      if (!socket?.writable) return;
      socket.uncork();
      socket.write(fatalError(brokenOff, 'the statement has ended the database'));
    },
    async close() {
      clearTimeout(silence);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const { socket } of connections) socket.destroy();
      await closed;
      while (isRunning) await nextTurn();
    },
  };
}

/** Who asks is told when its statement begins, since it may have to stop it for others: a heavy one, or one in a transaction with a limit of its own. */
const givesWay = ({ isHeavy, limitInTransaction }: Connection): boolean =>
  isHeavy || Boolean(limitInTransaction);

/** Of what ends the engine; what begins and ends transactions goes with others. */
const isToBlame = (text: string): boolean => !/^\s*(?:$|begin\b|commit\b|rollback\b)/i.test(text);

/** What the messages of a unit ask. */
function unitOf(messages: readonly Buffer[]): Pick<UnitOrder, 'statements' | 'isLimited'> {
  const types = messages.map((message) => String.fromCharCode(message[0]!));
  const executes = messages.filter((_, i) => types[i] === 'E');
  const queries = types.filter((type) => 'QF'.includes(type)).length;
  return {
    statements: executes.length + queries,
    // The last number of the message.
    isLimited: executes.some((message) => message.readInt32BE(message.length - 4) !== 0),
  };
}

/** What is run in place of a statement that has ended the engine. */
const refusal: Pick<Asked, 'messages' | 'isWhole'> = {
  messages: [
    queryMessage(
      `do $$ begin raise exception using errcode = '${brokenOff}', message = 'the statement has ended the database before'; end $$`,
    ),
  ],
  isWhole: true,
};

/** Statements that the session keeps by their texts; each takes about 140 kB. */
const mostStatements = 64;

/**
 * Says of the first message of a unit whether it is the Parse of a text that the session keeps, which the engine need not
 * read again. One that could not be read is thought to be kept until a connection that was told so deallocates it.
 */
function statementKeeper(engine: Engine): (message: Buffer) => boolean {
  const names = new Set<string>();
  return (message) => {
    const { name, isGone } = sharedStatement(message);
    if (!name) return false;
    const isKept = names.delete(name);
    if (isGone) return false;
    names.add(name);
    const [oldest] = names;
    if (names.size > mostStatements) {
      names.delete(oldest!);
      engine.execute(Buffer.concat([closeMessage(oldest!), syncMessage]), () => {});
    }
    return isKept;
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}

/**
 * What is run in place of a statement that would harm the others: Mapnik makes its session read-only, which here
 * is everyone's session; COPY FROM STDIN would wait for bytes that cannot come while the session runs.
 */
function replacement(type: string, text: string): Buffer | undefined {
  const say = type === 'P' ? parseMessage : queryMessage;
  if (/^\s*set\s+(session\s+)?(default_transaction_read_only\b|characteristics\b)/i.test(text)) {
    return say("set client_encoding = 'UTF8'");
  }
  if (/^\s*copy\b.*\bfrom\s+stdin\b/is.test(text)) {
    const problem = 'COPY FROM STDIN is not possible on the embedded database';
    return say(`do $$ begin raise exception using errcode = '0A000', message = '${problem}'; end $$`);
  }
  return undefined;
}
