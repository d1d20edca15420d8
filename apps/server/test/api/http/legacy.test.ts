import assert from 'node:assert/strict';
import { get, request as open } from 'node:http';
import test from 'node:test';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import Fastify from 'fastify';
import { legacyRoutes } from '../../../src/legacy/routes.js';
import type { Services } from '../../../src/services.js';
import { adminPassword, startServer, type TestAnswer, type TestServer } from '../../support/server.js';
import { signIn } from '../access/people.js';

const versions = ['2.0', '1.0'] as const;
type Version = (typeof versions)[number];
const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });

let server: TestServer;
test.before(async () => {
  server = await startServer({}, 'here');
  await server.admin('POST', '/', { code: 'm', name: 'Map' });
  for (const code of ['points', 'mixed', 'shown', 'empty'])
    await server.admin('POST', '/m/layers/', { code });
  await server.admin('POST', '/m/layers/points/structure/', { code: 'at', type: 'datetime', name: 'At' });
  await server.admin('POST', '/m/layers/points/structure/', { code: 'n', type: 'number' });
  const add = (layer: string, geom: object, fields = {}) =>
    server.admin('POST', `/m/layers/${layer}/objects/`, { geom, fields });
  await add('points', point(10, 20), { n: 1, at: '2024-05-01T00:00:00Z' });
  await add('points', { type: 'MultiPoint', coordinates: [[30, 40]] }, { n: 2 });
  await add('mixed', point(1, 1));
  await add('mixed', {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [2, 2],
    ],
  });
  await server.admin('PATCH', '/m/layers/shown/', {
    visualSettings: { type: 1, columnCode: 'svc_id' },
    icon: '/api/2.8/demo/m/layers/shown/icon/',
  });
});
test.after(() => server.stop());

/** A request to a function of a version. */
const ask = (version: string, method: string, path: string, options = {}): Promise<TestAnswer> =>
  server.request(method, `//api/${version}/demo${path}`, options);
/** The same as the administrator, answered 200. */
async function admin(version: string, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await ask(version, method, path, { token: server.adminToken, body });
  assert.equal(answer.status, 200, `${version} ${method} ${path}: ${answer.text}`);
  return answer.json;
}
/** Status and code of a failure. */
async function failure(version: string, method: string, path: string, options = {}): Promise<unknown[]> {
  const answer = await ask(version, method, path, {
    headers: { accept: 'application/json' },
    token: server.adminToken,
    ...options,
  });
  return [answer.status, answer.json?.code];
}
const byCode = (items: any[], code: string): any => items.find((item) => item.code === code);
/** A GET with a body, which fetch refuses to send. */
const getWithBody = (path: string, type: string, body: string): Promise<{ status: number; json: any }> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': type, 'content-length': body.length, accept: 'application/json' };
    const sent = open(`${server.url}${path}`, { method: 'GET', headers }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      resolve({ status: response.statusCode!, json: JSON.parse(Buffer.concat(parts).toString()) });
    });
    sent.on('error', reject).end(body);
  });

test('the versions that are served', async () => {
  assert.deepEqual((await server.request('GET', '//api/')).json, ['2.8', '2.0', '1.0']);
  const { json } = await server.request('GET', '//api/2.8/openapi.json');
  assert.deepEqual(
    Object.keys(json.paths).filter((path) => /api\/[^2]|api\/2\.[^8]/.test(path)),
    [],
    'the document describes 2.8 alone',
  );
  assert.equal((await server.request('GET', '//api/3.0/demo/m/')).status, 404);
});

