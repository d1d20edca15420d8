import assert from 'node:assert/strict';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { ident, literal, sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.db.transaction((tx) =>
    tx.query(sql`update cartulary.project set languages = '{en,ru}' where code = 'demo'`),
  );
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

interface Column {
  code: string;
  name: string;
  type: string;
  localized_value: boolean;
}

/** A new layer with user columns: its code. */
async function newLayer(...columns: object[]): Promise<string> {
  const code = freshCode('l');
  await server.admin('POST', '/m/layers/', { code });
  for (const column of columns) await server.admin('POST', `/m/layers/${code}/structure/`, column);
  return code;
}

type Body = string | Buffer | FormData | object;

const send = (
  layer: string,
  body: Body,
  query = '',
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  server.request('POST', `/m/layers/${layer}/import/?${query}`, { token: server.adminToken, body, headers });

/** Imports, and returns `import` of the answer. */
async function load(layer: string, body: Body, query = ''): Promise<{ read: number; stored: number }> {
  const answer = await send(layer, body, query);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.code, layer);
  return answer.json.import;
}

async function columnsOf(layer: string): Promise<Record<string, string>> {
  const columns = await server.admin<Column[]>('GET', `/m/layers/${layer}/structure/`);
  return Object.fromEntries(columns.slice(2).map(({ code, type }) => [code, type]));
}

interface Shown {
  id: number;
  fields: Record<string, any>;
  geom: any;
}

const objectsOf = (layer: string, query = ''): Promise<Shown[]> =>
  server.admin('GET', `/m/layers/${layer}/objects/?fields=*&returnGeom=1&${query}`);

/** Everything that an import could change, to be compared to the byte. */
async function stateOf(layer: string): Promise<string> {
  const [row] = await server.db.query<{ id: number; state: unknown }>(sql`
    select l.id, to_jsonb(s) as state from cartulary.container l
    join cartulary.layer_state s on s.layer_id = l.id where l.code = ${layer}`);
  const table = `layer_${row!.id}`;
  const physical = await server.db.query(sql`
    select column_name from information_schema.columns where table_name = ${table} order by 1`);
  const parts = await Promise.all([
    server.admin('GET', `/m/layers/${layer}/`),
    server.admin('GET', `/m/layers/${layer}/structure/`),
    objectsOf(layer),
  ]);
  return JSON.stringify([row, physical, ...parts]);
}

const stagingTables = (): Promise<unknown[]> =>
  server.db.query(sql`select relname from pg_class where relname like 'staging%' and relkind = 'r'`);

const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });
const feature = (properties: object, more: object = { geometry: point(1, 2) }) => ({
  type: 'Feature',
  properties,
  ...more,
});
const collection = (...features: object[]) => ({ type: 'FeatureCollection', features });
const rows = (...properties: object[]) => collection(...properties.map((one) => feature(one)));

test('the three ways to send a file, and gzip, store the same', async () => {
  const file = JSON.stringify(rows({ name: 'Ёлка', pop: 1 }, { name: 'Oak', pop: 2 }));
  const form = new FormData();
  form.set('action', '1');
  form.set('srs', 'EPSG:4326');
  form.set('file', new Blob([file]), 'деревья.geojson');
  const stored: string[] = [];
  for (const [body, headers] of [
    [file, { 'content-type': 'application/json' }],
    [file, { 'content-type': 'application/x-www-form-urlencoded' }],
    [file, { 'content-type': 'application/geo+json' }],
    [Buffer.from(file), {}],
    [file, { 'x-filename': encodeURIComponent('деревья.geojson') }],
    [file, { 'x-filename': 'trees.GEOJSON', 'content-type': 'application/octet-stream' }],
    [gzipSync(file), { 'content-encoding': 'gzip' }],
    [gzipSync(file), { 'x-filename': 'trees.geojson.gz' }],
    [form, {}],
  ] as [Body, Record<string, string>][]) {
    const layer = await newLayer();
    const answer = await send(layer, body, '', headers);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json.import, {
      read: 2,
      stored: 2,
      added: 2,
      changed: 0,
      refused: 0,
      errors: [],
      format: 'geojson',
      encoding: 'utf-8',
      encoding_certainty: 'said',
      projection: 'EPSG:4326',
      geometries: { Point: 2 },
      notes: [],
    });
    assert.equal(typeof answer.json.css_style, 'string');
    stored.push(JSON.stringify([await columnsOf(layer), await objectsOf(layer)]));
  }
  assert.equal(new Set(stored).size, 1, stored.join('\n'));
  assert.deepEqual(JSON.parse(stored[0]!), [
    { name: 'string', pop: 'number' },
    [
      { id: 1, fields: { name: 'Ёлка', pop: 1 }, geom: point(1, 2) },
      { id: 2, fields: { name: 'Oak', pop: 2 }, geom: point(1, 2) },
    ],
  ]);
});

