import assert from 'node:assert/strict';
import test from 'node:test';
import sharp from 'sharp';
import { freshCode, startServer } from '../../support/server.js';
import { signIn } from '../access/people.js';

const server = await startServer({ CARTULARY_QUERY_ROWS: '100', CARTULARY_REFRESH_TIMEOUT: '1500' });
test.after(() => server.stop());
const { admin, request } = server;
const asAdmin = (method: string, path: string, body?: unknown) =>
  request(method, path, { token: server.adminToken, body });

const add = (map: string, name: string, x: number) =>
  admin('POST', `/${map}/layers/l/objects/`, {
    fields: { name },
    geom: { type: 'Point', coordinates: [x, x] },
  });

/** Creates a map with a layer `l` of one point, and `stored`, a materialized layer over it. */
async function place(query = 'select *, upper(name) as title from {map}.l'): Promise<string> {
  const map = freshCode('m');
  await admin('POST', '/', { code: map });
  await admin('POST', `/${map}/layers/`, { code: 'l' });
  await admin('POST', `/${map}/layers/l/structure/`, { code: 'name', type: 'string' });
  await add(map, 'one', 10);
  await admin('POST', `/${map}/layers/`, {
    code: 'stored',
    type: 'material',
    json: { query: query.replaceAll('{map}', map) },
  });
  return map;
}

test('a materialized layer shows the result of its query at the last refresh', async () => {
  const map = await place();
  const layer = `/${map}/layers/stored/`;
  const made = await admin('GET', layer);
  assert.equal(made.type, 'layer');
  assert.equal(made.json.refreshed.rows, 1);
  const [, item] = await admin('GET', `/${map}/layers/?type=full`);
  assert.equal(item.type, 'material');
  await add(map, 'two', 30);
  assert.equal(await admin('GET', `${layer}count/`), 1);
  const tile = () => asAdmin('GET', `//tms/demo/${map}/?z=2&x=2&y=2&base=0&layers=${made.id}`);
  const before = await tile();

  const fresh = await admin('POST', `${layer}refresh/`);
  assert.equal(fresh.json.refreshed.rows, 2);
  assert.ok(fresh.json.refreshed.at > made.json.refreshed.at);
  assert.equal(await admin('GET', `${layer}count/`), 2);
  const after = await tile();
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
  const { data } = await sharp(after.bytes).raw().toBuffer({ resolveWithObject: true });
  assert.ok(data.some((value, i) => i % 4 === 3 && value > 0));
  assert.deepEqual(await admin('GET', `${layer}bbox/`), { sw: [10, 10], ne: [30, 30] });
  const list = await admin('GET', `${layer}objects/?fields=title&sort=title,d`);
  assert.deepEqual(list, [
    { id: 2, fields: { title: 'TWO' } },
    { id: 1, fields: { title: 'ONE' } },
  ]);
  const found = await admin('GET', `/${map}/search/?phrase=TWO&limit=10`);
  assert.ok(found.some((hit: { layer?: string }) => hit.layer === 'stored'));
  for (const format of ['geojson', 'csv', 'kml'])
    assert.match((await asAdmin('GET', `${layer}export/?format=${format}`)).text, /TWO/);
  const pdf = await asAdmin('GET', `${layer}objects/2/?f=pdf`);
  assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-');
  assert.equal((await asAdmin('GET', `${layer}icon/`)).status, 200);
});

test('only callers who may edit the layer see its query', async () => {
  const map = await place();
  await admin('PUT', `/${map}/layers/l/rights/`, { user: 'public', right: 'none' });
  const shown = await request('GET', `/${map}/layers/stored/`);
  assert.deepEqual(Object.keys(shown.json.json), ['refreshed']);
  assert.equal((await request('GET', `/${map}/layers/stored/count/`)).json, 1);
});

test('other writes answer 400', async () => {
  const map = await place();
  for (const [method, path, body] of [
    ['POST', 'objects/', { fields: {} }],
    ['PUT', 'objects/1/', { fields: {} }],
    ['DELETE', 'objects/1/', undefined],
    ['PUT', 'objects/1/geom/', { type: 'Point', coordinates: [1, 1] }],
    ['POST', 'import/', { type: 'FeatureCollection', features: [] }],
    ['POST', 'makevalid/', undefined],
    ['POST', 'structure/', { code: 'more', type: 'number' }],
    ['DELETE', 'structure/title/', undefined],
    ['POST', 'constraints/', { type: 'unique', columns: ['title'] }],
  ] as const)
    assert.equal((await asAdmin(method, `/${map}/layers/stored/${path}`, body)).status, 400, path);
  assert.equal(await admin('GET', `/${map}/layers/stored/count/`), 1);
});

