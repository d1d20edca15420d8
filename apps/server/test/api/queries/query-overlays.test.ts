/** Overlays in the queries of layers, with geometries of any kind, on both database engines. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer } from '../../support/server.js';

const server = await startServer();
test.after(() => server.stop());
const { admin, request } = server;

const feature = (type: string, coordinates: unknown) => ({
  type: 'Feature',
  properties: {},
  geometry: { type, coordinates },
});

/** Rings that cross themselves, two parts that overlap, and rings that meet in a point. */
const crossing = [
  ...[0, 0.5, 0.2].map((x) => {
    const ring = [
      [x, x],
      [x + 1, x + 1],
      [x + 1, x],
      [x, x + 1],
      [x, x],
    ];
    return feature('Polygon', [ring]);
  }),
  feature('MultiPolygon', [[square(0)], [square(1)]]),
  feature('Polygon', [square(0), square(1)]),
];

function square(at: number): number[][] {
  const to = at + 2;
  return [
    [at, at],
    [to, at],
    [to, to],
    [at, to],
    [at, at],
  ];
}

await admin('POST', '/', { code: 'overlays' });
for (const [code, features] of [
  ['points', Array.from({ length: 20 }, (_, k) => feature('Point', [0, k / 10]))],
  ['crossing', crossing],
] as const) {
  await admin('POST', '/overlays/layers/', { code });
  await admin('POST', `/overlays/layers/${code}/import/`, { type: 'FeatureCollection', features });
}

const pairs = 'from overlays.crossing a, overlays.crossing b';
const key = 'a.svc_id * 100 + b.svc_id as svc_id';
const queries: Readonly<Record<string, string>> = {
  circles:
    'select min(svc_id) as svc_id, st_buffer(st_union(st_buffer(geom,1)),2) as geom from overlays.points',
  union: 'select min(svc_id) as svc_id, st_union(geom) as geom from overlays.crossing',
  unions: `select ${key}, st_union(a.geom, b.geom) as geom ${pairs}`,
  array: 'select min(svc_id) as svc_id, st_union(array_agg(geom)) as geom from overlays.crossing',
  collected: 'select min(svc_id) as svc_id, st_unaryunion(st_collect(geom)) as geom from overlays.crossing',
  intersections: `select ${key}, st_intersection(a.geom, b.geom) as geom ${pairs}`,
  differences: `select ${key}, st_difference(a.geom, b.geom) as geom ${pairs}`,
  symdifferences: `select ${key}, st_symdifference(a.geom, b.geom, 0.001) as geom ${pairs}`,
};

for (const [code, query] of Object.entries(queries)) {
  test(`${code}: is saved, and read by everybody`, async () => {
    for (const type of ['virtual', 'material']) {
      const layer = `${code}-${type}`;
      const { id } = await admin('POST', '/overlays/layers/', { code: layer, type, json: { query } });
      const paths = ['objects/?geom=geojson', 'count/', 'bbox/', 'export/?format=geojson'].map(
        (path) => `/overlays/layers/${layer}/${path}`,
      );
      for (const path of [...paths, `//tms/demo/overlays/?z=1&x=1&y=1&layers=${id}`]) {
        const { status, text } = await request('GET', path, { token: server.adminToken });
        assert.equal(status, 200, text);
      }
    }
  });
}

test('a union of shapes that cross themselves covers what each of them covers', async () => {
  const query = `select u.svc_id, round(st_area(u.geom)::numeric, 6) as area,
    (select bool_and(st_covers(st_buffer(u.geom, 1e-9), st_pointonsurface(st_makevalid(c.geom))) and st_isvalid(u.geom))
      from overlays.crossing c) as covered from overlays.union u`;
  await admin('POST', '/overlays/layers/', {
    code: 'union',
    type: 'virtual',
    json: { query: queries.union },
  });
  await admin('POST', '/overlays/layers/', { code: 'judged', type: 'virtual', json: { query } });
  const [{ fields }] = await admin('GET', '/overlays/layers/judged/objects/?fields=area,covered');
  assert.deepEqual(fields, { area: 6.125, covered: true });
});

test('aggregates that collect are no windows', async () => {
  for (const call of ['array_agg(geom) over ()', 'st_union(geom) over (partition by svc_id)']) {
    const query = `select svc_id, ${call} as a from overlays.points`;
    const { status, json } = await request('POST', '/overlays/layers/', {
      token: server.adminToken,
      body: { type: 'virtual', json: { query } },
    });
    assert.deepEqual([status, json.code], [500, 'query_invalid']);
    assert.match(json.message, /column 16: the function (array_agg|st_union) is not allowed as a window/);
  }
});
