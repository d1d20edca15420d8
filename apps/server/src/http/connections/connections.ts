import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../config.js';
import { networkOf } from '../limits/owner.js';
import type { Connection } from './connection.js';
import { drain } from './drain.js';
import { bodyBytes, closeLargest, unreadBytes } from './memory-limit.js';
import { drainedBytes, Pace } from './pace.js';

type ConnectionLimits = Pick<
  Config,
  | 'connections'
  | 'connectionsPerAddress'
  | 'trustProxy'
  | 'headersTimeoutMs'
  | 'minUploadBytesPerS'
  | 'minReadBytesPerS'
  | 'rateWindowMs'
  | 'sendMemoryMiB'
>;

/** Most pipelined requests of one connection. */
const maxPipelined = 32;

/** Interval between two checks of all connections. */
const checkIntervalMs = 500;

/** Codes of the `clientError` event for an incomplete request: Node's own code for a slow one, and ours for a shutdown. */
const isTooSlow = 'ERR_HTTP_REQUEST_TIMEOUT';
export const isStopping = 'SERVICE_IS_STOPPING';

/**
 * Limits the resources that clients hold by their connections: the number of connections in total and per address, the least
 * rates of uploads and downloads, and the memory for unread responses and for bodies.
 */
export class ConnectionWatch {
  readonly #limits: ConnectionLimits;
  readonly #servers: Server[] = [];
  readonly #open = new Map<Socket, Connection>();
  readonly #countOfNetwork = new Map<string, number>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Starts to watch a server. The caller calls this before the server listens. */
  watch<S extends Server>(server: S): S {
    this.#servers.push(server);
    const { headersTimeoutMs } = this.#limits;
    const watched = Object.assign(server, {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs / 2),
    });
    server.on('connection', (socket) => this.#add(socket));
    server.prependListener('request', (request, response) => this.#note(request, response));
    let checkedAt = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      // A process that was suspended could not read the data that clients sent meanwhile.
      this.#check(server, Math.min(now - checkedAt, 2 * checkIntervalMs));
      checkedAt = now;
    }, checkIntervalMs);
    timer.unref();
    server.once('close', () => clearInterval(timer));
    return watched;
  }

  /**
   * Handles a pipelined request when the response before it is complete. Earlier work would hold its slots until then, and it
   * would go on after a disconnect, which Node reports only to the response that is being sent.
   */
  inOrder(handle: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      const before = this.#open.get(socket)?.behind.get(response);
      if (!before) return handle(request, response);
      before.once('close', () => {
        if (!socket.destroyed) handle(request, response);
      });
    };
  }

  /** Refuses new connections and answers the requests of open ones. Resolves when no connection is left. */
  drain(): Promise<void> {
    return drain(this.#servers, this.#open);
  }

  /** Answers incomplete requests with `busy`. */
  refuseIncomplete(): void {
    for (const connection of this.#open.values())
      if (isAwaited(connection)) refuse(this.#servers[0]!, connection, isStopping);
  }

  /** Closes all connections at once. */
  cut(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #add(socket: Socket): void {
    const {
      trustProxy,
      connections,
      connectionsPerAddress,
      minUploadBytesPerS,
      minReadBytesPerS,
      rateWindowMs,
    } = this.#limits;
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (this.#countOfNetwork.get(network) ?? 0) + 1;
    const limit = trustProxy ? connections : connectionsPerAddress;
    if (count > limit || this.#open.size >= connections) return void socket.destroy();
    this.#countOfNetwork.set(network, count);
    this.#open.set(socket, {
      socket,
      network,
      uploading: new Pace(minUploadBytesPerS, rateWindowMs),
      reading: new Pace(minReadBytesPerS, rateWindowMs),
      receiving: undefined,
      body: undefined,
      answering: undefined,
      newest: undefined,
      behind: new Map(),
    });
    socket.once('close', () => this.#remove(socket, network));
  }

  #remove(socket: Socket, network: string): void {
    this.#open.delete(socket);
    const rest = this.#countOfNetwork.get(network)! - 1;
    if (rest) this.#countOfNetwork.set(network, rest);
    else this.#countOfNetwork.delete(network);
  }

  #note(request: IncomingMessage, response: ServerResponse): void {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
    // Node gives a response its socket when the responses before it are sent.
    const isBehind = response.socket === null;
    const connection = this.#open.get(request.socket);
    if (!connection) return;
    if (hasBody) {
      connection.receiving = { request, response };
      connection.body = { request, response, before: request.socket.bytesRead };
    }
    const before = connection.newest;
    connection.newest = response;
    if (!isBehind || !before) {
      connection.answering = response;
      return;
    }
    connection.behind.set(response, before);
    response.once('close', () => connection.behind.delete(response));
    if (connection.behind.size > maxPipelined) request.socket.destroy();
  }

  #check(server: Server, elapsedMs: number): void {
    for (const connection of this.#open.values()) {
      const { socket, uploading, reading } = connection;
      const isUnread = socket.writableLength > 0;
      if (reading.isTooSlow(isUnread ? elapsedMs : 0, () => drainedBytes(socket))) socket.destroy();
      else if (uploading.isTooSlow(isAwaited(connection) ? elapsedMs : 0, () => socket.bytesRead))
        refuse(server, connection, isTooSlow);
    }
    const limit = this.#limits.sendMemoryMiB * 1024 * 1024;
    closeLargest(this.#open.values(), limit, unreadBytes);
    closeLargest(this.#open.values(), limit, bodyBytes);
  }
}

/** Whether the service waits for the rest of a body and has read all that came. */
function isAwaited(connection: Connection): boolean {
  const { request } = connection.receiving ?? {};
  if (!request) return false;
  if (request.complete) connection.receiving = undefined;
  return !request.complete && request.readableLength === 0;
}

/** Answers 408 or 503; closes the connection if a response has already started. */
function refuse(server: Server, { socket, receiving, behind }: Connection, code: string): void {
  if (receiving?.response.headersSent || behind.size) socket.destroy();
  else server.emit('clientError', Object.assign(new Error('the request is incomplete'), { code }), socket);
}