test('session lifetime: a month in 2.0, ten minutes in 1.0; a token is good in every version', async () => {
  const idle = async (version: string): Promise<number> => {
    const { token } = (
      await ask(version, 'POST', '/login/', { body: { user: 'admin', pass: adminPassword } })
    ).json;
    for (const other of ['2.8', ...versions]) {
      const { status } = await ask(other, 'GET', '/m/layers/points/objects/1/geom/', { token });
      assert.equal(status, 200, `${version} in ${other}`);
    }
    const [newest] = await server.db.query<{ idle_seconds: number }>(
      sql`select idle_seconds from cartulary.session order by last_used desc limit 1`,
    );
    assert.deepEqual((await ask(version, 'POST', '/logout/', { body: { token } })).json, { token: '' });
    assert.equal((await ask('2.8', 'GET', '/m/', { token })).status, 401);
    return newest!.idle_seconds;
  };
  assert.deepEqual([await idle('2.8'), await idle('2.0'), await idle('1.0')], [600, 30 * 24 * 3600, 600]);
});

test('login parameters', async () => {
  const login = (version: Version, body: object) =>
    ask(version, 'POST', '/login/', { body: new URLSearchParams({ ...body }) });
  assert.match((await login('2.0', { login: 'admin', password: adminPassword })).json.token, /^\S{20,}$/);
  assert.match((await login('1.0', { user: 'admin', pass: adminPassword })).json.token, /^\S{20,}$/);
  for (const version of versions)
    assert.equal((await login(version, { user: 'admin', pass: 'wrong' })).status, 403);
  assert.deepEqual((await login('2.0', {})).json.data, { required: ['login', 'password'] });
  assert.deepEqual((await login('1.0', { user: 'admin' })).json.data, { required: ['pass'] });
});

test('a function that a version lacks is 404 for every caller', async () => {
  const absent: [method: string, path: string, body?: object][] = [
    ['POST', '/ext-login/', { token: 'x' }],
    ['POST', '/ext-auth/', { login: 'admin' }],
    ['GET', '/authorized/'],
    ['GET', '/users/list/'],
    ['GET', '/users/info/'],
    ['GET', '/maps/'],
    ['GET', '/maps/available/'],
    ['GET', '/maps/public/'],
    ['GET', '/rights/'],
    ['PATCH', '/m/', { name: 'x' }],
    ['DELETE', '/m/'],
    ['POST', '/m/folders/', {}],
    ['GET', '/m/layers/points/count/'],
    ['GET', '/m/layers/points/bbox/'],
    ['GET', '/m/layers/points/icon/'],
    ['POST', '/m/layers/points/filter/', {}],
    ['POST', '/m/layers/points/refresh/'],
    ['POST', '/m/layers/points/makevalid/'],
    ['DELETE', '/m/layers/points/'],
    ['POST', '/m/layers/points/structure/', { code: 'x', type: 'text' }],
    ['DELETE', '/m/layers/points/structure/n/'],
    ['GET', '/m/layers/points/constraints/'],
    ['GET', '/m/dictionaries/'],
    ['GET', '/m/search/?phrase=x'],
    ['POST', '/m/layers/points/objects/', { fields: {} }],
    ['PUT', '/m/layers/points/objects/1/', { fields: {} }],
    ['DELETE', '/m/layers/points/objects/1/'],
    ['PUT', '/m/', {}],
    ['POST', '/m/layers/points/', {}],
  ];
  for (const version of versions) {
    for (const [method, path, body] of absent) {
      const expected = [404, 'container_not_found'];
      assert.deepEqual(
        await failure(version, method, path, { body }),
        expected,
        `${version} ${method} ${path}`,
      );
      assert.equal((await ask(version, method, path, { body })).status, 404, 'without a token');
    }
  }
  for (const path of ['/m/layers/points/', '/m/layers/points/structure/n/'])
    assert.equal((await failure('2.0', 'PATCH', path, { body: {} }))[0], 404, '2.0 changes by PUT');
  assert.equal((await server.request('PUT', '/m/', { body: {} })).status, 405, '2.8 says what is allowed');
});

