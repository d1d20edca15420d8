import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A manual connection: the test decides which bytes it sends, and how fast it reads. */
export interface RawClient {
  readonly socket: Socket;
  /** Sends a request with headers; the body, if any, is up to the caller. */
  ask(method: string, path: string, headers?: Record<string, string>): void;
  /** Resolves when the first byte of an answer can be read. */
  answered(): Promise<void>;
  /** Resolves when the server has closed the connection, with what it sent last; reads on from then. */
  ended(): Promise<string>;
  /** Reads at a number of bytes per second to the end of the connection. Returns the bytes of the answer. */
  readSlowly(bytesPerSecond: number): Promise<Buffer>;
}

/** Connects to a server from a loopback address, and reads nothing. */
export async function rawClient(url: string, localAddress = '127.0.0.1'): Promise<RawClient> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on('error', () => {}); // `close` reports the end
  socket.pause();
  await once(socket, 'connect');
  return {
    socket,
    ask(method, path, headers = {}) {
      const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    },
    async answered() {
      if (!socket.readableLength) await once(socket, 'readable');
    },
    async ended() {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.resume();
      if (!socket.closed) await once(socket, 'close');
      return Buffer.concat(chunks).toString();
    },
    async readSlowly(bytesPerSecond) {
      const chunks: Buffer[] = [];
      const began = Date.now();
      let read = 0;
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        read += chunk.length;
        const ahead = (1_000 * read) / bytesPerSecond - (Date.now() - began);
        if (ahead > 0) await sleep(ahead);
      }
      return Buffer.concat(chunks);
    },
  };
}

/** Sends a text again and again until the connection has ended. */
export async function trickle({ socket }: RawClient, text: string, periodMs: number): Promise<void> {
  while (!socket.destroyed) {
    socket.write(text);
    await sleep(periodMs);
  }
}
