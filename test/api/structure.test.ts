import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
});
test.after(() => server.stop());
const base = '/m/layers/l/structure/';
const refused = (method: string, path: string, body?: unknown) =>
  server.request(method, base + path, {
    token: server.adminToken,
    body,
    headers: { accept: 'application/json' },
  });

test('columns: make, group, sort, rename, delete', async () => {
  const columns = (await server.request('GET', base)).json;
  assert.deepEqual(
    columns.map((column: any) => [column.code, column.type]),
    [
      ['svc_id', 'number'],
      ['geom', 'geom'],
    ],
  );
  const group = await server.admin('POST', base, {
    code: 'group',
    type: 'title',
    localized_name: true,
    name: { en: 'Group', ru: 'Группа' },
  });
  assert.deepEqual([group.type, group.parent_id, group.name], ['title', 0, 'Group']);
  const child = await server.admin('POST', base, {
    code: 'child',
    type: 'string',
    parent_id: group.id,
    required: true,
  });
  assert.deepEqual([child.parent_id, child.required, child.sort], [group.id, true, 1]);
  assert.equal(
    (await refused('POST', '', { code: 'x', type: 'string', parent_id: child.id })).status,
    400,
    'only a title groups',
  );
  const first = await server.admin('POST', base, {
    code: 'first',
    type: 'number',
    sort: 1,
    format: { decimals: 2 },
  });
  assert.deepEqual([first.sort, first.format], [1, { decimals: 2 }]);
  assert.equal(
    (await server.request('GET', `${base}?lng=ru`)).json.find((column: any) => column.code === 'group').name,
    'Группа',
  );
  const renamed = await server.admin('PATCH', `${base}first/`, {
    type: 'number',
    code: 'second',
    name: 'Second',
  });
  assert.deepEqual([renamed.code, renamed.name, renamed.lost], ['second', 'Second', 0]);
  assert.equal(await server.admin('DELETE', `${base}group/`), null);
  assert.equal(
    (await server.request('GET', base)).json.find((column: any) => column.code === 'child').parent_id,
    0,
    'a title leaves its columns',
  );
  await server.admin('DELETE', `${base}child/`);
  await server.admin('DELETE', `${base}second/`);
});

test('mistakes are named', async () => {
  const cases: [object, number, string][] = [
    [{ code: 'x' }, 500, 'type_missing'],
    [{ type: 'string' }, 500, 'required_missing'],
    [{ code: 'x', type: 'blob' }, 400, 'bad_request'],
    [{ code: '1x', type: 'string' }, 500, 'code_invalid'],
    [{ code: 'имя', type: 'string' }, 500, 'code_invalid'],
    [{ code: 'x'.repeat(45), type: 'string' }, 500, 'code_invalid'],
    [{ code: 'geom', type: 'string' }, 500, 'code_reserved'],
    [{ code: 'x', type: 'number', format: { decimals: 'two' } }, 400, 'bad_request'],
  ];
  for (const [body, status, code] of cases) {
    const answer = await refused('POST', '', body);
    assert.deepEqual([answer.status, answer.json.code], [status, code], JSON.stringify(body));
  }
  await server.admin('POST', base, { code: 'xmin', type: 'string' });
  assert.equal((await refused('POST', '', { code: 'xmin', type: 'string' })).json.code, 'code_taken');
  assert.equal((await refused('PUT', 'xmin/', { name: 'no type' })).json.code, 'type_missing');
  assert.equal((await refused('DELETE', 'svc_id/')).json.code, 'code_reserved');
  assert.equal((await refused('DELETE', 'nothing/')).json.code, 'column_not_found');
  await server.admin('DELETE', `${base}xmin/`);
});

/** From, to, values before, values after, lost. */
const changes: [string, string, unknown[], unknown[], number][] = [
  ['string', 'number', ['1.5', ' 2 ', 'x', null], [1.5, 2, null, null], 1],
  ['number', 'string', [1.5, 2, null], ['1.5', '2', null], 0],
  ['string', 'datetime', ['2024-05-01', '2024-02-31', 'soon'], ['2024-05-01T00:00:00.000Z', null, null], 2],
  ['string', 'bool', ['true', '1', 'yes?'], [true, true, null], 1],
  ['number', 'bool', [1, 0], [true, false], 0],
  ['json', 'text', [{ a: 1 }], ['{"a": 1}'], 0],
  ['bool', 'text', [true, false], ['true', 'false'], 0],
];
for (const [from, to, before, after, lost] of changes) {
  test(`a change from ${from} to ${to} loses ${lost}`, async () => {
    await server.admin('POST', base, { code: 'c', type: from });
    const ids: number[] = [];
    for (const value of before)
      ids.push((await server.admin('POST', '/m/layers/l/objects/', { fields: { c: value } })).id);
    const changed = await server.admin('PUT', `${base}c/`, { type: to });
    assert.deepEqual([changed.type, changed.lost], [to, lost]);
    const objects = await server.admin('GET', '/m/layers/l/objects/?fields=c');
    assert.deepEqual(
      objects.map((object: any) => object.fields.c),
      after,
    );
    await server.admin('DELETE', `${base}c/`);
    await server.admin('DELETE', '/m/layers/l/objects/', { delete_params: ids.join(';') });
  });
}

test('values by language: switched on, set, and switched off', async () => {
  await server.admin('POST', base, { code: 'name', type: 'string' });
  const { id } = await server.admin('POST', '/m/layers/l/objects/', { fields: { name: 'River' } });
  await server.admin('PATCH', `${base}name/`, { type: 'string', localized_value: true });
  await server.admin('PUT', `/m/layers/l/objects/${id}/?lng=ru`, { fields: { name: 'Река' } });
  const name = async (lng: string) =>
    (await server.admin('GET', `/m/layers/l/objects/${id}/?lng=${lng}`)).fields.name;
  assert.deepEqual([await name('en'), await name('ru'), await name('de')], ['River', 'Река', 'River']);
  await server.admin('PATCH', `${base}name/`, { type: 'string', localized_value: false });
  assert.equal(await name('ru'), 'River');
});

test('a column that the style reads is neither deleted nor renamed', async () => {
  await server.admin('POST', base, { code: 'size', type: 'number' });
  await server.admin('PATCH', '/m/layers/l/', { css_style: '#l { marker-width: [size]; }' });
  assert.equal((await refused('DELETE', 'size/')).json.code, 'style_invalid');
  assert.equal(
    (await refused('PATCH', 'size/', { type: 'number', code: 'other' })).json.code,
    'style_invalid',
  );
});