/** Values of two features, of which bigints are written with all digits. */
const firstValues = {
  number: 1.5,
  bool: true,
  date: '2024-05-01',
  string: 'x',
  text: 'y'.repeat(4001),
  json: { a: [1, null] },
  mixed: 1,
  digits: '00771',
  mostlyDates: '2024-05-01',
  long: 12345678901234567890n,
  huge: 1e300,
  nothing: null,
  late: null,
};
const secondValues = {
  number: -3,
  bool: false,
  date: '2024-05-01T10:30:00+03:00',
  string: '2024-05-01',
  text: null,
  json: [],
  mixed: { b: true },
  digits: '12',
  mostlyDates: 'n/a',
  long: 1,
  huge: 1,
  nothing: null,
  late: 7,
};

const jsonOf = (values: object): string =>
  JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? `<${value}>` : value)).replace(
    /"<(\d+)>"/g,
    '$1',
  );

/** A form whose variables come after its file. */
function fileFirst(file: object, variables: Record<string, string>): FormData {
  const form = new FormData();
  form.set('file', new Blob([JSON.stringify(file)]), 'trees.geojson');
  for (const [name, value] of Object.entries(variables)) form.set(name, value);
  return form;
}

test('variables of a form after its file count, except those that decide how it is received', async () => {
  const layer = await newLayer();
  const mercator = collection(feature({ name: 'Oak' }, { geometry: point(111319.49079327357, 0) }));
  for (const query of ['', 'async=1']) {
    await load(layer, rows({ name: 'old' }, { name: 'older' }), 'action=1');
    const answer = await send(layer, fileFirst(mercator, { action: '1', srs: '3857' }), query);
    assert.equal(answer.status, query ? 202 : 200, answer.text);
    if (query) await server.request('GET', `/jobs/${answer.json.id}/events/`, { token: server.adminToken });
    const [stored, ...more] = await objectsOf(layer);
    assert.deepEqual([stored!.fields.name, more], ['Oak', []], query);
    assert.ok(Math.abs(stored!.geom.coordinates[0] - 1) < 1e-9, String(stored!.geom.coordinates));
  }
  await load(layer, fileFirst(rows({ name: 'Elm' }), { action: '1' }), 'action=2');
  assert.equal((await objectsOf(layer)).length, 2, 'the query wins');
  for (const [name, query] of [
    ['action', ''],
    ['action', 'async=1'],
    ['async', ''],
    ['upload', ''],
    ['keep', ''],
  ]) {
    const refused = await send(layer, fileFirst(rows({ name: 'x' }), { [name!]: '7' }), query, {
      accept: 'application/json',
    });
    assert.deepEqual([refused.status, refused.json.data], [400, { parameters: [name] }], `${name} ${query}`);
  }
  assert.equal((await objectsOf(layer)).length, 2);
});

test('columns get the type that all values have', async () => {
  const layer = await newLayer();
  const file = `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":${jsonOf(firstValues)}},
    {"type":"Feature","geometry":null,"properties":${jsonOf(secondValues)}}, {"type":"Feature","geometry":null,"properties":{}}]}`;
  await load(layer, file);
  assert.deepEqual(await columnsOf(layer), {
    number: 'number',
    bool: 'bool',
    date: 'datetime',
    string: 'string',
    text: 'text',
    json: 'json',
    mixed: 'text',
    digits: 'string',
    mostlyDates: 'string',
    long: 'text',
    huge: 'text',
    nothing: 'string',
    late: 'number',
  });
  const [first, second, third] = (await objectsOf(layer)).map(({ fields }) => fields);
  assert.deepEqual(first, {
    ...firstValues,
    date: '2024-05-01T00:00:00.000Z',
    mixed: '1',
    long: '12345678901234567890',
    huge: `1${'0'.repeat(300)}`,
  });
  assert.deepEqual(second, {
    ...secondValues,
    date: '2024-05-01T07:30:00.000Z',
    mixed: '{"b": true}',
    long: '1',
    huge: '1',
  });
  assert.ok(Object.values(third!).every((value) => value === null));
});

