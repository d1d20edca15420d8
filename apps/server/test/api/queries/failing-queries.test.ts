/** Queries of layers that were valid when they were saved, and fail on later data. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer } from '../../support/server.js';

const server = await startServer();
test.after(() => server.stop());
const { admin, request } = server;

const from = 'from failing.sources';
const queries: Readonly<Record<string, string>> = {
  division: `select svc_id, geom, name ${from} where 1 / n::integer > 0`,
  // Only lines have nodes.
  nodes: `select svc_id, name, st_node(geom) as geom ${from} where n <> 1`,
  text: `select svc_id, geom, name, name::integer as number ${from} where name::integer <> 5`,
};

const at = (x: number) => ({ type: 'Point', coordinates: [x, x] });
await admin('POST', '/', { code: 'failing' });
await admin('POST', '/failing/layers/', { code: 'sources' });
for (const [code, type] of [
  ['n', 'number'],
  ['name', 'string'],
])
  await admin('POST', '/failing/layers/sources/structure/', { code, type });
const source = (n: number, name: string) => ({ fields: { n, name }, geom: at(n) });
await admin('POST', '/failing/layers/sources/objects/', source(1, '7'));
const ids = new Map<string, number>();
for (const [code, query] of Object.entries(queries))
  ids.set(code, (await admin('POST', '/failing/layers/', { code, type: 'virtual', json: { query } })).id);
const tenths = `select svc_id, geom, 10 / n::integer as tenth ${from}`;
await admin('POST', '/failing/layers/', { code: 'tenths', type: 'virtual', json: { query: tenths } });
await admin('POST', '/failing/layers/sources/objects/', source(0, 'seven'));

const ask = (path: string, body?: unknown) =>
  request(body ? 'POST' : 'GET', path, { token: server.adminToken, ...(body ? { body } : {}) });

for (const code of Object.keys(queries)) {
  test(`${code}: every reader is told that the query fails`, async () => {
    const layer = `/failing/layers/${code}`;
    const asked = [
      ask(`${layer}/objects/?fields=*&returnGeom=1`),
      ask(`${layer}/export/?format=geojson`),
      ask(`//tms/demo/failing/?z=0&x=0&y=0&layers=${ids.get(code)}`),
      ask(`//mvt/demo/failing/0/0/0.pbf?layers=${ids.get(code)}`),
    ];
    const answers = await Promise.all(asked);
    for (const { status, text, json } of answers)
      assert.deepEqual([status, json?.code], [500, 'query_invalid'], text);
  });

  test(`${code}: other functions of the layer work`, async () => {
    const layer = `/failing/layers/${code}`;
    for (const path of ['bbox/', 'count/?precise=true', 'structure/', 'objects/2/', 'icon/', 'legend/']) {
      const { status, text, json } = await ask(`${layer}/${path}`);
      assert.ok(status < 500 || json.code === 'query_invalid', `${path}: ${text}`);
    }
  });
}

test('of several queries of WFS, one that fails is told before anything is sent', async () => {
  const typenames = '(sources)(tenths)';
  const asked = new URLSearchParams({ service: 'WFS', version: '2.0.0', request: 'GetFeature', typenames });
  const { status, text } = await ask(`//wfs/demo/failing?${asked}`);
  assert.equal(status, 500, text);
  assert.match(text, /ExceptionReport/);
});

test('failing layers keep no extents, and do not hide the results of other layers', async () => {
  const tree = await admin('GET', '/failing/layers/?type=full&returnBbox=1');
  const boxes = tree.map(({ code, bbox }: { code: string; bbox: unknown }) => [code, bbox !== null]);
  const failing = { division: false, nodes: false, text: false };
  assert.deepEqual(Object.fromEntries(boxes), { sources: true, tenths: true, ...failing });
  await admin('PATCH', '/failing/', {
    json: {
      search: ['sources', ...Object.keys(queries)].map((layer) => ({
        layer,
        columns: ['name'],
        name_column: 'name',
      })),
    },
  });
  const { status, text } = await ask('/failing/search/?phrase=seven');
  assert.equal(status, 200, text);
  assert.match(text, /seven/);
});
