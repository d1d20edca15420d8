/** Clients that do not read, or send slowly, keep nothing from others. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawClient, rawClient, trickle } from '../support/raw-client.js';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';
import { makeLayers } from '../tiles/colors.js';

/** Objects of the layer `long`, each of about a KB: more than the buffers of a connection hold. */
const objects = 12_000;
const longList = `/api/2.8/demo/m/layers/long/objects/?fields=i,note&limit=${objects}`;

async function serverWith(t: TestContext, settings: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ CARTULARY_RENDER_TIMEOUT: '60000', ...settings }, 'here');
  t.after(() => server.stop());
  await server.admin('POST', '/', { code: 'm', css_style: '' });
  await makeLayers(server, 'm', { land: '#ff0000' });
  await server.admin('POST', '/', { code: 'tiles', css_style: '' });
  await makeLayers(server, 'tiles', { sea: '#0000ff' });
  await server.admin('POST', '/m/layers/', { code: 'long', json: {} });
  const note = 'x'.repeat(1_000);
  const features = Array.from({ length: objects }, (_, i) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [i % 180, i % 90] },
    properties: { i, note },
  }));
  await server.admin('POST', '/m/layers/long/import/', { type: 'FeatureCollection', features });
  return server;
}

/** Connections from an address, which end with the test. */
async function clients(
  t: TestContext,
  { url }: TestServer,
  count: number,
  address = '127.0.0.2',
): Promise<RawClient[]> {
  const made = await Promise.all(Array.from({ length: count }, () => rawClient(url, address)));
  t.after(() => {
    for (const { socket } of made) socket.destroy();
  });
  return made;
}

const point = { type: 'Feature', geometry: { type: 'Point', coordinates: [1, 2] }, properties: { i: 1 } };

/** Requests of the other clients. */
async function assertServed(server: TestServer): Promise<void> {
  const ask = (path: string): Promise<TestAnswer> =>
    server.request('GET', path, { token: server.adminToken, signal: AbortSignal.timeout(60_000) });
  const answers = await Promise.all([
    ask('/m/layers/long/objects/?limit=10'),
    ask('/m/layers/long/count/'),
    ask('/tiles/search/?phrase=sea'),
    ask('/m/layers/land/export/?format=geojson'),
    ask(`//tms/demo/tiles/?z=2&x=${Math.floor(Math.random() * 4)}&y=1`),
    server.request('POST', '/login/', { body: { login: 'admin', password: 'correct-horse-battery' } }),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
    answers.map(({ text }) => text.slice(0, 100)).join('\n'),
  );
}

test('clients that never read their answers do not block lists, searches, tiles and logins of others', async (t) => {
  const server = await serverWith(t, {
    CARTULARY_LIST_REQUESTS: '40',
    CARTULARY_RENDERERS: '1',
  });
  const before = process.memoryUsage.rss();
  // Sequentially: each request is being answered before the next, so that none is refused. There are more lists than may be open
  // at once.
  for (let i = 0; i < 4; i++) {
    const some = await clients(t, server, 15);
    for (const one of some)
      one.ask('GET', i ? longList : '/api/2.8/demo/m/layers/long/export/?format=geojson');
    await Promise.all(some.map((one) => one.answered()));
  }
  await assertServed(server);
  const grown = process.memoryUsage.rss() - before;
  assert.ok(grown < 1024 ** 3, `${Math.round(grown / 1e6)} MB more`);
});

test('pipelined requests are handled one after the other, and end with their connection', async (t) => {
  const server = await serverWith(t, { CARTULARY_LIST_REQUESTS: '20' });
  // More requests than a connection may pipeline: it is closed, and the lists that it asked for must not be left open.
  const authorization = `Bearer ${server.adminToken}`;
  for (let i = 0; i < 20; i++) {
    const [client] = (await clients(t, server, 1)) as [RawClient];
    for (let count = 0; count < 40; count++)
      client.ask('GET', '/api/2.8/demo/m/layers/long/objects/?limit=2000', { authorization });
    await client.ended();
  }
  await assertServed(server);

  const [client] = (await clients(t, server, 1)) as [RawClient];
  const paths = Array.from(
    { length: 10 },
    (_, i) => `/api/2.8/demo/m/layers/long/objects/?fields=i&limit=1&offset=${i}`,
  );
  for (const [i, path] of paths.entries()) client.ask('GET', path, i === 9 ? { connection: 'close' } : {});
  const answers = [...(await client.ended()).matchAll(/"i":\s*(\d+)/g)].map(([, i]) => Number(i));
  assert.deepEqual(
    answers,
    paths.map((_, i) => i),
  );
});

test('uploads that trickle keep no imports from others', async (t) => {
  const server = await serverWith(t, { CARTULARY_IMPORTS_AT_ONCE: '2', CARTULARY_TRANSFER_QUEUE: '0' });
  const authorization = `Bearer ${server.adminToken}`;
  const slow = await clients(t, server, 6);
  const headers = { authorization, 'content-length': '1000000', expect: '100-continue' };
  for (const client of slow) client.ask('POST', '/api/2.8/demo/m/layers/land/import/', headers);
  // The service answers 100 when it has received a request.
  await Promise.all(slow.map((client) => client.answered()));
  for (const client of slow) {
    client.socket.write('{"type":"FeatureCollection","features":[');
    void trickle(client, ' ', 50);
  }
  const answer = await server.request('POST', '/m/layers/land/import/', {
    token: server.adminToken,
    body: point,
    signal: AbortSignal.timeout(60_000),
  });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.import.stored, 1);
});