test('initial settings of a public map, by map_code in the body or the query', async () => {
  for (const version of versions) {
    const start = (await ask(version, 'GET', '/?map_code=m')).json;
    assert.deepEqual(start.map, (await server.request('GET', '/m/')).json);
    assert.deepEqual(Object.keys(start), [
      'map',
      'language',
      'locales',
      'json',
      'render_settings',
      'bbox',
      'tiles',
      'layers',
    ]);
    assert.deepEqual(start.layers, (await ask(version, 'GET', '/m/layers/')).json);
    assert.deepEqual(start.bbox, { sw: [0, 0], ne: [40, 30] });
    assert.deepEqual([start.language, start.locales[0].code], ['en', 'en']);
    const tile = start.tiles.replace('{z}', '0').replace('{x}', '0').replace('{-y}', '0');
    assert.equal((await fetch(tile)).headers.get('content-type'), 'image/png');
    const root = `/api/${version}/demo/`;
    const json = await getWithBody(root, 'application/json', '{"map_code": "m"}');
    assert.deepEqual(json, { status: 200, json: start });
    const form = await getWithBody(root, 'application/x-www-form-urlencoded', 'map_code=m');
    assert.deepEqual(form.json, start);
    const failed = async (body: string): Promise<unknown[]> => {
      const answer = await getWithBody(root, 'application/json', body);
      return [answer.status, answer.json.code];
    };
    assert.deepEqual(await failed('{"map_code": "none"}'), [404, 'map_not_found']);
    assert.deepEqual(await failed('{"map_code": 5}'), [500, 'bad_request']);
    assert.deepEqual(await failed('{'), [500, 'bad_request']);
    assert.deepEqual(await failed('null'), [500, 'required_missing']);
    assert.deepEqual(await failed(`{"map_code": "${'x'.repeat(3_000_000)}"}`), [413, 'too_large']);
    assert.deepEqual(await failure(version, 'GET', '/'), [500, 'required_missing']);
  }
  assert.equal((await server.request('GET', '/?map_code=m')).status, 405, '2.8 has no such function');
});

test('create map: publish, and an answer of five keys', async () => {
  for (const [version, code] of [
    ['2.0', 'new20'],
    ['1.0', 'new10'],
  ] as const) {
    const map = await admin(version, 'POST', '/', { code, name: 'New' });
    assert.deepEqual(Object.keys(map), ['id', 'code', 'name', 'css_style', 'group_layers']);
    assert.equal(
      (await ask(version, 'GET', `/${code}/`)).json.has_publication,
      true,
      'published when absent',
    );
    await admin(version, 'POST', '/', { code: `${code}_shut`, publish: false });
    assert.equal((await ask(version, 'GET', `/${code}_shut/`)).status, 403);
    assert.equal((await ask(version, 'GET', `/?map_code=${code}_shut`)).status, 403);
    await admin(version, 'POST', '/', { code: `${code}_open`, publish: true });
    assert.equal((await ask(version, 'GET', `/${code}_open/`)).status, 200);
  }
});

test('layer items carry icon_retina, g_type and bbox; a visualization is visual in trees', async () => {
  const folder = await server.admin('POST', '/m/folders/', { code: 'f' });
  for (const version of versions) {
    const plain = (await server.request('GET', '/m/layers/')).json;
    const tree = (await ask(version, 'GET', '/m/layers/')).json;
    assert.deepEqual(
      tree.map((item: any) => item.id),
      plain.map((item: any) => item.id),
    );
    assert.deepEqual(
      ['points', 'mixed', 'empty', 'shown'].map((code) => byCode(tree, code).g_type),
      ['Point', 'Unknown', 'Unknown', 'Unknown'],
    );
    const points = byCode(tree, 'points');
    assert.deepEqual(points, {
      ...byCode(plain, 'points'),
      icon_retina: '',
      g_type: 'Point',
      bbox: { sw: [20, 10], ne: [40, 30] },
    });
    assert.deepEqual(byCode(tree, 'f'), byCode(plain, 'f'), 'a folder is as it was');
    const shown = byCode(tree, 'shown');
    assert.deepEqual([shown.type, shown.bbox], ['visual', null]);
    assert.equal(shown.icon_retina, `${shown.icon}?size=64`);
    const mercator = (await ask(version, 'GET', '/m/layers/?type=full&bboxSR=3857')).json;
    assert.ok(byCode(mercator, 'points').bbox.sw[1] > 1e6);
    assert.equal(byCode(mercator, 'shown').type, 'visual');
    const layer = (await ask(version, 'GET', '/m/layers/shown/')).json;
    assert.deepEqual([layer.type, layer.g_type, layer.visualSettings.type], ['layer', 'Unknown', 1]);
    const saved = await admin(version, 'POST', '/m/publish/', tree);
    assert.deepEqual(saved, tree, 'the tree that was read can be saved');
    await server.db.transaction((tx) =>
      tx.query(sql`update cartulary.container set tree_saved = false where code = 'm'`),
    );
    const head = await fetch(`${server.url}/api/${version}/demo/m/layers/`, { method: 'HEAD' });
    assert.equal(Number(head.headers.get('content-length')), JSON.stringify(tree).length);
  }
  await server.admin('DELETE', `/m/folders/${folder.code}/`);
});

