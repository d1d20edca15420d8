/** WMTS 1.0 by parameters and by addresses: the tiles of the interface 2.8 under other names. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';
import { makeScene, type SceneLayer, tile } from '../tiles/scene.js';

let server: TestServer;
let ids: Record<SceneLayer, number>;
before(async () => {
  server = await startServer();
  ids = await makeScene(server);
  await server.admin('PATCH', '/scene/', { name: 'A <scene> & "more"', json: { attribution: '© us' } });
});
after(() => server?.stop());

type Options = Parameters<TestServer['request']>[2];
const get = (rest: string, options: Options = {}): Promise<TestAnswer> =>
  server.request('GET', `//wmts/demo/scene/${rest}`, options);
const capabilities = '1.0.0/WMTSCapabilities.xml';

/** A GetTile by parameters, of the tile 3/4/3 from the north. */
const kvp = (changed: Record<string, string | undefined> = {}): string => {
  const all = {
    SERVICE: 'WMTS',
    Request: 'GetTile',
    version: '1.0.0',
    LAYER: 'map.all',
    style: 'default',
    TileMatrixSet: 'WebMercatorQuad',
    tilematrix: '3',
    TileRow: '3',
    TileCol: '4',
    FORMAT: 'image/png',
    ...changed,
  };
  return `?${new URLSearchParams(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined))}`;
};

test('tiles by parameters and by address are those of the interface 2.8', async () => {
  for (const [layer, query] of [
    ['map.all', ''],
    ['roads', `layers=${ids.roads}&base=0`],
    ['places', `layers=${ids.places}&base=0&lng=ru`],
  ] as const) {
    const more = layer === 'places' ? { lng: 'ru' } : {};
    const own = (await tile(server, 'scene', [3, 4, 4], query)).bytes;
    const byAddress = await get(
      `${layer}/default/WebMercatorQuad/3/3/4.png${layer === 'places' ? '?lng=ru' : ''}`,
    );
    assert.deepEqual(byAddress.bytes, own, layer);
    assert.deepEqual((await get(kvp({ LAYER: layer, ...more }))).bytes, own, layer);
    const again = await get(kvp({ LAYER: layer, ...more }), {
      headers: { 'if-none-match': byAddress.headers.get('etag')! },
    });
    assert.equal(again.status, 304);
  }
  for (const type of ['image/webp', 'image/jpeg'])
    assert.equal((await get(kvp({ FORMAT: type }))).headers.get('content-type'), type);
  const filtered = await get(kvp({ filter: 'people < 0' }));
  assert.deepEqual(
    filtered.bytes,
    (await tile(server, 'scene', [3, 4, 4], `layers=${ids.land},${ids.roads}`)).bytes,
  );
});

