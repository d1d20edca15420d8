/** Plain addresses of tiles, `/tiles/<project>/<map>/{z}/{x}/{y}.png`: the pictures of the interface 2.8 in other forms. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PNG } from 'pngjs';
import sharp from 'sharp';
import { colorAt } from '../../pictures/compare.js';
import { startServer, type TestAnswer, type TestServer } from '../../support/server.js';
import { makeScene, type SceneLayer, tile } from '../../tiles/scene.js';

let server: TestServer;
let ids: Record<SceneLayer, number>;
before(async () => {
  server = await startServer();
  ids = await makeScene(server);
});
after(() => server?.stop());

type Options = Parameters<TestServer['request']>[2];
const get = (rest: string, options: Options = {}): Promise<TestAnswer> =>
  server.request('GET', `//tiles/demo/scene/${rest}`, options);

/** The row 3 from the north is the row 4 from the south. */
const [north, south] = ['3/4/3', [3, 4, 4]] as const;

test('each form of a tile is the picture of the interface 2.8', async () => {
  for (const [address, query] of [
    ['.png', ''],
    ['@1x.png', ''],
    ['@2x.png', 'retina=2'],
    ['@3x.png?q=1', 'retina=3&q=1'],
    [`.png?layers=${ids.roads}&base=0`, `layers=${ids.roads}&base=0`],
    [`.png?layers=${ids.places}&lng=ru`, `layers=${ids.places}&lng=ru`],
  ] as const) {
    const [own, other] = [await get(north + address), await tile(server, 'scene', south, query)];
    assert.equal(own.status, 200, own.text);
    assert.deepEqual(own.bytes, other.bytes, address);
    assert.equal(own.headers.get('etag'), other.headers.get('etag'));
    assert.equal(own.headers.get('content-type'), 'image/png');
    assert.equal(own.headers.get('cache-control'), 'public, no-cache');
  }
  const [vector, pbf] = [
    await get(`${north}.mvt?fields=*`),
    await server.request('GET', `//mvt/demo/scene/${north}.pbf?fields=*`),
  ];
  assert.ok(vector.bytes.length > 100);
  assert.deepEqual([vector.bytes, vector.headers.get('etag')], [pbf.bytes, pbf.headers.get('etag')]);
});

test('WebP and JPEG: the same picture; a JPEG is white where the picture has nothing', async () => {
  const pixels = async (bytes: Buffer): Promise<Buffer> =>
    sharp(bytes).flatten({ background: '#fff' }).raw().toBuffer();
  const png = await get(`${north}@2x.png?base=0`);
  for (const [format, type] of [
    ['webp', 'image/webp'],
    ['jpg', 'image/jpeg'],
  ]) {
    const answer = await get(`${north}@2x.${format}?base=0`, {
      headers: { origin: 'https://elsewhere.example' },
    });
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type], answer.text);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.notEqual(answer.headers.get('etag'), png.headers.get('etag'));
    const { width, hasAlpha } = await sharp(answer.bytes).metadata();
    assert.deepEqual([width, hasAlpha], [512, format === 'webp']);
    const [a, b] = [await pixels(answer.bytes), await pixels(png.bytes)];
    const error = a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
    assert.ok(error < 3, `${format}: ${error}`);
    assert.deepEqual([...a.subarray(0, 3)], [255, 255, 255]);
    const again = await get(`${north}@2x.${format}?base=0`, {
      headers: { 'if-none-match': answer.headers.get('etag')! },
    });
    assert.equal(again.status, 304);
  }
});

