/** Shapes that cross each other or themselves so often that the database would be busy for minutes and ignore every limit. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer } from '../../support/server.js';

const server = await startServer();
test.after(() => server.stop());
const { admin, request } = server;

type Position = [x: number, y: number];

/** A ring whose edges all cross each other: `count` positions on a circle, each joined with the opposite one. `count` is odd. */
const star = (count: number): Position[] =>
  Array.from({ length: count + 1 }, (_, k) => {
    const angle = (2 * Math.PI * ((k * (count >> 1)) % count)) / count;
    return [Number((20 * Math.cos(angle)).toFixed(3)), Number((20 * Math.sin(angle)).toFixed(3))];
  });

/** A valid ring with `count` long teeth, upright or lying: one of each cross at every tooth. */
function comb(count: number, isUpright: boolean): Position[] {
  const teeth = Array.from(
    { length: 2 * count },
    (_, k): Position => [Math.floor(k / 2) / count, k % 4 === 1 || k % 4 === 2 ? 1 : 0],
  );
  const ring: Position[] = [...teeth, [1, -0.1], [0, -0.1], [0, 0]];
  return isUpright ? ring : ring.map(([x, y]) => [y, x]);
}

const bow: Position[] = [
  [0, 0],
  [1, 1],
  [1, 0],
  [0, 1],
  [0, 0],
];

const polygon = (ring: Position[]) => ({ type: 'Polygon', coordinates: [ring] });
const points = (count: number, step: number) => ({
  type: 'MultiPoint',
  coordinates: Array.from({ length: count }, (_, k) => [
    80 * Math.sin(k * step),
    80 * Math.cos(1.7 * k * step),
  ]),
});

/** `count` lines beside each other, from south to north. */
const net = (count: number) => ({
  type: 'MultiLineString',
  coordinates: Array.from({ length: count }, (_, k) => [-81, 81].map((y) => [(160 * k) / count - 80, y])),
});

await admin('POST', '/', { code: 'm' });
for (const [code, geometries] of Object.entries({
  knots: [polygon(bow), polygon(star(301))],
  combs: [polygon(comb(1500, true)), polygon(comb(1500, false))],
  clouds: [points(11_000, 1.3), points(11_000, 0.7)],
  nets: [net(12_000)],
})) {
  await admin('POST', '/m/layers/', { code });
  const features = geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry }));
  await admin('POST', `/m/layers/${code}/import/`, { type: 'FeatureCollection', features });
}

const tooOften = /filter: a geometry that it compares crosses itself too often/;

test('filters that compare shapes that cross themselves too often are refused', async () => {
  const shapes = { given: polygon(star(301)), stored: polygon(bow.map(([x, y]) => [x + 0.5, y])) };
  for (const [name, shape] of Object.entries(shapes)) {
    const filter = { op: 's_touches', args: [{ property: 'geom' }, shape] };
    // Lists compare valid shapes only where the database has failed on others.
    const list = await request('POST', '/m/layers/knots/filter/', { body: { filter } });
    assert.ok(list.status === 200 || tooOften.test(list.text), list.text);
    const asked = encodeURIComponent(JSON.stringify(filter));
    for (const ending of ['png', 'mvt']) {
      const tile = await request('GET', `//tiles/demo/m/2/2/1.${ending}?filter=${asked}`);
      assert.equal(tile.status, 400, `${name} ${ending}: ${tile.text}`);
      assert.match(tile.text, tooOften);
    }
  }
});

test('relations of many points with many lines are refused', async () => {
  for (const op of ['s_intersects', 's_disjoint', 's_touches', 's_crosses']) {
    const filter = { op, args: [points(5_000, 1.3), { property: 'geom' }] };
    const refused = await request('POST', '/m/layers/nets/filter/', { body: { filter } });
    assert.equal(refused.status, 400, `${op}: ${refused.text.slice(0, 300)}`);
    assert.match(refused.text, /has too many positions/);
  }
  for (const layer of ['nets', 'clouds']) {
    const filter = { op: 's_intersects', args: [{ property: 'geom' }, polygon(comb(1500, true))] };
    const few = await request('POST', `/m/layers/${layer}/filter/`, { body: { filter, fields: '' } });
    assert.equal(few.status, 200, few.text);
    assert.ok(few.json.length > 0, layer);
  }
});

test('distances from many points to many others are compared point by point', async () => {
  const [near, far] = [
    [81.001, 0],
    [120, 60],
  ].map(([x, y]) => ({
    type: 'MultiPoint',
    coordinates: Array.from({ length: 100 }, (_, k) => [x! + k / 1000, y!]),
  }));
  const found = async (geometry: unknown, metres: number) => {
    const filter = { op: 's_dwithin', args: [{ property: 'geom' }, geometry, metres] };
    const list = await request('POST', '/m/layers/clouds/filter/', { body: { filter, fields: '' } });
    assert.equal(list.status, 200, list.text);
    return list.json.length;
  };
  assert.deepEqual([await found(near, 300_000), await found(far, 1_000)], [2, 0]);
});

test('making it valid is refused with the name of the object, and nothing is changed', async () => {
  const geometriesOf = async () => (await request('GET', '/m/layers/knots/export/?format=geojson')).text;
  const before = await geometriesOf();
  const refused = await server.request('POST', '/m/layers/knots/makevalid/', { token: server.adminToken });
  assert.equal(refused.json.code, 'value_invalid', refused.text);
  assert.match(refused.text, /geometry of the object 2 crosses itself too often/);
  assert.equal(await geometriesOf(), before);
});

