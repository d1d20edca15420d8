/**
 * Cancel requests of the embedded database. As with PostgreSQL, each comes by its own connection, which is closed when the request is
 * done. They use a second socket, since the thread of the statements' socket is blocked while a statement runs.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { cancelledConnection, cancelMessage } from './messages.js';

const socketIn = (folder: string): string => join(folder, '.s.PGSQL.5432.cancel');

const requestTimeoutMs = 1_000;

/** Calls `cancel` with the number of the connection for each cancel request, as long as the process lives. */
export function serveCancelRequests(socketFolder: string, cancel: (connection: number) => void): void {
  const path = socketIn(socketFolder);
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.setTimeout(requestTimeoutMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    // A message this short arrives in one chunk.
    socket.once('data', (bytes) => {
      const connection = cancelledConnection(bytes);
      if (connection !== undefined) cancel(connection);
      socket.end();
    });
  });
  server.on('error', () => {});
  server.listen(path).unref();
}

/** Requests to cancel the statement of a connection. Resolves when the request was sent, also when no database runs. */
export const cancelEmbedded = (socketFolder: string, connection: number): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(socketIn(socketFolder));
    socket.setTimeout(requestTimeoutMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
    socket.resume();
    socket.write(cancelMessage(connection));
  });
