/* Exact answers: what errors name, the order of keys, links to the next page. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let map: string;
test.before(async () => {
  server = await startServer();
  map = freshCode('map');
  await server.admin('POST', '/', { code: map });
});
test.after(() => server.stop());

const asJson = { accept: 'application/json' };

async function layerOf(count: number): Promise<string> {
  const code = freshCode('layer');
  await server.admin('POST', `/${map}/layers/`, { code });
  const features = Array.from({ length: count }, (_, i) => ({
    type: 'Feature',
    properties: { n: (i * 7) % 100 },
    geometry: null,
  }));
  await server.admin('POST', `/${map}/layers/${code}/import/`, { type: 'FeatureCollection', features });
  return `/${map}/layers/${code}`;
}

/** The error data of a refused request. */
async function dataOf(method: string, path: string, body?: unknown): Promise<[number, unknown]> {
  const answer = await server.request(method, path, { token: server.adminToken, body, headers: asJson });
  return [answer.status, answer.json.data];
}

test('an error names all missing parameters', async () => {
  assert.deepEqual(await dataOf('POST', '/login/', {}), [500, { required: ['login', 'password'] }]);
  assert.deepEqual(await dataOf('POST', '/login/', { user: 'admin' }), [500, { required: ['password'] }]);
  const tile = await dataOf('GET', `//tms/demo/${map}/`);
  assert.deepEqual([tile[0], (tile[1] as { required: string[] }).required.sort()], [500, ['x', 'y', 'z']]);
  const layer = await layerOf(3);
  const copy = await dataOf('POST', `${layer}/objects/1/copy/`, {});
  assert.deepEqual(copy, [500, { required: ['map_code', 'layer_code'] }]);
  const column = await dataOf('POST', `${layer}/structure/`, {});
  assert.deepEqual(column, [500, { required: ['code', 'type'] }]);
  const tree = await dataOf('POST', `/${map}/publish/`, [
    { id: 1, parent_id: 0, map_layer_id: 1 },
    { sort: 1 },
  ]);
  assert.deepEqual(tree, [500, { required: ['id', 'parent_id', 'map_layer_id'] }]);
  const deleted = await dataOf('DELETE', `${layer}/objects/`, { delete_params: '2;77;1;55' });
  assert.deepEqual(deleted, [404, { objects: [77, 55] }]);
  assert.equal(await server.admin('GET', `${layer}/count/`), 3);
});

test('an error names the columns of all refused values', async () => {
  const layer = await layerOf(1);
  await server.admin('POST', `${layer}/structure/`, { code: 'b', type: 'bool' });
  const geom = { type: 'Point', coordinates: [500, 0] };
  const refused = { columns: ['n', 'b', 'geom'] };
  const body = { fields: { n: 'x', b: 5 }, geom };
  assert.deepEqual(await dataOf('POST', `${layer}/objects/`, body), [500, refused]);
  assert.deepEqual(await dataOf('PUT', `${layer}/objects/1/`, body), [500, refused]);
  const inBatch = await dataOf('POST', `${layer}/objects/batch/`, { create: [body] });
  assert.deepEqual(inBatch, [500, { ...refused, kind: 'create', index: 0 }]);
  const unknown = await dataOf('POST', `${layer}/objects/`, { fields: { n: 1, x: 1, y: 2 } });
  assert.deepEqual(unknown, [400, { columns: ['x', 'y'] }]);
  assert.equal(await server.admin('GET', `${layer}/count/`), 1);
});

test('a value that fits none of several forms is named once', async () => {
  const answer = await server.request('POST', '/', {
    token: server.adminToken,
    body: { code: freshCode('map'), name: 5 },
    headers: asJson,
  });
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.json.data, { parameters: ['name'] });
  assert.equal(answer.json.message, 'body: name must be string or must be object');
});

test('a value that is none of a list is told with the list', async () => {
  const layer = await layerOf(1);
  for (const [method, path, body, message] of [
    ['GET', `${layer}/objects/?bboxSR=4327`, undefined, 'querystring: bboxSR must be one of 4326, 3857'],
    ['GET', `${layer}/objects/?limit=x`, undefined, 'querystring: limit must be integer'],
    ['PATCH', `${layer}/`, { render_type: 2 }, 'body: render_type must be one of 0, 1'],
    ['POST', '/m/publish/', {}, 'body: must be array'],
    [
      'POST',
      layer.replace('/layers/', '/dictionaries_f/'),
      { column_code: 'n', dict_layer_code: 'l', dict_column_code: 'n', match_type: 'x' },
      'body: match_type must be equal or must be prefix or must be contains',
    ],
  ] as const) {
    const answer = await server.request(method, path, { token: server.adminToken, body, headers: asJson });
    assert.equal(answer.json.message, message, path);
  }
});

test('the keys of a user come as the interface lists them', async () => {
  const keys = ['id', 'login', 'name', 'email', 'password', 'groups', 'publicAccess', 'guiAccess'];
  assert.deepEqual(Object.keys(await server.admin('GET', '/users/info/')), keys);
});

test('an object slightly beyond the edge of the world is moved to it', async () => {
  const layer = await layerOf(1);
  const put = (coordinates: number[], query = '') =>
    server.request('PUT', `${layer}/objects/1/geom/${query}`, {
      token: server.adminToken,
      body: { type: 'Point', coordinates },
    });
  assert.deepEqual((await put([180.000_009, -90.000_001])).json.coordinates, [180, -90]);
  assert.deepEqual((await put([-20_037_510, 0], '?geomSR=3857')).json.coordinates, [-20037508.342789, 0]);
  for (const beyond of [await put([180.000_02, 0]), await put([20_037_511, 0], '?geomSR=3857')]) {
    assert.deepEqual([beyond.status, beyond.json.code], [500, 'value_invalid']);
  }
});

test('a list continues by cursor, unless it was requested with an offset', async () => {
  const list = `${await layerOf(5)}/objects/`;
  const next = async (query: string) => {
    const { headers } = await server.request('GET', `${list}?limit=2${query}`);
    return new URL(/<(.+)>; rel="next"/.exec(headers.get('link')!)![1]!).searchParams;
  };
  assert.equal((await next('')).get('offset'), null);
  assert.ok((await next('&sort=n,d')).get('cursor'));
  assert.equal((await next('&offset=0')).get('offset'), '2');
  assert.equal((await next('&offset=1')).get('cursor'), null);
});

for (const sort of ['', '&sort=n', '&sort=n,d|svc_id,d'])
  test(`a list that is read page by page during writes skips and repeats nothing: ${sort || 'by id'}`, async () => {
    const layer = await layerOf(600);
    const stays = new Set(Array.from({ length: 600 }, (_, i) => i + 1).filter((id) => id % 5));
    const goes = Array.from({ length: 600 }, (_, i) => i + 1).filter((id) => id % 5 === 0);
    const seen: number[] = [];
    let url: string | undefined = `${server.api}${layer}/objects/?limit=50&fields=n${sort}`;
    while (url) {
      const answer: Response = await fetch(url);
      assert.equal(answer.status, 200);
      seen.push(...((await answer.json()) as { id: number }[]).map(({ id }) => id));
      url = /<(.+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      const id = goes.pop();
      if (id) await server.admin('DELETE', `${layer}/objects/${id}/`);
      await server.admin('POST', `${layer}/objects/`, { fields: { n: (seen.length * 13) % 100 } });
    }
    assert.equal(new Set(seen).size, seen.length, 'nothing twice');
    for (const id of stays) assert.ok(seen.includes(id), `object ${id}`);
  });