test('hostile and foreign names of properties become columns with that title', async () => {
  const layer = await newLayer();
  const names = [
    '__proto__',
    'constructor',
    `'; drop table cartulary.container; --`,
    '"; drop table x; --',
    'Население',
    '人口',
    '2020',
    'geom',
    'a b',
    'a-b',
    '',
    'ё'.repeat(100),
    '$1',
    '0',
  ];
  const properties = `{${names.map((name, i) => `${JSON.stringify(name)}:${i}`).join(',')}}`;
  await load(layer, `{"type":"Feature","geometry":null,"properties":${properties}}`);
  const columns = await server.admin<Column[]>('GET', `/m/layers/${layer}/structure/`);
  assert.deepEqual(
    columns
      .slice(2)
      .map(({ name }) => name)
      .sort(),
    [...names].sort(),
  );
  for (const { code } of columns) assert.match(code, /^[A-Za-z_][A-Za-z0-9_]{0,43}$/);
  assert.equal(new Set(columns.map(({ code }) => code)).size, columns.length);
  const [object] = await objectsOf(layer);
  for (const { code, name } of columns.slice(2))
    assert.equal(object!.fields[code], names.indexOf(name), name);
  // The same file again finds its columns by their titles.
  const before = await columnsOf(layer);
  await load(layer, `{"type":"Feature","geometry":null,"properties":${properties.replace('"":10,', '')}}`);
  assert.deepEqual(await columnsOf(layer), before);
});

test('hundreds of properties are columns, more than a layer may have are refused', async () => {
  const layer = await newLayer();
  const wide = (from: number, to: number): object =>
    Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`p ${from + i}`, from + i]));
  await load(layer, rows(wide(0, 150), wide(150, 300)));
  assert.equal(Object.keys(await columnsOf(layer)).length, 300);
  const [first, second] = await objectsOf(layer);
  assert.equal(first!.fields.p_7, 7);
  assert.equal(second!.fields.p_299, 299);
  const before = await stateOf(layer);
  for (const file of [rows(wide(0, 1001)), rows(wide(300, 1000))]) {
    const answer = await send(layer, file);
    assert.equal(answer.json.code, 'import_failed', answer.text);
    assert.match(answer.json.message, /1000/);
  }
  assert.equal(await stateOf(layer), before);
});

test('existing columns keep their type; unfit values are refused with column and feature', async () => {
  const layer = await newLayer(
    { code: 'pop', type: 'number' },
    { code: 'c1', type: 'string', name: 'Title' },
    { code: 'at', type: 'datetime' },
    { code: 'yes', type: 'bool' },
    { code: 'note', type: 'text' },
    { code: 'more', type: 'json' },
    { code: 'head', type: 'title' },
  );
  await load(
    layer,
    rows({ pop: '12', Title: 'x', at: 0, yes: 'true', note: 'n', more: { a: 1 }, head: 'h' }),
  );
  const [object] = await objectsOf(layer);
  assert.deepEqual(object!.fields, {
    pop: 12,
    c1: 'x',
    at: '1970-01-01T00:00:00.000Z',
    yes: true,
    note: 'n',
    more: { a: 1 },
    head_1: 'h',
  });
  const before = await stateOf(layer);
  for (const [bad, column] of [
    [{ pop: 'many' }, 'pop'],
    [{ pop: 2 ** 53 }, 'pop'],
    [{ Title: 5 }, 'c1'],
    [{ Title: 'x'.repeat(4001) }, 'c1'],
    [{ at: 'yesterday' }, 'at'],
    [{ yes: 'perhaps' }, 'yes'],
    [{ note: 'a\0b' }, 'note'],
    [{ new: 'a\0b' }, 'new'],
    [{ more: { a: ['\0'] } }, 'more'],
  ] as [object, string][]) {
    const answer = await send(layer, rows({ pop: 1 }, { pop: 2, ...bad }));
    assert.equal(answer.status, 500);
    assert.equal(answer.json.code, 'value_invalid', answer.text);
    assert.deepEqual(answer.json.data, { columns: [column], feature: 2 });
    assert.match(answer.json.message, /^Feature 2: /);
  }
  const lone = await send(layer, '{"type":"Feature","geometry":null,"properties":{"new":"\\ud800"}}');
  assert.equal(lone.json.code, 'value_invalid', lone.text);
  const infinite = await send(layer, '{"type":"Feature","geometry":null,"properties":{"new":1e999}}');
  assert.equal(infinite.json.code, 'value_invalid', infinite.text);
  assert.equal(await stateOf(layer), before);
});

