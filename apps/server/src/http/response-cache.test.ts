import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after, before } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Caller } from '../access/caller.js';
import { createKnownAnswers } from './known-answers.js';
import { isFresh } from './reply.js';

let app: FastifyInstance;
let stored = 'one';
/** What an answer says. */
const content = { version: 1, isLost: false };
/** What the app itself has answered. */
let asked = 0;
const known = createKnownAnswers({ snapshot: async () => mayRead() }, 1_000_000);

function mayRead(): string {
  if (stored === 'lost') throw new Error('the database is gone');
  return stored;
}

before(async () => {
  app = Fastify({ serverFactory: known.serverFactory });
  app.decorateRequest('caller');
  app.get('/kept', async (request, reply) => {
    asked += 1;
    const at = request.headers.authorization ? undefined : stored;
    request.caller = { at } as Caller;
    reply.header('x-always', 'yes').type('text/plain');
    if (isFresh(request, reply, `"${stored}"`)) return reply.code(304).send();
    const body = Buffer.from(`answer ${stored}`);
    const { version } = content;
    known.keep(request, reply, body, async () => {
      if (content.isLost) throw new Error('not to be found');
      return content.version === version;
    });
    return reply.send(body);
  });
  app.addHook('preClose', async () => known.close());
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

const bySomebody = async (work: () => Promise<unknown>): Promise<number> => {
  const before = asked;
  await work();
  return asked - before;
};

test('what was answered once is answered alike until something is committed', async () => {
  const first = await get();
  const again: Got[] = [];
  assert.equal(await bySomebody(async () => again.push(await get(), await get())), 0);
  for (const { status, text, headers } of again) {
    assert.deepEqual([status, text], [200, 'answer one']);
    assert.deepEqual(
      { ...headers, date: '' },
      { ...first.headers, date: '', 'content-length': String(text.length) },
    );
  }
  stored = 'two';
  content.version = 2;
  assert.equal(await bySomebody(async () => assert.equal((await get()).text, 'answer two')), 1);
  assert.equal(await bySomebody(async () => assert.equal((await get()).text, 'answer two')), 0);
});

test('who has the answer gets 304', async () => {
  await get();
  const has = async (): Promise<void> => {
    const { status, headers, text } = await get({ 'if-none-match': '"two", "other"' });
    assert.deepEqual([status, text, headers.etag, headers['x-always']], [304, '', '"two"', 'yes']);
    assert.equal(headers['content-length'], undefined);
  };
  assert.equal(await bySomebody(has), 0);
  assert.equal((await get({ 'if-none-match': '"one"' })).status, 200);
});

test('who says something of himself, asks otherwise or elsewhere is answered by the app', async () => {
  await get();
  assert.equal(await bySomebody(() => get({ authorization: 'Bearer abc' })), 1);
  assert.equal(await bySomebody(() => get({ 'x-token': 'abc' })), 1);
  assert.equal(await bySomebody(() => get({}, '/kept?token=abc')), 1);
  assert.equal((await get({}, '/kept', 'POST')).status, 404);
  assert.equal(await bySomebody(() => get()), 0);
});

test('when nobody knows what is stored the app answers', async () => {
  await get();
  stored = 'lost';
  assert.equal(await bySomebody(() => get()), 1);
  stored = 'three';
  content.version = 3;
  assert.equal((await get()).text, 'answer three');
});

test('what a commit has not touched is answered again without the app', async () => {
  const says = (text: string) => bySomebody(async () => assert.equal((await get()).text, text));
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

test('one that closes knows nothing', async () => {
  await get();
  known.close();
  assert.equal(await bySomebody(() => get()), 1);
  assert.equal(await bySomebody(() => get()), 1);
});
