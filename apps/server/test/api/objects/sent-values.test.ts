import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import test, { after, before } from 'node:test';
import { startServer, type TestServer } from '../../support/server.js';

/** Headers and names that a client invents, which must be harmless where they are looked up, repeated or stored. */

let server: TestServer;
const layer = '/m/layers/l';
const asJson = { accept: 'application/json' };
before(async () => {
  server = await startServer({ CARTULARY_FRAME_ANCESTORS: "'self' https://example.org" });
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  await server.admin('POST', `${layer}/structure/`, { code: 'name', type: 'string' });
  await server.admin('POST', `${layer}/objects/`, { fields: { name: 'ё' } });
  await server.admin('POST', `${layer}/objects/`, { fields: { name: 'two' } });
});
after(() => server.stop());

/** Names of properties that every object inherits. */
const inherited = ['__proto__', 'constructor', 'con-structor', 'toString', 'valueOf', 'hasOwnProperty'];

test('a name that every object has is no encoding, format, type or operator', async () => {
  const token = server.adminToken;
  for (const name of inherited) {
    const body = (value: unknown) => ({ token, body: value, headers: asJson });
    const csv = { token, body: 'name\nx\n', headers: { ...asJson, 'x-filename': 'a.csv' } };
    const answers = await Promise.all([
      server.request('GET', `${layer}/export/?format=csv&encoding=${name}`, { token, headers: asJson }),
      server.request('GET', `${layer}/export/?format=shp&encoding=${name}`, { token, headers: asJson }),
      server.request('GET', `${layer}/export/?format=${name}`, { token, headers: asJson }),
      server.request('POST', `${layer}/import/?encoding=${name}`, csv),
      server.request('GET', `${layer}/objects/?f=${name}`, { token, headers: asJson }),
      server.request('GET', `${layer}/objects/?fields=${name}&sort=${name}`, { token, headers: asJson }),
      server.request('POST', `${layer}/structure/`, body({ code: `t${name.length}`, type: name })),
      server.request('POST', `${layer}/filter/`, body({ filter: { op: name, args: [] } })),
      server.request(
        'POST',
        `${layer}/objects/`,
        body({ fields: {}, geom: { type: name, coordinates: [0, 0] } }),
      ),
      server.request('PATCH', `${layer}/`, body({ css_style: `#l { ${name}: 1; }` })),
      server.request('PATCH', `${layer}/`, body({ css_style: `#l { polygon-fill: ${name}(1); }` })),
      server.request('PATCH', `${layer}/`, body({ visualSettings: { type: name } })),
      server.request('POST', '/m/layers/', body({ code: `x${name.length}`, type: name })),
      server.request('GET', `/icons/${name}/`, { token, headers: asJson }),
    ]);
    for (const [i, { status, text }] of answers.entries()) {
      assert.ok(status >= 400, `${name} ${i}: ${status} ${text.slice(0, 200)}`);
      assert.ok(!text.includes('"internal"'), `${name} ${i}: ${text}`);
    }
  }
});

test('values and names by language are stored under the code as the project spells it', async () => {
  const text = { code: 'word', type: 'string', localized_value: true, localized_name: true };
  const names = { EN: 'Word', RU: 'Слово' };
  assert.equal((await server.admin('POST', `${layer}/structure/`, { ...text, name: names })).name, 'Word');
  const { id } = await server.admin('POST', `${layer}/objects/`, {
    fields: { word: { EN: 'one', Ru: 'раз' } },
  });
  await server.admin('POST', `${layer}/objects/batch/`, {
    update: [{ id, fields: { word: { RU: 'два' } } }],
  });
  const object = await server.admin('GET', `${layer}/objects/${id}/?lng=ru`);
  assert.equal(object.fields.word, 'два');
  await server.admin('PUT', `${layer}/objects/${id}/`, { fields: { word: { en: null, ru: null } } });
  assert.equal((await server.admin('GET', `${layer}/objects/${id}/`)).fields.word, null);
  const columns = await server.admin('GET', `${layer}/structure/?lng=ru`);
  assert.equal(columns.find(({ code }: { code: string }) => code === 'word').name, 'Слово');
  for (const [path, body] of [
    ['/m/folders/', { code: 'spelled' }],
    ['/m/layers/', { code: 'spelled_layer' }],
  ] as const)
    await server.admin('POST', path, { ...body, localized_name: true, name: names });
  for (const path of ['/m/folders/spelled/', '/m/layers/spelled_layer/'])
    assert.equal((await server.admin('GET', `${path}?lng=ru`)).name, 'Слово', path);
  await server.admin('DELETE', `${layer}/structure/word/`);
});

test('a number beyond the range is refused, not stored as null', async () => {
  const token = server.adminToken;
  await server.admin('POST', `${layer}/structure/`, { code: 'more', type: 'json' });
  for (const [method, path, body, status] of [
    ['POST', `${layer}/objects/`, '{"fields":{"more":{"a":1e400}}}', 500],
    ['PATCH', `${layer}/`, '{"json":{"a":[1e400]}}', 400],
    ['PATCH', '/m/', '{"json":{"a":-1e400}}', 400],
  ] as const) {
    const answer = await server.request(method, path, { token, body, headers: asJson });
    assert.equal(answer.status, status, `${path}: ${answer.text}`);
  }
  await server.admin('DELETE', `${layer}/structure/more/`);
});

