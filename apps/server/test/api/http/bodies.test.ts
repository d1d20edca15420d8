import assert from 'node:assert/strict';
import { type ClientRequest, request as httpRequest } from 'node:http';
import test, { after, before } from 'node:test';
import { startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
const layer = '/m/layers/l';
before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  await server.admin('POST', `${layer}/structure/`, { code: 'name', type: 'string' });
  await server.admin('POST', `${layer}/structure/`, { code: 'j', type: 'json' });
  await server.admin('POST', `${layer}/objects/`, { fields: { name: 'one' } });
});
after(() => server.stop());

const json = { 'content-type': 'application/json', accept: 'application/json' };
const [small, medium, large] = [64 * 1024, 2 * 1024 * 1024, 8 * 1024 * 1024];

/** Every function that takes a body, with its maximum size. */
const limits: [method: string, path: string, limit: number][] = [
  ['POST', '/login/', small],
  ['POST', '/logout/', small],
  ['POST', '/ext-login/', small],
  ['POST', '/ext-auth/', small],
  ['POST', '/users/', small],
  ['PATCH', '/users/ann/', small],
  ['PUT', '/rights/', medium],
  ['PUT', '/m/rights/', medium],
  ['PUT', `${layer}/rights/`, medium],
  ['POST', '/', medium],
  ['PATCH', '/m/', medium],
  ['POST', '/m/publish/', medium],
  ['POST', '/m/folders/', small],
  ['PATCH', '/m/folders/f/', small],
  ['POST', '/m/layers/', medium],
  ['PATCH', `${layer}/`, medium],
  ['POST', `${layer}/structure/`, small],
  ['PATCH', `${layer}/structure/name/`, small],
  ['POST', `${layer}/constraints/`, small],
  ['POST', `${layer}/dictionaries/l/`, small],
  ['POST', `${layer}/legend/refresh/`, small],
  ['POST', `${layer}/refresh/`, small],
  ['POST', `${layer}/makevalid/`, small],
  ['POST', `${layer}/filter/`, medium],
  ['DELETE', `${layer}/objects/`, medium],
  ['POST', `${layer}/objects/`, large],
  ['POST', `${layer}/objects/batch/`, large],
  ['POST', `${layer}/objects/1/copy/`, small],
  ['POST', `${layer}/objects/1/files/`, small],
  ['PUT', `${layer}/objects/1/`, large],
  ['PUT', `${layer}/objects/1/geom/`, large],
];

interface OpenRequest {
  request: ClientRequest;
  answer: Promise<{ status: number; text: string }>;
}

/** A request whose body the test writes in pieces. */
function begin(method: string, path: string, headers: Record<string, string | number>): OpenRequest {
  const url = new URL(`/api/2.8/demo${path}`, server.url);
  const request = httpRequest(url, {
    method,
    headers: { ...json, 'x-token': server.adminToken, ...headers },
  });
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode!, text });
    });
  });
  return { request, answer };
}

const isTooLarge = (
  { status, text }: { status: number; text: string },
  limit: number,
  what: string,
): void => {
  assert.equal(status, 413, `${what}: ${text}`);
  const { code, data } = JSON.parse(text);
  assert.deepEqual([code, data.limit], ['too_large', limit], what);
};

for (const [method, path, limit] of limits) {
  test(`${method} ${path} refuses more than ${limit} bytes before they are read`, async () => {
    const declared = begin(method, path, { 'content-length': limit + 1 });
    declared.request.flushHeaders();
    isTooLarge(await declared.answer, limit, 'declared');
    declared.request.destroy();
    const undeclared = begin(method, path, { 'transfer-encoding': 'chunked' });
    undeclared.request.write(Buffer.alloc(limit + 1, ' '));
    isTooLarge(await undeclared.answer, limit, 'without a declared length');
    undeclared.request.destroy();
  });
}

test('a client that sends all of a too large body reads the answer', async () => {
  const { request, answer } = begin('POST', '/login/', { 'content-length': large });
  request.end(Buffer.alloc(large, ' '));
  isTooLarge(await answer, small, 'login');
});

