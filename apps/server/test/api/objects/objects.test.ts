import assert from 'node:assert/strict';
import test from 'node:test';
import { type Sql, sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

interface ColumnSetup {
  code: string;
  type: string;
  required?: boolean;
  localized_value?: boolean;
  format?: object;
}

/** Creates a layer with columns; returns its path. */
async function newLayer(columns: ColumnSetup[] = [], map = 'm'): Promise<string> {
  const code = freshCode('l');
  await server.admin('POST', `/${map}/layers/`, { code });
  for (const column of columns) await server.admin('POST', `/${map}/layers/${code}/structure/`, column);
  return `/${map}/layers/${code}`;
}

const create = (layer: string, fields: object, geom?: object | null): Promise<any> =>
  server.admin('POST', `${layer}/objects/`, { fields, ...(geom === undefined ? {} : { geom }) });

/** Sends a request as the administrator that must fail with this error. */
async function fails(
  [method, path, body]: [string, string, unknown?],
  [status, code]: [number, string],
): Promise<any> {
  const answer = await server.request(method, path, {
    token: server.adminToken,
    body,
    headers: { accept: 'application/json' },
  });
  assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
  assert.equal(answer.json.code, code, answer.text);
  return answer.json;
}

const idsOf = (objects: { id: number }[]): number[] => objects.map(({ id }) => id);

const square = (lon: number, lat: number, size = 1): any => ({
  type: 'Polygon',
  coordinates: [
    [
      [lon, lat],
      [lon + size, lat],
      [lon + size, lat + size],
      [lon, lat + size],
      [lon, lat],
    ],
  ],
});
const point = (...coordinates: number[]): any => ({ type: 'Point', coordinates });

const everyType: ColumnSetup[] = [
  { code: 'n', type: 'number' },
  { code: 's', type: 'string' },
  { code: 't', type: 'text' },
  { code: 'd', type: 'datetime' },
  { code: 'b', type: 'bool' },
  { code: 'j', type: 'json' },
  { code: 'f', type: 'file' },
  { code: 'heading', type: 'title' },
];
const nothing = { n: null, s: null, t: null, d: null, b: null, j: null, f: null };

test('an object has values in the types of its columns, and an update changes only the sent values', async () => {
  const layer = await newLayer(everyType);
  const made = await create(layer, {
    n: '-1.25e2',
    s: 'a"\\\n\u2028💡',
    t: 'x'.repeat(10_000),
    d: '2024-05-01T12:00:00.5+03:00',
    b: 1,
    j: { a: [1, null, { b: 'ё' }], 'k"': 1e21 },
    f: '',
  });
  assert.deepEqual(made, {
    id: 1,
    fields: {
      n: -125,
      s: 'a"\\\n\u2028💡',
      t: 'x'.repeat(10_000),
      d: '2024-05-01T09:00:00.500Z',
      b: true,
      j: { a: [1, null, { b: 'ё' }], 'k"': 1e21 },
      f: null,
    },
  });
  assert.deepEqual(await server.admin('GET', `${layer}/objects/1/`), made);

  const changed = await server.admin('PUT', `${layer}/objects/1/`, {
    fields: { n: 0, d: 0, b: 'false', j: null },
  });
  const fields = { ...made.fields, n: 0, d: '1970-01-01T00:00:00.000Z', b: false, j: null };
  assert.deepEqual(changed, { id: 1, fields });
  assert.deepEqual(await server.admin('PUT', `${layer}/objects/1/`, {}), { id: 1, fields });
  assert.deepEqual(await server.admin('PUT', `${layer}/objects/1/`), { id: 1, fields });
  assert.deepEqual(await server.admin('PUT', `${layer}/objects/1/`, { fields: { svc_id: 1 } }), {
    id: 1,
    fields,
  });
  assert.deepEqual(await create(layer, {}), { id: 2, fields: nothing });
  assert.deepEqual(await create(await newLayer(), {}), { id: 1, fields: {} });
});

test('an object that is not there is answered with its id and empty fields, written to with 404', async () => {
  const layer = await newLayer(everyType);
  const answer = await server.request('GET', `${layer}/objects/77/?returnGeom=1`);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json, { id: 77, fields: {} });
  const missing: [number, string] = [404, 'object_not_found'];
  await fails(['PUT', `${layer}/objects/77/`, { fields: {} }], missing);
  await fails(['PUT', `${layer}/objects/77/`, { fields: { s: 'x' }, geom: point(1, 1) }], missing);
  await fails(['DELETE', `${layer}/objects/77/`], missing);
  await fails(['GET', `${layer}/objects/77/geom/`], missing);
  await fails(['PUT', `${layer}/objects/77/geom/`, point(1, 1)], missing);
  await fails(
    ['POST', `${layer}/objects/77/copy/`, { map_code: 'm', layer_code: layer.split('/')[3] }],
    missing,
  );
  await fails(['GET', `${layer}/objects/x/`], [400, 'bad_request']);
  await fails(['GET', `${layer}/objects/9007199254740993/`], [400, 'bad_request']);
  assert.deepEqual((await server.request('GET', `${layer}/objects/-5/`)).json, { id: -5, fields: {} });
});