test('a merge so large that the table is rewritten: ids continue, key and index stay, single inserts work', async () => {
  const layer = await newLayer({ code: 'n', type: 'number' });
  const many = (count: number): object => ({
    type: 'FeatureCollection',
    features: Array.from({ length: count }, (_, n) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [n % 180, 1] },
      properties: { n },
    })),
  });
  const indexes = async (): Promise<string[]> => {
    const rows = await server.db.query<{ name: string }>(sql`
      select a.amname || ' ' || i.indisprimary as name from pg_index i join pg_class c on c.oid = i.indexrelid
      join pg_am a on a.oid = c.relam
      where i.indrelid = (select to_regclass('cartulary_data.layer_' || id) from cartulary.container where code = ${layer})
      order by 1`);
    return rows.map(({ name }) => name);
  };
  const before = await indexes();
  for (const [round, first] of [1, 6001, 12001].entries()) {
    assert.equal((await load(layer, many(6000), 'action=1')).stored, 6000);
    const list = await server.admin<Shown[]>('GET', `/m/layers/${layer}/objects/?fields=n&limit=50000`);
    assert.deepEqual(
      [list.length, list[0]!.id, list.at(-1)!.id],
      [6000, first, first + 5999],
      `round ${round}`,
    );
    assert.deepEqual(await indexes(), before);
  }
  const one = await server.admin('POST', `/m/layers/${layer}/objects/`, { fields: { n: 1 } });
  assert.equal(one.id, 18001);
});

test('merge changes the objects that are named and adds the others; replace keeps only the file', async () => {
  const layer = await newLayer();
  await load(layer, rows({ name: 'a', pop: 1 }, { name: 'b', pop: 2 }));
  const merge = collection(
    feature({ pop: 20 }, { id: 2, geometry: point(5, 6) }),
    feature({ name: null, pop: 10 }, { id: 1, geometry: null }),
    feature({ svc_id: 7, name: 'c', pop: 3 }),
    feature({ name: 'd', pop: 4 }),
  );
  const { read, stored } = await load(layer, merge, 'action=2');
  assert.deepEqual([read, stored], [4, 4]);
  assert.deepEqual(await objectsOf(layer), [
    { id: 1, fields: { name: null, pop: 10 }, geom: null },
    { id: 2, fields: { name: 'b', pop: 20 }, geom: point(5, 6) },
    { id: 7, fields: { name: 'c', pop: 3 }, geom: point(1, 2) },
    { id: 8, fields: { name: 'd', pop: 4 }, geom: point(1, 2) },
  ]);
  await load(
    layer,
    collection(feature({ name: 'e' }, { id: 2, geometry: null }), feature({ x: 1 })),
    'action=1',
  );
  assert.deepEqual(await objectsOf(layer), [
    { id: 2, fields: { name: 'e', pop: null, x: null }, geom: null },
    { id: 9, fields: { name: null, pop: null, x: 1 }, geom: point(1, 2) },
  ]);
  // An id that is no number of an object is a property.
  await load(layer, collection(feature({}, { id: 'x-1', geometry: null })), 'action=1');
  assert.deepEqual(
    (await objectsOf(layer)).map(({ fields }) => fields.id),
    ['x-1'],
  );
  const before = await stateOf(layer);
  const twice = collection(feature({}, { id: 3 }), feature({}), feature({ svc_id: 3 }));
  assert.deepEqual((await send(layer, twice)).json.data, { feature: 3, id: 3 });
  for (const id of [-1, 1.5, 'x', 2 ** 53]) {
    assert.equal((await send(layer, rows({ svc_id: id }))).json.code, 'value_invalid');
  }
  assert.equal((await send(layer, collection(feature({ svc_id: 3 }, { id: 4 })))).json.code, 'value_invalid');
  assert.equal((await send(layer, rows({}), 'action=3')).status, 400);
  assert.equal(await stateOf(layer), before);
});

