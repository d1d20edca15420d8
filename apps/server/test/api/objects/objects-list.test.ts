import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import { startServer, type TestServer } from '../../support/server.js';
import { hostileTexts } from '../access/people.js';

const layer = '/m/layers/l';
const square = (west: number, south: number, size: number): object => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
});
const point = (...coordinates: number[]): object => ({ type: 'Point', coordinates });

/** id 1 … 8 */
const objects: { fields: Record<string, unknown>; geom?: object }[] = [
  { fields: { name: 'b', pop: 10, day: '2024-05-01', ok: true, doc: { a: 1 } }, geom: point(10, 50) },
  { fields: { name: 'B', pop: 20, day: '2024-05-02', ok: false }, geom: point(-179, 10) },
  { fields: { name: 'ä', pop: 10, day: '2024-05-01T00:00:00Z', ok: true }, geom: point(179, 10) },
  { fields: { name: 'Z', pop: -5 }, geom: square(20, -10, 10) },
  { fields: { name: 'ё', pop: 1e6, kind: 'x|y' }, geom: square(-5, 40, 0.001) },
  {
    fields: { name: 'е', pop: 0.5, kind: "'; drop table x; --" },
    geom: {
      type: 'LineString',
      coordinates: [
        [170, 0],
        [180, 0],
      ],
    },
  },
  { fields: { name: 'Ж' } },
  { fields: { name: null, pop: 20 }, geom: point(0, -90) },
];

let server: TestServer;
test.before(async () => {
  server = await startServer({ CARTULARY_LIST_DEFAULT: '5', CARTULARY_LIST_LIMIT: '6' });
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  for (const [code, type] of [
    ['name', 'string'],
    ['pop', 'number'],
    ['day', 'datetime'],
    ['ok', 'bool'],
    ['kind', 'text'],
    ['doc', 'json'],
    ['heading', 'title'],
  ]) {
    await server.admin('POST', `${layer}/structure/`, { code, type });
  }
  for (const object of objects) await server.admin('POST', `${layer}/objects/`, object);
});
test.after(() => server.stop());

type Parameters = Record<string, string>;

const get = (parameters: Parameters, headers: Record<string, string> = {}) =>
  server.request('GET', `${layer}/objects/?${new URLSearchParams(parameters)}`, { headers });

const ids = (list: { id: number }[]): number[] => list.map(({ id }) => id);