test('a value that its column refuses stores nothing and names the column', async () => {
  const layer = await newLayer(everyType);
  const refused: [string, unknown][] = [
    ['n', 'large'],
    ['n', 2 ** 53],
    ['s', 5],
    ['s', 'x'.repeat(4001)],
    ['s', 'a\0b'],
    ['t', '\ud800'],
    ['d', '2024-02-31'],
    ['b', 'maybe'],
    ['j', 'a\0'],
    ['f', '1,2'],
    ['heading', 'x'],
    ['svc_id', 5],
    ['geom', point(1, 1)],
  ];
  const { id } = await create(layer, { s: 'before' });
  for (const [code, value] of refused) {
    const fields = { s: 'after', [code]: value };
    const made = await fails(['POST', `${layer}/objects/`, { fields }], [500, 'value_invalid']);
    assert.deepEqual(made.data, { columns: [code] });
    const changed = await fails(['PUT', `${layer}/objects/${id}/`, { fields }], [500, 'value_invalid']);
    assert.deepEqual(changed.data, { columns: [code] });
  }
  const unknown = await fails(
    ['POST', `${layer}/objects/`, { fields: { 'no"pe': 1 } }],
    [400, 'bad_request'],
  );
  assert.deepEqual(unknown.data, { columns: ['no"pe'] });
  await fails(['POST', `${layer}/objects/`, { geom: null }], [500, 'required_missing']);
  await fails(['POST', `${layer}/objects/`, { fields: [] }], [400, 'bad_request']);
  await fails(['POST', `${layer}/objects/`, { fields: 'x' }], [400, 'bad_request']);
  await fails(['POST', `${layer}/objects/`, []], [400, 'bad_request']);
  const all = await server.admin('GET', `${layer}/objects/?fields=s`);
  assert.deepEqual(all, [{ id, fields: { s: 'before' } }]);
});

