import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fromMercator } from '@cartulary/geo/internal/bbox.js';
import type { Geometry, Position } from 'geojson';
import { PNG } from 'pngjs';
import { numbers } from '../../support/hexagons.js';
import { startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
const ids: Record<string, number> = {};

const box = (west: number, south: number, east: number, north: number): Geometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});
const point = (...coordinates: [number, number]): Geometry => ({ type: 'Point', coordinates });
const line = (...coordinates: Position[]): Geometry => ({ type: 'LineString', coordinates });

async function makeLayer(
  map: string,
  code: string,
  css_style: string,
  objects: [fields: Record<string, unknown>, geom: Geometry][],
): Promise<void> {
  const { admin } = server;
  ids[code] = (await admin('POST', `/${map}/layers/`, { code, name: code, css_style })).id;
  await admin('POST', `/${map}/layers/${code}/structure/`, { code: 'size', type: 'number', name: 'Size' });
  for (const [fields, geom] of objects)
    await admin('POST', `/${map}/layers/${code}/objects/`, { fields, geom });
}

before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'world', name: 'World' });
  await makeLayer(
    'world',
    'towns',
    '#towns [zoom >= 6][size > 5], #towns [zoom >= 9] { marker-width: 20; marker-allow-overlap: true; }',
    [
      [{ size: 9 }, point(10, 50)],
      [{ size: 1 }, point(12, 50)],
      [{ size: 8 }, point(10, 50)],
    ],
  );
  await makeLayer('world', 'roads', '#roads { line-width: 1; }', [[{}, line([0, 45], [20, 45])]]);
  await makeLayer('world', 'outlines', '#outlines { line-width: 1; }', [[{}, box(1, 41, 3, 43)]]);
  await makeLayer('world', 'signs', '#signs { marker-width: 20; }', [
    [{}, point(15, 55)],
    [{}, point(15.01, 55)],
  ]);
  await makeLayer('world', 'lands', '#lands { polygon-fill: #abc; }', [
    [{}, box(0, 40, 20, 60)],
    [{}, box(20, 40, 40, 60)],
    [{}, box(0, 40, 2, 41)],
  ]);
});
after(() => server.stop());

type Found = { layer: string; svc_id: number; distance: number };
const order = (): string =>
  ['lands', 'signs', 'outlines', 'roads', 'towns'].map((code) => ids[code]).join(',');

async function found(lon: number, lat: number, z: number, more = ''): Promise<string[]> {
  const path = `/world/identify/?lon=${lon}&lat=${lat}&z=${z}&layers=${order()}${more}`;
  const answer = await server.request('GET', path);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.map(({ layer, svc_id }: Found) => `${layer} ${svc_id}`);
}

/** Degrees of longitude that pixels of a zoom level are wide. */
const degrees = (pixels: number, z: number): number => (pixels * 360) / (256 * 2 ** z);

test('only what the style draws at the zoom level is found', async () => {
  assert.deepEqual(await found(10, 50, 5), ['lands 1'], 'no town is drawn at zoom 5');
  assert.deepEqual(
    await found(10, 50, 6),
    ['towns 3', 'towns 1', 'lands 1'],
    'the one that is drawn last lies on top',
  );
  assert.deepEqual(await found(12, 50, 6), ['lands 1'], 'the filter leaves it out');
  assert.deepEqual(await found(12, 50, 9), ['towns 2', 'lands 1']);
  assert.deepEqual(await found(-30, 50, 6), []);
});

test('markers have the size with which they are drawn', async () => {
  assert.deepEqual(await found(12 + degrees(9, 9), 50, 9, '&tolerance=0'), ['towns 2', 'lands 1']);
  assert.deepEqual(await found(12 + degrees(13, 9), 50, 9, '&tolerance=0'), ['lands 1']);
  assert.deepEqual(await found(12 + degrees(13, 9), 50, 9, '&tolerance=4'), ['towns 2', 'lands 1']);
});

test('thin lines are found a few pixels beside them, areas beside the point come last', async () => {
  const north = 45 + degrees(3, 8) * Math.cos(Math.PI / 4);
  assert.deepEqual(await found(10, north, 8, '&tolerance=4'), ['roads 1', 'lands 1']);
  assert.deepEqual(await found(10, north, 8, '&tolerance=0'), ['lands 1']);
  assert.deepEqual(await found(20 + degrees(2, 8), 50, 8, '&tolerance=4'), ['lands 2', 'lands 1']);
  assert.deepEqual(await found(2, 42, 8), ['lands 1'], 'inside an outline nothing of it is drawn');
});

test('a symbol that makes way for another is not there', async () => {
  assert.deepEqual(await found(15, 55, 5), ['signs 1', 'lands 1']);
  assert.deepEqual(await found(15.01, 55, 14), ['signs 2', 'lands 1'], 'where there is room for both');
});

test('what a filter leaves out of the tiles is not found, and claims no room', async () => {
  const filter = (text: string): string => `&filter=${encodeURIComponent(text)}`;
  assert.deepEqual(await found(10, 50, 6, filter('size < 9')), ['towns 3']);
  assert.deepEqual(await found(10, 50, 6, filter('size > 9')), []);
  assert.deepEqual(await found(15, 55, 5, filter('svc_id = 2')), ['signs 2']);
  const path = `/world/identify/?lon=10&lat=50&z=6${filter('nothing = 1')}`;
  assert.equal((await server.request('GET', path)).status, 400);
});

