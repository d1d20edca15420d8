/** A server of PostgreSQL's protocol, as far as `pg` needs it. Tests insert bytes between its messages. */

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

/** Bytes that are inserted before a message, whose number counts over all connections to a database. */
export interface Trouble {
  at: number;
  bytes: Buffer;
  /** The connection is closed after them. */
  isEnd?: boolean;
  /** The connection stays open, but silent. */
  isSilence?: boolean;
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
    new FakeSession(socket, troubles);
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

/** A session of one client. */
class FakeSession {
  readonly #socket: Socket;
  readonly #troubles: Map<string, Trouble>;
  #held = Buffer.alloc(0);
  #database: string | undefined;
  #value = '';
  #text = '';
  #isOpen = false;
  #isCopying = false;
  #isSilent = false;

  constructor(socket: Socket, troubles: Map<string, Trouble>) {
    this.#socket = socket;
    this.#troubles = troubles;
    socket.on('data', (chunk) => this.#read(chunk));
  }

  readonly #takes: Record<string, (body: Buffer) => void> = {
    p: () =>
      this.#say(
        message('R', '\0\0\0\0'),
        message('S', 'TimeZone\0UTC\0'),
        message('K', '\0\0\0\x01\0\0\0\x01'),
        this.#ready(),
      ),
    P: (body) => {
      this.#text = body.toString('utf8', body.indexOf(0) + 1).split('\0')[0]!;
      this.#say(message('1'));
    },
    B: (body) => {
      this.#value = valueIn(body);
      this.#say(message('2'));
    },
    D: () => this.#say(this.#isSelect() ? describedAs('n') : message('n')),
    E: () => this.#say(...(this.#isSelect() ? [rowOf(this.#value)] : []), this.#done()),
    S: () => this.#say(this.#ready()),
    Q: (body) => {
      this.#text = body.toString('utf8', 0, body.length - 1);
      this.#isCopying = this.#text.startsWith('copy');
      if (this.#isCopying) this.#say(message('G', '\x01\0\x01\0\x01'));
      else this.#say(this.#done(), this.#ready());
    },
    c: () => this.#isCopying && this.#say(message('C', 'COPY 1\0'), this.#ready()),
  };

  #isSelect(): boolean {
    return this.#text.startsWith('select');
  }

  #ready(): Buffer {
    return message('Z', this.#isOpen ? 'T' : 'I');
  }

  #done(): Buffer {
    const word = /^\s*(\w+)/.exec(this.#text)?.[1]?.toUpperCase() ?? '';
    if (word === 'BEGIN') this.#isOpen = true;
    if (/^(COMMIT|ROLLBACK)$/.test(word)) this.#isOpen = false;
    return message('C', `${word}\0`);
  }

  /** Writes messages, and the trouble at its moment. */
  #say(...messages: Buffer[]): void {
    for (const one of messages) {
      if (this.#isSilent) return;
      const trouble = this.#troubles.get(this.#database!);
      if (trouble && trouble.at-- === 0) {
        this.#troubles.delete(this.#database!);
        this.#socket.write(trouble.bytes);
        if (trouble.isEnd) return void this.#socket.end();
        if (trouble.isSilence) {
          this.#isSilent = true;
          return;
        }
      }
      this.#socket.write(one);
    }
  }

  #read(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    for (;;) {
      const isFirst = this.#database === undefined;
      const head = isFirst ? 0 : 1;
      if (this.#held.length < head + 4) return;
      const size = head + this.#held.readUInt32BE(head);
      if (this.#held.length < size) return;
      const one = this.#held.subarray(0, size);
      this.#held = this.#held.subarray(size);
      if (isFirst) this.#start(one);
      else this.#takes[String.fromCharCode(one[0]!)]?.(one.subarray(5));
    }
  }

  #start(startup: Buffer): void {
    const words = startup.toString('utf8', 8).split('\0');
    this.#database = words[words.indexOf('database') + 1]!;
    this.#say(message('R', '\0\0\0\x03'));
  }
}

/** The first value of a Bind message. */
function valueIn(body: Buffer): string {
  let at = body.indexOf(0, body.indexOf(0) + 1) + 1;
  at += 2 + 2 * body.readUInt16BE(at);
  if (body.readUInt16BE(at) === 0) return 'none';
  return body.toString('utf8', at + 6, at + 6 + body.readInt32BE(at + 2));
}