test('a geometry that is not GeoJSON is refused, also when it is changed alone', async () => {
  const layer = await newLayer();
  const { id } = await create(layer, {}, point(1, 2));
  const ring = (...positions: number[][]) => ({ type: 'Polygon', coordinates: [positions] });
  const nested = (depth: number): object =>
    depth ? { type: 'GeometryCollection', geometries: [nested(depth - 1)] } : point(0, 0);
  const refused: unknown[] = [
    5,
    'x',
    [],
    {},
    { type: 'Circle', coordinates: [0, 0] },
    { type: 'constructor', coordinates: [0, 0] },
    { type: 'Feature', geometry: point(0, 0) },
    { type: 'Point' },
    point(),
    point(1),
    point(1, 2, 3, 4, 5),
    { type: 'Point', coordinates: ['1', '2'] },
    { type: 'Point', coordinates: [null, 0] },
    { type: 'Point', coordinates: [[1, 2]] },
    point(181, 0),
    point(0, 91),
    { type: 'LineString', coordinates: [[0, 0]] },
    { type: 'LineString', coordinates: [] },
    { type: 'MultiPoint', coordinates: [0, 0] },
    ring([0, 0], [1, 0], [0, 0]),
    ring([0, 0], [1, 0], [1, 1], [0, 1]),
    ring([0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 0, 2]),
    { type: 'Polygon', coordinates: [] },
    { type: 'Polygon', coordinates: [[]] },
    { type: 'MultiPolygon', coordinates: [[[[0, 0]]]] },
    { type: 'GeometryCollection', geometries: [] },
    { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [] }] },
    nested(9),
  ];
  for (const geom of refused) {
    for (const [method, path, body] of [
      ['POST', `${layer}/objects/`, { fields: {}, geom }],
      ['PUT', `${layer}/objects/${id}/`, { fields: {}, geom }],
      ['PUT', `${layer}/objects/${id}/geom/`, JSON.stringify(geom)],
    ] as const) {
      const error = await fails([method, path, body], [500, 'value_invalid']);
      assert.deepEqual(error.data, { columns: ['geom'] }, error.message);
    }
  }
  await fails(['PUT', `${layer}/objects/${id}/geom/`], [500, 'value_invalid']);
  await fails(
    ['POST', `${layer}/objects/`, '{"fields":{},"geom":{"type":"Point","coordinates":[1e999,0]}}'],
    [500, 'value_invalid'],
  );
  const all = await server.admin('GET', `${layer}/objects/?returnGeom=1`);
  assert.deepEqual(all, [{ id, fields: {}, geom: point(1, 2) }]);
  const deep = `{"type":"Point","coordinates":${'['.repeat(500)}${']'.repeat(500)}}`;
  await fails(['PUT', `${layer}/objects/${id}/geom/`, deep], [500, 'value_invalid']);
  assert.ok(await create(layer, {}, nested(8)));
});

const shapesOfAllKinds = [
  point(0.1234567890123456, -12.345678901234567),
  point(1, 2, 3.5),
  {
    type: 'MultiPoint',
    coordinates: [
      [1, 2, 3],
      [4, 5, 6],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [1e-12, 180 / 7],
      [-179.99999999999997, 1 / 3],
    ],
  },
  {
    type: 'MultiLineString',
    coordinates: [
      [
        [0, 0],
        [1, 1],
      ],
      [
        [2, 2],
        [3, 3],
      ],
    ],
  },
  {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0, 1],
        [4, 0, 2],
        [4, 4, 3],
        [0, 0, 1],
      ],
      [
        [2, 1, 1],
        [3, 1, 1],
        [3, 2, 1],
        [2, 1, 1],
      ],
    ],
  },
  { type: 'MultiPolygon', coordinates: [square(0, 0).coordinates, square(5, 5).coordinates] },
  {
    type: 'GeometryCollection',
    geometries: [
      point(1, 1),
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
    ],
  },
];

test('geometries of all kinds come back number by number, in 3D, and in EPSG:3857', async () => {
  const layer = await newLayer();
  for (const shape of shapesOfAllKinds) {
    const { id, geom } = await server.admin('POST', `${layer}/objects/?returnGeom=1`, {
      fields: {},
      geom: { ...shape, bbox: [0], crs: 'x' },
    });
    assert.deepEqual(geom, shape);
    assert.deepEqual(await server.admin('GET', `${layer}/objects/${id}/geom/`), shape);
    const inMetres = await server.admin('GET', `${layer}/objects/${id}/geom/?geomSR=3857`);
    const stored = await server.admin('PUT', `${layer}/objects/${id}/geom/?geomSR=3857`, inMetres);
    assert.deepEqual(stored, inMetres, 'there and back');
  }
  const { id } = await create(layer, {}, point(180, 45));
  const metres = await server.admin(
    'GET',
    `${layer}/objects/${id}/?returnGeom=1&geomSR=3857&returnBbox=1&bboxSR=3857`,
  );
  assert.deepEqual(metres.geom.coordinates, [20037508.342789, 5621521.486192]);
  assert.ok(
    Math.abs(metres.bbox.sw[0] - 5621521.486192) < 1e-6 &&
      Math.abs(metres.bbox.sw[1] - 20037508.342789) < 1e-6,
  );
  const none = await server.admin('PUT', `${layer}/objects/${id}/?returnGeom=1&returnBbox=1`, { geom: null });
  assert.deepEqual(none, { id, fields: {}, geom: null, bbox: null });
  assert.equal(
    (await server.request('GET', `${layer}/objects/${id}/geom/`, { token: server.adminToken })).text,
    'null',
  );
  await fails(['PUT', `${layer}/objects/${id}/geom/?geomSR=3857`, point(3e7, 0)], [500, 'value_invalid']);
  const pole = await server.admin('PUT', `${layer}/objects/${id}/?returnGeom=1&geomSR=4326`, {
    geom: point(0, -90),
  });
  assert.deepEqual(pole.geom, point(0, -90));
  const far = await server.admin('GET', `${layer}/objects/${id}/geom/?geomSR=3857`);
  assert.ok(Math.abs(far.coordinates[1] + 242528680.943744) < 1e-3);
});