test('queries with overlays and comparisons of such shapes are refused', async () => {
  const key = 'a.svc_id * 100 + b.svc_id as svc_id';
  const queries = [
    ...['st_intersection', 'st_union', 'st_difference', 'st_symdifference'].map(
      (name) => `select ${key}, ${name}(a.geom, b.geom) as geom from m.combs a, m.combs b`,
    ),
    'select min(svc_id) as svc_id, st_union(geom) as geom from m.combs',
    'select min(svc_id) as svc_id, st_unaryunion(st_collect(st_boundary(geom))) as geom from m.combs',
    'select min(svc_id) as svc_id, st_node(st_collect(st_boundary(geom))) as geom from m.combs',
    'select svc_id, st_buffer(geom, 0.3) as geom from m.combs',
    'select svc_id, st_buffer(st_boundary(geom), -0.3) as geom from m.combs',
    'select svc_id, st_offsetcurve(st_exteriorring(geom), 0.3) as geom from m.combs',
    'select svc_id, st_makevalid(geom) as geom from m.knots',
    'select svc_id, st_intersection(geom, st_buffer(geom, 1)) as geom from m.knots',
    `select ${key}, st_hausdorffdistance(a.geom, b.geom) as far from m.clouds a, m.clouds b`,
    `select ${key}, st_distancesphere(a.geom, b.geom) as far from m.clouds a, m.clouds b`,
    `select ${key}, st_snap(a.geom, b.geom, 0.1) as geom from m.clouds a, m.clouds b`,
    ...['st_intersects', 'st_touches', 'st_disjoint', 'st_relate'].map(
      (name) => `select ${key}, ${name}(a.geom, b.geom) as it from m.clouds a, m.nets b`,
    ),
    `select ${key} from m.clouds a, m.clouds b where st_dwithin(a.geom::geography, b.geom::geography, 1)`,
  ];
  for (const [k, query] of queries.entries()) {
    const body = { code: `q${k}`, type: 'virtual', json: { query } };
    const answer = await server.request('POST', '/m/layers/', { body, token: server.adminToken });
    assert.equal(answer.json.code, 'query_invalid', `${query}: ${answer.text}`);
    assert.match(answer.text, /shapes that cross too often/, query);
  }
});

test('shapes with many positions that lie side by side are no matter', async () => {
  const coast = (shift: number) =>
    polygon([
      ...Array.from(
        { length: 4_000 },
        (_, k): Position => [k / 100, shift + Math.sin(k / 40) + 0.05 * Math.sin(k * 1.7)],
      ),
      [39.99, 20],
      [0, 20],
      [0, shift + 0],
    ]);
  await admin('POST', '/m/layers/', { code: 'coasts' });
  const features = [0, 0.01, 0].map((shift) => ({
    type: 'Feature',
    properties: {},
    geometry: coast(shift),
  }));
  await admin('POST', '/m/layers/coasts/import/', { type: 'FeatureCollection', features });
  const query = `select a.svc_id * 100 + b.svc_id as svc_id, st_npoints(st_intersection(a.geom, b.geom)) as n,
    st_npoints(st_union(a.geom, b.geom)) as u from m.coasts a, m.coasts b where a.svc_id < b.svc_id`;
  await admin('POST', '/m/layers/', { code: 'overlaid', type: 'virtual', json: { query } });
  const rows = await admin('GET', '/m/layers/overlaid/objects/?fields=n,u');
  assert.equal(rows.length, 3);
  for (const { fields } of rows) assert.ok(fields.n > 4_000 && fields.u > 4_000);
  const around = 'select svc_id, st_npoints(st_buffer(geom, 0.01)) as n from m.coasts where svc_id = 1';
  await admin('POST', '/m/layers/', { code: 'around', type: 'virtual', json: { query: around } });
});

test('tiles of a shape that crosses itself everywhere are drawn', async () => {
  await admin('POST', '/', { code: 'starry' });
  await admin('POST', '/starry/layers/', { code: 'stars' });
  const features = [{ type: 'Feature', properties: {}, geometry: polygon(star(60_001)) }];
  await admin('POST', '/starry/layers/stars/import/', { type: 'FeatureCollection', features });
  for (const ending of ['png', 'mvt']) {
    const tile = await request('GET', `//tiles/demo/starry/5/16/15.${ending}`);
    assert.equal(tile.status, 200, `${ending}: ${tile.text.slice(0, 200)}`);
    assert.ok(tile.bytes.length > 500);
  }
});

test('a line that leads to and fro is drawn and listed at every zoom', async () => {
  await admin('POST', '/', { code: 'fro' });
  await admin('POST', '/fro/layers/', { code: 'lines' });
  const coordinates = Array.from(
    { length: 300_000 },
    (_, k): Position => [Number((k * 1e-4).toFixed(4)), 40 * (k % 2)],
  );
  const features = [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } }];
  await admin('POST', '/fro/layers/lines/import/', { type: 'FeatureCollection', features });
  for (const path of [
    '//tiles/demo/fro/2/2/1.mvt',
    '//tiles/demo/fro/2/2/1.png',
    '/fro/layers/lines/objects/?returnGeom=1&geomZoom=3',
  ]) {
    const answer = await request('GET', path);
    assert.equal(answer.status, 200, `${path}: ${answer.text.slice(0, 200)}`);
    assert.ok(answer.bytes.length > 300, path);
  }
});
