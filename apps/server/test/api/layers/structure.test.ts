import assert from 'node:assert/strict';
import test from 'node:test';
import { ident, join, sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { hostileTexts, outcome, unstorableTexts } from '../access/people.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

interface TestLayer {
  id: number;
  /** Its address, `/m/layers/<code>/`. */
  at: string;
  columns: string;
  /** The column codes with their sorts: `>` before each level. */
  order(): Promise<string>;
}

async function newLayer(...columns: object[]): Promise<TestLayer> {
  const { id, code } = await server.admin('POST', '/m/layers/', { code: freshCode('l') });
  const at = `/m/layers/${code}/`;
  for (const column of columns) await server.admin('POST', `${at}structure/`, column);
  return {
    id,
    at,
    columns: `${at}structure/`,
    async order() {
      const all = (await server.request('GET', `${at}structure/`)).json as any[];
      const depth = (column: any): string =>
        column.parent_id ? `>${depth(all.find(({ id }) => id === column.parent_id))}` : '';
      return all.map((column) => `${depth(column)}${column.code}${column.sort}`).join(' ');
    },
  };
}

const admin = (method: string, path: string, body?: unknown) =>
  outcome(server, method, path, { token: server.adminToken, body });
const object = async (layer: TestLayer, fields: object, query = ''): Promise<number> =>
  (await server.admin('POST', `${layer.at}objects/${query}`, { fields })).id;
const valuesOf = async (layer: TestLayer, code: string, query = ''): Promise<unknown[]> =>
  (await server.admin('GET', `${layer.at}objects/?fields=${code}${query}`)).map(
    (item: any) => item.fields[code],
  );

test('a column: every field, made, read, changed, deleted', async () => {
  const layer = await newLayer();
  const [svc, geom] = (await server.request('GET', layer.columns)).json;
  const own = { parent_id: 0, name: '', required: false, localized_name: false, localized_value: false };
  assert.deepEqual(svc, { id: svc.id, sort: 1, code: 'svc_id', type: 'number', ...own });
  assert.deepEqual(geom, { id: geom.id, sort: 2, code: 'geom', type: 'geom', ...own });
  const made = await server.admin('POST', layer.columns, { code: 'c', type: 'number' });
  assert.deepEqual(made, { id: made.id, sort: 3, code: 'c', type: 'number', ...own });
  const change = {
    code: '_d2',
    type: 'number',
    name: 'Size',
    required: true,
    sort: 1,
    format: { decimals: 2, suffix: ' km' },
  };
  const changed = await server.admin('PUT', `${layer.columns}c/`, change);
  assert.deepEqual(changed, { ...made, ...change, lost: 0 });
  const { lost: _, ...stored } = changed;
  assert.deepEqual((await server.request('GET', layer.columns)).json[0], stored);
  assert.deepEqual(
    await server.admin('PATCH', `${layer.columns}_d2/`, { type: 'number' }),
    changed,
    'the rest stays',
  );
  assert.deepEqual(
    await server.admin('PATCH', `${layer.columns}${made.id}/`, { type: 'number' }),
    changed,
    'by its id',
  );
  const plain = await server.admin('PATCH', `${layer.columns}_d2/`, { type: 'number', format: null });
  assert.ok(!('format' in plain));
  assert.equal(await server.admin('DELETE', `${layer.columns}_d2/`), null);
  assert.deepEqual(await admin('DELETE', `${layer.columns}_d2/`), [404, 'column_not_found']);
  assert.deepEqual(await admin('PATCH', `${layer.columns}_d2/`, { type: 'number' }), [
    404,
    'column_not_found',
  ]);
  assert.equal(await layer.order(), 'svc_id2 geom3');
});

/** Body of POST, status, code. */
const mistakes: [object, number, string][] = [
  [{}, 500, 'required_missing'],
  [{ type: 'string' }, 500, 'required_missing'],
  [{ code: 'x' }, 500, 'type_missing'],
  [{ code: 'x', type: '' }, 500, 'type_missing'],
  [{ code: 'x', type: null }, 400, 'bad_request'],
  [{ code: 'x', type: 'blob' }, 400, 'bad_request'],
  [{ code: 'x', type: 'geom' }, 400, 'bad_request'],
  [{ code: 'x', type: 'toString' }, 400, 'bad_request'],
  [{ code: '', type: 'string' }, 500, 'code_invalid'],
  [{ code: '1x', type: 'string' }, 500, 'code_invalid'],
  [{ code: 'a-b', type: 'string' }, 500, 'code_invalid'],
  [{ code: 'x\n', type: 'string' }, 500, 'code_invalid'],
  [{ code: 'имя', type: 'string' }, 500, 'code_invalid'],
  [{ code: 'x'.repeat(45), type: 'string' }, 500, 'code_invalid'],
  [{ code: 'geom', type: 'string' }, 500, 'code_reserved'],
  [{ code: 'svc_id', type: 'number' }, 500, 'code_reserved'],
  [{ code: 'taken', type: 'number' }, 500, 'code_taken'],
  [{ code: 7, type: 'string' }, 400, 'bad_request'],
  [{ code: 'x', type: 'string', name: 7 }, 400, 'bad_request'],
  [{ code: 'x', type: 'string', name: { en: 'x' } }, 400, 'bad_request'],
  [{ code: 'x', type: 'string', required: 1 }, 400, 'bad_request'],
  [{ code: 'x', type: 'string', sort: 'last' }, 400, 'bad_request'],
  [{ code: 'x', type: 'string', parent_id: 999_999 }, 400, 'bad_request'],
  [{ code: 'x', type: 'string', parent_id: 1e300 }, 400, 'bad_request'],
  [{ code: 'x', type: 'string', parent_id: -1 }, 400, 'bad_request'],
  [{ code: 'x', type: 'string', format: 'x' }, 400, 'bad_request'],
  [{ code: 'x', type: 'string', format: [] }, 400, 'bad_request'],
  [{ code: 'x', type: 'string', format: { template: 7 } }, 400, 'bad_request'],
  [{ code: 'x', type: 'number', format: { decimals: 'two' } }, 400, 'bad_request'],
  [{ code: 'x', type: 'number', format: { decimals: 21 } }, 400, 'bad_request'],
  [{ code: 'x', type: 'datetime', format: { zone: 'Mars/Olympus' } }, 400, 'bad_request'],
  [{ code: 'x', type: 'bool', format: { true: 1 } }, 400, 'bad_request'],
  ...unstorableTexts.flatMap((text): [object, number, string][] => [
    [{ code: 'x', type: 'string', name: text }, 400, 'bad_request'],
    [{ code: 'x', type: 'string', format: { template: text } }, 400, 'bad_request'],
  ]),
];

test('mistakes are refused, and nothing is changed', async () => {
  const layer = await newLayer(
    { code: 'taken', type: 'string' },
    { code: 'own', type: 'string', name: 'Own' },
  );
  const structure = async () => JSON.stringify(await server.admin('GET', layer.columns));
  const before = await structure();
  for (const [body, status, code] of mistakes) {
    assert.deepEqual(await admin('POST', layer.columns, body), [status, code], JSON.stringify(body));
    assert.equal(await structure(), before);
    if (code === 'required_missing') continue;
    for (const method of ['PUT', 'PATCH'])
      assert.deepEqual(
        await admin(method, `${layer.columns}own/`, body),
        [status, code],
        JSON.stringify(body),
      );
  }
  assert.equal(await structure(), before);
  assert.deepEqual(await admin('PATCH', `${layer.columns}own/`, {}), [500, 'type_missing']);
  assert.deepEqual(await admin('PATCH', `${layer.columns}own/`, { name: 'no type' }), [500, 'type_missing']);
  assert.deepEqual(await admin('PATCH', `${layer.columns}own/`, { type: 'string', code: 'taken' }), [
    500,
    'code_taken',
  ]);
  for (const text of hostileTexts) {
    const code = text === '__proto__' ? 'code_reserved' : 'code_invalid';
    assert.deepEqual(await admin('POST', layer.columns, { code: text, type: 'string' }), [500, code]);
    const path = `${layer.columns}${encodeURIComponent(text)}/`;
    assert.deepEqual(await admin('DELETE', path), [404, 'column_not_found'], text);
  }
  assert.deepEqual(await admin('DELETE', `${layer.columns}%00/`), [404, 'column_not_found']);
  assert.equal(await structure(), before);
});

test('svc_id and geom keep their code and type, and stay', async () => {
  const layer = await newLayer({ code: 'group', type: 'title' });
  const title = (await server.admin('GET', layer.columns)).find((column: any) => column.code === 'group');
  for (const [code, type] of [
    ['svc_id', 'number'],
    ['geom', 'geom'],
  ] as const) {
    const path = `${layer.columns}${code}/`;
    assert.deepEqual(await admin('DELETE', path), [500, 'code_reserved']);
    for (const body of [{ type, code: 'other' }, { type: 'string' }, { type, localized_value: true }])
      assert.deepEqual(await admin('PUT', path, body), [500, 'code_reserved'], JSON.stringify(body));
    const changed = await server.admin('PUT', path, {
      type,
      code,
      name: 'Named',
      parent_id: title.id,
      sort: 1,
    });
    assert.deepEqual([changed.name, changed.parent_id, changed.sort], ['Named', title.id, 1]);
  }
  assert.equal(
    (await server.admin('PUT', `${layer.columns}svc_id/`, { type: 'number', required: true })).required,
    false,
    'the service makes the ids',
  );
  assert.equal(await layer.order(), 'group3 >geom1 >svc_id2');
  await object(layer, {});
  assert.equal(
    (await server.admin('PUT', `${layer.columns}geom/`, { type: 'geom', required: true })).required,
    true,
  );
  assert.equal((await admin('POST', `${layer.at}objects/`, { fields: {} }))[0], 500);
});

test('codes that are special in a database are accepted', async () => {
  const codes = [
    'xmin',
    'ctid',
    'tableoid',
    'select',
    'order',
    'SVC_ID',
    'Geom',
    'id',
    'c1',
    '_',
    'x'.repeat(44),
    'constructor',
    '__proto__x',
  ];
  const layer = await newLayer(...codes.map((code) => ({ code, type: 'string' })));
  const fields = Object.fromEntries(codes.map((code) => [code, `value of ${code}`]));
  const id = await object(layer, fields);
  const stored = await server.admin('GET', `${layer.at}objects/${id}/`);
  for (const code of codes) assert.equal(stored.fields[code], `value of ${code}`);
});

test('titles group columns; deleting a title moves its columns up', async () => {
  const layer = await newLayer(
    { code: 'a', type: 'string' },
    { code: 'outer', type: 'title', required: true, localized_value: true },
    { code: 'b', type: 'string' },
  );
  const make = async (code: string, type: string, parent: string, sort?: number) => {
    const all = await server.admin('GET', layer.columns);
    const parent_id = all.find((column: any) => column.code === parent).id;
    return server.admin('POST', layer.columns, { code, type, parent_id, sort });
  };
  await make('inner', 'title', 'outer');
  await make('x', 'string', 'outer');
  await make('y', 'number', 'inner');
  await make('z', 'number', 'inner', 0);
  assert.equal(await layer.order(), 'svc_id1 geom2 a3 outer4 >inner1 >>z1 >>y2 >x2 b5');
  const outer = (await server.admin('GET', layer.columns)).find((column: any) => column.code === 'outer');
  assert.deepEqual([outer.required, outer.localized_value], [false, false], 'a title holds no values');
  const inner = (await server.admin('GET', layer.columns)).find((column: any) => column.code === 'inner');

  assert.deepEqual(await admin('PATCH', `${layer.columns}outer/`, { type: 'title', parent_id: inner.id }), [
    400,
    'bad_request',
  ]);
  assert.deepEqual(await admin('PATCH', `${layer.columns}outer/`, { type: 'title', parent_id: outer.id }), [
    400,
    'bad_request',
  ]);
  const x = (await server.admin('GET', layer.columns)).find((column: any) => column.code === 'x');
  assert.deepEqual(await admin('PATCH', `${layer.columns}b/`, { type: 'string', parent_id: x.id }), [
    400,
    'bad_request',
  ]);

  const id = await object(layer, { x: 'kept', y: 1 });
  await server.admin('DELETE', `${layer.columns}outer/`);
  assert.equal(await layer.order(), 'svc_id1 geom2 a3 inner5 >z1 >y2 x6 b7');
  await server.admin('PATCH', `${layer.columns}b/`, { type: 'string', sort: 1 });
  await server.admin('PATCH', `${layer.columns}x/`, { type: 'string', parent_id: inner.id, sort: 1.5 });
  assert.equal(await layer.order(), 'b1 svc_id2 geom3 a4 inner5 >z1 >x2 >y3');
  await server.admin('PATCH', `${layer.columns}x/`, { type: 'string', parent_id: 0 });
  assert.equal(await layer.order(), 'b1 svc_id2 geom3 a4 inner5 >z1 >y3 x6');
  const turned = await server.admin('PUT', `${layer.columns}inner/`, { type: 'number' });
  assert.deepEqual([turned.type, turned.lost], ['number', 0], 'a title may become a column');
  assert.equal(await layer.order(), 'b1 svc_id2 geom3 a4 inner5 z6 y7 x8');
  assert.deepEqual((await server.admin('GET', `${layer.at}objects/${id}/`)).fields, {
    b: null,
    a: null,
    inner: null,
    z: null,
    y: 1,
    x: 'kept',
  });
  const back = await server.admin('PUT', `${layer.columns}y/`, { type: 'title' });
  assert.deepEqual([back.type, back.lost], ['title', 1], 'and a column a title, which loses its values');
  assert.deepEqual(await valuesOf(layer, 'x'), ['kept']);
});

test('names by language', async () => {
  const layer = await newLayer();
  const made = await server.admin('POST', `${layer.columns}?lng=ru`, {
    code: 'c',
    type: 'string',
    localized_name: true,
    name: { en: 'Length', ru: 'Длина' },
  });
  assert.equal(made.name, 'Длина');
  const name = async (query = '') => (await server.request('GET', layer.columns + query)).json[2].name;
  assert.deepEqual(
    [await name(), await name('?lng=ru'), await name('?lng=de')],
    ['Length', 'Длина', 'Length'],
  );
  await server.admin('PATCH', `${layer.columns}c/?lng=de`, { type: 'string', name: 'Länge' });
  assert.deepEqual([await name(), await name('?lng=de')], ['Length', 'Länge']);
  await server.admin('PATCH', `${layer.columns}c/`, { type: 'string', name: {} });
  assert.equal(await name(), 'c');
  for (const text of hostileTexts) {
    const changed = await server.admin('PUT', `${layer.columns}c/?lng=en`, {
      type: 'string',
      name: text,
      format: { template: text },
    });
    assert.deepEqual([changed.name, changed.format], [text, { template: text }]);
    assert.equal(await name(), text);
  }
});

/** From, to, values before, values after. A value that becomes null is lost. */
const changes: [string, string, unknown[], unknown[]][] = [
  ['string', 'number', ['1.5', ' 2 ', 'x', null, '1e400', '', 'NaN'], [1.5, 2, null, null, null, null, null]],
  ['number', 'string', [1.5, 2, null, 1e21], ['1.5', '2', null, '1e+21'].slice(0, 3)],
  [
    'string',
    'datetime',
    ['2024-05-01', '2024-02-31', 'soon', '2024-05-01T12:00:00+03:00'],
    ['2024-05-01T00:00:00.000Z', null, null, '2024-05-01T09:00:00.000Z'],
  ],
  ['datetime', 'string', ['2024-05-01T12:00:00Z', null], ['2024-05-01T12:00:00.000Z', null]],
  ['datetime', 'number', ['1970-01-01T00:00:01Z'], [1000]],
  ['number', 'datetime', [1000, 1e300], ['1970-01-01T00:00:01.000Z', null].slice(0, 1)],
  ['datetime', 'bool', ['2024-05-01'], [null]],
  ['string', 'bool', ['true', '1', 'FALSE', 'yes?', '2'], [true, true, false, null, null]],
  ['number', 'bool', [1, 0, 2], [true, false, null]],
  ['bool', 'number', [true, false, null], [1, 0, null]],
  ['bool', 'text', [true, false], ['true', 'false']],
  ['json', 'text', [{ a: 1 }, 'plain', [1, 2]], ['{"a": 1}', 'plain', '[1, 2]']],
  ['json', 'number', [5, '7', { a: 1 }], [5, 7, null]],
  ['text', 'json', ['{"a":1}', 'x'], ['{"a":1}', 'x']],
  ['text', 'string', ['x'.repeat(4000), 'y'.repeat(4001)], ['x'.repeat(4000), null]],
  ['string', 'text', [...hostileTexts], [...hostileTexts]],
  ['string', 'json', [...hostileTexts], [...hostileTexts]],
  ['string', 'file', ['x'], [null]],
  ['json', 'string', [...hostileTexts], [...hostileTexts]],
];
for (const [from, to, before, after] of changes) {
  const given = before.slice(0, after.length);
  const lost = after.filter((value, i) => value === null && given[i] !== null).length;
  test(`a change from ${from} to ${to} loses ${lost} of ${given.length}`, async () => {
    const layer = await newLayer({ code: 'c', type: from }, { code: 'other', type: 'string' });
    for (const value of given) await object(layer, { c: value, other: 'stays' });
    const changed = await server.admin('PUT', `${layer.columns}c/`, { type: to, format: null });
    assert.deepEqual([changed.type, changed.lost], [to, lost]);
    assert.deepEqual(await valuesOf(layer, 'c'), after);
    assert.deepEqual(
      await valuesOf(layer, 'other'),
      given.map(() => 'stays'),
    );
    const again = await server.admin('PUT', `${layer.columns}c/`, { type: to });
    assert.equal(again.lost, 0);
  });
}

test('returnNames gives the names in all languages, and only it', async () => {
  const names = { en: 'Width', de: 'Breite' };
  const layer = await newLayer({ code: 'w', type: 'number', localized_name: true, name: names });
  const widthOf = async (query: string): Promise<any> =>
    (await server.admin('GET', `${layer.columns}${query}`)).find(
      ({ code }: { code: string }) => code === 'w',
    );
  assert.deepEqual((await widthOf('?returnNames=1')).names, names);
  assert.equal('names' in (await widthOf('')), false);
});

test('a change of type keeps the format, which applies again when the type returns', async () => {
  const layer = await newLayer({ code: 'c', type: 'number', format: { decimals: 1 } });
  await object(layer, { c: 2 });
  const shown = () => valuesOf(layer, 'c', '&f=fjson');
  assert.deepEqual(await shown(), ['2.0']);
  assert.deepEqual((await server.admin('PUT', `${layer.columns}c/`, { type: 'string' })).format, {
    decimals: 1,
  });
  assert.deepEqual(await shown(), ['2']);
  await server.admin('PUT', `${layer.columns}c/`, { type: 'number' });
  assert.deepEqual(await shown(), ['2.0']);
});

test('values by language: switched on, set, converted, switched off', async () => {
  const layer = await newLayer({ code: 'c', type: 'string' });
  const [first, second, third] = [
    await object(layer, { c: '1' }),
    await object(layer, { c: 'River' }),
    await object(layer, {}),
  ];
  const change = async (body: object, query = '') =>
    (await server.admin('PATCH', `${layer.columns}c/${query}`, body)).lost;
  const set = (id: number, lng: string, c: unknown) =>
    server.admin('PUT', `${layer.at}objects/${id}/?lng=${lng}`, { fields: { c } });
  const values = async () => [await valuesOf(layer, 'c'), await valuesOf(layer, 'c', '&lng=ru')];

  assert.equal(await change({ type: 'string', localized_value: true }), 0);
  assert.deepEqual(await values(), [
    ['1', 'River', null],
    ['1', 'River', null],
  ]);
  await set(first!, 'ru', '10');
  await set(second!, 'ru', 'Река');
  await set(third!, 'ru', '30');
  assert.deepEqual(await values(), [
    ['1', 'River', '30'],
    ['10', 'Река', '30'],
  ]);
  assert.equal(await change({ type: 'number' }), 2, 'River and Река');
  assert.deepEqual(await values(), [
    [1, null, 30],
    [10, null, 30],
  ]);
  assert.equal(await change({ type: 'datetime' }), 0);
  assert.deepEqual((await values())[1], ['1970-01-01T00:00:00.010Z', null, '1970-01-01T00:00:00.030Z']);
  assert.equal(await change({ type: 'json' }), 0);
  assert.equal(await change({ type: 'string' }), 0);
  assert.deepEqual((await values())[0], ['1970-01-01T00:00:00.001Z', null, '1970-01-01T00:00:00.030Z']);
  assert.equal(
    await change({ type: 'string', localized_value: false }),
    1,
    'the other language of the first; the third had but one',
  );
  assert.deepEqual(
    await values(),
    Array(2).fill(['1970-01-01T00:00:00.001Z', null, '1970-01-01T00:00:00.030Z']),
  );
  assert.equal(await change({ type: 'datetime', localized_value: true }), 0, 'both at once');
  assert.equal(await change({ type: 'number', localized_value: false }), 0);
  assert.deepEqual((await values())[0], [1, null, 30]);
});

test('a localized column of every type converts', async () => {
  for (const [type, value, to, expected] of [
    ['bool', true, 'number', 1],
    ['json', { a: [1] }, 'text', '{"a": [1]}'],
    ['text', hostileTexts.join(), 'json', hostileTexts.join()],
    ['datetime', '2024-05-01T00:00:00.000Z', 'text', '2024-05-01T00:00:00.000Z'],
  ] as const) {
    const layer = await newLayer({ code: 'c', type, localized_value: true });
    await object(layer, { c: value }, '?lng=ru');
    assert.equal((await server.admin('PUT', `${layer.columns}c/`, { type: to })).lost, 0);
    assert.deepEqual(await valuesOf(layer, 'c', '&lng=ru'), [expected]);
  }
});

test('a column that the style uses is neither deleted, renamed nor made incompatible', async () => {
  const layer = await newLayer({ code: 'size', type: 'number' }, { code: 'other', type: 'string' });
  await server.admin('PATCH', layer.at, { css_style: `#layer[size > 5] { marker-width: [size]; }` });
  const change = async (method: string, body?: object) => {
    const answer = await server.request(method, `${layer.columns}size/`, { token: server.adminToken, body });
    return [answer.status, answer.json?.code, answer.json?.data?.columns];
  };
  assert.deepEqual(await change('DELETE'), [500, 'style_invalid', ['size']]);
  assert.deepEqual(await change('PATCH', { type: 'number', code: 'length' }), [
    500,
    'style_invalid',
    ['size'],
  ]);
  assert.deepEqual(await change('PATCH', { type: 'string' }), [500, 'style_invalid', ['size']]);
  assert.deepEqual(await change('PATCH', { type: 'title' }), [500, 'style_invalid', ['size']]);
  assert.equal((await change('PATCH', { type: 'number', name: 'Size', required: true }))[0], 200);
  assert.equal(await server.admin('DELETE', `${layer.columns}other/`), null, 'others may go');
  await server.admin('PATCH', layer.at, { css_style: '' });
  assert.equal((await change('DELETE'))[0], 200);
});

test('a style that was already invalid does not block changes of other columns', async () => {
  const { code } = await server.admin('POST', '/m/layers/', {
    code: freshCode('l'),
    css_style: '#layer[to_come > 5] { line-width: 1; }',
  });
  const columns = `/m/layers/${code}/structure/`;
  await server.admin('POST', columns, { code: 'a', type: 'string' });
  await server.admin('PATCH', `${columns}a/`, { type: 'number', code: 'b' });
  await server.admin('DELETE', `${columns}b/`);
});

test('a new required column keeps the existing objects', async () => {
  const layer = await newLayer({ code: 'a', type: 'string' });
  const id = await object(layer, { a: 'x' });
  const b = await server.admin('POST', layer.columns, { code: 'b', type: 'string', required: true });
  assert.equal(b.required, true);
  assert.deepEqual((await server.admin('GET', `${layer.at}objects/${id}/`)).fields, { a: 'x', b: null });
  await server.admin('PUT', `${layer.at}objects/${id}/`, { fields: { a: 'y' } });
  assert.deepEqual(await admin('POST', `${layer.at}objects/`, { fields: { a: 'z' } }), [
    500,
    'required_missing',
  ]);
});

test('simultaneous changes of the structure', async () => {
  const layer = await newLayer();
  const codes = Array.from({ length: 8 }, (_, i) => `c${i}`);
  await Promise.all(
    codes.map((code) => server.admin('POST', layer.columns, { code, type: 'string', sort: 1 })),
  );
  const race = await Promise.all(
    [1, 2, 3].map(() => admin('POST', layer.columns, { code: 'race', type: 'string' })),
  );
  assert.deepEqual(race.map(([status, code]) => code ?? status).sort(), [200, 'code_taken', 'code_taken']);
  const writes = codes.map((code, i) =>
    i % 2
      ? server.admin('PUT', `${layer.columns}${code}/`, { type: 'number', sort: 9 })
      : object(layer, { [code]: '1' }),
  );
  await Promise.all(writes);
  const all = await server.admin('GET', layer.columns);
  assert.deepEqual(
    all.map((column: any) => column.sort),
    all.map((_: unknown, i: number) => i + 1),
  );
  assert.equal(all.length, 11);
  assert.equal((await valuesOf(layer, 'c0')).length, 4);
});

test('the structure has its limit, and deleted columns do not count', async () => {
  const layer = await newLayer({ code: 'name', type: 'string' });
  const id = await object(layer, { name: 'kept' });
  const table = ident('cartulary_data', `layer_${layer.id}`);
  // The database counts dropped columns; this table has had many.
  await server.db.transaction(async (tx) => {
    const names = Array.from({ length: 1_560 }, (_, i) => ident(`gone${i}`));
    await tx.query(sql`alter table ${table} ${join(names.map((name) => sql`add column ${name} smallint`))}`);
    await tx.query(sql`alter table ${table} ${join(names.map((name) => sql`drop column ${name}`))}`);
  });
  for (let i = 0; i < 40; i++)
    await server.admin('POST', layer.columns, { code: `c${i}`, type: i % 2 ? 'number' : 'string' });
  const next = await server.admin('POST', `${layer.at}objects/`, {
    fields: { name: 'new', c39: 5 },
    geom: { type: 'Point', coordinates: [1, 2] },
  });
  assert.equal(next.id, id + 1, 'ids go on');
  assert.deepEqual(await valuesOf(layer, 'name'), ['kept', 'new']);
  assert.deepEqual((await server.request('GET', `${layer.at}bbox/`)).json, { sw: [2, 1], ne: [2, 1] });
  const indexes = await server.db.query<{ name: string }>(
    sql`select indexrelid::regclass::text as name from pg_index where indrelid = ${`cartulary_data.layer_${layer.id}`}::regclass order by 1`,
  );
  assert.equal(indexes.length, 2);
  assert.ok(indexes.some(({ name }) => name === `cartulary_data.layer_${layer.id}_geom`));
  await assert.rejects(
    server.db.transaction((tx) =>
      tx.query(sql`insert into ${table} (geom) values (st_setsrid(st_makepoint(1, 2), 3857))`),
    ),
    /check constraint/,
  );
});

test('a thousand columns', async () => {
  const layer = await newLayer();
  await server.db.transaction(async (tx) => {
    const ids = await tx.query<{ id: number }>(sql`
      insert into cartulary.layer_column (layer_id, code, type, sort)
      select ${layer.id}, 'c' || n, 'number', n + 2 from generate_series(1, 990) n returning id`);
    const additions = ids.map(({ id }) => sql`add column ${ident(`c${id}`)} double precision`);
    await tx.query(sql`alter table ${ident('cartulary_data', `layer_${layer.id}`)} ${join(additions)}`);
  });
  for (let i = 991; i <= 998; i++) await server.admin('POST', layer.columns, { code: `c${i}`, type: 'bool' });
  assert.deepEqual(await admin('POST', layer.columns, { code: 'one_more', type: 'bool' }), [
    400,
    'bad_request',
  ]);
  const fields = Object.fromEntries(Array.from({ length: 990 }, (_, i) => [`c${i + 1}`, i]));
  const id = await object(layer, fields);
  assert.equal((await server.admin('GET', `${layer.at}objects/${id}/`)).fields.c990, 989);
  await server.admin('PATCH', `${layer.columns}c990/`, { type: 'string', sort: 1 });
  assert.equal((await server.admin('GET', layer.columns))[0].code, 'c990');
  await server.admin('DELETE', `${layer.columns}c500/`);
  await server.admin('POST', layer.columns, { code: 'one_more', type: 'bool' });
});