/** Parameters and the ids that they select, for every kind of request. */
const selections: [Parameters, number[]][] = [
  [{}, [1, 2, 3, 4, 5]],
  [{ limit: '3' }, [1, 2, 3]],
  [{ limit: '0' }, []],
  [{ limit: '1000' }, [1, 2, 3, 4, 5, 6]],
  [{ limit: '6', offset: '6' }, [7, 8]],
  [{ offset: '100' }, []],
  [{ offset: '1000000' }, []],
  [{ sort: 'pop,d', limit: '6' }, [5, 2, 8, 1, 3, 6]],
  [{ sort: 'pop', limit: '6', offset: '4' }, [2, 8, 5, 7]],
  [{ sort: 'pop,a|name,d', limit: '6' }, [4, 6, 1, 3, 2, 8]],
  [{ sort: 'pop,d|svc_id,d', limit: '3' }, [5, 8, 2]],
  [{ sort: 'svc_id,d', limit: '2' }, [8, 7]],
  [{ sort: 'name', limit: '6' }, [3, 1, 2, 4, 6, 5]],
  [{ sort: 'name,d', limit: '6' }, [7, 5, 6, 4, 2, 1]],
  [{ sort: 'ok|day,d', limit: '3' }, [2, 1, 3]],
  [{ fields: 'pop', fcode: 'pop', fval: '10' }, [1, 3]],
  [{ fields: 'pop', fcode: 'pop', fval: '10.0' }, [1, 3]],
  [{ fields: 'pop', fcode: 'pop', fval: '1e6|-5|7' }, [4, 5]],
  [{ fields: 'pop', fcode: 'pop', fval: 'ten' }, []],
  [{ fields: 'pop', fcode: 'pop', fval: '' }, []],
  [{ fields: '*', fcode: 'name', fval: 'b' }, [1]],
  [{ fields: 'name', fcode: 'name', fval: 'b|B|none' }, [1, 2]],
  [{ fields: 'day', fcode: 'day', fval: '2024-05-01' }, [1, 3]],
  [{ fields: 'day', fcode: 'day', fval: '2024-05-02T03:00:00+03:00' }, [2]],
  [{ fields: 'ok', fcode: 'ok', fval: 'true' }, [1, 3]],
  [{ fields: 'ok', fcode: 'ok', fval: '0' }, [2]],
  [{ fields: 'kind', fcode: 'kind', fval: "'; drop table x; --" }, [6]],
  [{ fields: 'kind', fcode: 'kind', fval: 'x|y' }, []],
  [{ fields: 'svc_id', fcode: 'svc_id', fval: '4|2' }, [2, 4]],
  [{ fields: 'svc_id', fcode: 'svc_id', fval: '4.5' }, []],
  [{ fbbox: '45,5,55,15' }, [1]],
  [{ fbbox: '-90,-180,90,180', limit: '6', offset: '4' }, [5, 6, 8]],
  [{ fbbox: '5,178,15,-178' }, [2, 3]],
  [{ fbbox: '5,178,15,182' }, [2, 3]],
  [{ fbbox: '5,-182,15,-178' }, [2, 3]],
  [{ fbbox: '5,538,15,542' }, [2, 3]],
  [{ fbbox: '-20,-400,20,400', limit: '6' }, [2, 3, 4, 6]],
  [{ fbbox: '-5,25,-5,25' }, [4]],
  [{ fbbox: '0,175,0,175' }, [6]],
  [{ fbbox: '20,20,30,30' }, []],
  [{ fbbox: '6274861,1000000,6621293,1200000', bboxSR: '3857' }, [1]],
  [{ fbbox: '500000,19900000,2000000,-19900000', bboxSR: '3857' }, [2, 3]],
  [{ fbbox: '45,5,55,15', fields: 'pop', fcode: 'pop', fval: '20' }, []],
  [{ fields: 'pop', fcode: 'pop', fval: '10|20', sort: 'pop,d', limit: '2', offset: '1' }, [8, 1]],
];

for (const [parameters, expected] of selections) {
  test(`${new URLSearchParams(parameters)} gives ${expected}`, async () => {
    assert.deepEqual(ids((await get(parameters)).json), expected);
    const posts: [string, unknown][] = [
      ['application/json', JSON.stringify(parameters)],
      [
        'application/json',
        JSON.stringify({
          ...parameters,
          ...(parameters.fields ? { fields: parameters.fields.split(',') } : {}),
        }),
      ],
      ['application/x-www-form-urlencoded', new URLSearchParams(parameters).toString()],
    ];
    for (const [type, body] of posts) {
      const answer = await server.request('POST', `${layer}/filter/`, {
        body,
        headers: { 'content-type': type },
      });
      assert.deepEqual(ids(answer.json), expected, `${type} ${body}: ${answer.text}`);
    }
    const inQuery = await server.request('POST', `${layer}/filter/?${new URLSearchParams(parameters)}`, {
      body: { limit: 1, offset: 77 },
    });
    const { limit = '1', offset = '77', ...rest } = parameters;
    assert.deepEqual(inQuery.json, (await get({ ...rest, limit, offset })).json, 'the query wins');
  });
}

test('an empty parameter is absent, in the query as in a body; switches may be in capitals', async () => {
  const empty = {
    limit: '',
    offset: '',
    sort: '',
    fbbox: '',
    geomZoom: '',
    bboxSR: '',
    lng: '',
    returnGeom: '',
  };
  const plain = await get({ fields: 'name' });
  assert.deepEqual((await get({ fields: 'name', ...empty })).json, plain.json);
  const body = { fields: 'name', ...empty };
  assert.deepEqual((await server.request('POST', `${layer}/filter/`, { body })).json, plain.json);
  const withGeom = (await get({ limit: '1', returnGeom: '1' })).json;
  for (const returnGeom of ['true', 'True', 'TRUE'])
    assert.deepEqual((await get({ limit: '1', returnGeom })).json, withGeom, returnGeom);
});

