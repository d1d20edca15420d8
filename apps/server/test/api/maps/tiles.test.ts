import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { colorAt, pixel } from '../../pictures/compare.js';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';
import { box, filled, makeLayers } from '../../tiles/colors.js';
import { tile } from '../../tiles/scene.js';
import { hostileTexts, signIn } from '../access/people.js';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server?.stop());

const [red, green, blue] = ['#ff0000', '#00ff00', '#0000ff'];
const sea = '#cceeff';
const place = [2, 2, 2] as const;

/** A map with three layers that cover the world, the red one on top, over a sea. */
async function makeMap(): Promise<{ map: string; ids: { red: number; green: number; blue: number } }> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map, css_style: `Map { background-color: ${sea}; }` });
  return { map, ids: await makeLayers(server, map, { red, green, blue }) };
}

async function color(map: string, query = '', options: { token?: string } = {}): Promise<string> {
  const answer = await tile(server, map, place, query, options);
  assert.equal(answer.status, 200, answer.text);
  return colorAt(answer.bytes);
}

/** Status and code of an error. */
async function refusal(answer: Promise<TestAnswer>): Promise<[number, string | undefined]> {
  const { status, headers, text } = await answer;
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('etag'), null);
  return [status, /<code>(\w+)<\/code>|"code":"(\w+)"/.exec(text)?.slice(1).find(Boolean)];
}

test('layers: in drawing order, the first at the bottom; without them the first of the tree is on top', async () => {
  const { map, ids } = await makeMap();
  assert.equal(await color(map), red);
  assert.equal(await color(map, `layers=${ids.red},${ids.green},${ids.blue}`), blue);
  assert.equal(await color(map, `layers=${ids.blue},${ids.green}`), green);
  assert.equal(await color(map, `layers=${ids.green}`), green);
  assert.equal(await color(map, `layers=%20${ids.blue}%20,${ids.blue}`), blue);
  assert.equal(await color(map, 'layers='), sea);
});

test('the background is painted unless base=0; an empty tile is a transparent image', async () => {
  const { map } = await makeMap();
  assert.equal(await color(map, 'layers=&base=1'), sea);
  assert.equal(await color(map, 'layers=&base=0'), 'clear');
  const bare = freshCode('m');
  await server.admin('POST', '/', { code: bare, css_style: '' });
  assert.equal(await color(bare), 'clear');
  assert.equal(await color(bare, 'q=1'), 'clear');
});

test('a saved publication tree decides what is drawn; items and folders represent their layers', async () => {
  const { map, ids } = await makeMap();
  const folder = await server.admin('POST', `/${map}/folders/`, { code: 'g' });
  await server.admin('POST', `/${map}/publish/`, [
    { id: 900_001, parent_id: 0, map_layer_id: folder.id },
    { id: 900_002, parent_id: 900_001, map_layer_id: ids.blue, selected: false },
    { id: 900_003, parent_id: 900_001, map_layer_id: ids.green },
  ]);
  assert.equal(await color(map), green);
  assert.equal(await color(map, 'layers=900001'), blue, 'the first in the folder lies on top');
  assert.equal(await color(map, 'layers=900002,900003'), green);
  assert.equal(await color(map, `layers=900002,${ids.red}`), red, 'a layer that is not in the tree');
  await server.admin('POST', `/${map}/publish/`, []);
  assert.equal(await color(map), sea);
});

test('render settings: zoom levels, opacity', async () => {
  const { map, ids } = await makeMap();
  const set = (layer: string, render_settings: object) =>
    server.admin('PATCH', `/${map}/layers/${layer}/`, { render_settings });
  await set('red', { minZoom: 3 });
  assert.equal(await color(map), green);
  assert.equal(colorAt((await tile(server, map, [3, 4, 4])).bytes), red);
  await set('green', { maxZoom: 1 });
  assert.equal(await color(map), blue);
  await set('blue', { opacity: 0.5 });
  const { bytes } = await tile(server, map, place, `layers=${ids.blue}&base=0`);
  const alpha = pixel(bytes, 128, 128)[3];
  assert.ok(Math.abs(alpha - 128) <= 1, `opacity ${alpha}`);
  await set('blue', { opacity: 0 });
  assert.equal(await color(map), sea);
});