test('capabilities: layers of the publication tree that the caller may view, until they change', async () => {
  const first = await get(capabilities);
  assert.equal(first.headers.get('content-type'), 'application/xml; charset=utf-8');
  assert.match(first.text, /<ows:Title>A &lt;scene&gt; &amp; &quot;more&quot;<\/ows:Title>/);
  const layersIn = (text: string): string[] =>
    [...text.matchAll(/<Layer>.*?<ows:Identifier>(.*?)<\/ows:Identifier>/gs)].map(([, code]) => code!);
  assert.deepEqual(layersIn(first.text), ['map.all', 'places', 'roads', 'land']);
  assert.ok(
    first.text.includes('<ows:LowerCorner>11 7</ows:LowerCorner><ows:UpperCorner>44 35</ows:UpperCorner>'),
  );
  assert.ok(
    first.text.includes(
      `template="${server.url}/wmts/demo/scene/roads/default/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png"`,
    ),
  );
  assert.ok(first.text.includes('<ScaleDenominator>559082264.0287178</ScaleDenominator>'));
  assert.ok(first.text.includes('<TopLeftCorner>-20037508.342789244 20037508.342789244</TopLeftCorner>'));
  const same = await get('?service=WMTS&request=getcapabilities&AcceptVersions=2.0.0,1.0.0');
  assert.equal(same.text, first.text);
  const headers = { 'if-none-match': first.headers.get('etag')! };
  assert.equal((await get(capabilities, { headers })).status, 304);
  await server.admin('PUT', '/scene/layers/roads/rights/', { user: 'public', right: 'none' });
  const second = await get(capabilities, { headers });
  assert.deepEqual([second.status, layersIn(second.text)], [200, ['map.all', 'places', 'land']]);
  assert.doesNotMatch(second.text, /roads/);
  const own = await get(capabilities, { token: server.adminToken });
  assert.deepEqual(layersIn(own.text), ['map.all', 'places', 'roads', 'land']);
  const [hidden, unknown] = [await get(kvp({ LAYER: 'roads' })), await get(kvp({ LAYER: 'nothing' }))];
  assert.equal(hidden.status, 400);
  assert.equal(hidden.text.replace('roads', 'nothing'), unknown.text);
  await server.admin('PUT', '/scene/layers/roads/rights/', { user: 'public', right: 'view' });
  await server.admin('PATCH', '/scene/layers/land/', { code: 'ground' });
  assert.equal((await get(kvp({ LAYER: 'land' }))).status, 400);
  assert.equal((await get(kvp({ LAYER: 'ground' }))).status, 200);
  await server.admin('PATCH', '/scene/layers/ground/', { code: 'land' });
});

test('a version may have two numbers', async () => {
  const tile = await get(kvp({ version: '1.0' }));
  assert.deepEqual([tile.status, tile.headers.get('content-type')], [200, 'image/png'], tile.text);
  assert.match((await get('?request=GetCapabilities&acceptversions=1.0')).text, /<Capabilities/);
});

test('what is wrong is an exception of the standard', async () => {
  for (const [rest, code, locator, status = 400] of [
    [kvp({ TileRow: '8' }), 'TileOutOfRange', 'tilerow'],
    [kvp({ TileCol: '-1' }), 'TileOutOfRange', 'tilecol'],
    [kvp({ TileCol: 'a' }), 'InvalidParameterValue', 'tilecol'],
    [kvp({ tilematrix: '25' }), 'InvalidParameterValue', 'tilematrix'],
    [kvp({ TileMatrixSet: 'WorldMercator' }), 'InvalidParameterValue', 'tilematrixset'],
    [kvp({ style: 'other' }), 'InvalidParameterValue', 'style'],
    [kvp({ FORMAT: 'image/tiff' }), 'InvalidParameterValue', 'format'],
    [kvp({ version: '2.0.0' }), 'InvalidParameterValue', 'version'],
    [kvp({ LAYER: undefined }), 'MissingParameterValue', 'layer'],
    [kvp({ layer: 'twice' }), 'InvalidParameterValue', 'layer'],
    [kvp({ LAYER: `<a>\u0001'; drop table x` }), 'InvalidParameterValue', 'layer'],
    [kvp({ filter: 'nothing = 1' }), 'InvalidParameterValue', 'filter'],
    [kvp({ FILTER: 'nothing = 1' }), 'InvalidParameterValue', 'filter'],
    ['', 'MissingParameterValue', 'request'],
    ['?service=WMS&request=GetCapabilities', 'InvalidParameterValue', 'service'],
    ['?request=GetFeatureInfo', 'OperationNotSupported', 'request'],
    ['?request=GetCapabilities&acceptversions=2.0.0', 'VersionNegotiationFailed', 'acceptversions'],
    ['?request=GetCapabilities&lng=%3C', 'InvalidParameterValue', 'lng'],
    ['map.all/default/WebMercatorQuad/3/3/4.gif', 'InvalidParameterValue', 'format'],
    ['../nothing/?request=GetCapabilities', 'NoApplicableCode', undefined, 404],
    ['../../nothing/scene/?request=GetCapabilities', 'NoApplicableCode', undefined, 404],
    ['?request=GetCapabilities&token=x', 'NoApplicableCode', undefined, 401],
  ] as const) {
    const answer = await get(rest);
    const named = /exceptionCode="(\w+)"(?: locator="(\w+)")?/.exec(answer.text);
    assert.deepEqual(
      [answer.status, named?.[1], named?.[2]],
      [status, code, locator],
      `${rest}: ${answer.text}`,
    );
    assert.equal(answer.headers.get('content-type'), 'application/xml; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.ok(!answer.text.includes('<a>') && !answer.text.includes('\u0001'), answer.text);
  }
});

const run = promisify(execFile);
const withoutGdal = await run('gdal_translate', ['--version']).then(
  () => false,
  () => 'GDAL is not installed',
);

test('GDAL finds the layers, and reads the pixels of a tile', { skip: withoutGdal }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'wmts-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const env = { ...process.env, GDAL_ENABLE_WMS_CACHE: 'NO', HOME: folder };
  const source = `WMTS:${server.url}/wmts/demo/scene/${capabilities}`;
  const { stdout } = await run('gdalinfo', [source], { env });
  for (const layer of ['map.all', 'places', 'roads', 'land'])
    assert.ok(stdout.includes(`layer=${layer}`), stdout);
  const half = 20_037_508.342789244;
  const file = join(folder, 'tile.png');
  const window = ['-projwin', '0', String(half / 4), String(half / 4), '0', '-outsize', '256', '256'];
  await run('gdal_translate', ['-q', '-of', 'PNG', ...window, `${source},layer=map.all`, file], { env });
  const pixels = (bytes: Buffer): Promise<Buffer> => sharp(bytes).removeAlpha().raw().toBuffer();
  const [read, own] = [
    await pixels(await readFile(file)),
    await pixels((await tile(server, 'scene', [3, 4, 4])).bytes),
  ];
  const error = read.reduce((sum, value, i) => sum + Math.abs(value - own[i]!), 0) / own.length;
  assert.ok(error < 1, `mean difference ${error}`);
});