test('numbers, flags and boxes may be JSON values in a JSON body', async () => {
  const body = {
    fields: ['pop'],
    fcode: 'pop',
    fval: 10,
    limit: 1,
    offset: 1,
    returnGeom: true,
    returnBbox: 1,
    bboxSR: 4326,
    fbbox: [-90, -180, 90, 180],
  };
  const answer = await server.request('POST', `${layer}/filter/`, { body });
  assert.deepEqual(answer.json, [
    { id: 3, fields: { pop: 10 }, geom: point(179, 10), bbox: { sw: [10, 179], ne: [10, 179] } },
  ]);
  const empty = await server.request('POST', `${layer}/filter/`);
  assert.deepEqual(ids(empty.json), [1, 2, 3, 4, 5]);
});

/** Parameters, status, code, and the keys of `data`. */
const mistakes: [Parameters, number, string, object?][] = [
  [{ fields: 'none' }, 400, 'bad_request', { parameters: ['fields'], columns: ['none'] }],
  [{ fields: 'name,' }, 400, 'bad_request'],
  [{ fields: '"' }, 400, 'bad_request'],
  [{ fields: 'constructor' }, 400, 'bad_request'],
  [{ fields: 'c3' }, 400, 'bad_request'],
  [{ fcode: 'name', fval: 'b' }, 500, 'filter_column_not_selected', { columns: ['name'] }],
  [{ fields: 'pop', fcode: 'name', fval: 'b' }, 500, 'filter_column_not_selected'],
  [{ fields: 'pop', fcode: 'none', fval: 'b' }, 500, 'filter_column_not_selected'],
  [{ fields: '*', fcode: 'none', fval: 'b' }, 400, 'bad_request'],
  [{ fields: '*', fcode: 'doc', fval: '1' }, 400, 'bad_request'],
  [{ fields: '*', fcode: 'geom', fval: '1' }, 400, 'bad_request'],
  [{ fields: '*', fcode: 'name' }, 400, 'bad_request', { parameters: ['fval'] }],
  [{ sort: 'none' }, 400, 'bad_request', { parameters: ['sort'], columns: ['none'] }],
  [{ sort: 'name,up' }, 400, 'bad_request'],
  [{ sort: 'name,a,d' }, 400, 'bad_request'],
  [{ sort: 'name||pop' }, 400, 'bad_request'],
  [{ sort: 'name|name' }, 400, 'bad_request'],
  [{ sort: 'geom' }, 400, 'bad_request'],
  [{ sort: 'doc' }, 400, 'bad_request'],
  [{ sort: 'name desc; drop table x' }, 400, 'bad_request'],
  [{ sort: '1' }, 400, 'bad_request'],
  [{ limit: '-1' }, 400, 'bad_request'],
  [{ limit: '1.5' }, 400, 'bad_request'],
  [{ limit: 'all' }, 400, 'bad_request'],
  [{ offset: '-1' }, 400, 'bad_request'],
  [{ offset: '1e30' }, 400, 'bad_request'],
  [{ fbbox: '1,2,3' }, 400, 'bad_request', { parameters: ['fbbox'] }],
  [{ fbbox: '1,2,3,x' }, 400, 'bad_request'],
  [{ fbbox: '1,2,3,Infinity' }, 400, 'bad_request'],
  [{ fbbox: '10,0,5,10' }, 400, 'bad_request'],
  [{ bboxSR: '9999' }, 400, 'bad_request'],
  [{ geomSR: '4327' }, 400, 'bad_request'],
  [{ returnGeom: '2' }, 400, 'bad_request'],
  [{ returnGeom: '1', geomZoom: '25' }, 400, 'bad_request'],
  [{ geomZoom: 'x' }, 400, 'bad_request'],
  [{ f: 'xml' }, 400, 'bad_request'],
  [{ f: 'pdf' }, 400, 'bad_request'],
  [{ lng: 'e n' }, 400, 'bad_request'],
];

