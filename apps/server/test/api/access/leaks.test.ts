import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';
import { signIn } from './people.js';

/** Everything that belongs to the hidden layer contains this text: names, titles, codes and values. */
const hush = 'hush';
const area = (west: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 10],
      [west + 40, 10],
      [west + 40, 50],
      [west, 50],
      [west, 10],
    ],
  ],
});

let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.stop());

async function makeLayer(
  map: string,
  code: string,
  name: string,
  west: number,
  color: string,
): Promise<number> {
  const { id } = await server.admin('POST', `/${map}/layers/`, {
    code,
    name,
    css_style: `#${code} { polygon-fill: ${color}; }`,
  });
  await server.admin('POST', `/${map}/layers/${code}/structure/`, { code: `${name}_name`, type: 'string' });
  await server.admin('POST', `/${map}/layers/${code}/objects/`, {
    fields: { [`${name}_name`]: `${name} value` },
    geom: area(west),
  });
  return id;
}

interface Place {
  map: string;
  open: number;
  hidden: number;
}

/** A published map with a public layer and one that only administrators may view. */
async function makePlace(): Promise<Place> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  const open = await makeLayer(map, 'open', 'open', 0, '#00ff00');
  const hidden = await makeLayer(map, 'secret', hush, 60, '#ff00ff');
  await server.admin('PUT', `/${map}/layers/secret/rights/`, { user: 'public', right: 'none' });
  await server.admin('POST', `/${map}/layers/`, {
    code: 'over',
    name: `${hush} over`,
    type: 'virtual',
    json: { query: `select *, ${hush}_name as again from ${map}.secret` },
  });
  return { map, open, hidden };
}

const tile = '?z=2&x=2&y=2';

/** Reading functions whose result depends on rights. */
const allowed = ({ map, open }: Place): string[] => [
  `/${map}/`,
  `/${map}/layers/?type=full&returnBbox=1&returnCss=1`,
  `/${map}/layers/?type=publish&returnBbox=1&returnCss=1`,
  `/${map}/layers/open/?returnBbox=1`,
  `/${map}/layers/open/structure/`,
  `/${map}/layers/open/bbox/`,
  `/${map}/layers/open/count/`,
  `/${map}/layers/open/objects/?fields=*&returnGeom=1`,
  `/${map}/layers/open/export/?format=geojson`,
  `/${map}/layers/open/icon/`,
  `/${map}/search/?phrase=${hush}&limit=50`,
  `//tms/demo/${map}/${tile}`,
  `//tms/demo/${map}/${tile}&layers=${open}`,
  `//mvt/demo/${map}/2/2/1.pbf?fields=*`,
  `//mvt/demo/${map}/tilejson.json?fields=*`,
  '//pages/maps.json',
];

/** The same for the hidden layer. */
const refused = ({ map, hidden }: Place): string[] => [
  `/${map}/layers/secret/?returnBbox=1`,
  `/${map}/layers/secret/structure/`,
  `/${map}/layers/secret/bbox/`,
  `/${map}/layers/secret/count/?precise=true`,
  `/${map}/layers/secret/objects/?fields=*`,
  `/${map}/layers/secret/objects/?fields=${hush}_name&fcode=${hush}_name&fval=${hush}%20value`,
  `/${map}/layers/secret/objects/?fields=svc_id&sort=${hush}_name`,
  `/${map}/layers/secret/objects/1/`,
  `/${map}/layers/secret/export/?format=geojson`,
  `/${map}/layers/secret/icon/`,
  `/${map}/layers/secret/legend/`,
  `/${map}/layers/secret/legend/0/icon/`,
  ...[
    '',
    'structure/',
    'bbox/',
    'count/',
    'objects/?fields=*',
    'objects/1/',
    'export/?format=csv',
    'icon/',
  ].map((path) => `/${map}/layers/over/${path}`),
  `//tms/demo/${map}/${tile}&layers=${hidden}`,
  `//mvt/demo/${map}/2/2/1.pbf?layers=${hidden}`,
  `//mvt/demo/${map}/tilejson.json?layers=${hidden}`,
];

