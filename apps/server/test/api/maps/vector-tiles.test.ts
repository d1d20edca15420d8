import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import test, { after, before } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';
import { hostileTexts, outcome, signIn } from '../access/people.js';

let server: TestServer;
before(async () => {
  server = await startServer({ CARTULARY_VECTOR_TILE_FEATURES: '50', CARTULARY_VECTOR_TILE_BYTES: '20000' });
});
after(() => server?.stop());

type Options = Parameters<TestServer['request']>[2];
const get = (map: string, place: string, query = '', options: Options = {}): Promise<TestAnswer> =>
  server.request('GET', `//mvt/demo/${map}/${place}.pbf?${query}`, options);

async function decoded(map: string, place: string, query = '', options: Options = {}): Promise<VectorTile> {
  const answer = await get(map, place, query, options);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/vnd.mapbox-vector-tile');
  return new VectorTile(new PbfReader(answer.bytes));
}

const featuresOf = (tile: VectorTile, layer: string): VectorTileFeature[] => {
  const found = tile.layers[layer];
  return found ? Array.from({ length: found.length }, (_, i) => found.feature(i)) : [];
};

async function makeLayer(
  code: string,
  features: object[],
  columns: Record<string, object> = {},
  map = freshCode('m'),
) {
  if (!(await server.request('GET', `/${map}/`, { token: server.adminToken })).json?.id)
    await server.admin('POST', '/', { code: map, css_style: '' });
  const layer = await server.admin('POST', `/${map}/layers/`, { code });
  for (const [name, column] of Object.entries(columns))
    await server.admin('POST', `/${map}/layers/${code}/structure/`, { code: name, ...column });
  await server.admin('POST', `/${map}/layers/${code}/import/`, {
    type: 'FeatureCollection',
    features: features.map((feature) => ({ type: 'Feature', properties: {}, ...feature })),
  });
  return { map, id: layer.id as number };
}

const point = (lon: number, lat: number) => ({ type: 'Point', coordinates: [lon, lat] });
const ring = (...positions: number[][]) => [...positions, positions[0]!];
const square = (from: number, to: number) => ring([from, from], [to, from], [to, to], [from, to]);

const geometries = [
  point(10, 10),
  {
    type: 'MultiPoint',
    coordinates: [
      [11, 10],
      [12, 10],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [1, 1],
      [20, 5],
      [30, 30],
    ],
  },
  {
    type: 'MultiLineString',
    coordinates: [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
        [9, 9],
      ],
    ],
  },
  { type: 'Polygon', coordinates: [square(10, 40), square(15, 20)] },
  { type: 'MultiPolygon', coordinates: [[square(1, 4)], [square(5, 9), square(6, 7)]] },
];

test('every kind of geometry comes as it is stored, to a unit of the tile', async () => {
  const { map } = await makeLayer(
    'all',
    geometries.map((geometry) => ({ geometry })),
  );
  const features = featuresOf(await decoded(map, '3/4/3'), 'all');
  assert.deepEqual(
    features.map(({ id }) => id),
    [1, 2, 3, 4, 5, 6],
  );
  const shapes = features.map((feature) => feature.toGeoJSON(4, 3, 3).geometry as any);
  assert.deepEqual(
    shapes.map(({ type }) => type),
    geometries.map(({ type }) => type),
  );
  const positions = (coordinates: any): number[][] =>
    typeof coordinates[0] === 'number' ? [coordinates] : coordinates.flatMap(positions);
  const key = ([x, y]: number[]): string => `${Math.round(x! * 20) / 20} ${Math.round(y! * 20) / 20}`;
  for (const [i, { coordinates }] of geometries.entries())
    assert.deepEqual(
      new Set(positions(shapes[i].coordinates).map(key)),
      new Set(positions(coordinates).map(key)),
      geometries[i]!.type,
    );
  assert.equal(shapes[4].coordinates.length, 2, 'an outer ring and its hole');
  assert.deepEqual(
    shapes[5].coordinates.map((rings: any) => rings.length),
    [1, 2],
  );
  // Section 4.3.4.4: outer rings have a positive area by the surveyor's formula, holes a negative one.
  const area = (path: { x: number; y: number }[]): number =>
    path.reduce((sum, { x, y }, i) => {
      const next = path[(i + 1) % path.length]!;
      return sum + x * next.y - next.x * y;
    }, 0);
  assert.deepEqual(
    features[4]!.loadGeometry().map((path) => Math.sign(area(path))),
    [1, -1],
  );
});

