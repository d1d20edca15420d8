import assert from 'node:assert/strict';
import test from 'node:test';
import { ident, sql } from '@cartulary/sql';
import { startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
const point = (x: number) => ({ type: 'Point', coordinates: [x, 1] });
const read = (path: string, token = server.adminToken) =>
  server.request('GET', path, { token, headers: { accept: 'application/json' } });
async function counted(query: string): Promise<any> {
  const { status, json, text } = await read(`/deletion/?${query}`);
  assert.equal(status, 200, text);
  return json;
}

test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  const { id: folder } = await server.admin('POST', '/m/folders/', { code: 'f' });
  await server.admin('POST', '/m/layers/', { code: 'a', parent_id: folder });
  await server.admin('POST', '/m/layers/a/structure/', { code: 'name', type: 'text' });
  await server.admin('POST', '/m/layers/a/structure/', { code: 'photo', type: 'file' });
  const create = ['1', 'x', '3.5', 'many', '  ', null].map((name, i) => ({
    fields: { name },
    geom: point(i),
  }));
  await server.admin('POST', '/m/layers/a/objects/batch/', { create });
  const form = new FormData();
  form.set('file', new Blob(['hello']), 'hello.txt');
  await server.admin('POST', '/m/layers/a/objects/2/files/?field=photo', form);
  await server.admin('POST', '/m/layers/', { code: 'b' });
  await server.admin('POST', '/m/layers/b/objects/', { fields: {} });
  await server.admin('POST', '/', { code: 'other' });
  const query = 'select svc_id, geom, name from m.a';
  await server.admin('POST', '/other/layers/', { code: 'v', type: 'virtual', json: { query } });
  await server.admin('POST', '/users/', { login: 'ann', password: 'long-enough', groups: ['staff', 'more'] });
  await server.admin('POST', '/users/', { login: 'bob', password: 'long-enough', groups: ['staff'] });
  await server.admin('PUT', '/m/rights/', [
    { user: 'ann', right: 'edit' },
    { group: 'staff', right: 'view' },
  ]);
  await server.admin('PUT', '/m/layers/a/rights/', { user: 'ann', right: 'administer' });
});
test.after(() => server.stop());

test('what a deletion would take is counted, and nothing is deleted', async () => {
  const layer = {
    maps: 0,
    folders: 0,
    layers: 1,
    objects: 6,
    columns: 2,
    grants: 1,
    files: 1,
    bytes: 5,
    dictionary_links: 0,
    readers: ['other.v'],
    other_readers: 0,
  };
  assert.deepEqual(await counted('map=m&layer=a'), layer);
  assert.deepEqual(await counted('map=m&folder=f'), { ...layer, folders: 1 });
  const map = await counted('map=m');
  assert.deepEqual([map.maps, map.folders, map.layers, map.objects, map.files], [1, 1, 2, 7, 1]);
  // The public, ann, staff, and ann on the layer.
  assert.equal(map.grants, 4);
  const project = await counted('');
  assert.deepEqual(
    [project.maps, project.layers, project.objects, project.users, project.groups],
    [2, 3, 7, 2, 2],
  );
  assert.deepEqual(project.readers, [], 'those of the project go with it');
  assert.deepEqual(await counted('map=m&layer=a&column=name'), {
    values: 5,
    files: 0,
    bytes: 0,
    constraints: 0,
    dictionary_links: 0,
  });
  assert.equal((await counted('map=m&layer=a&column=photo')).files, 1);
  assert.deepEqual(await counted('map=m&layer=a&objects=1;2;99'), { objects: 2, files: 1, bytes: 5 });
  assert.deepEqual(await counted('map=m&layer=a&objects=3-100'), { objects: 4, files: 0, bytes: 0 });
  assert.deepEqual(await counted('user=ann'), { sessions: 0, groups: 2, grants: 2 });
  assert.deepEqual(await counted('group=staff'), { members: 2, grants: 1 });
  assert.equal(await server.admin('GET', '/m/layers/a/count/?precise=1'), 6);
});