test('the kind of a layer follows its data', async () => {
  const kind = async (): Promise<string> => (await ask('2.0', 'GET', '/m/layers/empty/')).json.g_type;
  assert.equal(await kind(), 'Unknown');
  const line = {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  };
  const { id } = await server.admin('POST', '/m/layers/empty/objects/', { fields: {}, geom: line });
  assert.equal(await kind(), 'LineString');
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  await server.admin('PUT', `/m/layers/empty/objects/${id}/geom/`, { type: 'Polygon', coordinates: [ring] });
  assert.equal(await kind(), 'Polygon');
  await server.admin('DELETE', `/m/layers/empty/objects/${id}/`);
  assert.equal(await kind(), 'Unknown');
});

test('update layer: all values by PUT, changed ones by PATCH in 1.0', async () => {
  for (const version of versions) {
    const made = await admin(version, 'POST', '/m/layers/', { code: `up${version[0]}`, name: 'Before' });
    assert.deepEqual([made.g_type, made.bbox, made.icon_retina], ['Unknown', null, '']);
    const path = `/m/layers/${made.code}/`;
    const read = (await ask(version, 'GET', path)).json;
    const changed = await admin(version, 'PUT', path, { ...read, type: 'visual', name: 'After' });
    assert.deepEqual(changed, { ...read, name: 'After' });
  }
  const patched = await admin('1.0', 'PATCH', '/m/layers/up1/', { name: 'Again' });
  assert.deepEqual([patched.name, patched.code, patched.g_type], ['Again', 'up1', 'Unknown']);
  assert.deepEqual(await failure('2.0', 'PUT', '/m/layers/up2/', { body: { css_style: '#x {' } }), [
    500,
    'style_invalid',
  ]);
});

test('structure and update column: PUT and PATCH, datetime and timestamp', async () => {
  const at = '/m/layers/points/structure/at/';
  const typeIn = async (version: string): Promise<string> =>
    byCode((await ask(version, 'GET', '/m/layers/points/structure/')).json, 'at').type;
  assert.deepEqual([await typeIn('2.0'), await typeIn('1.0')], ['datetime', 'timestamp']);
  const column = byCode((await ask('2.0', 'GET', '/m/layers/points/structure/')).json, 'at');
  const put = await admin('2.0', 'PUT', at, { ...column, name: 'When' });
  assert.deepEqual([put.name, put.type, put.lost], ['When', 'datetime', 0]);
  const put10 = await admin('1.0', 'PUT', at, { ...column, type: 'timestamp', name: 'Time' });
  assert.deepEqual([put10.name, put10.type, put10.lost], ['Time', 'timestamp', 0]);
  const patched = await admin('1.0', 'PATCH', at, { name: 'Changed' });
  assert.deepEqual([patched.name, patched.type, patched.lost], ['Changed', 'timestamp', 0]);
  assert.equal((await admin('1.0', 'PATCH', at, { type: 'string' })).type, 'string');
  assert.equal((await admin('1.0', 'PATCH', at, { type: 'timestamp' })).type, 'timestamp');
  assert.equal(await typeIn('2.8'), 'datetime');
  assert.deepEqual(await failure('2.0', 'PUT', at, { body: { type: 'timestamp' } }), [500, 'bad_request']);
  for (const version of versions)
    assert.deepEqual(await failure(version, 'PUT', at, { body: { name: 'x' } }), [500, 'type_missing']);
  assert.deepEqual(await failure('1.0', 'PATCH', '/m/layers/points/structure/no/', { body: { name: 'x' } }), [
    404,
    'column_not_found',
  ]);
  assert.deepEqual(await failure('1.0', 'PATCH', at, { body: [] }), [500, 'bad_request']);
  const viewer = await signIn(server, { '/m/rights/': 'view' });
  assert.equal((await failure('1.0', 'PATCH', at, { body: { name: 'x' }, token: viewer }))[0], 403);
});