test('render settings: a buffer draws objects farther outside of the tile', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map, css_style: '' });
  const css_style =
    '#p { marker-width: 400; marker-fill: #ff0000; marker-line-width: 0; marker-allow-overlap: true; }';
  await server.admin('POST', `/${map}/layers/`, { code: 'p', css_style });
  // 150 pixels west of the tile z=4, x=8, which is at the west edge of a block.
  const geom = { type: 'Point', coordinates: [(-150 / 256) * 22.5, 10] };
  await server.admin('POST', `/${map}/layers/p/objects/`, { fields: {}, geom });
  const at = async (): Promise<string> => {
    const { bytes } = await tile(server, map, [4, 8, 8]);
    return colorAt(bytes, 10, 142);
  };
  assert.equal(await at(), red, 'the style says how large the marker is');
  await server.admin('PATCH', `/${map}/layers/p/`, { render_settings: { buffer: 0 } });
  assert.equal(await at(), 'clear');
  await server.admin('PATCH', `/${map}/layers/p/`, { render_settings: { buffer: 200 } });
  assert.equal(await at(), red);
});

test('a client that has the picture gets 304, until something changes', async () => {
  const { map, ids } = await makeMap();
  const first = await tile(server, map, place);
  const etag = first.headers.get('etag')!;
  const again = (query = '', headers = { 'if-none-match': etag }) =>
    tile(server, map, place, query, { headers });
  const same = await again();
  assert.deepEqual([same.status, same.bytes.length, same.headers.get('etag')], [304, 0, etag]);
  assert.equal(same.headers.get('cache-control'), 'public, no-cache');
  assert.equal((await again('', { 'if-none-match': `"x", W/${etag}` })).status, 304);
  for (const query of ['base=0', 'retina=2', 'q=1', `layers=${ids.red}`, `layers=${ids.blue},${ids.red}`]) {
    assert.equal((await again(query)).status, 200, query);
  }
  assert.equal((await tile(server, map, [2, 2, 1], '', { headers: { 'if-none-match': etag } })).status, 200);
  assert.equal((await again('lng=ru')).status, 304, 'no column is localized');
  await server.admin('POST', `/${map}/layers/red/objects/`, { fields: {}, geom: box(0, 0, 1, 1) });
  assert.equal((await again()).status, 304, 'red over red is not seen');
  await server.admin('DELETE', `/${map}/layers/red/objects/`, { delete_params: '1-2' });
  assert.equal((await again()).status, 200);
});

test('a picture that the public may not see is private', async () => {
  const { map } = await makeMap();
  const cacheControl = async (options = {}) =>
    (await tile(server, map, place, '', options)).headers.get('cache-control');
  assert.equal(await cacheControl(), 'public, no-cache');
  assert.equal(await cacheControl({ token: server.adminToken }), 'private, no-cache');
  await server.admin('PATCH', `/${map}/`, { publish: false });
  assert.equal(await cacheControl({ token: server.adminToken }), 'private, no-cache');
});

test('a layer that the caller may not view is never drawn, also when its image is cached', async () => {
  const { map, ids } = await makeMap();
  const token = await signIn(server, { [`/${map}/layers/red/rights/`]: 'view' });
  assert.equal(await color(map), red);
  await server.admin('PUT', `/${map}/layers/red/rights/`, { user: 'public', right: 'none' });
  assert.equal(await color(map), green);
  assert.equal(await color(map, '', { token }), red);
  assert.equal(await color(map), green);
  const etag = (await tile(server, map, place, '', { token })).headers.get('etag')!;
  const known = await tile(server, map, place, '', { headers: { 'if-none-match': etag } });
  assert.deepEqual([known.status, colorAt(known.bytes)], [200, green]);
  assert.deepEqual(await refusal(tile(server, map, place, `layers=${ids.red}`)), [403, 'forbidden']);
  assert.deepEqual(await refusal(tile(server, map, place, `layers=${ids.green},${ids.red}`)), [
    403,
    'forbidden',
  ]);
  assert.equal(await color(map, `layers=${ids.red}`, { token }), red);
  await server.admin('PUT', `/${map}/layers/red/rights/`, { user: 'public', right: null });
  assert.equal(await color(map), red);
});

