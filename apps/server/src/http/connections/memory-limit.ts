import { isStreamed } from '../body/incoming.js';
import type { Connection } from './connection.js';

/** Estimated bytes that an unfinished list or export holds beside its socket buffer: in some formats the next slice. */
const streamBytes = 1024 * 1024;

/** Bytes in memory that the client has not read yet. */
export function unreadBytes({ socket, answering, behind }: Connection): number {
  let bytes = socket.writableLength;
  if (bytes && answering && !answering.writableEnded) bytes += streamBytes;
  for (const response of behind.keys()) bytes += response.writableLength;
  return bytes;
}

/** Bytes of a body that is kept in memory until its request is answered. */
export function bodyBytes({ socket, body }: Connection): number {
  if (!body || body.response.headersSent || isStreamed(body.request)) return 0;
  return socket.bytesRead - body.before;
}

/**
 * Closes connections until at most `limitBytes` are held. Each step closes the largest connection of the network that holds
 * the most bytes.
 */
export function closeLargest(
  connections: Iterable<Connection>,
  limitBytes: number,
  bytesOf: (connection: Connection) => number,
): void {
  const holding = new Map<Connection, number>();
  const ofNetwork = new Map<string, number>();
  let sum = 0;
  for (const connection of connections) {
    const bytes = bytesOf(connection);
    if (!bytes) continue;
    holding.set(connection, bytes);
    ofNetwork.set(connection.network, (ofNetwork.get(connection.network) ?? 0) + bytes);
    sum += bytes;
  }
  while (sum > limitBytes) {
    const [heaviest, held] = [...ofNetwork].reduce((a, b) => (b[1] > a[1] ? b : a));
    const own = [...holding].filter(([{ network }]) => network === heaviest);
    const [largest, bytes] = own.reduce((a, b) => (b[1] > a[1] ? b : a));
    largest.socket.destroy();
    holding.delete(largest);
    ofNetwork.set(heaviest, held - bytes);
    sum -= bytes;
  }
}
