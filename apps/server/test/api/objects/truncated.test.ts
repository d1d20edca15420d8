/* The header Cartulary-Truncated states which objects an answer leaves out. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let map: string;
test.before(async () => {
  server = await startServer({
    CARTULARY_VECTOR_TILE_FEATURES: '40',
    CARTULARY_LIST_DEFAULT: '50',
    CARTULARY_LIST_LIMIT: '80',
    CARTULARY_SEARCH_SCAN: '100',
    CARTULARY_SEARCH_INDEXED: '1000000',
  });
  map = freshCode('map');
  await server.admin('POST', '/', { code: map });
});
test.after(() => server.stop());

/** Creates a layer of this many points in a row, all with the same name. */
async function layerOf(count: number, name = 'stone'): Promise<string> {
  const code = freshCode('layer');
  await server.admin('POST', `/${map}/layers/`, { code });
  const features = Array.from({ length: count }, (_, i) => ({
    type: 'Feature',
    properties: { name, n: i },
    geometry: { type: 'Point', coordinates: [(170 * (i + 0.5)) / count, 10] },
  }));
  await server.admin('POST', `/${map}/layers/${code}/import/`, { type: 'FeatureCollection', features });
  return code;
}

const told = async (path: string, options: object = {}, method = 'GET'): Promise<string | null> => {
  const answer = await server.request(method, path, options);
  assert.equal(answer.status, 200, answer.text);
  return answer.headers.get('cartulary-truncated');
};
const idOf = async (code: string): Promise<number> =>
  (await server.admin('GET', `/${map}/layers/${code}/`)).id;

test('a vector tile says which layers it does not show whole', async () => {
  const [many, few] = [await layerOf(100), await layerOf(40)];
  const layers = `layers=${await idOf(many)},${await idOf(few)}`;
  const tile = `//mvt/demo/${map}/0/0/0.pbf?${layers}`;
  assert.equal(await told(tile), `${many}=40/100`);
  assert.equal(await told(tile), `${many}=40/100`, 'out of the cache');
  const plain = { headers: { 'accept-encoding': 'identity' } };
  assert.equal(await told(tile, plain), `${many}=40/100`, 'unpacked');
  assert.equal(await told(`//mvt/demo/${map}/1/1/0.pbf?${layers}&fields=name`), `${many}=40/100`);
  assert.equal(await told(`//mvt/demo/${map}/3/5/3.pbf?${layers}`), null);
  const other = await server.request('GET', tile, { headers: { origin: 'https://other.example' } });
  assert.match(other.headers.get('access-control-expose-headers')!, /\bCartulary-Truncated\b/);
});

test('a tile that would be too large reports the omitted features of its layers', async () => {
  const small = await startServer({ CARTULARY_VECTOR_TILE_BYTES: '10000' });
  try {
    await small.admin('POST', '/', { code: 'm' });
    await small.admin('POST', '/m/layers/', { code: 'l' });
    const features = Array.from({ length: 500 }, (_, i) => ({
      type: 'Feature',
      properties: { name: `${i} `.repeat(20) },
      geometry: { type: 'Point', coordinates: [i / 4, 1] },
    }));
    await small.admin('POST', '/m/layers/l/import/', { type: 'FeatureCollection', features });
    const tile = await small.request('GET', '//mvt/demo/m/0/0/0.pbf');
    assert.match(tile.headers.get('cartulary-truncated') ?? '', /^l=\d{2,3}\/500$/);
  } finally {
    await small.stop();
  }
});

test('a list whose limit is that of the service says how many objects there are', async () => {
  const code = await layerOf(100);
  const list = `/${map}/layers/${code}/objects/`;
  assert.equal(await told(list), `${code}=50/100`);
  assert.equal(await told(`${list}?limit=1000`), `${code}=80/100`);
  assert.equal(await told(`${list}?limit=10`), null, 'as it was asked for');
  assert.equal(await told(`${list}?fields=n&fcode=n&fval=7`), null);
  const filter = { op: '>=', args: [{ property: 'n' }, 20] };
  const where = `/${map}/layers/${code}/filter/`;
  assert.equal(await told(where, { body: { filter } }, 'POST'), `${code}=50/80`);
  assert.equal(await told(where, { body: { filter, limit: 80 } }, 'POST'), null);
  assert.equal(await told(`//api/2.0/demo/${map}/layers/${code}/objects/`), `${code}=50/100`);
});

test('a search reports omitted results, and the layers that it read in part', async () => {
  const few = await layerOf(30, 'pebble');
  const phrase = `/${map}/search/?phrase=pebble`;
  const many = await layerOf(150, 'boulder');
  const parts = async (path: string) => (await told(path))?.split(', ').sort();
  assert.deepEqual(await parts(phrase), [`${few}=3/30`, `${many}=100/150`].sort());
  assert.deepEqual(await parts(`${phrase}&limit=5`), [`${many}=100/150`]);
});