test('a caller who may not view the map gets 403; unknown maps are 404', async () => {
  const { map } = await makeMap();
  await color(map);
  await server.admin('PATCH', `/${map}/`, { publish: false });
  assert.deepEqual(await refusal(tile(server, map, place)), [403, 'forbidden']);
  assert.equal(await color(map, '', { token: server.adminToken }), red);
  assert.deepEqual(await refusal(tile(server, 'nowhere', place)), [404, 'map_not_found']);
  assert.deepEqual(await refusal(tile(server, map, place, 'token=unknown')), [401, 'not_authenticated']);
  const elsewhere = server.request('GET', '//tms/nowhere/m/?z=0&x=0&y=0');
  assert.deepEqual(await refusal(elsewhere), [500, 'project_not_found']);
});

test('the matrix: 24 levels, rows from the south, nothing beside it', async () => {
  const { map } = await makeMap();
  await server.admin('POST', `/${map}/layers/`, {
    code: 'south',
    sort: 1,
    css_style: filled('south', '#123456'),
  });
  await server.admin('POST', `/${map}/layers/south/objects/`, { fields: {}, geom: box(-179, -84, 179, -1) });
  const at = async (z: number, x: number, y: number): Promise<string> => {
    const { status, bytes, text } = await tile(server, map, [z, x, y]);
    assert.equal(status, 200, text);
    return colorAt(bytes);
  };
  assert.deepEqual([await at(1, 1, 0), await at(1, 1, 1)], ['#123456', red]);
  assert.deepEqual(
    [await at(24, 2 ** 23, 2 ** 23 - 2 ** 19), await at(24, 2 ** 23, 2 ** 23)],
    ['#123456', red],
  );
  for (const [z, x, y] of [
    [0, 1, 0],
    [0, 0, 1],
    [3, 8, 0],
    [3, 0, 8],
    [3, -1, 0],
    [25, 0, 0],
    [-1, 0, 0],
  ] as const) {
    assert.deepEqual(await refusal(tile(server, map, [z, x, y])), [400, 'bad_request'], `${z}/${x}/${y}`);
  }
});

const wrong = [
  ...['z=&x=0&y=0', 'z=0.5&x=0&y=0', 'z=a&x=0&y=0', 'z=0&x=0&x=0&y=0', 'z=1e99&x=0&y=0'],
  ...['retina=0', 'retina=5', 'retina=1.5', 'retina=-2', 'q=2', 'base=2', 'base=yes'],
  ...['lng=english_', "lng=en'", 'lng=e', 'layers=a', 'layers=1,,2', 'layers=-1', 'layers=1.5', 'layers=1e3'],
  ...[
    'layers=,',
    'layers=99999999',
    'layers=999999999999999',
    `layers=${'9'.repeat(40)}`,
    'layers=1&layers=2',
  ],
];
for (const query of wrong) {
  test(`400: ${query.slice(0, 40)}`, async () => {
    const { map } = await known();
    const whole = query.includes('x=') ? query : `z=2&x=2&y=2&${query}`;
    assert.deepEqual(await refusal(server.request('GET', `//tms/demo/${map}/?${whole}`)), [
      400,
      'bad_request',
    ]);
  });
}

let knownMap: ReturnType<typeof makeMap> | undefined;
const known = (): ReturnType<typeof makeMap> => {
  knownMap ??= makeMap();
  return knownMap;
};

test('z, x and y are required, and the other parameters may be empty', async () => {
  const { map } = await known();
  const all = await server.request('GET', `//tms/demo/${map}/?z=0&x=0&y=0&base=&retina=&q=&lng=`);
  const plain = await server.request('GET', `//tms/demo/${map}/?z=0&x=0&y=0`);
  assert.deepEqual([all.status, all.bytes], [200, plain.bytes]);
  const answer = await server.request('GET', `//tms/demo/${map}/?z=1&x=0`);
  assert.deepEqual([answer.status, answer.json.data], [500, { required: ['y'] }]);
});

