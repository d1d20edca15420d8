import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.js';
import { drain } from './drain.js';
import { networkOf } from './owner.js';
import { createPace, drainedBytes, type Pace } from './pace.js';

type ConnectionLimits = Pick<
  Config,
  | 'connections'
  | 'connectionsPerAddress'
  | 'trustProxy'
  | 'headersTimeout'
  | 'minUploadRate'
  | 'minReadRate'
  | 'rateWindow'
  | 'sendMemory'
>;

/** What is known of an open connection. */
export interface Connection {
  readonly socket: Socket;
  readonly network: string;
  readonly uploading: Pace;
  readonly reading: Pace;
  /** The newest request whose body may still be on its way. */
  receiving: { request: IncomingMessage; response: ServerResponse } | undefined;
  /** The newest answer that is not behind another. */
  answering: ServerResponse | undefined;
  /** Answers behind the one that is being sent (pipelining). */
  readonly behind: Set<ServerResponse>;
}

/** Most requests that a client may send ahead on a connection. */
const mostAhead = 32;

/** ms between two looks at all connections. */
const lookPeriod = 500;

/** Why a request is answered that has not come as a whole: as Node's server says it of one that takes too long, and for the end of the service. */
const isTooSlow = 'ERR_HTTP_REQUEST_TIMEOUT';
export const isStopping = 'SERVICE_IS_STOPPING';

/**
 * Bounds what clients can hold by their connections: how many there are, in all and of one address; how slowly a request may
 * come and an answer be read; what waits in memory to be read.
 */
export interface ConnectionWatch {
  /** Begins to watch a server; to be called before it listens. */
  watch<S extends Server>(server: S): S;
  /** Takes no more connections, answers what is asked on those that are open; resolves when none is left. */
  drain(): Promise<void>;
  /** Answers requests that are still coming with `busy`. */
  refuseIncomplete(): void;
  /** Cuts all connections. */
  cut(): void;
}

export function createConnectionWatch(limits: ConnectionLimits): ConnectionWatch {
  const servers: Server[] = [];
  const open = new Map<Socket, Connection>();
  const ofNetwork = new Map<string, number>();

  function opened(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (ofNetwork.get(network) ?? 0) + 1;
    const most = limits.trustProxy ? limits.connections : limits.connectionsPerAddress;
    if (count > most || open.size >= limits.connections) return void socket.destroy();
    ofNetwork.set(network, count);
    open.set(socket, {
      socket,
      network,
      uploading: createPace(limits.minUploadRate, limits.rateWindow),
      reading: createPace(limits.minReadRate, limits.rateWindow),
      receiving: undefined,
      answering: undefined,
      behind: new Set(),
    });
    socket.once('close', () => {
      open.delete(socket);
      const rest = ofNetwork.get(network)! - 1;
      if (rest) ofNetwork.set(network, rest);
      else ofNetwork.delete(network);
    });
  }

  function asked(request: IncomingMessage, response: ServerResponse): void {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
    // An answer is given its socket when those before it were sent.
    const isBehind = response.socket === null;
    const connection = open.get(request.socket);
    if (!connection) return;
    if (hasBody) connection.receiving = { request, response };
    if (!isBehind) {
      connection.answering = response;
      return;
    }
    connection.behind.add(response);
    response.once('close', () => connection.behind.delete(response));
    if (connection.behind.size > mostAhead) request.socket.destroy();
  }

  function look(server: Server, elapsedMs: number): void {
    for (const connection of open.values()) {
      const { socket, uploading, reading } = connection;
      const isUnread = socket.writableLength > 0;
      if (reading.isTooSlow(isUnread ? elapsedMs : 0, () => drainedBytes(socket))) socket.destroy();
      else if (uploading.isTooSlow(isAwaited(connection) ? elapsedMs : 0, () => socket.bytesRead))
        refuse(server, connection, isTooSlow);
    }
    endLargest(open.values(), limits.sendMemory * 1024 * 1024);
  }

  const watch: ConnectionWatch['watch'] = (server) => {
    servers.push(server);
    const watched = Object.assign(server, {
      headersTimeout: limits.headersTimeout,
      connectionsCheckingInterval: Math.min(5_000, limits.headersTimeout / 2),
    });
    server.on('connection', opened);
    server.prependListener('request', asked);
    let at = Date.now();
    const timer = setInterval(() => {
      const now = Date.now();
      // A process that stood still has not read what clients sent meanwhile.
      look(server, Math.min(now - at, 2 * lookPeriod));
      at = now;
    }, lookPeriod);
    timer.unref();
    server.once('close', () => clearInterval(timer));
    return watched;
  };
  return {
    watch,
    drain: () => drain(servers, open),
    refuseIncomplete() {
      for (const connection of open.values())
        if (isAwaited(connection)) refuse(servers[0]!, connection, isStopping);
    },
    cut() {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

/** Whether the rest of a body is waited for, and nothing of it waits to be read by us. */
function isAwaited(connection: Connection): boolean {
  const { request } = connection.receiving ?? {};
  if (!request) return false;
  if (request.complete) connection.receiving = undefined;
  return !request.complete && request.readableLength === 0;
}

/** 408 or 503, where no answer has begun. */
function refuse(server: Server, { socket, receiving, behind }: Connection, code: string): void {
  if (receiving?.response.headersSent || behind.size) socket.destroy();
  else server.emit('clientError', Object.assign(new Error('the request has not come'), { code }), socket);
}

/** What a list or an export that is not at its end holds beside the bytes that wait in its connection: the slice that follows, in some forms. */
const streamBytes = 1024 * 1024;

/** Bytes that wait in memory to be read by the client. */
function unreadBytes({ socket, answering, behind }: Connection): number {
  let bytes = socket.writableLength;
  if (bytes && answering && !answering.writableEnded) bytes += streamBytes;
  for (const response of behind) bytes += response.writableLength;
  return bytes;
}

/** Ends connections until no more than `most` bytes wait to be read: each time the largest of the network that has most of them. */
function endLargest(connections: Iterable<Connection>, most: number): void {
  const unread = new Map<Connection, number>();
  const ofNetwork = new Map<string, number>();
  let sum = 0;
  for (const connection of connections) {
    const bytes = unreadBytes(connection);
    if (!bytes) continue;
    unread.set(connection, bytes);
    ofNetwork.set(connection.network, (ofNetwork.get(connection.network) ?? 0) + bytes);
    sum += bytes;
  }
  while (sum > most) {
    const [heaviest, held] = [...ofNetwork].reduce((a, b) => (b[1] > a[1] ? b : a));
    const own = [...unread].filter(([{ network }]) => network === heaviest);
    const [largest, bytes] = own.reduce((a, b) => (b[1] > a[1] ? b : a));
    largest.socket.destroy();
    unread.delete(largest);
    ofNetwork.set(heaviest, held - bytes);
    sum -= bytes;
  }
}
