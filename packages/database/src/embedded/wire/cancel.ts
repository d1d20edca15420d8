/**
 * Cancel requests of the embedded database, as PostgreSQL takes them: by a connection of their own, which is closed when they are
 * carried out. They come to a socket beside that of the statements, whose thread hears nothing while one runs.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { cancelledConnection, cancelMessage } from './wire.js';

const socketIn = (folder: string): string => join(folder, '.s.PGSQL.5432.cancel');

/** Longest time for one, ms. */
const patience = 1_000;

/** Hands over the numbers of connections whose statements are to be cancelled, as long as the process lives. */
export function takeCancels(socketFolder: string, cancel: (connection: number) => void): void {
  const path = socketIn(socketFolder);
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.setTimeout(patience, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    // A message this short comes in one piece.
    socket.once('data', (bytes) => {
      const connection = cancelledConnection(bytes);
      if (connection !== undefined) cancel(connection);
      socket.end();
    });
  });
  server.on('error', () => {});
  server.listen(path).unref();
}

/** Cancels the statement that a connection runs. Done when that has been asked for; a database that is not there has none. */
export const cancelEmbedded = (socketFolder: string, connection: number): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(socketIn(socketFolder));
    socket.setTimeout(patience, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
    socket.resume();
    socket.write(cancelMessage(connection));
  });