test('required columns must be filled', async () => {
  const layer = await newLayer([
    { code: 'a', type: 'string', required: true },
    { code: 'b', type: 'string', required: true, localized_value: true },
    { code: 'c', type: 'string' },
  ]);
  const bare = await fails(['POST', `${layer}/objects/`, { fields: { c: 'x' } }], [500, 'required_missing']);
  assert.deepEqual(bare.data, { required: ['a', 'b'], columns: ['a', 'b'] });
  const empty = await fails(
    ['POST', `${layer}/objects/`, { fields: { a: null, b: null } }],
    [500, 'required_missing'],
  );
  assert.deepEqual(empty.data.required, ['a', 'b']);
  const blank = await fails(
    ['POST', `${layer}/objects/`, { fields: { a: '', b: { en: ' \t\n', ru: '' } } }],
    [500, 'required_missing'],
  );
  assert.deepEqual(blank.data.required, ['a', 'b']);
  const { id } = await create(layer, { a: '1', b: 'en' });
  await server.admin('PUT', `${layer}/objects/${id}/?lng=ru`, { fields: { b: 'ru', c: null } });
  for (const a of [null, '', '  '])
    await fails(['PUT', `${layer}/objects/${id}/`, { fields: { a } }], [500, 'required_missing']);
  await server.admin('PUT', `${layer}/objects/${id}/`, { fields: { b: null } });
  await fails(
    ['PUT', `${layer}/objects/${id}/?lng=ru`, { fields: { b: null, a: '2' } }],
    [500, 'required_missing'],
  );
  assert.deepEqual((await server.admin('GET', `${layer}/objects/${id}/`)).fields, {
    a: '1',
    b: 'ru',
    c: null,
  });
  await server.admin('PATCH', `${layer}/structure/geom/`, { type: 'geom', required: true });
  await fails(['POST', `${layer}/objects/`, { fields: { a: '1', b: '2' } }], [500, 'required_missing']);
  await fails(['PUT', `${layer}/objects/${id}/`, { geom: null }], [500, 'required_missing']);
});

