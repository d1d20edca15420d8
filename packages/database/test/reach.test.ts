/** What is said of a database that cannot be used. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import test from 'node:test';
import { openDatabase } from '../src/pool.js';
import { checkReachable } from '../src/reach.js';
import type { ConnectionTarget } from '../src/target.js';

async function problemOf(target: Partial<ConnectionTarget>): Promise<string> {
  const whole = { host: '127.0.0.1', port: 1, user: 'anna', password: 'secret', database: 'maps', ...target };
  const db = openDatabase(whole, 'postgres');
  try {
    return await checkReachable(db, whole).then(
      () => 'none',
      ({ message }: Error) => message,
    );
  } finally {
    await db.close();
  }
}

/** An ErrorResponse that ends the session. */
function refusal(state: string): Buffer {
  const body = Buffer.from(`SFATAL\0VFATAL\0C${state}\0Mno\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

test('no server, an unknown host, a missing socket', async () => {
  const refused = await problemOf({});
  assert.match(
    refused,
    /^The database 'maps' as user 'anna' at 127\.0\.0\.1:1 cannot be used: nothing listens there/,
  );
  assert.doesNotMatch(refused, /secret/);
  assert.match(
    await problemOf({ host: 'no.such.host.invalid' }),
    /no such host is known|cannot be looked up/,
  );
  assert.match(await problemOf({ host: '/no/such/folder' }), /there is no such socket/);
});

test('another kind of server, and what PostgreSQL refuses', async (t) => {
  let answer: Buffer = Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n');
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  assert.match(await problemOf({ port }), /what answers there is no PostgreSQL/);
  for (const [state, said] of [
    ['28P01', /refuses the password/],
    ['3D000', /no database of this name/],
    ['53300', /no connections left/],
    ['XX999', /: no$/],
  ] as const) {
    answer = refusal(state);
    assert.match(await problemOf({ port }), said);
  }
});

/** A request for a password: the first one of SCRAM, and its continuation. */
function authentication(kind: number, text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.from('R\0\0\0\0\0\0\0\0');
  head.writeInt32BE(body.length + 8, 1);
  head.writeInt32BE(kind, 5);
  return Buffer.concat([head, body]);
}

test('a server that asks for a password, where none is given', async (t) => {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    socket.once('data', () => {
      socket.write(authentication(10, 'SCRAM-SHA-256\0\0'));
      socket.once('data', () => socket.write(authentication(11, 'r=x,s=eA==,i=4096')));
    });
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  assert.match(await problemOf({ port, password: '' }), /asks for a password\. Give it in DATABASE_URL/);
});
