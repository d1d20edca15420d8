/** Programs in pages of other origins: every method of the interface, in every version. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer, type TestAnswer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'a' });
});
test.after(() => server?.stop());

const origin = 'https://elsewhere.example';

const options = (path: string, headers: Record<string, string>): Promise<TestAnswer> =>
  server.request('OPTIONS', path, { headers });

const preflight = (path: string, method: string): Promise<TestAnswer> =>
  options(path, {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type,if-match,x-token',
  });

for (const version of ['2.8', '2.0', '1.0']) {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    test(`a preflight of ${method} is granted in version ${version}`, async () => {
      const { status, headers } = await preflight(`//api/${version}/demo/m/layers/a/`, method);
      assert.ok(status === 200 || status === 204, String(status));
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('access-control-allow-credentials'), null);
      const list = (name: string): string[] => (headers.get(name) ?? '').toLowerCase().split(/,\s*/);
      assert.ok(list('access-control-allow-methods').includes(method.toLowerCase()));
      for (const header of ['authorization', 'content-type', 'if-match', 'x-token'])
        assert.ok(list('access-control-allow-headers').includes(header), header);
    });
  }
}

test('a change from another origin is carried out, and its answer may be read', async () => {
  const answer = await server.request('PATCH', '/m/layers/a/', {
    token: server.adminToken,
    headers: { origin },
    body: { name: 'A' },
  });
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, '*']);
});

test('OPTIONS that is no preflight lists the methods of the path', async () => {
  for (const [path, allow] of [
    ['/m/layers/a/', 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'],
    ['/m/layers/a/objects/1/geom/', 'GET, HEAD, PUT, OPTIONS'],
    ['/login/', 'POST, OPTIONS'],
    ['//tms/demo/m/', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const { status, headers, text } = await options(path, {});
    assert.deepEqual([status, headers.get('allow'), text], [204, allow, ''], path);
  }
});

test('a method that a path does not have is 405 with the same list', async () => {
  const { status, headers } = await server.request('PUT', '/login/', { body: {} });
  assert.deepEqual([status, headers.get('allow')], [405, 'POST, OPTIONS']);
});