test('values by language', async () => {
  const layer = await newLayer({ code: 'name', type: 'string', localized_value: true });
  const cities = rows(
    { name: 'Moscow', name_ru: 'Москва' },
    { name_en: 'Oslo', 'name:ru': 'Осло' },
    { name: 'Bonn', name_en: null, NAME_RU: 'x' },
    { name: null },
  );
  await load(layer, cities);
  const names = async (lng: string): Promise<string[]> =>
    (await objectsOf(layer, `lng=${lng}`)).map(({ fields }) => fields.name);
  assert.deepEqual(await names('en'), ['Moscow', 'Oslo', 'Bonn', null]);
  assert.deepEqual(await names('ru'), ['Москва', 'Осло', 'Bonn', null]);
  assert.deepEqual(await columnsOf(layer), { name: 'string', NAME_RU: 'string' });
  // A merge changes the languages that it mentions; lng names the language of the plain property.
  await load(layer, collection(feature({ name: 'Maskava' }, { id: 1, geometry: null })), 'lng=ru');
  assert.deepEqual(await names('en'), ['Moscow', 'Oslo', 'Bonn', null]);
  assert.deepEqual(await names('ru'), ['Maskava', 'Осло', 'Bonn', null]);

  const fresh = await newLayer();
  await load(fresh, rows({ name: 'Kyiv', name_ru: 'Киев', name_de: 'Kiew' }), 'localized=name');
  assert.deepEqual(await columnsOf(fresh), { name: 'string', name_de: 'string' });
  assert.equal((await objectsOf(fresh, 'lng=ru'))[0]!.fields.name, 'Киев');
  assert.equal((await objectsOf(fresh, 'lng=en'))[0]!.fields.name, 'Kyiv');
  const plain = await newLayer({ code: 'name', type: 'string' });
  const refused = await send(plain, cities, 'localized=name');
  assert.equal(refused.status, 400);
  await load(plain, rows({ name: 'Kyiv', name_ru: 'Киев' }));
  assert.deepEqual(await columnsOf(plain), { name: 'string', name_ru: 'string' });
});

const wkt = `PROJCS["Pulkovo 1942 / Gauss-Kruger zone 7",GEOGCS["Pulkovo 1942",DATUM["Pulkovo_1942",
  SPHEROID["Krassowsky 1940",6378245,298.3],TOWGS84[23.92,-141.27,-80.9,0,0.35,0.82,-0.12]],PRIMEM["Greenwich",0],
  UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],
  PARAMETER["central_meridian",39],PARAMETER["scale_factor",1],PARAMETER["false_easting",7500000],
  PARAMETER["false_northing",0],UNIT["metre",1]]`;
const proj4 =
  '+proj=tmerc +lat_0=0 +lon_0=39 +k=1 +x_0=7500000 +y_0=0 +ellps=krass +towgs84=23.92,-141.27,-80.9,0,0.35,0.82,-0.12 +units=m';

test('coordinates of other projections', async () => {
  const line = (positions: number[][]) => ({
    type: 'GeometryCollection',
    geometries: [{ type: 'LineString', coordinates: positions }, point(positions[0]![0]!, positions[0]![1]!)],
  });
  // Computed with PostGIS 3.3 and PROJ 9.1, degrees; EPSG:28407 without parameters of its own is shifted otherwise than with.
  for (const [srs, [x, y], [lon, lat]] of [
    ['3857', [7400000, 6200000], [66.47533102484458, 48.556850522140714]],
    ['EPSG:28407', [7400000, 6200000], [37.39895560539693, 55.911776769678305]],
    ['102100', [7400000, 6200000], [66.47533102484458, 48.556850522140714]],
    [proj4, [7400000, 6200000], [37.398956474554225, 55.91177059220503]],
    [wkt, [7400000, 6200000], [37.398956474554225, 55.91177059220503]],
    ['4326', [10, 20], [10, 20]],
  ] as [string, [number, number], [number, number]][]) {
    const layer = await newLayer();
    const file = collection(
      feature(
        {},
        {
          geometry: line([
            [x, y, 7],
            [x, y, 7],
          ]),
        },
      ),
      feature({}, { geometry: null }),
    );
    await load(layer, file, `srs=${encodeURIComponent(srs)}`);
    const [object, second] = await objectsOf(layer);
    const [first, last] = object!.geom.geometries[0].coordinates;
    assert.deepEqual(first, last);
    assert.ok(Math.abs(first[0] - lon) < 1e-9 && Math.abs(first[1] - lat) < 1e-9, `${srs}: ${first}`);
    assert.equal(first[2], 7);
    assert.equal(second!.geom, null);
  }
});