test('crowded markers are found where tiles show them, and only there', async () => {
  await server.admin('POST', '/', { code: 'crowd', css_style: 'Map { background-color: #fff; }' });
  const style = '#dots { marker-width: 14; marker-fill: #0000ff; marker-line-width: 0; polygon-fill: #f00; }';
  const { id } = await server.admin('POST', '/crowd/layers/', { code: 'dots', css_style: style });
  const next = numbers(17);
  const places = Array.from({ length: 3_000 }, () => [90 * next(), 70 * next()] as [number, number]);
  const features = places.map((place) => ({ type: 'Feature', properties: {}, geometry: point(...place) }));
  await server.admin('POST', '/crowd/layers/dots/import/', { type: 'FeatureCollection', features });
  const z = 3;
  const tile = await server.request('GET', `//tiles/demo/crowd/${z}/4/3.png?layers=${id}`);
  const { data } = PNG.sync.read(tile.bytes);
  const isBlue = (x: number, y: number): boolean => data[4 * (256 * y + x) + 1] === 0;
  let [shown, agreed, hidden, agreedHidden] = [0, 0, 0, 0];
  for (let i = 0; i < 120; i++) {
    const [x, y] = [Math.floor(30 + 200 * next()), Math.floor(30 + 200 * next())];
    const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => isBlue(x + dx, y + dy)));
    if (new Set(around).size > 1) continue;
    const [lon, lat] = at(z, 4 + (x + 0.5) / 256, 3 + (y + 0.5) / 256);
    const path = `/crowd/identify/?lon=${lon}&lat=${lat}&z=${z}&layers=${id}&tolerance=0`;
    const answer = await server.request('GET', path);
    const found: Found[] = answer.json;
    if (around[0]) {
      shown++;
      if (found.length) agreed++;
    } else {
      hidden++;
      if (!found.length) agreedHidden++;
    }
  }
  assert.ok(shown > 20 && agreed > 0.95 * shown, `${agreed} of ${shown} markers are found`);
  assert.ok(
    hidden > 20 && agreedHidden > 0.95 * hidden,
    `nothing is found at ${agreedHidden} of ${hidden} places`,
  );
});

/** Longitude and latitude of a place in tiles. */
function at(z: number, x: number, y: number): [number, number] {
  const side = (2 * Math.PI * 6_378_137) / 2 ** z;
  return fromMercator(x * side - Math.PI * 6_378_137, Math.PI * 6_378_137 - y * side);
}

test('layers that are off, their zoom levels and opacity, and the order that is asked for count', async () => {
  const { lands, roads, towns } = ids;
  const asked = async (layers: string) =>
    found(10, 50, 6, '').then(async () => {
      const answer = await server.request('GET', `/world/identify/?lon=10&lat=50&z=6&layers=${layers}`);
      return answer.json.map(({ layer }: Found) => layer);
    });
  assert.deepEqual(await asked(`${lands},${roads}`), ['lands']);
  assert.deepEqual(await asked(`${towns},${lands}`), ['lands', 'towns', 'towns']);
  assert.deepEqual(await asked(''), []);
  await server.admin('PATCH', '/world/layers/towns/', { render_settings: { minZoom: 7 } });
  assert.deepEqual(await found(10, 50, 6), ['lands 1']);
  assert.equal((await found(10, 50, 7)).length, 3);
  await server.admin('PATCH', '/world/layers/towns/', { render_settings: { opacity: 0 } });
  assert.deepEqual(await found(10, 50, 7), ['lands 1']);
  await server.admin('PATCH', '/world/layers/towns/', { render_settings: {} });
});

test('a limit, wrong values, and rights', async () => {
  assert.deepEqual(await found(10, 50, 6, '&limit=2'), ['towns 3', 'towns 1']);
  for (const query of [
    'lon=10&lat=50',
    'lon=200&lat=50&z=3',
    'lon=10&lat=89&z=3',
    'lon=1&lat=1&z=25',
    'lon=1&lat=1&z=3&layers=999999',
  ])
    assert.ok([400, 500].includes((await server.request('GET', `/world/identify/?${query}`)).status), query);
  const whole = async () =>
    (await server.request('GET', '/world/identify/?lon=10&lat=50&z=6')).json.map(({ layer }: Found) => layer);
  assert.ok((await whole()).includes('towns'));
  await server.admin('PUT', '/world/layers/towns/rights/', { user: 'public', right: 'none' });
  assert.deepEqual(await whole(), ['lands'], 'a layer that may not be viewed is left out');
  const named = `/world/identify/?lon=10&lat=50&z=6&layers=${ids.towns}`;
  assert.equal((await server.request('GET', named)).status, 403);
  await server.admin('PATCH', '/world/', { has_publication: false });
  assert.equal((await server.request('GET', '/world/identify/?lon=10&lat=50&z=6')).status, 403);
});

test('a chart is found where it is drawn, not in the whole area of its object', async () => {
  const { admin } = server;
  await admin('POST', '/', { code: 'charts', name: 'Charts' });
  await makeLayer('charts', 'sums', '', [[{ size: 9 }, box(0, 40, 20, 60)]]);
  for (const [type, beside] of [
    [4, { allowOverlap: true }],
    [5, { allowOverlap: false }],
    [6, { allowOverlap: false }],
  ] as const) {
    const classesSettings = {
      columns: [{ code: 'size', color: '#c00' }],
      sizeFrom: 30,
      sizeTo: 30,
      ...beside,
    };
    await admin('PATCH', '/charts/layers/sums/', { visualSettings: { type, classesSettings } });
    const at = async (lon: number, lat: number): Promise<string[]> => {
      const answer = await server.request('GET', `/charts/identify/?lon=${lon}&lat=${lat}&z=5&tolerance=24`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json.map(({ layer, svc_id }: Found) => `${layer} ${svc_id}`);
    };
    assert.deepEqual(await at(9.8, 50.5), ['sums 1'], `type ${type}`);
    assert.deepEqual(await at(2, 58), [], `type ${type}`);
  }
});