test('a collection comes in its kinds, with Z left out; an object without a place is not there', async () => {
  const { map } = await makeLayer('mixed', [
    {
      geometry: {
        type: 'GeometryCollection',
        geometries: [
          point(1, 1),
          {
            type: 'LineString',
            coordinates: [
              [1, 1],
              [5, 5],
            ],
          },
        ],
      },
    },
    {
      geometry: {
        type: 'LineString',
        coordinates: [
          [1, 1, 50],
          [5, 5, 60],
        ],
      },
    },
    { geometry: null },
  ]);
  const features = featuresOf(await decoded(map, '2/2/1'), 'mixed');
  assert.deepEqual(
    features.map(({ id, type }) => [id, type]),
    [
      [1, 1],
      [1, 2],
      [2, 2],
    ],
  );
});

test('values: those asked for, those that name the object, in a language, of their types', async () => {
  const columns = {
    name: { type: 'string', localized_value: true },
    n: { type: 'number' },
    half: { type: 'number' },
    yes: { type: 'bool' },
    day: { type: 'datetime' },
  };
  const { map } = await makeLayer('values', [], columns);
  const fields = { name: 'Gate', n: -5, half: 0.5, yes: true, day: '2024-05-01T00:00:00Z' };
  await server.admin('POST', `/${map}/layers/values/objects/`, { fields, geom: point(1, 1) });
  await server.admin('PUT', `/${map}/layers/values/objects/1/?lng=ru`, { fields: { name: 'Ворота' } });
  const properties = async (query: string) => ({
    ...featuresOf(await decoded(map, '0/0/0', query), 'values')[0]!.properties,
  });
  assert.deepEqual(await properties(''), { svc_id: 1, name: 'Gate' });
  assert.deepEqual(await properties('lng=ru'), { svc_id: 1, name: 'Ворота' });
  assert.deepEqual(await properties('fields=n,half'), { svc_id: 1, n: -5, half: 0.5 });
  const all = await properties('fields=*');
  assert.deepEqual({ ...all, day: undefined }, { svc_id: 1, ...fields, day: undefined });
  assert.match(String(all.day), /^2024-05-01T00:00:00/);
  assert.deepEqual(await properties('fields='), { svc_id: 1 });
  assert.deepEqual((await get(map, '0/0/0', 'fields=nothing')).status, 400);
});

test('columns may have the names of tile fields, and codes of maximum length', async () => {
  const long = 'c'.repeat(44);
  const codes = ['shape', 'id', 'v0', 'f', long];
  const { map } = await makeLayer(
    'odd',
    [],
    Object.fromEntries(codes.map((code) => [code, { type: 'string' }])),
  );
  const fields = Object.fromEntries(codes.map((code) => [code, `the ${code}`]));
  await server.admin('POST', `/${map}/layers/odd/objects/`, { fields, geom: point(1, 1) });
  const [feature] = featuresOf(await decoded(map, '0/0/0', 'fields=*'), 'odd');
  assert.deepEqual({ ...feature!.properties }, { svc_id: 1, ...fields });
});

test('layers: each by its code, those asked for, at their zoom levels', async () => {
  const { map, id } = await makeLayer('one', [{ geometry: point(1, 1) }]);
  const two = await makeLayer('two', [{ geometry: point(2, 2) }], {}, map);
  const names = async (query = '', place = '2/2/1') =>
    Object.keys((await decoded(map, place, query)).layers).sort();
  assert.deepEqual(await names(), ['one', 'two']);
  assert.deepEqual(await names(`layers=${two.id}`), ['two']);
  assert.deepEqual(await names('layers='), []);
  assert.equal((await get(map, '2/2/1', 'layers=999999')).status, 400);
  await server.admin('PATCH', `/${map}/layers/one/`, { render_settings: { minZoom: 3 } });
  assert.deepEqual(await names(), ['two']);
  assert.deepEqual(await names('', '3/4/3'), ['one', 'two']);
  await server.admin('PATCH', `/${map}/`, { render_settings: { maxZoom: 2 } });
  assert.deepEqual(await names('', '3/4/3'), [], 'the settings of the map apply to its layers');
  await server.admin('PATCH', `/${map}/`, { render_settings: {} });
  await server.admin('POST', `/${map}/publish/`, [{ id: 1, parent_id: 0, map_layer_id: id, selected: true }]);
  assert.deepEqual(await names('', '3/4/3'), ['one']);
});