test('localized values are written and read by language', async () => {
  const layer = await newLayer([
    { code: 'name', type: 'string', localized_value: true },
    { code: 'n', type: 'number', localized_value: true },
    { code: 'd', type: 'datetime', localized_value: true },
    { code: 'j', type: 'json', localized_value: true },
  ]);
  const read = async (id: number, lng?: string) =>
    (await server.admin('GET', `${layer}/objects/${id}/${lng ? `?lng=${lng}` : ''}`)).fields;
  const { id } = await create(layer, { name: 'One', n: 1, d: '2024-05-01', j: { en: null } });
  await server.admin('PUT', `${layer}/objects/${id}/?lng=ru`, { fields: { name: 'Один', n: '2', j: [] } });
  const d = '2024-05-01T00:00:00.000Z';
  assert.deepEqual(await read(id), { name: 'One', n: 1, d, j: { en: null } });
  assert.deepEqual(await read(id, 'ru'), { name: 'Один', n: 2, d, j: [] });
  assert.deepEqual(await read(id, 'de'), { name: 'One', n: 1, d, j: { en: null } });
  await server.admin('PUT', `${layer}/objects/${id}/`, {
    fields: { name: { de: 'Eins', en: null }, n: null },
  });
  assert.equal((await read(id, 'de')).name, 'Eins');
  assert.equal((await read(id)).name, 'Eins', 'any language when the main one has none');
  assert.equal((await read(id)).n, 2);
  const russian = await server.admin('POST', `${layer}/objects/?lng=ru`, { fields: { name: 'Два' } });
  assert.equal(russian.fields.name, 'Два');
  const sorted = await server.admin('GET', `${layer}/objects/?fields=name&lng=ru&sort=name,a`);
  assert.deepEqual(
    sorted.map((object: any) => object.fields.name),
    ['Два', 'Один'],
  );
  const found = await server.admin(
    'GET',
    `${layer}/objects/?fields=name&lng=ru&fcode=name&fval=${encodeURIComponent('Один')}`,
  );
  assert.deepEqual(idsOf(found), [id]);
  await fails(
    ['PUT', `${layer}/objects/${id}/`, { fields: { name: { 'not a language': 'x' } } }],
    [500, 'value_invalid'],
  );
  await fails(['GET', `${layer}/objects/?lng=${encodeURIComponent("'")}`], [400, 'bad_request']);
});

test('values are shown by their format with f=fjson, in the language of lng', async () => {
  const layer = await newLayer([
    { code: 'n', type: 'number', format: { decimals: 1, thousands: ' ', suffix: ' km' } },
    { code: 'd', type: 'datetime', format: { pattern: 'd MMMM yyyy, HH:mm', zone: 'Europe/Moscow' } },
    { code: 'b', type: 'bool', format: { true: 'yes', false: 'no' } },
    { code: 's', type: 'string', format: { template: '«{value}»' } },
    { code: 'plain', type: 'number' },
  ]);
  const { id } = await create(layer, {
    n: 1234567.25,
    d: '2024-05-01T09:00:00Z',
    b: false,
    s: 'x',
    plain: 1.5,
  });
  const shown = { n: '1 234 567.3 km', d: '1 May 2024, 12:00', b: 'no', s: '«x»', plain: 1.5 };
  assert.deepEqual((await server.admin('GET', `${layer}/objects/${id}/?f=fjson`)).fields, shown);
  const [listed] = await server.admin('GET', `${layer}/objects/?fields=*&f=fjson&lng=ru`);
  assert.deepEqual(listed.fields, { ...shown, n: '1 234 567,3 km', d: '1 мая 2024, 12:00' });
  await fails(['GET', `${layer}/objects/?f=pdf`], [400, 'bad_request']);
  await fails(['GET', `${layer}/objects/${id}/?f=xml`], [400, 'bad_request']);
  const { id: other } = await create(layer, {});
  assert.deepEqual((await server.admin('GET', `${layer}/objects/${other}/?f=fjson`)).fields, {
    n: null,
    d: null,
    b: null,
    s: null,
    plain: null,
  });
});

test('objects are deleted one by one, as a list all or nothing, and as a range', async () => {
  const layer = await newLayer();
  for (let i = 0; i < 10; i++) await create(layer, {});
  const left = async () => idsOf(await server.admin('GET', `${layer}/objects/`));
  const remove = (delete_params: unknown) => server.admin('DELETE', `${layer}/objects/`, { delete_params });
  assert.equal(await server.admin('DELETE', `${layer}/objects/10/`), true);
  await fails(['DELETE', `${layer}/objects/`, { delete_params: '1;2;10' }], [404, 'object_not_found']);
  assert.equal((await left()).length, 9);
  assert.equal(await remove(' 1; 2;1 ;'), true);
  assert.equal(await remove('3'), true);
  assert.equal(await remove('4 - 5'), true);
  assert.equal(await remove('6-100'), true, 'what exists in it');
  assert.deepEqual(await left(), []);
  await fails(['DELETE', `${layer}/objects/`, { delete_params: '6-100' }], [404, 'object_not_found']);
  for (const wrong of [
    '',
    'x',
    '1,2',
    '1;;2',
    '5-1',
    '1-2-3',
    '1;2-3',
    '-1',
    "1'; drop table x",
    '9007199254740993',
    '1 2',
  ]) {
    await fails(['DELETE', `${layer}/objects/`, { delete_params: wrong }], [400, 'bad_request']);
  }
  await fails(['DELETE', `${layer}/objects/`, { delete_params: 5 }], [400, 'bad_request']);
  await fails(['DELETE', `${layer}/objects/`, {}], [500, 'required_missing']);
  await fails(['DELETE', `${layer}/objects/`], [500, 'required_missing']);
});

