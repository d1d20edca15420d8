import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { freshCode, startServer } from '../../support/server.js';

/** A tile server whose tiles have one colour, which encodes their position. */
const asked: { url: string; headers: IncomingMessage['headers'] }[] = [];
let answer: (url: URL, response: ServerResponse) => void | Promise<void> = plainTile;

const colour = (r: number, g: number, b: number, side = 256) =>
  sharp({ create: { width: side, height: side, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();

/** Red encodes x, green y, blue z. */
async function plainTile(url: URL, response: ServerResponse): Promise<void> {
  const [z, x, y] = url.pathname.match(/\d+/g)!.map(Number) as [number, number, number];
  response.setHeader('cache-control', 'max-age=60').end(await colour(x * 40, y * 40, z * 40));
}

const upstreams: Server[] = [];
async function listen(): Promise<string> {
  const upstream = createServer((request, response) => {
    asked.push({ url: request.url!, headers: request.headers });
    void answer(new URL(request.url!, 'http://x'), response);
  });
  upstreams.push(upstream);
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  return `localhost:${(upstream.address() as AddressInfo).port}`;
}
const host = await listen();
/** In the list, but not among those that may have a private address. */
const closed = await listen();
/** Another host that may have a private address. */
const unresponsive = await listen();
const restMs = 400;
/** Time after which an unresponsive host is asked again, with a margin for timers. */
const afterRestMs = restMs + 100;
const server = await startServer({
  CARTULARY_EXTERNAL_HOSTS: `${host}, ${unresponsive}, *.tiles.test, ${closed}, ${closed.replace('localhost', '127.0.0.1')}`,
  CARTULARY_EXTERNAL_PRIVATE: `${host}, ${unresponsive}`,
  CARTULARY_EXTERNAL_TIMEOUT: '700',
  CARTULARY_EXTERNAL_REST: String(restMs),
  CARTULARY_EXTERNAL_BYTES: '200000',
});
test.after(async () => {
  await server.stop();
  for (const upstream of upstreams) {
    upstream.closeAllConnections();
    upstream.close();
  }
});
const { admin, request } = server;
const asAdmin = (method: string, path: string, body?: unknown) =>
  request(method, path, { token: server.adminToken, body, headers: { accept: 'application/json' } });

async function layer(json: object, more: object = {}): Promise<{ map: string; id: number }> {
  const map = freshCode('m');
  await admin('POST', '/', { code: map });
  const { id } = await admin('POST', `/${map}/layers/`, { code: 'e', type: 'external', json, ...more });
  return { map, id };
}

const xyz = { url: `http://${host}/{z}/{x}/{y}.png` };

/** A rendered tile with one of its pixels. `y` counts from the south. */
async function tile(map: string, at: { z: number; x: number; y: number; retina?: number; layers?: string }) {
  const { z, x, y, retina = 1, layers } = at;
  const rest = layers === undefined ? '' : `&layers=${layers}`;
  const found = await asAdmin(
    'GET',
    `//tms/demo/${map}/?z=${z}&x=${x}&y=${y}&base=0&retina=${retina}${rest}`,
  );
  const pixel = async (px: number, py: number) => {
    const { data, info } = await sharp(found.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return [...data.subarray((py * info.width + px) * 4, (py * info.width + px) * 4 + 4)];
  };
  return { ...found, pixel };
}

test('an external layer is drawn at the position of its tiles, counted from the north and from the south', async () => {
  answer = plainTile;
  const { map } = await layer({ ...xyz, attribution: 'Somebody' });
  const one = await tile(map, { z: 2, x: 1, y: 0 });
  assert.equal(one.status, 200, one.text);
  assert.deepEqual(await one.pixel(10, 10), [40, 120, 80, 255]);
  const item = (await admin('GET', `/${map}/layers/`))[0];
  assert.equal(item.type, 'external');
  assert.deepEqual(item.json, { ...xyz, attribution: 'Somebody' });
  assert.equal((await admin('GET', `/${map}/layers/e/`)).json.attribution, 'Somebody');
  for (const json of [
    { type: 'tms', url: `http://${host}/{z}/{x}/{y}.png` },
    { url: `http://${host}/{z}/{x}/{-y}.png` },
  ]) {
    const flipped = await layer(json);
    assert.deepEqual(await (await tile(flipped.map, { z: 2, x: 1, y: 0 })).pixel(10, 10), [40, 0, 80, 255]);
  }
  const retina = await tile(map, { z: 1, x: 0, y: 1, retina: 2 });
  assert.deepEqual(await retina.pixel(10, 10), [0, 0, 80, 255], 'the next level');
  assert.deepEqual(await retina.pixel(500, 500), [40, 40, 80, 255]);
  const enlarged = await layer({ ...xyz, maxZoom: 1 });
  assert.deepEqual(await (await tile(enlarged.map, { z: 3, x: 5, y: 0 })).pixel(10, 10), [40, 40, 40, 255]);
});

test('an external layer is warped into a picture of another reference system', async () => {
  answer = plainTile;
  const { map } = await layer(xyz);
  const place = 'version=1.1.1&layers=e&styles=&srs=EPSG:4326&bbox=-180,-60,180,60&width=512&height=171';
  const picture = await asAdmin(
    'GET',
    `//wms/demo/${map}/?request=GetMap&format=image/png&transparent=true&${place}`,
  );
  assert.equal(picture.status, 200, picture.text.slice(0, 300));
  assert.equal(picture.headers.get('etag'), null, 'it is not kept: its picture changes without a version');
  const pixels = await sharp(picture.bytes).ensureAlpha().raw().toBuffer();
  for (const [x, y, expected] of [
    [128, 40, '0,0,40,255'],
    [384, 40, '40,0,40,255'],
    [128, 130, '0,40,40,255'],
    [384, 130, '40,40,40,255'],
  ] as const)
    assert.equal([...pixels.subarray(4 * (y * 512 + x), 4 * (y * 512 + x) + 4)].join(), expected);
});

test('an external layer is ordered among other layers, with opacity and zoom limits', async () => {
  answer = plainTile;
  const { map, id } = await layer(xyz, { render_settings: { opacity: 0.5, minZoom: 1, maxZoom: 3 } });
  const half = await tile(map, { z: 2, x: 1, y: 0 });
  const [, , , alpha] = await half.pixel(10, 10);
  assert.ok(alpha! > 120 && alpha! < 135, `${alpha}`);
  assert.equal((await (await tile(map, { z: 4, x: 1, y: 0 })).pixel(10, 10))[3], 0);
  const area = await admin('POST', `/${map}/layers/`, {
    code: 'area',
    css_style: '#area { polygon-fill: #010203; }',
  });
  await admin('POST', `/${map}/layers/area/objects/`, {
    fields: {},
    geom: {
      type: 'Polygon',
      coordinates: [
        [
          [-180, -85],
          [180, -85],
          [180, 85],
          [-180, 85],
          [-180, -85],
        ],
      ],
    },
  });
  await admin('PATCH', `/${map}/layers/e/`, { render_settings: {} });
  const under = await tile(map, { z: 2, x: 1, y: 1, layers: `${id},${area.id}` });
  assert.deepEqual(await under.pixel(128, 128), [1, 2, 3, 255]);
  const over = await tile(map, { z: 2, x: 1, y: 1, layers: `${area.id},${id}` });
  assert.deepEqual(await over.pixel(128, 128), [40, 80, 80, 255]);
});

test('a WMS is requested with the exact extent', async () => {
  const { map } = await layer({ type: 'wms', url: `http://${host}/wms`, layers: 'a,b' });
  answer = async (_url, response) => void response.end(await colour(9, 8, 7));
  asked.length = 0;
  const one = await tile(map, { z: 1, x: 1, y: 1 });
  assert.deepEqual(await one.pixel(1, 1), [9, 8, 7, 255]);
  const sent = new URL(asked[0]!.url, 'http://x').searchParams;
  assert.equal(sent.get('LAYERS'), 'a,b');
  assert.equal(sent.get('WIDTH'), '256');
  const half = Math.PI * 6_378_137;
  assert.deepEqual(
    sent
      .get('BBOX')!
      .split(',')
      .map((value) => Math.round(Number(value))),
    [0, 0, Math.round(half), Math.round(half)],
  );
});

test('fetched tiles are cached as long as their server allows', async () => {
  const { map } = await layer(xyz);
  let shade = 1;
  let control = 'no-store';
  answer = async (_url, response) => {
    response.setHeader('cache-control', control).end(await colour(shade, 0, 0));
  };
  const red = async () => (await (await tile(map, { z: 5, x: 1, y: 1 })).pixel(1, 1))[0];
  assert.equal(await red(), 1);
  shade = 2;
  control = 'public, max-age=600';
  const first = await tile(map, { z: 5, x: 1, y: 1 });
  assert.equal((await first.pixel(1, 1))[0], 2);
  shade = 3;
  assert.equal(await red(), 2);
  const etag = first.headers.get('etag')!;
  const again = await request('GET', `//tms/demo/${map}/?z=5&x=1&y=1&base=0`, {
    token: server.adminToken,
    headers: { 'if-none-match': etag },
  });
  assert.equal(again.status, 304);
  assert.doesNotMatch(JSON.stringify(asked.map(({ headers }) => headers)), /authorization|cookie|referer/i);
});

test('when the other server fails the tile is an error that is not cached', async () => {
  const failures: Record<string, typeof answer> = {
    'status 500': (_url, response) => void response.writeHead(500).end(),
    'status 404': (_url, response) => void response.writeHead(404).end(),
    redirect: (_url, response) => void response.writeHead(302, { location: '/0/0/0.png' }).end(),
    'no picture': (_url, response) => void response.end('<html>'),
    'broken picture': async (_url, response) => void response.end((await colour(1, 2, 3)).subarray(0, 60)),
    silence: () => {},
    'never ends': (_url, response) => void response.writeHead(200).write('x'),
    'too many bytes': (_url, response) => void response.end(Buffer.alloc(300_000)),
    'too many pixels': async (_url, response) => void response.end(await colour(1, 2, 3, 3000)),
    svg: (_url, response) =>
      void response.end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    'connection cut': (_url, response) => void response.destroy(),
  };
  const { map, id } = await layer(xyz);
  for (const [name, failing] of Object.entries(failures)) {
    answer = failing;
    const one = await tile(map, { z: 6, x: 1, y: 1 });
    assert.equal(one.status, 503, `${name}: ${one.text}`);
    assert.equal(one.json.code, 'busy');
    assert.match(one.json.message, /localhost/);
    assert.equal(one.headers.get('cache-control'), 'no-store');
    assert.equal(one.headers.get('etag'), null);
    await sleep(afterRestMs);
  }
  await admin('PATCH', `/${map}/layers/e/`, { json: { ...xyz, missing: 'empty' } });
  answer = (_url, response) => void response.writeHead(404).end();
  const empty = await tile(map, { z: 6, x: 1, y: 1, layers: `${id}` });
  assert.equal(empty.status, 200);
  assert.equal((await empty.pixel(1, 1))[3], 0);
  answer = plainTile;
});

test('a server that does not answer is not asked for some time', async (t) => {
  const { map } = await layer({ ...xyz, url: xyz.url.replace(host, unresponsive) });
  let asked = 0;
  answer = () => void asked++;
  const { config } = server.server.services;
  // Long enough that a slow test does not exceed the pause.
  Object.assign(config, { externalRestMs: 600_000 });
  t.after(() => Object.assign(config, { externalRestMs: restMs }));
  assert.equal((await tile(map, { z: 6, x: 2, y: 1 })).status, 503);
  const before = asked;
  assert.ok(before > 0);
  assert.equal((await tile(map, { z: 6, x: 2, y: 1 })).status, 503);
  assert.equal(asked, before);
  answer = plainTile;
});

test('a server that did not answer is asked again after the pause', async () => {
  const { map } = await layer(xyz);
  answer = () => {};
  assert.equal((await tile(map, { z: 6, x: 2, y: 1 })).status, 503);
  answer = plainTile;
  await sleep(afterRestMs);
  assert.equal((await tile(map, { z: 6, x: 2, y: 1 })).status, 200);
});

test('settings that are wrong, and hosts that are not allowed, are refused', async () => {
  const { map } = await layer(xyz);
  const wrong: object[] = [
    {},
    { url: 7 },
    { url: 'x' },
    { url: 'ftp://localhost/{z}/{x}/{y}' },
    { url: 'file:///etc/passwd?{z}{x}{y}' },
    { url: `http://user:pass@${host}/{z}/{x}/{y}` },
    { url: `http://${host}/{z}/{x}` },
    { url: `http://${host}/{z}/{x}/{y}/{q}` },
    { url: `http://${host}/{z}/{x}/{y}#a` },
    { url: `http://{x}.tiles.test/{z}/{x}/{y}` },
    { url: `http://{s}.tiles.test/{z}/{x}/{y}` },
    { url: `http://{s}.tiles.test/{z}/{x}/{y}`, subdomains: ['a/b', 'evil.test#'] },
    { url: `http://{s}/{z}/{x}/{y}`, subdomains: ['localhost'] },
    { url: 'http://tiles.test/{z}/{x}/{y}' },
    { url: 'http://eviltiles.test/{z}/{x}/{y}' },
    { url: 'http://a.tiles.test:81/{z}/{x}/{y}' },
    { url: 'http://127.0.0.1/{z}/{x}/{y}' },
    { url: 'http://169.254.169.254/{z}/{x}/{y}' },
    { url: 'http://[::1]/{z}/{x}/{y}' },
    { url: `http://${host}@evil.test/{z}/{x}/{y}` },
    { url: `http://${'a'.repeat(3000)}/{z}/{x}/{y}` },
    { ...xyz, type: 'wmts' },
    { ...xyz, minZoom: 5, maxZoom: 4 },
    { ...xyz, maxZoom: 99 },
    { ...xyz, extent: [10, 0, 0, 10] },
    { ...xyz, extent: 'world' },
    { ...xyz, attribution: {} },
    { ...xyz, subdomains: ['a'] },
    { type: 'wms', url: `http://${host}/wms` },
    { type: 'wms', url: `http://${host}/wms?BBOX={bbox}`, layers: 'a' },
    { type: 'wms', url: `http://${host}/wms`, layers: 'a', format: 'image/svg+xml' },
  ];
  for (const json of wrong) {
    const refused = await asAdmin('PATCH', `/${map}/layers/e/`, { json });
    assert.equal(refused.status, 400, `${JSON.stringify(json).slice(0, 100)}: ${refused.text}`);
  }
  assert.deepEqual((await admin('GET', `/${map}/layers/e/`)).json, xyz);
  const ofClients = await layer({ url: 'https://elsewhere.test/{z}/{x}/{y}', fetch: 'client' });
  const blank = await tile(ofClients.map, { z: 0, x: 0, y: 0 });
  assert.equal(blank.status, 200);
  assert.equal((await blank.pixel(1, 1))[3], 0);
});

test('a listed host with a private address is not asked, by name or number', async () => {
  for (const name of [closed, closed.replace('localhost', '127.0.0.1')]) {
    answer = plainTile;
    asked.length = 0;
    const { map } = await layer({ url: `http://${name}/{z}/{x}/{y}` });
    assert.equal((await tile(map, { z: 0, x: 0, y: 0 })).status, 503);
    assert.deepEqual(asked, []);
  }
});

test('an external layer has no objects, and an extent only if it declares one', async () => {
  const { map } = await layer({ ...xyz, extent: [-10, -20, 30, 40] });
  assert.deepEqual(await admin('GET', `/${map}/layers/e/bbox/`), { sw: [-20, -10], ne: [40, 30] });
  const tree = await admin('GET', `/${map}/layers/?returnBbox=1`);
  assert.deepEqual(tree[0].bbox, { sw: [-20, -10], ne: [40, 30] });
  assert.equal((await asAdmin('GET', `/${map}/layers/e/icon/`)).status, 200);
  assert.deepEqual(await admin('GET', `/${map}/layers/e/structure/`), []);
  const none: [string, string, unknown?][] = [
    ['GET', 'objects/'],
    ['GET', 'count/'],
    ['GET', 'objects/1/'],
    ['POST', 'filter/', {}],
    ['GET', 'export/?format=geojson'],
    ['POST', 'objects/', { fields: {} }],
    ['POST', 'import/', { type: 'FeatureCollection', features: [] }],
    ['POST', 'makevalid/'],
    ['POST', 'structure/', { code: 'a', type: 'number' }],
  ];
  for (const [method, path, body] of none) {
    const refused = await asAdmin(method, `/${map}/layers/e/${path}`, body);
    assert.equal(refused.status, 400, `${method} ${path}: ${refused.text}`);
    assert.match(refused.text, /external/);
  }
  assert.equal((await asAdmin('POST', `/${map}/layers/e/refresh/`)).json.code, 'not_materialized');
  const read = await asAdmin('POST', `/${map}/layers/`, {
    type: 'virtual',
    json: { query: `select * from ${map}.e` },
  });
  assert.equal(read.json.code, 'query_invalid');
  await admin('DELETE', `/${map}/layers/e/`);
});