/** A file that names its projection. */
const named = (name: string) => ({
  type: 'FeatureCollection',
  crs: { type: 'name', properties: { name } },
  features: [feature({}, { geometry: point(7400000, 6200000) })],
});

test('an unknown projection, or coordinates outside of it, are refused, and nothing is stored', async () => {
  const layer = await newLayer();
  await load(layer, named('urn:ogc:def:crs:EPSG::3857'));
  assert.ok(Math.abs((await objectsOf(layer))[0]!.geom.coordinates[0] - 66.475331) < 1e-6);
  const before = await stateOf(layer);
  for (const srs of ['999999', 'EPSG:', '+proj=nosuch', 'GEOGCS["a"', '+init=epsg:3857', 'rubbish']) {
    const answer = await send(layer, rows({}), `srs=${encodeURIComponent(srs)}`);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text, /srs/);
  }
  for (const [file, srs] of [
    [named('urn:ogc:def:crs:EPSG::4326'), ''],
    [collection(feature({}), feature({}, { geometry: point(1e9, 1e9) })), '3857'],
    [collection(feature({}), feature({}, { geometry: point(1e9, 1e9) })), '28407'],
    [collection(feature({}), feature({}, { geometry: point(181, 0) })), ''],
  ] as [object, string][]) {
    const answer = await send(layer, file, srs && `srs=${srs}`);
    assert.equal(answer.json.code, 'value_invalid', answer.text);
    assert.deepEqual(answer.json.data.columns, ['geom']);
    assert.ok(answer.json.data.feature);
  }
  const unknown = await send(layer, named('EPSG:999999'));
  assert.ok(unknown.status === 400 || unknown.json.code === 'import_failed', unknown.text);
  assert.equal(await stateOf(layer), before);
});

test('invalid GeoJSON is refused and nothing is stored', async () => {
  const layer = await newLayer();
  await load(layer, rows({ name: 'before' }));
  const before = await stateOf(layer);
  const good = JSON.stringify(rows({ a: 1 }, { a: 2 }));
  const cases: [Body, object?][] = [
    ['', { offset: 0 }],
    ['{}'],
    ['[]', { offset: 0 }],
    ['<html/>'],
    [good.slice(0, -1), { offset: good.length - 1 }],
    [good.slice(0, 100), { offset: 100 }],
    [`${good}]`, { offset: good.length }],
    [Buffer.from(good, 'utf16le'), { offset: 1 }],
    [Buffer.concat([Buffer.from(good.slice(0, -4)), Buffer.from([0xff]), Buffer.from(good.slice(-4))])],
    [good.replace('{"a":2}', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)],
    [good.replace('"Point"', '"Circle"')],
    [good.replace('[1,2]', '[1]')],
    [good.replace('[1,2]', '["1","2"]')],
    [gzipSync(good).subarray(0, 60)],
    [Buffer.concat([gzipSync(good).subarray(0, 30), Buffer.from('rubbish')])],
  ];
  for (const [body, data] of cases) {
    const answer = await send(layer, body as string, '', { 'content-type': 'application/json' });
    assert.equal(answer.status, 500, `${body}: ${answer.text}`);
    assert.match(answer.json.code, /^(import_failed|value_invalid)$/, answer.text);
    if (data) assert.deepEqual(answer.json.data, data, answer.text);
    assert.equal(await stateOf(layer), before, String(body));
  }
  // The extension does not match the content.
  for (const [name, says] of [
    ['x.shp', /shp/],
    ['x.kml', /kml/],
    ['x.zip', /zip/],
    ['x.csv', /csv/],
    ['x.tif', /geotif/],
  ] as const) {
    const answer = await send(layer, 'what is this', '', { 'x-filename': name });
    assert.equal(answer.json.code, 'import_failed');
    assert.match(answer.json.message, says);
  }
  const other = new FormData();
  other.set('upload', new Blob([good]), 'x.geojson');
  assert.deepEqual((await send(layer, other)).json.data, { required: ['file'] });
  const none = new FormData();
  none.set('srs', '4326');
  assert.deepEqual((await send(layer, none)).json.data, { required: ['file'] });
  assert.equal(await stateOf(layer), before);
  assert.deepEqual(await stagingTables(), []);
});

