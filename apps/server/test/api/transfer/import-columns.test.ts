/* The parameter `columns` of an import: where the values of a property go. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

type Properties = Record<string, unknown>;
const collection = (...rows: Properties[]): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: rows.map((properties) => ({ type: 'Feature', properties, geometry: null })),
  });
async function layerOf(...columns: object[]): Promise<string> {
  const code = freshCode('layer');
  await server.admin('POST', '/m/layers/', { code });
  for (const column of columns) await server.admin('POST', `/m/layers/${code}/structure/`, column);
  return `/m/layers/${code}/`;
}
const send = (layer: string, columns: unknown, body: string, query = '') =>
  server.request(
    'POST',
    `${layer}import/?columns=${encodeURIComponent(typeof columns === 'string' ? columns : JSON.stringify(columns))}${query}`,
    { token: server.adminToken, headers: { accept: 'application/json', 'x-filename': 'x' }, body },
  );
const columnsOf = async (layer: string): Promise<[string, string, string][]> =>
  (await server.admin('GET', `${layer}structure/`))
    .filter(({ code }: { code: string }) => code !== 'svc_id' && code !== 'geom')
    .map(({ code, name, type }: Record<string, string>) => [code, name, type]);
const valuesOf = async (layer: string, fields = '*'): Promise<unknown[][]> =>
  (await server.admin('GET', `${layer}objects/?fields=${fields}`)).map(
    ({ fields: { svc_id, ...own } }: { fields: Properties }) => Object.values(own),
  );

const choices = [
  { property: 'NAZV', code: 'name', name: 'Название', type: 'text' },
  { property: 'KOD', type: 'string' },
  { property: 'AREA', code: 'hectares' },
  { property: 'ID1', skip: true },
];
const rows = collection(
  { NAZV: 'Парк', KOD: 7, AREA: 1.5, ID1: 'x', other: true },
  { NAZV: null, KOD: null, AREA: 2, ID1: null, other: false },
);

test('new columns have the chosen code, name and type; properties can be left out', async () => {
  const layer = await layerOf();
  const expected: [string, string, string][] = [
    ['name', 'Название', 'text'],
    ['KOD', 'KOD', 'string'],
    ['hectares', 'AREA', 'number'],
    ['other', 'other', 'bool'],
  ];
  const preview = (await send(layer, choices, rows, '&dry_run=1&rows=1')).json.import;
  assert.deepEqual(
    preview.columns.map(({ code, name, type, properties }: any) => [code, name, type, properties]),
    expected.map(([code, name, type], i) => [code, name, type, [['NAZV', 'KOD', 'AREA', 'other'][i]]]),
  );
  assert.deepEqual(preview.rows[0].fields, { name: 'Парк', KOD: '7', hectares: 1.5, other: true });
  assert.ok(preview.notes.includes('Properties left out as the request says: ID1'), preview.notes.join());
  const done = await send(layer, choices, rows);
  assert.equal(done.status, 200, done.text);
  assert.deepEqual(await columnsOf(layer), expected);
  assert.deepEqual(await valuesOf(layer, 'name,KOD,hectares,other'), [
    ['Парк', '7', 1.5, true],
    [null, null, 2, false],
  ]);
  const again = await send(layer, choices, rows);
  assert.equal(again.status, 200, 'the same choices fit the columns that they made');
  assert.equal((await valuesOf(layer)).length, 4);
});

test('values go into a column of the layer, converted to its type; with a key they change objects', async () => {
  const layer = await layerOf({ code: 'number', type: 'number' }, { code: 'name', type: 'string' });
  await server.admin('POST', `${layer}objects/`, { fields: { number: 7, name: 'old' } });
  const table = 'NR;TITLE\n7;new\n8;added\n';
  const chosen = [
    { property: 'NR', code: 'number' },
    { property: 'TITLE', code: 'name' },
  ];
  const done = await send(layer, chosen, table, '&key=number');
  assert.deepEqual([done.json.import?.added, done.json.import?.changed], [1, 1], done.text);
  assert.deepEqual(await valuesOf(layer, 'number,name'), [
    [7, 'new'],
    [8, 'added'],
  ]);
});

test('texts of a table keep their zeros in a column of texts, and become numbers and dates as chosen', async () => {
  const layer = await layerOf();
  const table = 'kod;wert;tag\n007;1,50;01.05.2024\n010;2,25;31.12.2024\n';
  const chosen = [
    { property: 'kod', type: 'string' },
    { property: 'wert', type: 'number' },
    { property: 'tag', type: 'datetime' },
  ];
  const done = await send(layer, chosen, table);
  assert.equal(done.status, 200, done.text);
  assert.deepEqual(await valuesOf(layer, 'kod,wert,tag'), [
    ['007', 1.5, '2024-05-01T00:00:00.000Z'],
    ['010', 2.25, '2024-12-31T00:00:00.000Z'],
  ]);
});

test('values that a chosen type refuses name feature and column, or are left out and listed', async () => {
  const layer = await layerOf();
  const file = collection({ v: '1' }, { v: 'many' });
  const failed = await send(layer, [{ property: 'v', type: 'number', code: 'value' }], file);
  assert.deepEqual(
    [failed.status, failed.json.code, failed.json.data],
    [500, 'value_invalid', { columns: ['value'], feature: 2 }],
  );
  assert.match(failed.json.message, /Feature 2/);
  assert.deepEqual(await columnsOf(layer), []);
  const skipped = (await send(layer, [{ property: 'v', type: 'number' }], file, '&skip_errors=1')).json
    .import;
  assert.deepEqual([skipped.stored, skipped.refused, skipped.errors[0].feature], [1, 1, 2]);
});

test('choices that cannot be are refused before anything is stored, and say why', async () => {
  const layer = await layerOf({ code: 'number', type: 'number' }, { code: 'doc', type: 'file' });
  const one = (choice: object): object[] => [{ property: 'a', ...choice }];
  for (const [columns, text] of [
    ['{', /JSON array/],
    [{}, /JSON array/],
    [[1], /must be an object/],
    [[{ code: 'x' }], /must have the key property/],
    [one({ colour: 1 }), /the key colour is none of property, code, name, type, skip/],
    [one({ type: 'geom' }), /type of 'a': must be one of/],
    [one({ type: 'file' }), /must be one of/],
    [one({ skip: 'yes' }), /true or false/],
    [one({ skip: true, code: 'x' }), /left out, so it has no code/],
    [one({ code: 'number', type: 'text' }), /'number' exists and has the type number/],
    [one({ code: 'doc' }), /'doc' takes no values/],
    [[...one({}), ...one({})], /the property 'a' stands there twice/],
    [
      [
        { property: 'a', code: 'x' },
        { property: 'b', code: 'x' },
      ],
      /the code 'x' stands there twice/,
    ],
  ] as const) {
    const { status, json } = await send(layer, columns, collection({ a: 1, b: 2 }));
    assert.deepEqual([status, json.code, json.data.parameters], [400, 'bad_request', ['columns']], `${text}`);
    assert.match(json.message, text);
  }
  for (const code of ['ä', 'svc_id', 'geom'])
    assert.match(
      (await send(layer, one({ code }), collection({ a: 1 }))).json.code,
      /^code_(invalid|reserved)$/,
    );
  const unknown = await send(layer, [{ property: 'nothing', skip: true }], collection({ a: 1 }));
  assert.equal(unknown.json.code, 'import_failed');
  assert.match(unknown.json.message, /no property 'nothing'/);
  const both = await send(layer, one({ code: 'number' }), collection({ a: 1, number: 2 }));
  assert.match(both.json.message, /both belong into the column number/);
  const localized = await send(layer, one({ code: 'x' }), collection({ a: 1 }), '&localized=a');
  assert.match(localized.json.message, /named by localized/);
  assert.deepEqual(
    (await columnsOf(layer)).map(([code]) => code),
    ['number', 'doc'],
  );
});

test('a form without a file names an upload, and may hold long choices', async () => {
  const layer = await layerOf();
  const names = Array.from({ length: 400 }, (_, i) => `property_${i}`);
  const file = collection(Object.fromEntries(names.map((name, i) => [name, i])));
  const kept = await server.admin('POST', `${layer}import/?dry_run=1&keep=1`, file);
  const form = new FormData();
  form.set('upload', kept.import.upload);
  const long = names.map((property) => ({
    property,
    code: property.replace('property', 'c'),
    type: 'string',
  }));
  form.set('columns', JSON.stringify(long));
  const done = await server.request('POST', `${layer}import/`, { token: server.adminToken, body: form });
  assert.equal(done.json.import?.stored, 1, done.text);
  assert.equal((await columnsOf(layer)).length, 400);
});