test('geometry change: geom in 2.0, GeoJSON in 1.0, by PUT or PATCH', async () => {
  const path = '/m/layers/points/objects/1/geom/';
  for (const method of ['PUT', 'PATCH']) {
    assert.deepEqual(await admin('2.0', method, path, { geom: point(11, 21) }), { geom: point(11, 21) });
    assert.deepEqual(await admin('1.0', method, path, point(12, 22)), point(12, 22));
    assert.deepEqual(await failure('2.0', method, path, { body: point(1, 1) }), [500, 'required_missing']);
    assert.deepEqual(await failure('2.0', method, path, { body: [1] }), [500, 'bad_request']);
    assert.deepEqual(await failure('1.0', method, path, { body: { geom: point(1, 1) } }), [
      500,
      'value_invalid',
    ]);
    assert.equal((await ask('2.0', method, path, { body: { geom: point(1, 1) } })).status, 401);
    const missing = '/m/layers/points/objects/999/geom/';
    assert.deepEqual(await failure('2.0', method, missing, { body: { geom: null } }), [
      404,
      'object_not_found',
    ]);
  }
  const metres = await admin('2.0', 'PUT', `${path}?geomSR=3857`, { geom: point(1000, 2000) });
  assert.deepEqual(metres.geom.coordinates.map(Math.round), [1000, 2000]);
  for (const version of versions)
    assert.equal((await admin(version, 'GET', path)).type, 'Point', 'reading is the same');
  assert.equal((await server.request('PATCH', path, { body: point(1, 1) })).status, 405, '2.8 has PUT alone');
  await admin('1.0', 'PUT', path, point(10, 20));
});

test('objects and their Link, legend, import and export are the same functions', async () => {
  for (const version of versions) {
    const list = await ask(version, 'GET', '/m/layers/points/objects/?fields=n&limit=1');
    assert.deepEqual(list.json, [{ id: 1, fields: { n: 1 } }]);
    const next = /<([^>]+)>/.exec(list.headers.get('link')!)![1]!;
    assert.ok(next.startsWith(`${server.url}/api/${version}/demo/`), next);
    assert.equal(((await (await fetch(next)).json()) as any)[0].id, 2);
    const one = (await ask(version, 'GET', '/m/layers/points/objects/2/')).json;
    assert.equal(one.fields.n, 2);
    assert.equal((await ask(version, 'GET', '/m/layers/points/legend/')).status, 404);
    const collection = {
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: { a: 1 }, geometry: point(5, 6) }],
    };
    const code = `in${version[0]}`;
    await server.admin('POST', '/m/layers/', { code });
    const imported = await admin(version, 'POST', `/m/layers/${code}/import/`, collection);
    assert.deepEqual(
      [imported.code, imported.g_type, imported.bbox],
      [code, 'Point', { sw: [6, 5], ne: [6, 5] }],
    );
    const form = new FormData();
    // Earlier versions have no jobs, so the answer is the direct one.
    form.set('async', '1');
    form.set('file', new Blob([JSON.stringify(collection)]), 'more.geojson');
    assert.equal((await admin(version, 'POST', `/m/layers/${code}/import/?async=1`, form)).import.stored, 1);
    assert.equal((await ask(version, 'GET', '/jobs/')).status, 404);
    const exported = await ask(version, 'GET', `/m/layers/${code}/export/?format=geojson&async=1`);
    assert.equal(JSON.parse(exported.text).features.length, 2);
    assert.deepEqual(await failure(version, 'GET', `/m/layers/${code}/export/?format=x`), [
      500,
      'format_invalid',
    ]);
  }
});