test('what the database has no room for is a fault of the file, and of no query of a layer', async () => {
  const layer = await newLayer({ code: 'name', type: 'string' });
  await load(layer, rows({ name: 'a' }));
  const before = await stateOf(layer);
  const { id } = await server.admin<{ id: number }>('GET', `/m/layers/${layer}/`);
  const table = ident('cartulary_data', `layer_${id}`);
  // States of a value beyond a limit of PostgreSQL, and of its memory. Real ones need files of many MB.
  for (const state of ['54000', '53200']) {
    await server.db.transaction(async (tx) => {
      await tx.query(sql`create or replace function refuse_for_test() returns trigger language plpgsql
        as ${literal(`begin raise exception 'too large' using errcode = '${state}'; end`)}`);
      await tx.query(sql`create or replace trigger refuse before insert on ${table}
        for each row execute function refuse_for_test()`);
    });
    const answer = await send(layer, rows({ name: 'b' }));
    assert.deepEqual([answer.status, answer.json.code], [500, 'value_invalid'], answer.text);
    assert.match(answer.json.message, /A feature is too large to be stored/);
  }
  await server.db.transaction((tx) => tx.query(sql`drop function refuse_for_test() cascade`));
  assert.equal(await stateOf(layer), before);
  assert.deepEqual(await stagingTables(), []);
});

test('a column that must have a value', async () => {
  const layer = await newLayer({ code: 'name', type: 'string', required: true });
  await load(layer, rows({ name: 'a' }, { name: 'b' }));
  const before = await stateOf(layer);
  for (const file of [
    rows({ name: 'c' }, {}, { name: 'd' }),
    rows({ name: 'c' }, { name: null }),
    rows({ name: 'c' }, { name: ' ' }),
    collection(feature({ name: 'c' }), feature({ name: '' }, { id: 1 })),
    collection(feature({ name: 'c' }), feature({ name: null }, { id: 1 })),
  ]) {
    const answer = await send(layer, file);
    assert.equal(answer.json.code, 'required_missing', answer.text);
    assert.deepEqual(answer.json.data, { required: ['name'], feature: 2 });
  }
  assert.equal((await send(layer, rows({ x: 1 }))).json.code, 'required_missing');
  assert.equal(await stateOf(layer), before);
  await load(layer, collection(feature({ pop: 5 }, { id: 1 })));
  assert.deepEqual((await objectsOf(layer))[0]!.fields, { name: 'a', pop: 5 });
});

test('rights to import', async () => {
  const layer = await newLayer();
  await server.admin('POST', '/users/', { login: 'viewer', password: 'correct-horse-1', publicAccess: true });
  const login = await server.request('POST', '/login/', {
    body: { login: 'viewer', password: 'correct-horse-1' },
  });
  const path = `/m/layers/${layer}/import/`;
  const file = JSON.stringify(rows({ a: 1 }));
  const form = (): FormData => {
    const data = new FormData();
    data.set('token', server.adminToken);
    data.set('file', new Blob([file]), 'x.json');
    return data;
  };
  assert.equal((await server.request('POST', path, { body: file })).status, 401);
  assert.equal((await server.request('POST', path, { body: file, token: login.json.token })).status, 403);
  assert.equal(
    (await server.request('POST', `/m/layers/none/import/`, { body: file, token: server.adminToken })).status,
    404,
  );
  assert.equal((await server.request('POST', path, { body: form() })).status, 200);
  assert.equal(
    (await server.request('POST', `${path}?token=${server.adminToken}`, { body: file })).status,
    200,
  );
  assert.equal((await objectsOf(layer)).length, 2);
});

test('the data version rises once, ids are never given twice', async () => {
  const layer = await newLayer();
  const version = async (): Promise<number> => JSON.parse(await stateOf(layer))[0].state.data_version;
  const before = await version();
  await load(layer, rows(...Array.from({ length: 500 }, (_, i) => ({ i }))));
  assert.equal(await version(), before + 1);
  await load(layer, rows({ i: 1 }), 'action=1');
  assert.equal(await version(), before + 2);
  const ids = (await objectsOf(layer)).map(({ id }) => id);
  assert.deepEqual(ids, [501]);
  const made = await server.admin('POST', `/m/layers/${layer}/objects/`, { fields: { i: 2 } });
  assert.equal(made.id, 502);
});