test('a client that has the tile gets 304 until a write; gzip when accepted', async () => {
  const { map } = await makeLayer('fresh', [{ geometry: point(1, 1) }]);
  const first = await get(map, '1/1/0');
  const headers = { 'if-none-match': first.headers.get('etag')! };
  assert.equal((await get(map, '1/1/0', '', { headers })).status, 304);
  await server.admin('POST', `/${map}/layers/fresh/objects/`, { fields: {}, geom: point(2, 2) });
  const second = await get(map, '1/1/0', '', { headers });
  assert.equal(second.status, 200);
  assert.equal(featuresOf(new VectorTile(new PbfReader(second.bytes)), 'fresh').length, 2);

  const raw = (encoding: string): Promise<[string | undefined, Buffer]> =>
    new Promise((resolve, reject) => {
      const options = { headers: { 'accept-encoding': encoding } };
      const sent = httpRequest(`${server.url}/mvt/demo/${map}/1/1/0.pbf`, options, async (answer) =>
        resolve([answer.headers['content-encoding'], Buffer.concat(await answer.toArray())]),
      );
      sent.on('error', reject).end();
    });
  const [packing, packed] = await raw('br, gzip;q=0.8');
  assert.equal(packing, 'gzip');
  assert.deepEqual(gunzipSync(packed), second.bytes);
  for (const encoding of ['identity', 'gzip;q=0', ''])
    assert.deepEqual(await raw(encoding), [undefined, second.bytes], encoding);
});

test('areas are clipped to the tile with a margin, lines simplified by zoom; objects elsewhere are omitted', async () => {
  const wave = Array.from({ length: 2000 }, (_, i) => [i / 20, Math.sin(i / 5) / 10]);
  const { map } = await makeLayer('cut', [
    { geometry: { type: 'Polygon', coordinates: [square(-80, 80)] } },
    { geometry: { type: 'LineString', coordinates: wave } },
    { geometry: point(-170, -80) },
  ]);
  const features = featuresOf(await decoded(map, '4/8/7'), 'cut');
  assert.deepEqual(
    features.map(({ id }) => id),
    [1, 2],
  );
  const reach = features[0]!
    .loadGeometry()
    .flat()
    .flatMap(({ x, y }) => [x, y]);
  assert.deepEqual([Math.min(...reach), Math.max(...reach)], [-256, 4352]);
  const vertices = async (place: string) =>
    featuresOf(await decoded(map, place), 'cut')
      .find(({ id }) => id === 2)!
      .loadGeometry()
      .flat().length;
  const [far, near] = [await vertices('1/1/0'), await vertices('7/70/63')];
  assert.ok(far < 20, `${far}`);
  assert.ok(near > 20, `${near}`);
});

test('of many features the largest are kept, and a large tile loses some evenly', async () => {
  const large = { geometry: { type: 'Polygon', coordinates: [square(0, 40)] } };
  const many = Array.from({ length: 200 }, (_, i) => ({
    geometry: point((i % 20) * 2, Math.floor(i / 20) * 2),
  }));
  const { map } = await makeLayer('many', [...many, large]);
  const features = featuresOf(await decoded(map, '1/1/0'), 'many');
  assert.equal(features.length, 50);
  assert.ok(features.some(({ id }) => id === 201));

  const heavy = Array.from({ length: 50 }, (_, i) => ({
    geometry: point(i, 1),
    properties: { name: `${i}`.repeat(900) },
  }));
  const own = await makeLayer('heavy', heavy);
  const answer = await get(own.map, '0/0/0');
  assert.ok(answer.bytes.length <= 20_000, `${answer.bytes.length}`);
  const left = featuresOf(new VectorTile(new PbfReader(answer.bytes)), 'heavy').length;
  assert.ok(left >= 5 && left < 50, `${left}`);
});

test('of many tiles requested at once each contains its own objects', async () => {
  const middles = Array.from({ length: 36 }, (_, i) =>
    point((i % 6) * 45 - 112.5, Math.floor(i / 6) * 20 - 50),
  );
  const named = { name: { type: 'string' } };
  const features = middles.map((geometry, i) => ({ geometry, properties: { name: `n${i}` } }));
  const { map } = await makeLayer('one', features, named);
  await makeLayer('two', features.toReversed(), named, map);
  const places = middles.map(({ coordinates: [lon, lat] }) => {
    const [x, y] = [(lon! + 180) / 360, 0.5 - Math.asinh(Math.tan((lat! * Math.PI) / 180)) / (2 * Math.PI)];
    return `9/${Math.floor(512 * x)}/${Math.floor(512 * y)}`;
  });
  const tiles = await Promise.all(places.map((place) => decoded(map, place)));
  const namesIn = (layer: string) =>
    tiles.map((tile) => featuresOf(tile, layer).map(({ properties }) => properties.name));
  const names = middles.map((_, i) => [`n${i}`]);
  assert.deepEqual(namesIn('one'), names);
  assert.deepEqual(namesIn('two'), names);
});