test('of concurrent deletions of one object one succeeds, and half a list is never deleted', async () => {
  const layer = await newLayer();
  const made = await Promise.all(Array.from({ length: 12 }, () => create(layer, {})));
  assert.deepEqual(new Set(idsOf(made)), new Set(Array.from({ length: 12 }, (_, i) => i + 1)));
  const remove = (body: object) =>
    server.request('DELETE', `${layer}/objects/`, { token: server.adminToken, body });
  const answers = await Promise.all(Array.from({ length: 6 }, () => remove({ delete_params: '1' })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404, 404]);
  const lists = await Promise.all(
    ['2;3;4', '4;5;6', '6;7;8', '8;9;2'].map((delete_params) => remove({ delete_params })),
  );
  const left = idsOf(await server.admin('GET', `${layer}/objects/`));
  const succeeded = lists.filter(({ status }) => status === 200).length;
  assert.ok(succeeded >= 1);
  assert.equal(left.length, 11 - 3 * succeeded);
});

test('an object is copied by the codes of columns, with conversion, in place of the one that has its id', async () => {
  const source = await newLayer([...everyType, { code: 'only', type: 'string' }]);
  await server.admin('POST', '/', { code: 'other_map' });
  const target = await newLayer(
    [
      { code: 's', type: 'number' },
      { code: 'n', type: 'string', localized_value: true },
      { code: 'd', type: 'datetime' },
      { code: 'f', type: 'file' },
      { code: 'own', type: 'string' },
      { code: 'heading', type: 'string' },
    ],
    'other_map',
  );
  const layer_code = target.split('/')[3];
  const body = { map_code: 'other_map', layer_code };
  for (let i = 0; i < 4; i++) await create(source, {});
  const { id } = await create(source, { n: 1.5, s: '42', d: '2024-05-01', only: 'x' }, point(1, 2, 3));
  const copied = await server.admin('POST', `${source}/objects/${id}/copy/?returnGeom=1`, body);
  const fields = { s: 42, n: '1.5', d: '2024-05-01T00:00:00.000Z', f: null, own: null, heading: null };
  assert.deepEqual(copied, { id, fields, geom: point(1, 2, 3) });
  assert.equal((await create(target, {})).id, id + 1, 'new ids go on behind it');

  await server.admin('PUT', `${target}/objects/${id}/`, { fields: { own: 'gone with the copy' } });
  await server.admin('PUT', `${source}/objects/${id}/`, { fields: { s: 'not a number' } });
  const kept = await server.admin('GET', `${target}/objects/${id}/`);
  const lost = await fails(['POST', `${source}/objects/${id}/copy/`, body], [500, 'value_invalid']);
  assert.deepEqual(lost.data.columns, ['s']);
  assert.deepEqual(await server.admin('GET', `${target}/objects/${id}/`), kept, 'nothing was copied');
  await server.admin('PUT', `${source}/objects/${id}/`, { fields: { s: null } });
  const again = await server.admin('POST', `${source}/objects/${id}/copy/`, body);
  assert.deepEqual(again.fields, { ...fields, s: null });

  const itself = { map_code: 'm', layer_code: source.split('/')[3] };
  const before = await server.admin('GET', `${source}/objects/${id}/?returnGeom=1`);
  assert.deepEqual(await server.admin('POST', `${source}/objects/${id}/copy/?returnGeom=1`, itself), before);

  await server.admin('PATCH', `${target}/structure/own/`, { type: 'string', required: true });
  const refused = await fails(['POST', `${source}/objects/${id}/copy/`, body], [500, 'required_missing']);
  assert.deepEqual(refused.data.required, ['own']);
  assert.deepEqual((await server.admin('GET', `${target}/objects/${id}/`)).fields, { ...fields, s: null });
  await fails(['POST', `${source}/objects/${id}/copy/`, {}], [500, 'required_missing']);
  await fails(
    ['POST', `${source}/objects/${id}/copy/`, { map_code: 'm', layer_code: 'none' }],
    [404, 'layer_not_found'],
  );
  await fails(
    ['POST', `${source}/objects/${id}/copy/`, { map_code: 'none', layer_code: 'l' }],
    [404, 'map_not_found'],
  );
});

