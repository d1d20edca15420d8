import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer } from '../../support/server.js';

const server = await startServer();
test.after(() => server.stop());
const { admin, request } = server;

/** Queries in which the geometry library fails on the points of `t` when there are more than one. */
const stumbling = [
  'select min(svc_id) as svc_id, st_buffer(st_union(st_buffer(geom, 1)), 2) as geom from cc.t',
  `select svc_id, st_setsrid(st_union(
     st_translate(st_geomfromtext('POLYGON((0 0, 2 2, 2 0, 0 2, 0 0))'), st_x(geom), 0),
     st_geomfromtext('POLYGON((0 1, 3 1, 3 3, 0 3, 0 1))')), 4326) as geom from cc.t where svc_id > 1`,
];

interface Layer {
  id: number;
  code: string;
}

const reads = ({ code, id }: Layer): [method: string, path: string, body?: unknown][] => [
  ['GET', `/cc/layers/${code}/`],
  ['GET', `/cc/layers/${code}/objects/?fields=svc_id&returnGeom=1&returnBbox=1`],
  ['GET', `/cc/layers/${code}/objects/?fbbox=-1,-1,3,3`],
  ['GET', `/cc/layers/${code}/objects/1/`],
  ['GET', `/cc/layers/${code}/count/?precise=true`],
  [
    'POST',
    `/cc/layers/${code}/filter/`,
    { fields: ['svc_id'], filter: { op: '>', args: [{ property: 'svc_id' }, 0] } },
  ],
  [
    'POST',
    `/cc/layers/${code}/filter/`,
    { filter: { op: 's_intersects', args: [{ property: 'geom' }, { bbox: [0, 0, 1, 1] }] } },
  ],
  ['GET', `/cc/layers/${code}/bbox/`],
  ['GET', `//tms/demo/cc/?z=3&x=4&y=3&layers=${id}`],
  ['GET', `//mvt/demo/cc/6/32/31.pbf?layers=${id}`],
  ['GET', `/cc/layers/${code}/icon/`],
  ['GET', `/cc/search/?phrase=nothing`],
  ['GET', `/cc/layers/${code}/export/?format=geojson`],
  ['GET', `/cc/layers/${code}/export/?format=shp`],
  ['GET', `/cc/layers/?type=full&returnBbox=1`],
];

test('a query that makes a library of the database fail does not affect other requests', async () => {
  await admin('POST', '/', { code: 'cc' });
  for (const code of ['t', 'other']) await admin('POST', '/cc/layers/', { code });
  const put = (layer: string, geom: object) =>
    admin('POST', `/cc/layers/${layer}/objects/`, { fields: {}, geom });
  await put('other', { type: 'Point', coordinates: [1, 1] });
  const made = async (code: string, query: string): Promise<Layer> =>
    admin('POST', '/cc/layers/', { code, type: 'virtual', json: { query } });
  const point = (k: number) => put('t', { type: 'Point', coordinates: [0, k / 10] });
  await point(1);
  const layers = await Promise.all(stumbling.map((query, i) => made(`v${i}`, query)));
  for (let k = 2; k <= 20; k++) await point(k);
  for (const query of stumbling) {
    const again = await request('POST', '/cc/layers/', {
      token: server.adminToken,
      body: { code: 'again', type: 'virtual', json: { query } },
    });
    if (again.status === 200) await admin('DELETE', '/cc/layers/again/');
    else assert.equal(again.json?.code, 'query_invalid', again.text);
  }
  const problems: string[] = [];
  const others = await Promise.all(['t', 'other'].map((code) => admin('GET', `/cc/layers/${code}/`)));
  for (const layer of [...layers, ...others])
    for (const [method, path, body] of reads(layer)) {
      const answer = await request(method, path, { token: server.adminToken, ...(body ? { body } : {}) });
      const isWell =
        answer.status === 200 || (layers.includes(layer) && answer.json?.code === 'query_invalid');
      if (!isWell) problems.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
  assert.deepEqual(problems, []);
});