test('a client that sends or reads below the minimum rate is disconnected; a faster one gets everything', async (t) => {
  const server = await serverWith(t, {
    CARTULARY_RATE_WINDOW: '2000',
    CARTULARY_MIN_UPLOAD_RATE: '1000',
    CARTULARY_MIN_READ_RATE: '20000',
    CARTULARY_HEADERS_TIMEOUT: '2000',
  });
  const authorization = `Bearer ${server.adminToken}`;
  const length = { authorization, 'content-length': '1000000', 'content-type': 'application/json' };
  const [file, body, headers, idle, silent, slow] = (await clients(t, server, 6)) as [
    RawClient,
    RawClient,
    RawClient,
    RawClient,
    RawClient,
    RawClient,
  ];
  file.ask('POST', '/api/2.8/demo/m/layers/land/import/', length);
  body.ask('POST', '/api/2.8/demo/m/layers/land/objects/', length);
  headers.socket.write('GET /readyz HTTP/1.1\r\n');
  silent.ask('GET', longList);
  slow.ask('GET', longList, { connection: 'close' });
  const slowly = slow.readSlowly(3_000_000);
  void trickle(file, ' ', 100);
  void trickle(body, ' ', 100);
  void trickle(headers, 'x: y\r\n', 100);
  for (const answer of await Promise.all([file.ended(), body.ended(), headers.ended()])) {
    assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.match(answer, /"code":"timeout"/);
  }
  await idle.ended();
  // It is closed before it has read, and is missing the end.
  await sleep(6_000);
  assert.ok(!(await silent.ended()).endsWith('\r\n0\r\n\r\n'));

  const whole = await fetch(server.url + longList).then((answer) => answer.text());
  assert.ok(whole.length > objects * 1_000);
  assert.ok(bodyOf(await slowly) === whole, 'all of it came');
  // Its files are gone, and an upload above the rate passes.
  await assertServed(server);
});