test('rights: content that a caller may not view is in no tile and no TileJSON', async () => {
  const { map, id } = await makeLayer('secret', [{ geometry: point(1, 1), properties: { name: 'hidden' } }]);
  await makeLayer('open', [{ geometry: point(1, 1), properties: { name: 'seen' } }], {}, map);
  await server.admin('PUT', `/${map}/layers/secret/rights/`, { user: 'public', right: 'none' });
  assert.deepEqual(Object.keys((await decoded(map, '0/0/0')).layers), ['open']);
  assert.equal((await get(map, '0/0/0', `layers=${id}`)).status, 403);
  const description = await server.request('GET', `//mvt/demo/${map}/tilejson.json`);
  assert.deepEqual(
    description.json.vector_layers.map((layer: any) => layer.id),
    ['open'],
  );
  assert.doesNotMatch(description.text, /secret|hidden/);
  const path = `/${map}/layers/secret/rights/`;
  const token = await signIn(server, { [path]: 'view' });
  assert.deepEqual(Object.keys((await decoded(map, '0/0/0', '', { token })).layers).sort(), [
    'open',
    'secret',
  ]);
  const own = { token: server.adminToken };
  assert.deepEqual(Object.keys((await decoded(map, '0/0/0', '', own)).layers).sort(), ['open', 'secret']);
  await server.admin('PATCH', `/${map}/`, { publish: false });
  assert.equal((await get(map, '0/0/0')).status, 403);
  assert.equal((await server.request('GET', `//mvt/demo/${map}/tilejson.json`)).status, 403);
  assert.equal((await get(map, '0/0/0', '', own)).headers.get('cache-control'), 'private, no-cache');
});

test('TileJSON', async () => {
  const { map } = await makeLayer('towns', [{ geometry: point(2, 48) }, { geometry: point(3, 49) }], {
    name: { type: 'string' },
    people: { type: 'number' },
  });
  await server.admin('PATCH', `/${map}/`, {
    name: 'Towns',
    json: { attribution: '© somebody' },
    render_settings: { minZoom: 2, maxZoom: 12 },
  });
  const answer = await server.request('GET', `//mvt/demo/${map}/tilejson.json?fields=people&lng=en`);
  assert.deepEqual(answer.json, {
    tilejson: '3.0.0',
    name: 'Towns',
    tiles: [`${server.url}/mvt/demo/${map}/{z}/{x}/{y}.pbf?fields=people&lng=en`],
    scheme: 'xyz',
    minzoom: 2,
    maxzoom: 12,
    bounds: [2, 48, 3, 49],
    attribution: '© somebody',
    vector_layers: [
      {
        id: 'towns',
        minzoom: 2,
        maxzoom: 12,
        geometry: 'Point',
        fields: { svc_id: 'Number', people: 'Number' },
      },
    ],
  });
});

test('invalid requests are refused', async () => {
  const { map } = await makeLayer('x', [{ geometry: point(1, 1) }], { name: { type: 'string' } });
  const path = (place: string, query = '') => `//mvt/demo/${map}/${place}?${query}`;
  const wrong: [string, number, string][] = [
    [path('1/2/0.pbf'), 400, 'bad_request'],
    [path('25/0/0.pbf'), 400, 'bad_request'],
    [path('-1/0/0.pbf'), 404, 'container_not_found'],
    [path('a/0/0.pbf'), 404, 'container_not_found'],
    [path('0/0/0.png'), 404, 'container_not_found'],
    [path('0/0/0.pbf', 'layers=x'), 400, 'bad_request'],
    [path('0/0/0.pbf', 'lng=*'), 400, 'bad_request'],
    ['//mvt/demo/nothing/0/0/0.pbf', 404, 'map_not_found'],
    ['//mvt/demo/nothing/tilejson.json', 404, 'map_not_found'],
    ['//mvt/nothing/m/0/0/0.pbf', 500, 'project_not_found'],
  ];
  for (const [at, status, code] of wrong)
    assert.deepEqual(await outcome(server, 'GET', at), [status, code], at);
  for (const text of hostileTexts) {
    const sent = encodeURIComponent(text);
    for (const query of [`fields=${sent}`, `layers=${sent}`, `lng=${sent}`])
      assert.ok((await get(map, '0/0/0', query)).status < 500, query);
    await server.admin('POST', `/${map}/layers/x/objects/`, {
      fields: { name: text.replaceAll('\0', '') },
      geom: point(1, 1),
    });
  }
  const names = featuresOf(await decoded(map, '0/0/0'), 'x').map(({ properties }) => properties.name);
  assert.deepEqual(names.slice(1), hostileTexts);
});