test('statuses are 200, 401, 403, 404 and 500; rights are those of 2.8', async () => {
  await server.admin('PUT', '/m/layers/mixed/rights/', { user: 'public', right: 'none' });
  const nobody = await signIn(server, { '/m/layers/mixed/rights/': 'none' });
  for (const version of versions) {
    const cases: [expected: unknown[], method: string, path: string, options?: object][] = [
      [[500, 'bad_request'], 'GET', '/m/layers/?type=x'],
      [[500, 'bad_request'], 'GET', '/m/layers/points/objects/?limit=many'],
      [[500, 'bad_request'], 'POST', '/', { body: '{', headers: { 'content-type': 'application/json' } }],
      [[500, 'required_missing'], 'POST', '/', { body: {} }],
      [[500, 'code_taken'], 'POST', '/', { body: { code: 'm' } }],
      [[404, 'map_not_found'], 'GET', '/none/layers/'],
      [[404, 'layer_not_found'], 'GET', '/m/layers/none/structure/'],
      [[401, 'not_authenticated'], 'POST', '/m/layers/', { body: {}, token: undefined }],
      [[401, 'not_authenticated'], 'GET', '/m/', { token: 'wrong' }],
      [[403, 'forbidden'], 'POST', '/m/layers/', { body: {}, token: nobody }],
      [[403, 'forbidden'], 'GET', '/m/layers/mixed/', { token: nobody }],
    ];
    for (const [expected, method, path, options] of cases)
      assert.deepEqual(
        await failure(version, method, path, options),
        expected,
        `${version} ${method} ${path}`,
      );
    const bad = await ask(version, 'GET', '/m/layers/?type=x');
    assert.deepEqual([bad.status, bad.json.error, bad.json.data], [500, 'error', { parameters: ['type'] }]);
    assert.match((await ask(version, 'GET', '/none/')).headers.get('content-type')!, /^text\/html/);
    const unknown = await server.request('GET', `//api/${version}/none/m/`);
    assert.deepEqual([unknown.status, unknown.json.code], [500, 'project_not_found']);
    const tree = (await ask(version, 'GET', '/m/layers/', { token: nobody })).json;
    assert.equal(byCode(tree, 'mixed'), undefined);
    const start = (await ask(version, 'GET', '/?map_code=m', { token: nobody })).json;
    assert.equal(byCode(start.layers, 'mixed'), undefined);
    assert.deepEqual(start.bbox.sw, [6, 5], 'nor does the extent tell of it');
  }
});

