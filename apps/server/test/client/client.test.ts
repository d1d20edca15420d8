import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { type AnyClientError, CartularyClient, ClientError, isClientError } from '@cartulary/client';
import { adminPassword, startServer, type TestServer } from '../support/server.js';
import { freshLayer, points, signedIn } from './support.js';

let server: TestServer;
let client: CartularyClient;
before(async () => {
  server = await startServer();
  client = await signedIn(server);
});
after(() => server.stop());

/** The error that a promise rejects with. */
const failure = (promise: Promise<unknown>): Promise<AnyClientError> =>
  promise.then(
    () => assert.fail('it should have failed'),
    (error) => {
      assert.ok(isClientError(error), String(error));
      return error;
    },
  );

const layerFunction = '/api/2.8/{project}/{map}/layers/{layer}/';

test('calls: typed answers, errors of the catalogue, addresses', async () => {
  const path = await freshLayer(client);
  const layer = await client.get(layerFunction, { params: { path, query: { returnBbox: '1' } } });
  const code: string = layer.code;
  assert.equal(code, 'wells');
  assert.ok(Number.isInteger(layer.id));
  const renamed = await client.patch(layerFunction, { params: { path }, body: { name: 'Wells' } });
  assert.equal(renamed.name, 'Wells');

  const missing = await failure(client.get(layerFunction, { params: { path: { ...path, layer: 'none' } } }));
  assert.deepEqual([missing.code, missing.status], ['layer_not_found', 404]);
  const incomplete = await failure(client.post('/api/2.8/{project}/', { body: {} as { code: string } }));
  assert.deepEqual([incomplete.code, incomplete.status], ['required_missing', 500]);
  assert.deepEqual(incomplete.data, { required: ['code'] });
  const anonymous = new CartularyClient({ url: `${server.url}/`, project: 'demo' });
  const refusals: number[] = [];
  const refused = new CartularyClient({
    url: server.url,
    project: 'demo',
    token: 'wrong',
    onRefusal: (status) => refusals.push(status),
  });
  assert.equal((await failure(refused.get('/api/2.8/{project}/users/info/'))).code, 'not_authenticated');
  assert.deepEqual(refusals, [401]);
  assert.equal((await failure(anonymous.post('/api/2.8/{project}/', { body: { code: 'x' } }))).status, 401);

  const address = client.address('/api/2.8/{project}/{map}/layers/{layer}/icon/', {
    path: { map: 'a b', layer: 'ü' },
    query: { size: 44 },
  });
  assert.equal(address, `${server.url}/api/2.8/demo/a%20b/layers/%C3%BC/icon/?size=44`);
});

test('sign-in by token, sign-out', async () => {
  const own = new CartularyClient({ url: server.url, project: 'demo' });
  const wrong = await failure(own.signIn({ login: 'admin', password: 'wrong' }));
  assert.deepEqual([wrong.code, wrong.status], ['login_failed', 403]);
  await own.signIn({ login: 'admin', password: adminPassword });
  assert.ok(own.token);
  assert.equal((await own.get('/api/2.8/{project}/users/info/')).login, 'admin');
  const { token } = own;
  await own.signOut();
  assert.equal(own.token, '');
  own.token = token;
  assert.equal((await failure(own.get('/api/2.8/{project}/users/info/'))).code, 'not_authenticated');
});