test('a tile is fresh after a write, in every format, and only for callers who may view it', async () => {
  const body = { code: 'sea', sort: 0, css_style: '#sea { polygon-fill: #ff0000; }' };
  const { id } = await server.admin('POST', '/scene/layers/', body);
  const red = async (format: string): Promise<string> => {
    const { bytes } = await get(`${north}.${format}?layers=${id}`);
    return colorAt(await sharp(bytes).png().toBuffer(), 200, 20);
  };
  const before = [await red('png'), await red('webp'), await red('jpg')];
  const ring = [
    [1, 1],
    [44, 1],
    [44, 40],
    [1, 40],
    [1, 1],
  ];
  await server.admin('POST', '/scene/layers/sea/objects/', {
    fields: {},
    geom: { type: 'Polygon', coordinates: [ring] },
  });
  assert.equal(before[0], '#d0e2ec');
  assert.equal(await red('png'), '#ff0000');
  for (const [i, format] of (['webp', 'jpg'] as const).entries())
    assert.notEqual(await red(format), before[i + 1]);
  assert.equal((await get(`${north}.mvt?layers=${id}`)).status, 200);
  await server.admin('PUT', '/scene/layers/sea/rights/', { user: 'public', right: 'none' });
  for (const format of ['png', 'webp', 'jpg', 'mvt']) {
    assert.equal((await get(`${north}.${format}?layers=${id}`)).status, 403, format);
    const own = await get(`${north}.${format}?layers=${id}`, { token: server.adminToken });
    assert.deepEqual([own.status, own.headers.get('cache-control')], [200, 'private, no-cache']);
  }
  await server.admin('DELETE', '/scene/layers/sea/');
});

const address = (filter: string, more = '', form = 'png'): string =>
  `${north}.${form}?filter=${encodeURIComponent(filter)}${more}`;
const picture = async (filter: string, more = ''): Promise<Buffer> => {
  const answer = await get(address(filter, more));
  assert.equal(answer.status, 200, answer.text);
  return pixelsOf(answer);
};
const pixelsOf = ({ bytes }: TestAnswer): Promise<Buffer> => sharp(bytes).ensureAlpha().raw().toBuffer();
const layersOf = (...layers: SceneLayer[]): string => `layers=${layers.map((one) => ids[one]).join()}`;

test('filters: CQL2 as text and JSON, for the layers that have its columns; fresh after a write', async () => {
  const whole = await pixelsOf(await get(`${north}.png`));
  const without = await pixelsOf(await get(`${north}.png?${layersOf('land', 'roads')}`));
  assert.deepEqual(await picture('people > 0'), whole);
  assert.deepEqual(await picture('people < 0'), without);
  assert.deepEqual(await picture("name = '!bbox!' or name = '''!@x!'"), without);
  const large = await picture('people >= 100000');
  assert.deepEqual(
    await picture(JSON.stringify({ op: '>=', args: [{ property: 'people' }, 100_000] })),
    large,
  );
  assert.notDeepEqual(large, whole);
  assert.notDeepEqual(large, without);
  const towns = "kind = 'town' and s_intersects(geom, bbox(26, 2, 42, 12))";
  assert.deepEqual(
    await picture(towns, `&${layersOf('land')}`),
    await picture("kind in ('town', 'nothing')", `&${layersOf('land')}`),
  );
  const names = async (filter: string): Promise<unknown[]> => {
    const { bytes } = await get(address(filter, '&fields=name', 'mvt'));
    const layer = new VectorTile(new PbfReader(bytes)).layers.places;
    return Array.from({ length: layer?.length ?? 0 }, (_, i) => layer!.feature(i).properties.name).sort();
  };
  assert.deepEqual(await names('people >= 100000'), ['Millford', 'Oakham']);
  const change = (people: number) =>
    server.admin('PUT', '/scene/layers/places/objects/3/', { fields: { people } });
  await change(200_000);
  assert.deepEqual(await names('people >= 100000'), ['Lakeview', 'Millford', 'Oakham']);
  const more = await picture('people >= 100000');
  assert.notDeepEqual(more, large);
  assert.deepEqual(await picture('people >= 100000'), more, 'kept');
  await change(10_000);
  assert.deepEqual(await picture('people >= 100000'), large);
});

test('a filter without columns counts for every layer, and where no layer has objects', async () => {
  assert.deepEqual(await picture('1 = 1'), await pixelsOf(await get(`${north}.png`)));
  assert.equal(new Set(new Uint32Array((await picture('1 = 0')).buffer)).size, 1);
  await server.admin('POST', '/', { code: 'images' });
  await server.admin('POST', '/images/layers/', { code: 'image', type: 'raster' });
  const { status, text } = await server.request('GET', '//tiles/demo/images/0/0/0.png?filter=true');
  assert.equal(status, 200, text);
});

