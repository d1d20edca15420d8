import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection.js';

/** How long a request that was sent at the time of the stop may take to arrive. */
const idleGraceMs = 300;
/** How long the client may take to close a connection that the service has ended. */
const closeTimeoutMs = 300;
/** Interval between two checks of the connections. */
const pollIntervalMs = 20;

/** The state of a connection at the last check. */
interface Seen {
  /** Time for which nothing has come, ms. */
  idleMs: number;
  bytesRead: number;
  isEnded: boolean;
}

/**
 * Stops accepting connections. Requests on open connections, and those on their way, are answered with
 * `Connection: close`, so a client that is about to write sees no reset. Resolves when no connection is left.
 */
export async function drain(
  servers: readonly Server[],
  connections: ReadonlyMap<Socket, Connection>,
): Promise<void> {
  // The event loop has just accepted the connections that clients had opened.
  await afterPoll();
  for (const server of servers) {
    // `close` of an HTTP server would also destroy connections without a request so far.
    NetServer.prototype.close.call(server);
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      const before = newest(connections.get(request.socket));
      closeAfter(response);
      // The request was pipelined, so the response before it is not the last.
      if (before && !before.headersSent) before.removeHeader('connection');
    });
  }
  for (const connection of connections.values()) closeAfter(newest(connection));
  const seen = new Map<Socket, Seen>();
  for (let lookedAt = performance.now(); connections.size; await sleep(pollIntervalMs)) {
    const now = performance.now();
    // A process that was suspended could not read the requests that clients sent meanwhile.
    const elapsedMs = Math.min(now - lookedAt, 2 * pollIntervalMs);
    lookedAt = now;
    for (const connection of connections.values()) look(connection, seen, elapsedMs);
  }
}

/** The last pending response of a connection. */
function newest(connection: Connection | undefined): ServerResponse | undefined {
  const last = connection?.newest;
  return last && !isOver(last) ? last : undefined;
}

const isOver = (response: ServerResponse): boolean => response.writableFinished || response.destroyed;

function closeAfter(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.setHeader('connection', 'close');
}

/** Ends a connection without a request for a while, and destroys it when the client does not close it. */
function look(connection: Connection, seen: Map<Socket, Seen>, elapsedMs: number): void {
  const { socket } = connection;
  const { bytesRead } = socket;
  const last = seen.get(socket);
  if (!last || newest(connection)) {
    seen.set(socket, { idleMs: 0, bytesRead, isEnded: false });
    return;
  }
  last.idleMs += elapsedMs;
  if (last.isEnded) {
    if (last.idleMs > closeTimeoutMs) socket.destroy();
    return;
  }
  // An incomplete request is still coming.
  if (bytesRead !== last.bytesRead || last.idleMs < idleGraceMs) return;
  socket.end();
  seen.set(socket, { idleMs: 0, bytesRead, isEnded: true });
}