test('a layer has its box in the system of each set, without which GDAL complains of the size of the set', async () => {
  await server.admin('POST', '/', { code: 'local' });
  for (const [code, at] of [
    ['here', [9, 50]],
    ['pole', [9, 90]],
  ] as const) {
    await server.admin('POST', '/local/layers/', { code });
    await server.admin('POST', `/local/layers/${code}/objects/`, {
      fields: {},
      geom: { type: 'MultiPoint', coordinates: [at, [at[0] + 1, at[1] - 0.5]] },
    });
    if (code === 'here') continue;
    await server.admin('PUT', '/local/layers/pole/rights/', { user: 'public', right: 'none' });
  }
  const address = `//wmts/demo/local/${capabilities}`;
  const { text } = await server.request('GET', address);
  const layer = /<ows:Identifier>here<[\s\S]*?<\/Layer>/.exec(text)![0];
  const boxes = [...layer.matchAll(/BoundingBox crs="urn:ogc:def:crs:EPSG::(\d+)"><ows:LowerCorner>(.*?)</g)];
  const corners = Object.fromEntries(
    boxes.map(([, code, corner]) => [code!, corner!.split(' ').map((edge) => Math.round(Number(edge)))]),
  );
  assert.deepEqual(corners[3857], [1_001_875, 6_360_131]);
  assert.deepEqual(corners[25832], [500_000, 5_483_041]);
  // In the order of the axes of the system.
  assert.ok(corners[3035]![0]! < 3_000_000 && corners[3035]![1]! > 4_000_000, layer);
  const all = await server.request('GET', address, { token: server.adminToken });
  assert.match(all.text, /<ows:Identifier>pole</);
  if (withoutGdal) return;
  const source = `WMTS:${server.url}/wmts/demo/local/${capabilities},layer=here,tilematrixset=EPSG25832`;
  const { stderr } = await run('gdalinfo', [source], {
    env: { ...process.env, GDAL_ENABLE_WMS_CACHE: 'NO' },
  });
  assert.equal(stderr, '');
});