test('only its owner refreshes it', async () => {
  const map = await place();
  const path = `/${map}/layers/stored/refresh/`;
  const token = await signIn(server, { '/rights/': 'administer' });
  assert.equal((await request('POST', path)).status, 401);
  const other = await request('POST', path, { token, headers: { accept: 'application/json' } });
  assert.deepEqual([other.status, other.json.code], [403, 'not_owner']);
  const own = await request('POST', `/${map}/layers/`, {
    token,
    body: { code: 'own', type: 'material', json: { query: `select svc_id from ${map}.l` } },
  });
  assert.equal(own.status, 200, own.text);
  assert.equal((await request('POST', `/${map}/layers/own/refresh/`, { token })).status, 200);
  await admin('PUT', `/${map}/layers/l/rights/`, [{ user: 'admin', right: 'administer' }]).catch(() => {});
});

test('the structure follows the query, and those who read it follow the structure', async () => {
  const map = await place();
  await admin('POST', `/${map}/layers/`, {
    code: 'over',
    type: 'virtual',
    json: { query: `select * from ${map}.stored` },
  });
  const idOf = async () =>
    (await admin('GET', `/${map}/layers/stored/structure/`)).find(
      ({ code }: { code: string }) => code === 'title',
    ).id;
  const before = await idOf();
  await admin('PATCH', `/${map}/layers/l/`, { name: 'Changed' });
  await admin('POST', `/${map}/layers/l/structure/`, { code: 'size', type: 'number' });
  await admin('POST', `/${map}/layers/stored/refresh/`);
  assert.equal(await idOf(), before);
  for (const layer of ['stored', 'over']) {
    const codes = (await admin('GET', `/${map}/layers/${layer}/structure/`)).map(
      ({ code }: { code: string }) => code,
    );
    assert.deepEqual(codes.toSorted(), ['geom', 'name', 'size', 'svc_id', 'title']);
    assert.equal((await admin('GET', `/${map}/layers/${layer}/objects/?fields=*`)).length, 1);
  }
  const refused = await asAdmin('PATCH', `/${map}/layers/over/`, {
    json: { query: `select svc_id, size from ${map}.stored` },
  });
  assert.equal(refused.status, 200);
  const broken = await asAdmin('PATCH', `/${map}/layers/stored/`, {
    json: { query: `select svc_id from ${map}.l` },
  });
  assert.equal(broken.status, 400, broken.text);
  assert.equal((await admin('GET', `/${map}/layers/stored/objects/?fields=*`)).length, 1);
});

test('a refresh that fails keeps the old objects', async () => {
  const map = await place('select svc_id, geom, 1 / (length(name) - 4) as x from {map}.l');
  const layer = `/${map}/layers/stored/`;
  const before = await admin('GET', layer);
  const fails = async () => {
    const answer = await asAdmin('POST', `${layer}refresh/`);
    assert.equal(answer.json?.code, 'query_invalid', answer.text);
    assert.doesNotMatch(answer.text, /four|layer_\d/);
    assert.equal(await admin('GET', `${layer}count/`), 1);
    assert.deepEqual(await admin('GET', layer), before);
  };
  const { id } = await add(map, 'four', 1);
  await fails();
  await admin('DELETE', `/${map}/layers/l/objects/${id}/`);
  await admin('POST', `/${map}/layers/l/import/`, {
    type: 'FeatureCollection',
    features: Array.from({ length: 100 }, () => ({ type: 'Feature', properties: {}, geometry: null })),
  });
  await fails();
  for (const query of [
    `select 1::bigint as svc_id from ${map}.l a, ${map}.l b`,
    `select null::bigint as svc_id from ${map}.l`,
    `select svc_id, st_setsrid(geom, 3857) as geom from ${map}.l where geom is not null`,
    `select 1::bigint as svc_id from (select count(*) from ${Array.from({ length: 9 }, (_, i) => `${map}.l t${i}`)}) c`,
  ]) {
    const answer = await asAdmin('PATCH', layer, { json: { query } });
    assert.equal(answer.json?.code, 'query_invalid', `${query}: ${answer.text}`);
  }
  assert.deepEqual(await admin('GET', layer), before);
});

test('its query may read the clock, and json without a query keeps the one there is', async () => {
  const map = await place('select svc_id, now() as read_at, current_date as day from {map}.l');
  const layer = `/${map}/layers/stored/`;
  const before = await admin('GET', layer);
  const changed = await admin('PATCH', layer, { json: { note: 'x', refreshed: 'never' } });
  assert.deepEqual(changed.json, { ...before.json, note: 'x' });
});
