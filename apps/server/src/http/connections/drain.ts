import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connections.js';

/** How long a request that was sent when the service began to stop may be on its way, ms. */
const idleGraceMs = 300;
/** How long the client may take to close a connection that we have ended, ms. */
const closeTimeoutMs = 300;
/** ms between two looks at the connections. */
const pollIntervalMs = 20;

/** How a connection stood when it was last looked at. */
interface Seen {
  /** ms. */
  at: number;
  bytesRead: number;
  isEnded: boolean;
}

/**
 * Takes no more connections. What was asked on those that are open, or is on its way, is answered, and the answer says that its
 * connection closes with it: a client that is about to write is never reset. Resolves when no connection is left.
 */
export async function drain(
  servers: readonly Server[],
  connections: ReadonlyMap<Socket, Connection>,
): Promise<void> {
  // The event loop has just taken over whatever clients had connected.
  await afterPoll();
  for (const server of servers) {
    // That of HTTP servers would also destroy connections on which no request has come yet.
    NetServer.prototype.close.call(server);
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      const before = newest(connections.get(request.socket));
      closeAfter(response);
      // It was sent ahead: what is before it is not the last.
      if (before && !before.headersSent) before.removeHeader('connection');
    });
  }
  for (const connection of connections.values()) closeAfter(newest(connection));
  const seen = new Map<Socket, Seen>();
  while (connections.size) {
    for (const connection of connections.values()) look(connection, seen);
    await sleep(pollIntervalMs);
  }
}

/** The answer behind all others, while it is not sent. */
function newest(connection: Connection | undefined): ServerResponse | undefined {
  const last = [...(connection?.behind ?? [])].at(-1) ?? connection?.answering;
  return last && !isOver(last) ? last : undefined;
}

const isOver = (response: ServerResponse): boolean => response.writableFinished || response.destroyed;

function closeAfter(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.setHeader('connection', 'close');
}

/** Ends a connection on which nothing was asked for a while, and of a client that does not close it either. */
function look(connection: Connection, seen: Map<Socket, Seen>): void {
  const { socket } = connection;
  const { bytesRead } = socket;
  const at = Date.now();
  const last = seen.get(socket);
  if (!last || newest(connection)) {
    seen.set(socket, { at, bytesRead, isEnded: false });
    return;
  }
  if (last.isEnded) {
    if (at - last.at > closeTimeoutMs) socket.destroy();
    return;
  }
  // The rest of a request that has begun is waited for.
  if (bytesRead !== last.bytesRead || at - last.at < idleGraceMs) return;
  socket.end();
  seen.set(socket, { at, bytesRead, isEnded: true });
}