const get = (path: string, token?: string, headers = {}): Promise<TestAnswer> =>
  server.request('GET', path, { ...(token ? { token } : {}), headers });

test('content that a caller may not view appears nowhere, with cold and warm caches', async () => {
  const place = await makePlace();
  const stranger = await signIn(server);
  for (let round = 0; round < 2; round++) {
    for (const token of [undefined, stranger]) {
      for (const path of allowed(place)) {
        const { status, text } = await get(path, token);
        assert.ok([200, 404].includes(status), `${path}: ${status}`);
        assert.ok(!text.includes(hush), path);
      }
      for (const path of refused(place)) {
        const { status, text } = await get(path, token);
        assert.equal(status, 403, `${path}: ${text}`);
        assert.ok(!text.includes(hush), path);
      }
    }
    // The second round follows requests of authorized callers, which may have filled every cache.
    for (const path of [...allowed(place), ...refused(place)]) await get(path, server.adminToken);
  }
});

test('a tile contains only what its caller may view, also when another version of it is cached', async () => {
  const place = await makePlace();
  const path = `//tms/demo/${place.map}/${tile}`;
  const alone = await get(`${path}&layers=${place.open}`);
  const whole = await get(path, server.adminToken);
  const asked = await get(path, undefined, { 'if-none-match': whole.headers.get('etag')! });
  assert.equal(asked.status, 200);
  assert.deepEqual(asked.bytes, alone.bytes);
  assert.notDeepEqual(whole.bytes, alone.bytes);
  assert.match(whole.headers.get('cache-control')!, /private|no-cache/);
});

test('a revoked right is effective at once', async () => {
  const { map } = await makePlace();
  const paths = [`/${map}/layers/open/objects/?fields=*`, `//tms/demo/${map}/${tile}`, `/${map}/layers/`];
  for (const path of paths) assert.equal((await get(path)).status, 200);
  const before = (await get(paths[1]!)).bytes;
  await server.admin('PUT', `/${map}/layers/open/rights/`, { user: 'public', right: 'none' });
  assert.equal((await get(paths[0]!)).status, 403);
  assert.notDeepEqual((await get(paths[1]!)).bytes, before);
  assert.deepEqual((await get(paths[2]!)).json, []);
  await server.admin('PATCH', `/${map}/`, { publish: false });
  for (const path of paths) assert.equal((await get(path)).status, 403, path);
});

test('a layer or map that takes the code of a deleted one has none of its content', async () => {
  const place = await makePlace();
  const { map } = place;
  for (const path of [...allowed(place), ...refused(place)]) await get(path, server.adminToken);
  await server.admin('DELETE', `/${map}/layers/secret/?force=1`);
  const { id } = await server.admin('POST', `/${map}/layers/`, { code: 'secret', name: 'fresh' });
  assert.notEqual(id, place.hidden);
  const empty = async (path: string): Promise<void> => {
    const { status, text } = await get(path);
    assert.equal(status, 200, `${path}: ${text}`);
    assert.ok(!text.includes(hush), path);
  };
  for (const rest of ['', 'structure/', 'bbox/', 'count/?precise=true', 'objects/?fields=*', 'icon/'])
    await empty(`/${map}/layers/secret/${rest}`);
  await empty(`/${map}/layers/secret/export/?format=geojson`);
  assert.equal((await get(`/${map}/layers/secret/count/?precise=true`)).json, 0);
  const blank = await get(`//tms/demo/${map}/${tile}&layers=`);
  assert.deepEqual((await get(`//tms/demo/${map}/${tile}&layers=${id}`)).bytes, blank.bytes);
  assert.equal((await get(`//tms/demo/${map}/${tile}&layers=${place.hidden}`)).status, 400);

  await server.admin('DELETE', `/${map}/`);
  await server.admin('POST', '/', { code: map });
  assert.deepEqual((await get(`/${map}/layers/?type=full`)).json, []);
  assert.deepEqual((await get(`//tms/demo/${map}/${tile}`)).bytes, blank.bytes);
  for (const path of refused(place).filter((one) => !one.startsWith('//')))
    assert.equal((await get(path)).status, 404, path);
});