/** The chunks of an answer together. */
function bodyOf(answer: Buffer): string {
  const parts: Buffer[] = [];
  let at = answer.indexOf('\r\n\r\n') + 4;
  for (;;) {
    const end = answer.indexOf('\r\n', at);
    const size = Number.parseInt(answer.toString('latin1', at, end), 16);
    if (!size) return Buffer.concat(parts).toString();
    parts.push(answer.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

test('an address that requests more than the total capacity does not displace others', async (t) => {
  const server = await serverWith(t, { CARTULARY_LIST_REQUESTS: '20', CARTULARY_DATABASE_CONNECTIONS: '4' });
  const flooding = new AbortController();
  const path = `/api/2.8/demo/m/layers/long/objects/?fields=note&limit=1000&sort=-note`;
  const flood = (await clients(t, server, 100)).map(async (client) => {
    client.socket.resume();
    let refused = 0;
    client.socket.on('data', (chunk: Buffer) => {
      if (chunk.toString('latin1', 0, 12) === 'HTTP/1.1 503') refused += 1;
    });
    while (!flooding.signal.aborted && !client.socket.destroyed) {
      client.ask('GET', path);
      await once(client.socket, 'data', { signal: flooding.signal }).catch(() => {});
    }
    return refused;
  });
  const other = await clients(t, server, 10, '127.0.0.3');
  for (const one of other) {
    one.ask('GET', '/api/2.8/demo/m/layers/land/objects/', { connection: 'close' });
    assert.match(await one.ended(), /^HTTP\/1\.1 200 OK/);
  }
  flooding.abort();
  const refused = await Promise.all(flood);
  assert.ok(refused.some(Boolean), 'the flood was more than can be answered');
});

test('connections are limited per address, by requests in advance, and by unread bytes', async (t) => {
  const server = await serverWith(t, {
    CARTULARY_CONNECTIONS_PER_ADDRESS: '20',
    CARTULARY_SEND_MEMORY: '3',
  });
  const [first, ...others] = await clients(t, server, 21);
  await Promise.race(others.map((one) => one.ended()));
  const [neighbour, reader] = (await clients(t, server, 2, '127.0.0.3')) as [RawClient, RawClient];
  neighbour.ask('GET', '/readyz', { connection: 'close' });
  assert.match(await neighbour.ended(), /^HTTP\/1\.1 200 OK/);

  // Its first answer is never read, so that no other can be sent.
  for (let i = 0; i < 200; i++) first!.ask('GET', i ? '/readyz' : longList);
  await once(first!.socket.resume(), 'close');

  // Memory suffices for two of ten unread answers. The client that has read everything stays.
  const hoard = await clients(t, server, 10, '127.0.0.4');
  for (const one of hoard) one.ask('GET', longList, { connection: 'close' });
  reader.ask('GET', '/readyz');
  await reader.answered();
  await eventually(() => openConnections('127.0.0.4') <= 2);
  assert.equal(openConnections('127.0.0.3'), 1);
});

test('bodies that are held in memory are limited, those that go to files are not', async (t) => {
  const server = await serverWith(t, { CARTULARY_SEND_MEMORY: '20' });
  const authorization = `Bearer ${server.adminToken}`;
  const send = async (address: string, path: string, headers: Record<string, string>) => {
    const all = await clients(t, server, 8, address);
    for (const client of all) {
      client.ask('POST', path, { 'content-length': '8000000', ...headers });
      client.socket.resume().write(Buffer.alloc(6_000_000, ' '));
    }
    return all;
  };
  const open = (all: readonly RawClient[]): number => all.filter(({ socket }) => !socket.closed).length;
  const files = await send('127.0.0.5', '/api/2.8/demo/m/layers/land/import/', { authorization });
  const bodies = await send('127.0.0.6', '/wfs/demo/m/', { 'content-type': 'text/xml' });
  bodies.push(
    ...(await send('127.0.0.7', '/api/2.8/demo/m/layers/land/objects/batch/', {
      authorization,
      'content-type': 'application/json',
    })),
  );
  await eventually(() => open(bodies) <= 3);
  assert.equal(open(files), 8);
});

/** Connections from an address that the server, which is in this process, holds open. */
function openConnections(address: string): number {
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): unknown[] };
  return handles
    .call(process)
    .filter((handle) => handle instanceof Socket && handle.remoteAddress === address).length;
}

async function eventually(check: () => boolean): Promise<void> {
  for (let i = 0; i < 600 && !check(); i++) await sleep(50);
  assert.ok(check(), 'it did not come to be');
}