test('long lists and exports stream, and end when the client leaves', async () => {
  const { id } = await server.admin('POST', '/m/layers/', { code: 'long' });
  const column = await server.admin('POST', '/m/layers/long/structure/', { code: 'note', type: 'text' });
  await server.db.transaction((tx) =>
    tx.query(sql`insert into ${ident('cartulary_data', `layer_${id}`)} (geom, ${ident(`c${column.id}`)})
      select ST_SetSRID(ST_MakePoint(1, 1), 4326), repeat(md5(i::text), 200) from generate_series(1, 12000) i`),
  );
  // Long lists, counts and exports are heavy reads.
  const { for: ofOwner } = server.db;
  let asked = 0;
  const counted =
    <Args extends unknown[], Result>(work: (...parts: Args) => Result) =>
    (...parts: Args): Result => {
      asked++;
      return work(...parts);
    };
  const countedOf = (owner: string): typeof server.db => {
    const db = ofOwner(owner);
    const { heavy } = db;
    return {
      ...db,
      heavy: { ...heavy, query: counted(heavy.query) as typeof heavy.query, raw: counted(heavy.raw) },
    };
  };
  Object.assign(server.db, { for: countedOf });
  try {
    for (const version of versions) {
      for (const path of ['objects/?fields=*&limit=12000', 'export/?format=geojson']) {
        const address = `${server.url}/api/${version}/demo/m/layers/long/${path}`;
        asked = 0;
        const whole = await fetch(address);
        assert.equal(whole.headers.get('content-length'), null, 'nobody knows its length yet');
        assert.ok((await whole.text()).length > 12000 * 6400);
        const ofWhole = asked;
        asked = 0;
        await new Promise((resolve, reject) =>
          get(address, (response) => {
            response.once('data', () => response.destroy());
            response.once('close', resolve);
          }).on('error', reject),
        );
        await server.request('GET', '/m/layers/long/count/?precise=1');
        assert.ok(asked < ofWhole - 3, `${asked} of ${ofWhole} statements: ${path}`);
      }
    }
  } finally {
    Object.assign(server.db, { for: ofOwner });
  }
});

test('files and images of 2.8: answers, paths, ids in 1.0, its default format', async () => {
  const uuid = '6f2c1c39-8c0f-4b7e-9b70-6c8d8c7b0d11';
  const services = {
    config: { sessionIdleS: 600 },
    db: { query: async () => [{ uuid }] },
  } as unknown as Services;
  const app = Fastify();
  for (const version of versions) {
    const functions = async (scope: any): Promise<void> => {
      scope.decorateRequest('caller');
      scope.addHook('preValidation', async (request: any) => {
        request.caller = { project: { id: 1 } };
      });
      const files = '/:map/layers/:layer/objects/:object/files';
      scope.post(files, async () => ({
        name: 'a',
        path: `/api/2.8/demo/files/${uuid}/`,
        mime: 'image/png',
        id: 7,
        uuid,
      }));
      scope.delete(`${files}/:file_id`, async (_request: any, reply: any) =>
        reply.type('application/json').send('null'),
      );
      scope.get('/image/:file_uuid', async ({ params, query }: any) => ({ params, query }));
      scope.get('/files/:file_uuid', async ({ params }: any) => params);
    };
    await app.register(async (scope: any) => legacyRoutes(scope, services, version, functions), {
      prefix: `/api/${version}/:project`,
    });
  }
  const answer = async (method: 'GET' | 'POST' | 'DELETE', url: string) =>
    (await app.inject({ method, url: `/api/${url}` })).json();
  const objects = 'demo/m/layers/l/objects/1/files';
  const file = { name: 'a', mime: 'image/png', id: 7, code: '' };
  assert.deepEqual(await answer('POST', `2.0/${objects}`), {
    ...file,
    path: `/api/2.0/demo/files/${uuid}/`,
    uuid,
  });
  assert.deepEqual(await answer('POST', `1.0/${objects}`), {
    ...file,
    path: `/api/1.0/demo/files/${uuid}/`,
  });
  assert.equal(await answer('DELETE', `2.0/${objects}/7`), null);
  assert.deepEqual(await answer('DELETE', `1.0/${objects}/7`), {});
  assert.deepEqual(await answer('GET', `2.0/demo/image/${uuid}?w=5`), {
    params: { project: 'demo', file_uuid: uuid },
    query: { w: '5' },
  });
  assert.deepEqual(await answer('GET', '1.0/demo/image/7?w=5'), {
    params: { project: 'demo', file_uuid: uuid },
    query: { f: 'png', w: '5' },
  });
  assert.equal((await answer('GET', '1.0/demo/image/7?f=jpg')).query.f, 'jpg');
  assert.equal((await app.inject(`/api/1.0/demo/image/${uuid}`)).statusCode, 404, '1.0 knows ids alone');
  assert.equal((await answer('GET', `1.0/demo/files/${uuid}`)).file_uuid, uuid);
  await app.close();
});