test('a deletion is counted for those who may do it, and what is named wrongly is refused', async () => {
  const { json } = await server.request('POST', '/login/', {
    body: { login: 'ann', password: 'long-enough' },
  });
  const expected: [query: string, status: number][] = [
    ['map=m&layer=a', 200],
    ['map=m&layer=b', 200],
    ['map=m', 403],
    ['', 403],
    ['user=bob', 403],
    ['group=staff', 403],
    ['map=other&layer=v', 403],
  ];
  for (const [query, status] of expected)
    assert.equal((await read(`/deletion/?${query}`, json.token)).status, status, query);
  const layer = await read('/deletion/?map=m&layer=a', json.token);
  assert.deepEqual(
    [layer.json.readers.length, layer.json.other_readers],
    [1, 0],
    'the map is open to the public',
  );
  const wrong: [query: string, status: number, parameter?: string][] = [
    ['layer=a', 400, 'layer'],
    ['map=m&column=name', 400, 'column'],
    ['map=m&user=ann', 400, 'user'],
    ['map=m&layer=a&folder=f', 400, 'folder'],
    ['map=m&layer=a&column=name&objects=1', 400, 'column'],
    ['map=m&layer=a&objects=x', 400, 'delete_params'],
    ['map=none', 404],
    ['map=m&layer=none', 404],
    ['map=m&layer=a&column=none', 404],
    ['user=none', 404],
    ['group=none', 404],
  ];
  for (const [query, status, parameter] of wrong) {
    const answer = await read(`/deletion/?${query}`);
    assert.equal(answer.status, status, query);
    if (parameter) assert.deepEqual(answer.json.data.parameters, [parameter], query);
  }
});

test('what a change of type would lose is counted as the change itself counts it', async () => {
  const path = '/m/layers/a/structure/name/';
  const ask = (query: string) => read(`${path}conversion/?${query}`);
  const number = await ask('type=number&examples=2');
  assert.deepEqual(number.json, {
    values: 5,
    lost: 3,
    examples: [
      { id: 2, value: 'x' },
      { id: 4, value: 'many' },
    ],
  });
  assert.deepEqual((await ask('type=text')).json, { values: 5, lost: 0, examples: [] });
  assert.equal((await ask('type=title')).json.lost, 5);
  assert.equal((await ask('type=string')).json.lost, 0);
  assert.equal((await ask('type=nothing')).status, 400);
  assert.equal((await read('/m/layers/a/structure/svc_id/conversion/?type=text')).status, 500);
  assert.equal((await read('/m/layers/a/structure/none/conversion/?type=text')).status, 404);
  assert.equal((await server.admin('PUT', path, { type: 'number' })).lost, 3);
});

test('values in several languages are counted one by one', async () => {
  await server.admin('POST', '/m/layers/b/structure/', { code: 'l', type: 'string', localized_value: true });
  await server.admin('POST', '/m/layers/b/objects/', { fields: { l: { en: 'one', ru: '2' } } });
  const path = '/m/layers/b/structure/l/';
  const { json } = await read(`${path}conversion/?type=number`);
  assert.deepEqual([json.values, json.lost, json.examples.length], [1, 1, 1]);
  const plain = (await read(`${path}conversion/?type=string&localized_value=false`)).json;
  assert.deepEqual([plain.values, plain.lost], [1, 1]);
  const changed = await server.admin('PUT', path, { type: 'string', localized_value: false });
  assert.equal(changed.lost, 1);
});

test('a layer that is deleted while a map is counted has no objects', async (t) => {
  const here = await startServer({}, 'here');
  t.after(() => here.stop());
  await here.admin('POST', '/', { code: 'n' });
  const ids: number[] = [];
  for (const code of ['kept', 'gone']) {
    ids.push((await here.admin('POST', '/n/layers/', { code })).id);
    await here.admin('POST', `/n/layers/${code}/objects/`, { fields: {} });
  }
  // As between the two statements that count.
  const { db } = here.server.services;
  await db.transaction((tx) =>
    tx.query(sql`drop table ${ident('cartulary_data', `layer_${ids[1]}`)} cascade`),
  );
  const count = (query: string) =>
    here.request('GET', `/deletion/?${query}`, {
      token: here.adminToken,
      headers: { accept: 'application/json' },
    });
  const { status, json } = await count('map=n');
  assert.deepEqual([status, json?.layers, json?.objects], [200, 2, 1]);
  assert.equal((await count('map=n&layer=gone&objects=1')).json.code, 'layer_not_found');
});
