import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after, before } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Caller } from '../access/caller.js';
import { sentUnchanged } from './reply.js';
import { ResponseCache } from './response-cache.js';

let app: FastifyInstance;
let stored = 'one';
/** The compared parts of an answer. */
const content = { version: 1, isLost: false };
/** Requests that the app itself has answered. */
let appRequests = 0;
const cache = new ResponseCache({ snapshot: async () => currentSnapshot() }, 1_000_000);

function currentSnapshot(): string {
  if (stored === 'lost') throw new Error('the database is gone');
  return stored;
}

before(async () => {
  app = Fastify({ serverFactory: (handle, options) => cache.createServer(handle, options) });
  app.decorateRequest('caller');
  app.get('/kept', async (request, reply) => {
    appRequests += 1;
    const at = request.headers.authorization ? undefined : stored;
    request.caller = { at } as Caller;
    reply.header('x-always', 'yes').type('text/plain');
    if (sentUnchanged(request, reply, `"${stored}"`)) return reply;
    const body = Buffer.from(`answer ${stored}`);
    const { version } = content;
    cache.keep(request, reply, body, async () => {
      if (content.isLost) throw new Error('not to be found');
      return content.version === version;
    });
    return reply.send(body);
  });
  app.addHook('preClose', async () => cache.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

interface Got {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

const get = (headers: Record<string, string> = {}, path = '/kept', method = 'GET'): Promise<Got> =>
  new Promise((resolve, reject) => {
    const { port } = app.server.address() as AddressInfo;
    const sent = httpRequest({ port, host: '127.0.0.1', path, method, headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      resolve({ status: answer.statusCode!, headers: answer.headers, text });
    });
    sent.on('error', reject).end();
  });

const requestsToApp = async (work: () => Promise<unknown>): Promise<number> => {
  const before = appRequests;
  await work();
  return appRequests - before;
};

test('a cached response is sent until something is committed', async () => {
  const first = await get();
  const again: Got[] = [];
  assert.equal(await requestsToApp(async () => again.push(await get(), await get())), 0);
  for (const { status, text, headers } of again) {
    assert.deepEqual([status, text], [200, 'answer one']);
    assert.deepEqual(
      { ...headers, date: '' },
      { ...first.headers, date: '', 'content-length': String(text.length) },
    );
  }
  stored = 'two';
  content.version = 2;
  assert.equal(await requestsToApp(async () => assert.equal((await get()).text, 'answer two')), 1);
  assert.equal(await requestsToApp(async () => assert.equal((await get()).text, 'answer two')), 0);
});

test('a matching If-None-Match is answered 304', async () => {
  await get();
  const has = async (): Promise<void> => {
    const { status, headers, text } = await get({ 'if-none-match': '"two", "other"' });
    assert.deepEqual([status, text, headers.etag, headers['x-always']], [304, '', '"two"', 'yes']);
    assert.equal(headers['content-length'], undefined);
  };
  assert.equal(await requestsToApp(has), 0);
  assert.equal((await get({ 'if-none-match': '"one"' })).status, 200);
});

test('requests with credentials, other methods and other addresses go to the app', async () => {
  await get();
  assert.equal(await requestsToApp(() => get({ authorization: 'Bearer abc' })), 1);
  assert.equal(await requestsToApp(() => get({ 'x-token': 'abc' })), 1);
  assert.equal(await requestsToApp(() => get({}, '/kept?token=abc')), 1);
  assert.equal((await get({}, '/kept', 'POST')).status, 404);
  assert.equal(await requestsToApp(() => get()), 0);
});

test('the app answers while the snapshot cannot be read', async () => {
  await get();
  stored = 'lost';
  assert.equal(await requestsToApp(() => get()), 1);
  stored = 'three';
  content.version = 3;
  assert.equal((await get()).text, 'answer three');
});

test('an entry that a commit has not touched stays valid', async () => {
  const says = (text: string) => requestsToApp(async () => assert.equal((await get()).text, text));
  stored = 'four';
  assert.equal(await says('answer three'), 0);
  content.version = 4;
  assert.equal(await says('answer three'), 0, 'nothing was committed');
  stored = 'five';
  assert.equal(await says('answer five'), 1);
  stored = 'six';
  content.isLost = true;
  assert.equal(await says('answer six'), 1);
  content.isLost = false;
});

test('a closed cache answers nothing', async () => {
  await get();
  cache.close();
  assert.equal(await requestsToApp(() => get()), 1);
  assert.equal(await requestsToApp(() => get()), 1);
});