test('a copy loses no value silently: of no type, and of no language', async () => {
  const codes = ['number', 'datetime', 'bool', 'json', 'file'] as const;
  const source = await newLayer([
    ...codes.map((code) => ({ code, type: 'string' })),
    { code: 'name', type: 'string', localized_value: true },
  ]);
  const target = await newLayer([
    ...codes.map((code) => ({ code, type: code })),
    { code: 'name', type: 'string' },
  ]);
  const body = { map_code: 'm', layer_code: target.split('/')[3] };
  const copy = async (fields: object, expected: string[]) => {
    const { id } = await create(source, fields);
    const path = `${source}/objects/${id}/copy/`;
    if (!expected.length) return server.admin('POST', path, body);
    const { data } = await fails(['POST', path, body], [500, 'value_invalid']);
    assert.deepEqual(data.columns, expected);
    assert.deepEqual(
      (await server.admin('GET', `${target}/objects/${id}/`)).fields,
      {},
      'nothing was copied',
    );
  };
  await copy({ number: 'x', datetime: 'x', bool: 'x', json: 'x', file: 'x' }, [
    'number',
    'datetime',
    'bool',
    'file',
  ]);
  await copy({ number: '1e400' }, ['number']);
  await copy({ name: { en: 'Town', ru: 'Город' } }, ['name']);
  await copy({ number: '1', datetime: '2024-05-01', bool: 'true', name: { en: 'Town' } }, []);
});

test('writing needs a token and edit, reading view; other types of layers are read-only', async () => {
  const layer = await newLayer([{ code: 's', type: 'string' }]);
  const { id } = await create(layer, { s: 'x' }, point(1, 1));
  const layer_code = layer.split('/')[3];
  const writes: [string, string, unknown][] = [
    ['POST', '/objects/', { fields: {} }],
    ['PUT', `/objects/${id}/`, { fields: {} }],
    ['POST', `/objects/${id}/copy/`, { map_code: 'm', layer_code }],
    ['DELETE', `/objects/${id}/`, undefined],
    ['DELETE', '/objects/', { delete_params: String(id) }],
    ['PUT', `/objects/${id}/geom/`, point(1, 1)],
  ];
  for (const [method, path, body] of [...writes, ['GET', `/objects/${id}/geom/`, undefined] as const]) {
    assert.equal((await server.request(method, layer + path, { body })).status, 401, `${method} ${path}`);
  }
  for (const path of ['/count/', '/objects/', `/objects/${id}/`]) {
    assert.equal((await server.request('GET', layer + path)).status, 200, path);
  }
  assert.equal((await server.request('POST', `${layer}/filter/`, { body: {} })).status, 200);
  const version = async () => (await server.db.query<{ v: number }>(layerVersion(layer_code!)))[0]!.v;
  const before = await version();
  await server.admin('PUT', `${layer}/objects/${id}/`, { fields: { s: 'y' } });
  assert.ok((await version()) > before, 'a write raises the data version');

  for (const type of ['raster', 'external']) {
    const code = freshCode('l');
    await server.admin('POST', '/m/layers/', { code });
    await server.db.transaction((tx) =>
      tx.query(sql`update cartulary.container set type = ${type} where code = ${code}`),
    );
    for (const [method, path, body] of writes) {
      await fails([method, `/m/layers/${code}${path}`, body], [400, 'bad_request']);
    }
    await fails(['GET', `/m/layers/${code}/objects/`], [400, 'bad_request']);
  }
});