test('filters of visualizations and of styles, and filters that are wrong', async () => {
  const without = await pixelsOf(await get(`${north}.png?${layersOf('land', 'roads')}`));
  for (const settings of [
    { type: 1, columnCode: 'people' },
    { type: 3, columnCode: 'people' },
    { type: 4, classesSettings: { columns: [{ code: 'people' }], sizeType: 2 } },
    { type: 7 },
  ]) {
    await server.admin('PATCH', '/scene/layers/places/', { visualSettings: settings });
    assert.deepEqual(await picture('people < 0'), without, JSON.stringify(settings));
    assert.notDeepEqual(await picture('people > 0'), without, JSON.stringify(settings));
  }
  await server.admin('PATCH', '/scene/layers/places/', { visualSettings: null });
  const described = (await get(`style.json?filter=${encodeURIComponent('people < 0')}`)).json;
  assert.match(described.sources.vector.tiles[0], /&filter=people%20%3C%200/);
  for (const [filter, says] of [
    ['people >', 'filter'],
    ['nothing = 1', "filter: no drawn layer has the columns 'nothing'"],
    ["people = 'a'", 'filter: at character'],
    ['{', 'filter: is not valid JSON'],
    ['', 'filter'],
  ] as const)
    for (const form of ['png', 'mvt']) {
      const { status, json } = await get(address(filter, '', form), {
        headers: { accept: 'application/json' },
      });
      assert.deepEqual([status, json.data.parameters], [400, ['filter']], filter);
      assert.ok(json.message.startsWith(says), json.message);
    }
});

test('TileJSON of pictures and of vector tiles: addresses, zoom levels, bounds, centre, attribution', async () => {
  await server.admin('PATCH', '/scene/', {
    json: { attribution: '© somebody' },
    render_settings: { minZoom: 2, maxZoom: 12 },
  });
  const address = `${server.url}/tiles/demo/scene/{z}/{x}/{y}`;
  const shared = {
    tilejson: '3.0.0',
    name: 'scene',
    scheme: 'xyz',
    minzoom: 2,
    maxzoom: 12,

    attribution: '© somebody',
  };
  const pictures = await get(`tilejson.json?format=webp&retina=2&lng=ru&layers=${ids.roads},${ids.land}`);
  assert.deepEqual(pictures.json, {
    ...shared,
    tiles: [`${address}@2x.webp?layers=${ids.roads},${ids.land}&lng=ru`],
    tileSize: 256,
    center: [22.5, 21.955396, 3],
    format: 'webp',
    bounds: [-180, -85.0511, 180, 85.0511],
    vector_layers: [],
  });
  const own = (await get(`tilejson.json?base=0&layers=${ids.places}`)).json;
  assert.deepEqual(own.bounds, [-79, -63.554686, 134, 77.647513], '256 pixels around the objects at level 2');
  const headers = { 'if-none-match': pictures.headers.get('etag')! };
  assert.equal(
    (await get(`tilejson.json?format=webp&retina=2&lng=ru&layers=${ids.roads},${ids.land}`, { headers }))
      .status,
    304,
  );
  const vector = (await get(`tilejson.json?format=mvt&fields=people&layers=${ids.places}`)).json;
  assert.deepEqual(vector, {
    ...shared,
    tiles: [`${address}.mvt?layers=${ids.places}&fields=people`],
    bounds: [11, 7, 44, 35],
    center: [27.5, 21.674851, 4],
    vector_layers: [
      {
        id: 'places',
        minzoom: 2,
        maxzoom: 12,
        geometry: 'Point',
        fields: { svc_id: 'Number', people: 'Number' },
      },
    ],
  });
  for (const query of ['format=gif', 'retina=5', 'format=mvt&base=0', 'layers=a', 'layers=999999'])
    assert.equal((await get(`tilejson.json?${query}`)).status, 400, query);
  for (const query of ['format=mvt', 'base=2', 'layers=999999'])
    assert.equal((await get(`style.json?${query}`)).status, 400, query);
});