test('a form of many fields and a multipart form that is too large are refused', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const many = begin('POST', '/login/', form);
  many.request.end('a=1&'.repeat(2_000));
  isTooLarge(await many.answer, 1_000, 'fields of a form');
  const part = (name: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
  const parts = begin('POST', '/login/', { ...multipart, 'transfer-encoding': 'chunked' });
  parts.request.end(`${part('login', 'x'.repeat(40_000))}${part('password', 'y'.repeat(40_000))}--b--\r\n`);
  isTooLarge(await parts.answer, small, 'multipart');
  const fields = begin('POST', '/login/', multipart);
  fields.request.end(`${part('a', '1').repeat(150)}--b--\r\n`);
  isTooLarge(await fields.answer, 100, 'fields of a multipart form');
});

test('a form that is decoded in pieces keeps every field, and the last of equal names', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const ignored = Array.from({ length: 60 }, (_, i) => `x${i}=${encodeURIComponent('й'.repeat(700))}`).join(
    '&',
  );
  const { request, answer } = begin('POST', `${layer}/filter/`, form);
  request.end(`fields=nothing&${ignored}&limit=1&${ignored}&fields=na%6De`);
  const { status, text } = await answer;
  assert.equal(status, 200, text);
  assert.deepEqual(
    JSON.parse(text).map((object: any) => object.fields),
    [{ name: 'one' }],
  );
});

test('the key __proto__ is refused in every spelling', async () => {
  for (const key of ['__proto__', '\\u005f_proto__', '__pro\\u0074o__', '__\\u0070\\u0072oto_\\u005F']) {
    for (const path of ['/login/', `${layer}/filter/`, `${layer}/objects/`]) {
      const { request, answer } = begin('POST', path, {});
      request.end(`{"fields":{"x":{"${key}":{"isAdmin":true}}}}`);
      const { status, text } = await answer;
      assert.equal(status, 400, text);
      assert.match(text, /__proto__ is not allowed/);
    }
  }
});

test('a request sent after a large body is answered before it', async () => {
  const ring = `[[0,0],[1,2],${'[1,3],'.repeat(1_000_000)}[0,0]]`;
  const bodies: [method: string, path: string, body: string, status: number][] = [
    ['PUT', `${layer}/objects/1/geom/`, `{"type":"Polygon","coordinates":[${ring}]}`, 200],
    ['POST', `${layer}/objects/batch/`, `{"create":[${'{},'.repeat(2_500_000)}{}]}`, 413],
    ['PUT', `${layer}/objects/1/`, `{"fields":{"j":[${'{},'.repeat(2_500_000)}{}]}}`, 500],
    ['POST', `${layer}/filter/`, `{"x":[${'{},'.repeat(600_000)}{}],"limit":1}`, 200],
  ];
  for (const [method, path, body, status] of bodies) {
    const order: string[] = [];
    const sent = begin(method, path, { 'content-length': body.length });
    const ended = sent.answer.then((answer) => {
      order.push('large');
      assert.equal(answer.status, status, answer.text.slice(0, 300));
    });
    await new Promise((resolve) => sent.request.end(body, resolve as () => void));
    // Each request follows the answer to the previous one: a large body sent as one piece would arrive before the first.
    for (let i = 0; i < 5; i++) {
      await fetch(new URL('/readyz', server.url));
      order.push('small');
    }
    await ended;
    assert.equal(order.at(-1), 'large', `${path}: ${order}`);
  }
});

test('lists of names and values that would take long to process are refused', async () => {
  const send = (body: unknown) =>
    server.request('POST', `${layer}/filter/`, { body, headers: { accept: 'application/json' } });
  const bodies = [
    { fields: Array(20_000).fill('name') },
    { fields: 'name', sort: Array(20_000).fill('name').join('|') },
    { fields: 'name', fcode: 'name', fval: Array(20_000).fill('x').join('|') },
  ];
  for (const body of bodies) assert.equal((await send(body)).status, 400);
});