const layerVersion = (code: string): Sql =>
  sql`select s.data_version as v from cartulary.layer_state s join cartulary.container c on c.id = s.layer_id where c.code = ${code}`;

/** Batches that must fail: body, status and code, and the element that the error names. Of the objects `a` is deleted, `b` exists. */
const wrongBatches = (a: number, b: number): [object, [number, string], object?][] => [
  [
    { create: [{ fields: { name: 'x' } }, { fields: {} }] },
    [500, 'required_missing'],
    { kind: 'create', index: 1 },
  ],
  [
    { delete: [b], create: [{ fields: { name: 'x', size: 'y' } }] },
    [500, 'value_invalid'],
    { kind: 'create', index: 0 },
  ],
  [{ delete: [b], update: [{ id: a, fields: {} }] }, [404, 'object_not_found'], { kind: 'update', index: 0 }],
  [{ delete: [b, 123456] }, [404, 'object_not_found']],
  [{ delete: [b], update: [{ id: b, fields: { size: 1 } }] }, [400, 'bad_request']],
  [{ update: [{ id: b, fields: { nothing: 1 } }] }, [400, 'bad_request']],
  [{ create: [{ fields: { name: 'x' }, geom: { type: 'Point' } }] }, [500, 'value_invalid']],
  [{}, [400, 'bad_request']],
  [{ create: 'x' }, [400, 'bad_request']],
];

test('a batch deletes, changes and makes objects, all or nothing', async () => {
  const layer = await newLayer([
    { code: 'name', type: 'string', required: true },
    { code: 'size', type: 'number' },
  ]);
  const batch = (body: object) => server.admin('POST', `${layer}/objects/batch/`, body);
  const made = await batch({
    create: ['a', 'b', 'c'].map((name, i) => ({
      fields: { name, size: i },
      geom: { type: 'Point', coordinates: [i, i] },
    })),
  });
  const [a, b, c] = made.created;
  assert.deepEqual([made.deleted, made.updated, made.created.length], [0, 0, 3]);
  const version = async (): Promise<number> => (await server.admin('GET', `${layer}/`)).version ?? 0;
  const before = await version();
  const changed = await batch({
    delete: [a],
    update: [
      { id: b, fields: { size: 20 }, geom: null },
      { id: c, fields: { name: 'cc' } },
    ],
    create: [{ fields: { name: 'd' } }],
  });
  assert.deepEqual([changed.deleted, changed.updated], [1, 2]);
  const all = () => server.admin('GET', `${layer}/objects/?fields=*&returnGeom=1&sort=name,a`);
  const now = await all();
  assert.deepEqual(
    now.map(({ fields, geom }: any) => [fields.name, fields.size, geom?.coordinates ?? null]),
    [
      ['b', 20, null],
      ['cc', 2, [2, 2]],
      ['d', null, null],
    ],
  );
  assert.ok((await version()) >= before);
  const path = `${layer}/objects/batch/`;
  for (const [body, expected, place] of wrongBatches(a, b)) {
    const { data } = await fails(['POST', path, body], expected);
    if (place) assert.deepEqual({ kind: data.kind, index: data.index }, place);
    assert.deepEqual(await all(), now, JSON.stringify(body));
  }
});

test('a batch keeps constraints as a whole: values may change places', async () => {
  const layer = await newLayer([{ code: 'seat', type: 'string' }]);
  await server.admin('POST', `${layer}/constraints/`, { type: 'unique', columns: ['seat'] });
  const { created } = await server.admin('POST', `${layer}/objects/batch/`, {
    create: [{ fields: { seat: '1' } }, { fields: { seat: '2' } }],
  });
  const [one, two] = created;
  const swap = {
    update: [
      { id: one, fields: { seat: '2' } },
      { id: two, fields: { seat: '1' } },
    ],
  };
  await server.admin('POST', `${layer}/objects/batch/`, swap);
  const twice = { create: [{ fields: { seat: '1' } }] };
  await fails(['POST', `${layer}/objects/batch/`, twice], [500, 'constraint_violated']);
});
