import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@cartulary/sql/internal/sql.js';
import { startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  await server.admin('POST', '/m/layers/l/structure/', { code: 'name', type: 'string' });
});
after(() => server.stop());

test('a filter of a megabyte, of many terms or of great depth is refused', async () => {
  const long = { op: '=', args: [{ property: 'name' }, 'x'.repeat(1_100_000)] };
  const term = { op: '=', args: [{ property: 'name' }, 'x'] };
  const many = { op: 'or', args: Array(10_000).fill(term) };
  const deep = Array.from({ length: 150 }).reduce((inner) => ({ op: 'not', args: [inner] }), term);
  for (const filter of [long, many, deep]) {
    const answer = await server.request('POST', '/m/layers/l/filter/', { body: { filter } });
    assert.equal(answer.status, 400, answer.text.slice(0, 300));
    assert.match(answer.text, /filter/);
  }
});

test('a body that is nested 100,000 deep is refused wherever it is sent', async () => {
  const nested = '['.repeat(100_000) + ']'.repeat(100_000);
  for (const [path, body] of [
    ['/m/layers/l/filter/', `{"filter": ${nested}}`],
    ['/m/layers/l/objects/', `{"fields": {"name": ${nested}}}`],
    ['/m/layers/l/objects/', `{"fields": {}, "geom": ${nested}}`],
    ['/m/folders/', `{"json": ${nested}}`],
    ['/m/folders/', nested],
    ['/m/layers/l/import/', nested],
  ] as const) {
    const headers = { 'content-type': 'application/json' };
    const answer = await server.request('POST', path, { token: server.adminToken, body, headers });
    assert.ok(answer.status >= 400, `${path} ${answer.status}`);
    assert.ok(!/"internal"/.test(answer.text), `${path} ${answer.text.slice(0, 300)}`);
  }
});

test('a list of 10,000 ids of which none exists deletes nothing', async () => {
  const delete_params = Array.from({ length: 10_000 }, (_, i) => i + 1_000_000).join(';');
  const { adminToken: token } = server;
  const answer = await server.request('DELETE', '/m/layers/l/objects/', { token, body: { delete_params } });
  assert.equal(answer.status, 404);
});

test('what the router and the parser refuse is answered in our form', async () => {
  const headers = { accept: 'application/json' };
  const long = await server.request('GET', `/${'x'.repeat(600)}/`, { headers });
  assert.equal(long.status, 414);
  assert.equal(long.json.code, 'too_large');
  const broken = await server.request('GET', '/%E0%A4%A/', { headers });
  assert.equal(broken.status, 400);
  assert.equal(broken.json.code, 'bad_request');
});

test('no answer can be read as another media type, including those of the router and the parser', async () => {
  for (const path of ['//%', '//%00', '//docs/none/', '//assets/', `//${'x'.repeat(20_000)}`, '//none/']) {
    for (const accept of ['text/html', 'application/json']) {
      const { status, headers, text } = await server.request('GET', path, { headers: { accept } });
      const about = `${path.slice(0, 20)} ${text.slice(0, 200)}`;
      assert.ok([400, 404, 414, 431].includes(status), about);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', about);
      if (/html/.test(headers.get('content-type')!))
        assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, about);
    }
  }
});

test('an address of 10 MB is refused, and the service keeps answering', async () => {
  const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = httpRequest(`${server.url}/api/?a=${'x'.repeat(10 * 1024 * 1024)}`, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
      response.on('error', reject);
    });
    // The service stops reading: the rest of the address may meet a closed connection.
    sent.on('error', () => resolve({ status: 431, text: '{"code":"too_large"}' }));
    sent.end();
  });
  assert.equal(answer.status, 431);
  assert.equal(JSON.parse(answer.text).code, 'too_large');
  assert.equal((await server.request('GET', '//readyz')).status, 200);
});

/** Statements of requests that run now on PostgreSQL. */
const running = async (): Promise<number> => {
  const [row] = await server.db.query<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'`);
  return row!.count;
};

test('a client that leaves stops the work', { skip: !process.env.TEST_DATABASE_URL }, async () => {
  const features = Array.from({ length: 20_000 }, (_, i) => ({
    type: 'Feature',
    properties: { name: `n${i}` },
    geometry: { type: 'Point', coordinates: [(i % 360) - 180, (i % 170) - 85] },
  }));
  await server.admin('POST', '/m/layers/l/import/', { type: 'FeatureCollection', features });
  const [layer] = await server.admin('GET', '/m/layers/?type=full');
  const body = { fields: '*', returnGeom: 1, limit: 50_000 };
  for (const [method, path, sent] of [
    ['GET', '/m/layers/l/objects/?fields=*&returnGeom=1&limit=50000', undefined],
    ['GET', '/m/layers/l/export/?format=geojson', undefined],
    ['POST', '/m/layers/l/filter/', body],
    ['GET', `//tms/demo/m/?z=0&x=0&y=0&layers=${layer.id}`, undefined],
  ] as const) {
    const leaving = new AbortController();
    const answer = server.request(method, path, { body: sent, signal: leaving.signal });
    setImmediate(() => leaving.abort());
    await assert.rejects(answer, /abort/i, path);
    // Nothing signals that the database has ended a statement, so the test polls.
    while ((await running()) > 0) await sleep(20);
  }
  assert.equal(await server.admin('GET', '/m/layers/l/count/?precise=1'), 20_000);
});