for (const [parameters, status, code, data] of mistakes) {
  test(`${new URLSearchParams(parameters)} is ${status} ${code}`, async () => {
    const json = { accept: 'application/json' };
    const answer = await get(parameters, json);
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.json.code, code);
    if (data) assert.deepEqual(answer.json.data, data);
    const posted = await server.request('POST', `${layer}/filter/`, { body: parameters, headers: json });
    assert.deepEqual([posted.status, posted.json.code], [status, code], posted.text);
  });
}

test('a JSON body with a wrong type is 400 that names the parameter', async () => {
  for (const [name, value] of [
    ['fields', 5],
    ['fields', [5]],
    ['fields', {}],
    ['fcode', 5],
    ['sort', ['name']],
    ['limit', 'all'],
    ['limit', []],
    ['limit', true],
    ['offset', {}],
    ['fbbox', 5],
    ['fbbox', [1, 2, 3]],
    ['fbbox', [1, 2, 3, {}]],
    ['returnGeom', 'yes'],
    ['returnGeom', []],
    ['geomZoom', 'x'],
    ['bboxSR', {}],
    ['lng', 5],
    ['f', 'xml'],
    ['filter', '{'],
  ] as const) {
    const answer = await server.request('POST', `${layer}/filter/`, {
      body: { [name]: value },
      headers: { accept: 'application/json' },
    });
    assert.equal(answer.status, 400, `${name} ${JSON.stringify(value)}: ${answer.text}`);
    assert.deepEqual(answer.json.data.parameters, [name]);
  }
  for (const body of ['[]', '5', '"x"', '{"fields":']) {
    const answer = await server.request('POST', `${layer}/filter/`, {
      body,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(answer.status, 400, body);
  }
});

test('fields holds only the requested columns; * all of the user', async () => {
  const fields = async (list: string) => (await get({ limit: '1', fields: list })).json[0];
  assert.deepEqual(await fields(''), { id: 1, fields: {} });
  assert.deepEqual(await fields('pop, name'), { id: 1, fields: { pop: 10, name: 'b' } });
  assert.deepEqual(await fields('svc_id,heading,pop,pop'), { id: 1, fields: { svc_id: 1, pop: 10 } });
  const all = { name: 'b', pop: 10, day: '2024-05-01T00:00:00.000Z', ok: true, kind: null, doc: { a: 1 } };
  assert.deepEqual(await fields('*'), { id: 1, fields: all });
  assert.deepEqual(await fields('geom'), { id: 1, fields: {}, geom: point(10, 50) });
});

test('geometry, centroid and bbox are returned when they are asked for, in their projections', async () => {
  const one = async (id: number, parameters: Parameters) =>
    (await get({ fields: 'svc_id', fcode: 'svc_id', fval: String(id), ...parameters })).json[0];
  assert.deepEqual(await one(4, { returnGeom: '1' }), {
    id: 4,
    fields: { svc_id: 4 },
    geom: square(20, -10, 10),
  });
  assert.deepEqual(await one(4, { returnBbox: '1' }), {
    id: 4,
    fields: { svc_id: 4 },
    bbox: { sw: [-10, 20], ne: [0, 30] },
  });
  assert.deepEqual((await one(4, { returnGeom: '1', returnCentroid: '1' })).geom, point(25, -5));
  assert.equal((await one(4, { returnCentroid: '1' })).geom, undefined, 'only with returnGeom');
  assert.deepEqual((await one(6, { returnGeom: 'true', returnCentroid: 'true' })).geom, point(175, 0));
  assert.deepEqual(
    (await one(4, { returnGeom: '1', returnCentroid: '1', geomSR: '3857' })).geom,
    point(2782987.269832, -557305.257275),
  );
  const { bbox } = await one(4, { returnBbox: '1', bboxSR: '3857' });
  const box = [...bbox.sw, ...bbox.ne].join(',');
  assert.deepEqual(ids((await get({ fbbox: box, bboxSR: '3857' })).json), [4], 'sw and ne are a valid fbbox');
  assert.deepEqual(await one(7, { returnGeom: '1', returnBbox: '1', returnCentroid: '1' }), {
    id: 7,
    fields: { svc_id: 7 },
    geom: null,
    bbox: null,
  });
});

test('Link names the rest of the list until its end, and no token', async () => {
  const seen: number[] = [];
  let url: string | undefined =
    `${server.api}${layer}/objects?limit=3&fields=name&sort=pop,d&token=${server.adminToken}`;
  for (let pages = 0; url && pages < 10; pages++) {
    const answer = await fetch(url);
    seen.push(...ids((await answer.json()) as { id: number }[]));
    url = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    assert.ok(!url?.includes('token'));
  }
  assert.deepEqual(seen, [5, 2, 8, 1, 3, 6, 4, 7]);
  assert.equal((await get({ limit: '0' })).headers.get('link'), null);
  const nextOf = async (body: object) =>
    (await server.request('POST', `${layer}/filter/`, { body })).headers.get('link') ?? '';
  assert.match(await nextOf({ limit: 6 }), /\/filter\/\?cursor=[\w-]+>; rel="next"$/);
  assert.match(await nextOf({ limit: 6, offset: 0 }), /\/filter\/\?offset=6>; rel="next"$/);
});

test('hostile codes of columns and values stay unchanged', async () => {
  for (const text of [
    '"',
    "'",
    '";',
    '\\',
    '%',
    '$1',
    'name"; drop table cartulary.container; --',
    '__proto__',
    'toString',
    '\u0000',
  ]) {
    for (const name of ['fields', 'sort'])
      assert.equal((await get({ [name]: text })).status, 400, `${name}=${text}`);
    const equal = await get({ fields: 'name', fcode: 'name', fval: text });
    assert.deepEqual(equal.json, [], text);
    assert.equal((await get({ fields: '*', fcode: text, fval: '1' })).status, 400);
  }
  assert.equal((await get({ limit: '6' })).json.length, 6);
});

/** Corners of a star. */
const parts = 40;

/** A ring with heights around a position; `radius` in degrees. */
const star = (lon: number, lat: number, radius: number): number[][] => {
  const ring = Array.from({ length: parts }, (_, i) => {
    const angle = (i / parts) * 2 * Math.PI;
    const r = radius * (0.6 + 0.4 * Math.abs(Math.sin(i * 37)));
    return [lon + r * Math.cos(angle), lat + r * Math.sin(angle), i];
  });
  return [...ring, ring[0]!];
};
const geomZoomShapes = [1e-6, 1e-4, 0.01, 0.5, 5, 20].flatMap((radius) => [
  { type: 'Polygon', coordinates: [star(10, 20, radius)] },
  { type: 'MultiPolygon', coordinates: [[star(10, 20, radius)], [star(60, -20, radius / 3)]] },
]);
geomZoomShapes.push({ type: 'Polygon', coordinates: [star(0, 0, 5), star(0, 0, 1)] });
// ST_Simplify makes these cross themselves at zoom 3.
const slivers = [
  '0.21,0 0.06,0 0.15,0.03 0,0.02 -0.15,0.03 -0.22,0.01 -0.18,0 -0.21,-0.01 -0.11,-0.02 0,-0.02 0.11,-0.02 0.18,-0.01 0.21,0',
  '0.07,0 0.17,0.01 0.03,0.02 -0.11,0.02 -0.07,0 -0.14,-0.01 -0.15,-0.03 0.02,-0.01 0.21,-0.02 0.07,0',
];
for (const sliver of slivers) {
  const ring = sliver.split(' ').map((position) => position.split(',').map(Number));
  geomZoomShapes.push({ type: 'Polygon', coordinates: [ring] });
}

test('geomZoom simplifies to half a pixel and never loses a polygon', async () => {
  await server.admin('POST', '/m/layers/', { code: 'shapes' });
  const { id } = await server.admin('GET', '/m/layers/shapes/');
  for (const geom of [
    ...geomZoomShapes,
    { type: 'LineString', coordinates: star(0, 0, 0.001) },
    point(5, 5, 5),
  ]) {
    await server.admin('POST', '/m/layers/shapes/objects/', { fields: {}, geom });
  }
  for (const zoom of ['0', '3', '7.5', '12', '24']) {
    const found: any[] = [];
    for (const offset of ['0', '6', '12']) {
      const query = new URLSearchParams({ returnGeom: '1', geomZoom: zoom, offset, limit: '6' });
      found.push(...(await server.request('GET', `/m/layers/shapes/objects/?${query}`)).json);
    }
    assert.equal(found.length, geomZoomShapes.length + 2);
    for (const [i, { geom }] of found.slice(0, geomZoomShapes.length).entries()) {
      const shape = geomZoomShapes[i]!;
      assert.equal(geom.type, shape.type, `${zoom} ${i}`);
      assert.ok(
        geom.coordinates.flat(geom.type === 'Polygon' ? 0 : 1).every((ring: number[][]) => ring.length >= 4),
      );
      if (geom.type === 'MultiPolygon') assert.equal(geom.coordinates.length, 2);
      const text = JSON.stringify(geom);
      const [check] = await server.db.query<{ valid: boolean; area: number; distance: number }>(sql`
        select ST_IsValid(g) as valid, ST_Area(g) as area, ST_HausdorffDistance(g, ST_GeomFromGeoJSON(${JSON.stringify(shape)}::text)) as distance
        from ST_GeomFromGeoJSON(${text}::text) g`);
      assert.ok(check!.valid && check!.area > 0, `${zoom} ${i} ${text}`);
    }
    const whole = found[6].geom.coordinates[0].length;
    if (zoom === '24') assert.equal(whole, parts + 1);
    assert.ok(found.at(-2).geom.coordinates.length >= 2, 'the line');
    assert.deepEqual(found.at(-1).geom, point(5, 5, 5));
  }
  const rough = (await server.request('GET', `/m/layers/shapes/objects/9/?returnGeom=1&geomZoom=0`)).json
    .geom;
  assert.ok(
    rough.coordinates[0].length < parts && rough.coordinates[0][0].length === 3,
    'fewer points, still 3D',
  );
  assert.ok(id > 0);
});

test('what the database writes is what the service writes, whatever the values are', async () => {
  const odd = '/m/layers/odd';
  await server.admin('POST', '/m/layers/', { code: 'odd' });
  const values: Record<string, unknown[]> = {
    string: [...hostileTexts.filter((text) => text.length < 4000), '\u0001\u001f\u007f\u2028"\\/', '{}', ''],
    number: [0, -0, 0.1, -1.5e-7, 2 ** 53 - 1, 1e15, 5e-324, 1 / 3],
    bool: [true, false],
    datetime: ['0001-01-01', '2024-05-01T12:00:00.123Z', '9999-12-31'],
    json: [{ a: [1, null, '"'] }, 'text', 0, false, []],
  };
  for (const type of Object.keys(values))
    await server.admin('POST', `${odd}/structure/`, { code: type, type });
  await server.admin('POST', `${odd}/structure/`, { code: 'many', type: 'string', localized_value: true });
  const rows = Math.max(...Object.values(values).map(({ length }) => length));
  for (let i = 0; i < rows; i++) {
    const fields = Object.fromEntries(Object.entries(values).map(([code, list]) => [code, list[i] ?? null]));
    const geom = [point(1e-9, 89.1234567890123), square(1 / 3, 2 / 3, 0.1), undefined][i % 3];
    await server.admin('POST', `${odd}/objects/`, {
      fields: { ...fields, many: { en: `"${i}`, ru: 'Ж' } },
      geom,
    });
  }
  for (const query of ['', '&lng=ru', '&geomSR=3857', '&returnCentroid=1', '&geomZoom=3']) {
    for (let offset = 0; offset < rows; offset += 6) {
      const path = `${odd}/objects/?fields=*&returnGeom=1&offset=${offset}${query}`;
      const [byDatabase, byService] = await Promise.all([
        server.request('GET', path),
        server.request('GET', `${path}&returnBbox=1`),
      ]);
      assert.equal(byService.status, 200, byService.text);
      const expected = byService.json.map(({ bbox: _, ...object }: Record<string, unknown>) => object);
      assert.deepEqual(byDatabase.json, expected, `${path}: ${byDatabase.text}`);
    }
  }
});