test('a NUL in a path or a value is a fault of the request', async () => {
  const token = server.adminToken;
  const paths = [
    '/icons/%00/',
    '/icons/a%00b/',
    '/%00/',
    '/m/layers/%00/',
    '/m/layers/l/structure/%00/',
    '/m/folders/%00/',
    '/users/%00/',
    '/jobs/%00/',
    '/files/%00/',
    '//api/2.8/%00/m/',
    '//tms/demo/%00/?x=0&y=0&z=0',
    '//mvt/demo/m%00/tilejson.json',
    '//maps/demo/%00/',
    '//maps/%00/m/',
    '//pages/maps.json?map=%00',
    '//pages/maps.json?project=%00',
    '/m/search/?text=%00',
    '/rights/explain/?login=%00',
    '/rights/explain/?login=admin&map=%00',
    '/rights/explain/?login=admin&map=m&layer=%00',
    '/users/info/?login=%00',
    `${layer}/export/?format=%00`,
    `${layer}/constraints/?name=%00`,
  ];
  for (const path of paths) {
    for (const method of ['GET', 'DELETE']) {
      if (method === 'DELETE' && path.startsWith('//')) continue;
      const { status, text } = await server.request(method, path, { token, headers: asJson });
      assert.ok(!text.includes('"internal"'), `${method} ${path}: ${status} ${text}`);
    }
  }
  assert.equal((await server.request('GET', '/icons/%00/', { token, headers: asJson })).status, 400);
  const logins = await Promise.all([
    server.request('POST', '/login/', { body: { login: 'a\0', password: 'b\0' }, headers: asJson }),
    server.request('GET', '/m/?token=a%00', { headers: asJson }),
  ]);
  for (const { text } of logins) assert.ok(!text.includes('"internal"'), text);
});

interface Asked {
  headers: Record<string, unknown>;
  text: string;
}

/** The answer to a request with another host than that of the connection. */
const asked = (path: string, host: string): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const url = new URL(path, server.url);
    const headers = { host, 'x-token': server.adminToken };
    const request = httpRequest(url, { headers }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ headers: response.headers, text });
    });
    request.on('error', reject).end();
  });

test('the host of a request is repeated only where it is one of those of the settings', async () => {
  const paths = [
    '/api/2.8/demo/m/layers/l/objects/?limit=1',
    '/mvt/demo/m/tilejson.json',
    '/api/2.0/demo/?map_code=m',
    '/api/2.8/openapi.json',
    '/api/',
    '/',
    '/maps/demo/m/',
    '/maps/demo/m',
    '/api/2.8/docs/',
    '/nothing',
  ];
  for (const path of paths) {
    for (const host of ['evil.example', 'evil.example:8080', 'localhost.evil.example']) {
      const { headers, text } = await asked(path, host);
      assert.ok(!`${JSON.stringify(headers)}${text}`.includes('evil.example'), `${path} ${host}`);
    }
  }
  assert.match(
    (await asked(paths[0]!, 'evil.example')).headers.link as string,
    /^<\/api\/2\.8\/demo\/m\/layers/,
  );
  assert.deepEqual(JSON.parse((await asked(paths[1]!, 'evil.example')).text).tiles, [
    '/mvt/demo/m/{z}/{x}/{y}.pbf',
  ]);
  assert.deepEqual(JSON.parse((await asked(paths[1]!, 'localhost:1234')).text).tiles, [
    'http://localhost:1234/mvt/demo/m/{z}/{x}/{y}.pbf',
  ]);
});

test('an error does not repeat all that was sent', async () => {
  const name = 'x'.repeat(1_000_000);
  const body = { fields: { [name]: 1 } };
  for (const accept of ['application/json', 'text/html']) {
    const options = { token: server.adminToken, body, headers: { accept } };
    const { status, text } = await server.request('POST', `${layer}/objects/`, options);
    assert.equal(status, 400);
    assert.ok(text.length < 10_000, `${text.length}`);
  }
});

test('every page restricts what it may load and who may frame it', async () => {
  const pages: [path: string, frames: string][] = [
    ['//', "'none'"],
    ['//maps/demo/m/', "'self' https://example.org"],
    ['//maps/demo/nothing/', "'self' https://example.org"],
    ['//maps/x', "'self' https://example.org"],
    ['//api/2.8/docs/', "'none'"],
    ['//nothing', "'none'"],
    ['/nothing/', "'none'"],
  ];
  for (const [path, frames] of pages) {
    const { headers } = await server.request('GET', path, { headers: { accept: 'text/html' } });
    assert.match(headers.get('content-type') ?? '', /^text\/html/, path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.ok(policy.split('; ').includes(`frame-ancestors ${frames}`), `${path}: ${policy}`);
    assert.ok(policy.includes("default-src 'none'"), `${path}: ${policy}`);
    assert.doesNotMatch(policy, /(script|default)-src[^;]*unsafe/, path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.match(headers.get('referrer-policy') ?? '', /^(same-origin|no-referrer)$/, path);
  }
});