test('icons of a map as a sprite sheet', async () => {
  const { css_style } = await server.admin('GET', '/scene/layers/places/');
  const style =
    '#places { marker-file: url(star); marker-width: 20; [people > 50000] { marker-fill: #f00; } }';
  assert.equal((await get('style.json')).json.sprite, undefined);
  assert.deepEqual((await get('sprite.json')).json, {});
  await server.admin('PATCH', '/scene/layers/places/', { css_style: style });
  const { sprite, layers } = (await get(`style.json?layers=${ids.places}`)).json;
  assert.equal(sprite, `${server.url}/tiles/demo/scene/sprite?layers=${ids.places}`);
  const images = layers.flatMap(
    (layer: { layout?: Record<string, string> }) => layer.layout?.['icon-image'] ?? [],
  );
  for (const [end, ratio] of [
    ['', 1],
    ['@2x', 2],
  ] as const) {
    const index = await get(`sprite${end}.json?layers=${ids.places}`);
    assert.deepEqual(Object.keys(index.json).sort(), [...new Set(images)].sort());
    const sheet = PNG.sync.read((await get(`sprite${end}.png?layers=${ids.places}`)).bytes);
    for (const [i, colour] of [
      [0, [255, 0, 0]],
      [1, [0, 0, 0]],
    ] as const) {
      const { x, y, width, height, pixelRatio } = index.json[images[i]];
      assert.equal(pixelRatio, ratio);
      assert.ok(
        Math.abs(width / ratio - 20) <= 2 && Math.abs(height / ratio - 20) <= 2,
        `${width} ${height}`,
      );
      const middle = 4 * ((y + height / 2) * sheet.width + x + width / 2);
      assert.deepEqual([...sheet.data.subarray(middle, middle + 3)], colour);
    }
    const again = await get(`sprite${end}.json?layers=${ids.places}`, {
      headers: { 'if-none-match': index.headers.get('etag')! },
    });
    assert.equal(again.status, 304);
  }
  assert.deepEqual((await get(`sprite.json?layers=${ids.roads}`)).json, {});
  await server.admin('PATCH', '/scene/layers/places/', { css_style });
});

test('glyphs of the fonts of labels', async () => {
  const { glyphs } = (await get('style.json')).json;
  assert.equal(glyphs, `${server.url}/tiles/demo/scene/glyphs/{fontstack}/{range}.pbf`);
  const font = 'glyphs/DejaVu%20Sans%20Book';
  const latin = await get(`${font}/0-255.pbf`);
  assert.equal(latin.headers.get('content-type'), 'application/x-protobuf');
  const stack = readGlyphs(latin.bytes);
  assert.deepEqual([stack.name, stack.range], ['DejaVu Sans Book', '0-255']);
  const { width, height, top, advance, bitmap } = stack.glyphs.get(65)!;
  // A capital is 0.73 em high, and as wide as its advance.
  assert.deepEqual([width, height, top, advance], [17, 18, -8, 16]);
  assert.equal(bitmap.length, (width + 6) * (height + 6));
  assert.ok(stack.glyphs.has(32) && !stack.glyphs.has(10));
  // Characters that the font lacks come from the fonts that complete labels.
  assert.ok(readGlyphs((await get(`${font}/19968-20223.pbf`)).bytes).glyphs.get(0x4e2d)?.width);
  const headers = { 'if-none-match': latin.headers.get('etag')! };
  assert.equal((await get(`${font}/0-255.pbf`, { headers })).status, 304);
  for (const address of [
    'glyphs/Comic%20Sans/0-255.pbf',
    'glyphs/DejaVu%20Sans%20Book,Comic/0-255.pbf',
    'glyphs/..%2F..%2Fetc%2Fpasswd/0-255.pbf',
    `${font}/0-256.pbf`,
    `${font}/1-256.pbf`,
    `${font}/65536-65791.pbf`,
    `${font}/-256--1.pbf`,
    `${font}/a.pbf`,
    `${font}/0-255`,
  ])
    assert.equal((await get(address)).status, 404, address);
});

interface ReadGlyph {
  bitmap: Uint8Array;
  width: number;
  height: number;
  top: number;
  advance: number;
}