test('a list goes through all pages, with a filter too, and stops where the loop does', async () => {
  const path = await freshLayer(client);
  await (await client.importFile(path, { name: 'p.geojson', source: points(25) })).result();
  const requests: string[] = [];
  const counting = await signedIn(server, {
    fetch: (request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname.split('/').at(-2)}`);
      return fetch(request);
    },
  });
  requests.length = 0;
  const names = async (list: AsyncIterable<{ fields: Record<string, unknown> }>): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const { fields } of list) found.push(fields.name);
    return found;
  };
  const all = await names(counting.objects(path, { fields: 'name' }, { pageSize: 10 }));
  assert.deepEqual(
    all,
    Array.from({ length: 25 }, (_, i) => `n ${i + 1}`),
  );
  assert.deepEqual(requests, ['GET objects', 'GET objects', 'GET objects']);

  requests.length = 0;
  const filter = { op: 'like', args: [{ property: 'name' }, 'n 1%'] };
  const some = await names(counting.objects(path, { fields: 'name', filter }, { pageSize: 4 }));
  assert.equal(some.length, 11);
  assert.ok(some.every((name) => String(name).startsWith('n 1')));
  assert.deepEqual(requests, ['POST filter', 'POST filter', 'POST filter']);

  requests.length = 0;
  for await (const _ of counting.objects(path, {}, { pageSize: 10 })) break;
  assert.equal(requests.length, 1);
});

test('a signal ends calls, lists, uploads and what is awaited of jobs', async () => {
  const path = await freshLayer(client);
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  const is = (error: unknown): boolean => error === reason || (error as Error).name === 'AbortError';
  await assert.rejects(client.get(layerFunction, { params: { path }, signal }), is);
  await assert.rejects(client.objects(path, {}, { signal }).next(), is);
  await assert.rejects(client.importFile(path, { name: 'p', source: points(1) }, { signal }), is);
  await assert.rejects(client.job('00000000-0000-4000-8000-000000000000').result({ signal }), is);

  const controller = new AbortController();
  const endless = new ReadableStream<Uint8Array>({
    pull: (stream) => stream.enqueue(new Uint8Array(65_536).fill(32)),
  });
  const sending = client.importFile(
    path,
    { name: 'p.geojson', source: endless },
    { signal: controller.signal, onProgress: (sent) => sent > 1_000_000 && controller.abort(reason) },
  );
  await assert.rejects(sending, is);
  assert.equal(await client.get(`${layerFunction}count/`, { params: { path } }), 0);
});

test('reads are repeated while the service is busy, writes are not', async () => {
  const path = await freshLayer(client);
  let refusals = 2;
  const answers: number[] = [];
  const busy: boolean[] = [];
  const onBusy = (is: boolean): number => busy.push(is);
  const flaky = await signedIn(server);
  const refusing = new CartularyClient({
    url: server.url,
    project: 'demo',
    token: flaky.token,
    fetch: async (request) => {
      const isRefused = refusals-- > 0;
      const body = JSON.stringify({ error: 'error', code: 'busy', message: 'Busy', data: {} });
      const response = isRefused
        ? new Response(body, { status: 503, headers: { 'retry-after': '1' } })
        : await fetch(request);
      answers.push(response.status);
      return response;
    },
    onBusy,
  });
  await refusing.get(layerFunction, { params: { path }, onBusy });
  assert.deepEqual(answers, [503, 503, 200]);
  assert.deepEqual(busy, [true, true, false, false]);

  refusals = 1;
  const write = refusing.post(`${layerFunction}objects/`, { params: { path }, body: { fields: {} } });
  const { code, status, retryAfter } = await failure(write);
  assert.deepEqual([code, status, retryAfter], ['busy', 503, 1]);
  assert.equal(await client.get(`${layerFunction}count/`, { params: { path } }), 0);

  refusals = 1;
  const filter = client.address(`${layerFunction}objects/`, { path }).replace('objects/', 'filter/');
  assert.deepEqual(await refusing.read(filter, { method: 'POST', json: {}, isRead: true }), []);
});

test('where nothing answers, or something else, the error says so', async () => {
  const nowhere = new CartularyClient({ url: 'http://127.0.0.1:9', project: 'demo' });
  const lost = await failure(nowhere.signIn({ login: 'admin', password: 'x' }));
  assert.deepEqual([lost.code, lost.status], ['unreachable', 0]);
  const proxy = new CartularyClient({
    url: server.url,
    project: 'demo',
    fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
  });
  const strange = await failure(proxy.get('/api/'));
  assert.deepEqual([strange.code, strange.status], ['unexpected', 502]);
});

test('the token stays with the service: a link to another host is not followed, an address there gets no token', async () => {
  const seen: [string, string | null][] = [];
  const own = new CartularyClient({
    url: server.url,
    project: 'demo',
    token: 'secret',
    fetch: async (request) => {
      seen.push([request.url, request.headers.get('authorization')]);
      const isFirst = !request.url.includes('cursor=');
      const link: Record<string, string> = isFirst
        ? { link: '<http://192.0.2.1/x/?cursor=1>; rel="next"' }
        : {};
      return Response.json([{ id: 1, fields: {} }], { headers: link });
    },
  });
  let count = 0;
  for await (const _ of own.objects({ map: 'm', layer: 'l' })) count++;
  assert.equal(count, 2);
  const list = `${server.url}/api/2.8/demo/m/layers/l/objects/`;
  assert.deepEqual(seen, [
    [list, 'Bearer secret'],
    [`${list}?cursor=1`, 'Bearer secret'],
  ]);
  await own.read('http://192.0.2.1/elsewhere/');
  assert.deepEqual(seen.pop(), ['http://192.0.2.1/elsewhere/', null]);
  await own.read('/api/');
  assert.deepEqual(seen.pop(), [`${server.url}/api/`, 'Bearer secret']);
});

test('errors are told apart by their code', () => {
  const text = (error: AnyClientError): string => {
    switch (error.code) {
      case 'required_missing':
        return `required: ${error.data.required}`;
      case 'unreachable':
        return 'no answer';
      default:
        return error.message;
    }
  };
  const error: ClientError = new ClientError('required_missing', 'x', { data: { required: ['code'] } });
  assert.ok(isClientError(error));
  assert.equal(text(error), 'required: code');
  assert.ok(!isClientError(new Error('x')));
});