test('hostile texts in every parameter are refused and show nothing of the inside', async () => {
  const { map } = await known();
  for (const text of [...hostileTexts, 'a\0b', '!bbox!', '%00']) {
    const sent = encodeURIComponent(text);
    const paths = ['z', 'x', 'y', 'base', 'layers', 'retina', 'q', 'lng'].map((name) => {
      const query = new URLSearchParams({ z: '2', x: '2', y: '2', [name]: text });
      return `//tms/demo/${map}/?${query}`;
    });
    const all = [...paths, `//tms/demo/${sent}/?z=0&x=0&y=0`, `//tms/${sent}/${map}/?z=0&x=0&y=0`];
    all.push(`/${map}/layers/red/icon/?size=${sent}`, `/${map}/layers/red/icon/?lng=${sent}`);
    for (const path of all) {
      const { status, text: body } = await server.request('GET', path);
      const allowed = path.startsWith('//tms/demo') || path.startsWith('/m') ? [400, 404] : [400, 404, 500];
      assert.ok(allowed.includes(status), `${path}: ${status} ${body}`);
      assert.ok(!/from cartulary|cartulary_data|syntax error|node_modules|"internal"/i.test(body), body);
      assert.ok(!body.includes('<script>') && !body.includes('<img'), body);
    }
  }
});

test('an icon: its size, 304 until the style changes, and only for callers who may view the layer', async () => {
  const { map } = await makeMap();
  const icon = (query = '', options = {}) =>
    server.request('GET', `/${map}/layers/red/icon/?${query}`, options);
  const first = await icon();
  assert.equal(first.status, 200);
  assert.deepEqual([first.bytes.readUInt32BE(16), first.bytes.readUInt32BE(20)], [32, 32]);
  assert.equal(colorAt(first.bytes, 16, 16), red);
  const headers = { 'if-none-match': first.headers.get('etag')! };
  assert.equal((await icon('', { headers })).status, 304);
  assert.equal((await icon('size=512')).bytes.readUInt32BE(16), 512);
  for (const size of ['7', '513', 'a', '32.5']) {
    assert.deepEqual(await refusal(icon(`size=${size}`)), [400, 'bad_request'], size);
  }
  await server.admin('PATCH', `/${map}/layers/red/`, { css_style: filled('red', '#abcdef') });
  assert.equal(colorAt((await icon('', { headers })).bytes, 16, 16), '#abcdef');
  await server.admin('PUT', `/${map}/layers/red/rights/`, { user: 'public', right: 'none' });
  assert.deepEqual(await refusal(icon()), [403, 'forbidden']);
  assert.equal(
    (await icon('', { token: server.adminToken })).headers.get('cache-control'),
    'private, no-cache',
  );
});

test('an icon shows an object that the style draws, at a zoom level where it does', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  const css_style = `#l { [zoom >= 15][kind = 'rare'] { marker-width: [size]; marker-fill: #ff0000; marker-line-width: 0; } }`;
  await server.admin('POST', `/${map}/layers/`, { code: 'l' });
  await server.admin('POST', `/${map}/layers/l/structure/`, { code: 'kind', type: 'string' });
  await server.admin('POST', `/${map}/layers/l/structure/`, { code: 'size', type: 'number' });
  for (const kind of ['common', 'rare']) {
    const geom = { type: 'Point', coordinates: [0, 0] };
    await server.admin('POST', `/${map}/layers/l/objects/`, { fields: { kind, size: 20 }, geom });
  }
  await server.admin('PATCH', `/${map}/layers/l/`, { css_style });
  const { bytes } = await server.request('GET', `/${map}/layers/l/icon/`);
  assert.deepEqual([colorAt(bytes, 16, 16), colorAt(bytes, 2, 16)], [red, 'clear']);
});

test('a layer without columns may have a style that reads some; until they come it is drawn without them', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  const css_style = `#l { polygon-fill: #0000ff; [pop > 5] { polygon-fill: #ff0000; } }`;
  await server.admin('POST', `/${map}/layers/`, { code: 'l', css_style });
  const { id } = await server.admin('POST', `/${map}/layers/l/objects/`, { fields: {}, geom: box() });
  assert.equal(await color(map), blue);
  assert.equal((await server.request('GET', `/${map}/layers/l/icon/`)).status, 200);
  await server.admin('POST', `/${map}/layers/l/structure/`, { code: 'pop', type: 'number' });
  await server.admin('PUT', `/${map}/layers/l/objects/${id}/`, { fields: { pop: 6 } });
  assert.equal(await color(map), red);
});
