/** A server that speaks PostgreSQL's protocol well enough for `pg`, but for what a test puts between its messages. */

import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

export function message(type: string | number, body: Buffer | string = ''): Buffer {
  const content = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
  const head = Buffer.alloc(5);
  head[0] = typeof type === 'number' ? type : type.charCodeAt(0);
  head.writeUInt32BE(4 + content.length, 1);
  return Buffer.concat([head, content]);
}

export const rowOf = (...values: string[]): Buffer => {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(values.length);
  const parts = values.map((value) => {
    const size = Buffer.alloc(4);
    size.writeInt32BE(Buffer.byteLength(value));
    return Buffer.concat([size, Buffer.from(value)]);
  });
  return message('D', Buffer.concat([count, ...parts]));
};

export const describedAs = (name: string): Buffer =>
  message('T', `\0\x01${name}\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0`);

/** What comes in place of nothing before the message of a number, counted over all connections to a database. */
export interface Trouble {
  at: number;
  bytes: Buffer;
  /** The connection is closed behind it. */
  isEnd?: boolean;
}

export interface FakeServer {
  port: number;
  /** By the name of a database. */
  troubles: Map<string, Trouble>;
  close(): void;
}

export async function fakeServer(): Promise<FakeServer> {
  const troubles = new Map<string, Trouble>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    serve(socket, troubles);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    troubles,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function serve(socket: Socket, troubles: Map<string, Trouble>): void {
  let held = Buffer.alloc(0);
  let database: string | undefined;
  let value = '';
  let text = '';
  let isOpen = false;
  let copying = false;

  const say = (...messages: Buffer[]): void => {
    for (const one of messages) {
      const trouble = troubles.get(database!);
      if (trouble && trouble.at-- === 0) {
        troubles.delete(database!);
        socket.write(trouble.bytes);
        if (trouble.isEnd) return void socket.end();
      }
      socket.write(one);
    }
  };
  const ready = (): Buffer => message('Z', isOpen ? 'T' : 'I');
  const done = (): Buffer => {
    const word = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? '';
    if (word === 'BEGIN') isOpen = true;
    if (/^(COMMIT|ROLLBACK)$/.test(word)) isOpen = false;
    return message('C', `${word}\0`);
  };
  const takes: Record<string, (body: Buffer) => void> = {
    p: () =>
      say(
        message('R', '\0\0\0\0'),
        message('S', 'TimeZone\0UTC\0'),
        message('K', '\0\0\0\x01\0\0\0\x01'),
        ready(),
      ),
    P: (body) => {
      text = body.toString('utf8', body.indexOf(0) + 1).split('\0')[0]!;
      say(message('1'));
    },
    B: (body) => {
      value = valueIn(body);
      say(message('2'));
    },
    D: () => say(/^select/.test(text) ? describedAs('n') : message('n')),
    E: () => say(...(/^select/.test(text) ? [rowOf(value)] : []), done()),
    S: () => say(ready()),
    Q: (body) => {
      text = body.toString('utf8', 0, body.length - 1);
      copying = text.startsWith('copy');
      if (copying) say(message('G', '\x01\0\x01\0\x01'));
      else say(done(), ready());
    },
    c: () => copying && say(message('C', 'COPY 1\0'), ready()),
  };

  socket.on('data', (chunk) => {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const isFirst = database === undefined;
      const head = isFirst ? 0 : 1;
      if (held.length < head + 4) return;
      const size = head + held.readUInt32BE(head);
      if (held.length < size) return;
      const one = held.subarray(0, size);
      held = held.subarray(size);
      if (isFirst) {
        const words = one.toString('utf8', 8).split('\0');
        database = words[words.indexOf('database') + 1]!;
        say(message('R', '\0\0\0\x03'));
      } else takes[String.fromCharCode(one[0]!)]?.(one.subarray(5));
    }
  });
}

/** The first value of a Bind message. */
function valueIn(body: Buffer): string {
  let at = body.indexOf(0, body.indexOf(0) + 1) + 1;
  at += 2 + 2 * body.readUInt16BE(at);
  if (body.readUInt16BE(at) === 0) return 'none';
  return body.toString('utf8', at + 6, at + 6 + body.readInt32BE(at + 2));
}