/** Reads glyphs (https://github.com/mapbox/node-fontnik/blob/master/proto/glyphs.proto). */
function readGlyphs(bytes: Uint8Array): { name: string; range: string; glyphs: Map<number, ReadGlyph> } {
  const found = { name: '', range: '', glyphs: new Map<number, ReadGlyph>() };
  const readGlyph = (tag: number, glyph: ReadGlyph & { id: number }, pbf: PbfReader): void => {
    if (tag === 1) glyph.id = pbf.readVarint();
    else if (tag === 2) glyph.bitmap = pbf.readBytes();
    else if (tag === 3) glyph.width = pbf.readVarint();
    else if (tag === 4) glyph.height = pbf.readVarint();
    else if (tag === 6) glyph.top = pbf.readSVarint();
    else if (tag === 7) glyph.advance = pbf.readVarint();
  };
  const readStack = (tag: number, stack: typeof found, pbf: PbfReader): void => {
    if (tag === 1) stack.name = pbf.readString();
    else if (tag === 2) stack.range = pbf.readString();
    else if (tag === 3) {
      const empty = { id: 0, bitmap: new Uint8Array(), width: 0, height: 0, top: 0, advance: 0 };
      const glyph = pbf.readMessage(readGlyph, empty);
      stack.glyphs.set(glyph.id, glyph);
    }
  };
  return new PbfReader(bytes).readFields((_, result, pbf) => void pbf.readMessage(readStack, result), found);
}

test('what is wrong with an address is said', async () => {
  const accept = { accept: 'application/json' };
  for (const [address, says, parameter] of [
    ['3/8/0.png', 'at zoom level 3, x and y are 0 to 7', 'x'],
    ['3/0/-1.png', 'at zoom level 3, x and y are 0 to 7', 'y'],
    ['3/0/8.mvt', 'at zoom level 3, x and y are 0 to 7', 'y'],
    ['25/0/0.png', 'z is 0 to 24', 'z'],
    ['-1/0/0.mvt', 'z is 0 to 24', 'z'],
    ['3/4/a.png', "The row 'a' is no number", 'y'],
    ['3/4/3.5.png', "The row '3.5' is no number", 'y'],
    ['3/4/1e1.mvt', "The row '1e1' is no number", 'y'],
    ['3/4/3.gif', "Tiles are png, webp, jpg or mvt, not 'gif'", 'format'],
    ['3/4/3.PNG', "not 'PNG'", 'format'],
    ['3/4/3@5x.png', "Pixel densities are @1x to @4x, not '@5x'", 'y'],
    ['3/4/3@2x@2x.png', "not '@2x@2x'", 'y'],
    ['a/4/3.png', 'z must be integer', 'z'],
    ['3/4.5/3.png', 'x must be integer', 'x'],
    ['3/4/3.png?layers=a', 'layers: ids separated by commas', 'layers'],
    ['3/4/3.png?base=2', 'base', 'base'],
    ['3/4/3.mvt?fields=nothing', "No layer has the column 'nothing'", undefined],
    [`3/4/${'9'.repeat(40)}.png`, 'y', 'y'],
    [`3/4/${encodeURIComponent("'; drop table x")}.png`, 'is no number', 'y'],
  ] as const) {
    const { status, json } = await get(address, { headers: accept });
    assert.deepEqual([status, json.code], [400, 'bad_request'], address);
    assert.ok(json.message.includes(says), `${address}: ${json.message}`);
    if (parameter)
      assert.ok(json.data.parameters.includes(parameter), `${address}: ${JSON.stringify(json.data)}`);
  }
  for (const address of ['3/4/3', '3/4', '3/4/3.png/more'])
    assert.equal((await get(address, { headers: accept })).status, 404, address);
  const elsewhere = await server.request('GET', '//tiles/demo/nothing/0/0/0.png', { headers: accept });
  assert.deepEqual([elsewhere.status, elsewhere.json.code], [404, 'map_not_found']);
  assert.equal((await get('0/0/0.png?draft=1', { headers: accept })).status, 401);
  assert.equal((await server.request('POST', '//tiles/demo/scene/0/0/0.png')).status, 405);
});
