import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openProjection } from '@cartulary/renderer/internal/projection/projection.js';
import { sql } from '@cartulary/sql/internal/sql.js';
import { fromArrayBuffer } from 'geotiff';
import { PNG } from 'pngjs';
import sharp from 'sharp';
import { removeDeleted, sweepFiles } from '../../src/files/sweep.js';
import { freshCode, startServer, type TestServer } from '../support/server.js';
import { zipOf } from './archives.js';
import { assertColor, colors, image, imagePath, middle, type Rasters, rastersOn } from './raster-support.js';

let server: TestServer;
let rasters: Rasters;
before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  rasters = rastersOn(server);
});
after(() => server?.stop());

/** Degrees, well within each quarter. */
const [east, north] = [0.02, 0.009];
const [lon, lat] = middle;

/** The four quarters of the usual image, on tiles. */
async function assertQuarters(id: number, what: string, z = 15): Promise<void> {
  for (const [x, y, color] of [
    [-east, north / 3, colors.nw],
    [east, north, colors.ne],
    [-east, -north, colors.sw],
    [east, -north, colors.se],
  ] as const) {
    assertColor(await rasters.colorAt(id, [lon + x, lat + y], z), color, `${what} ${color}`);
  }
  assert.equal(await rasters.colorAt(id, [lon + 0.06, lat], z), 'clear', what);
}

const bboxOf = (west: number, south: number, east: number, north: number): string =>
  `raster_bbox=${encodeURIComponent(`BOX(${west} ${south},${east} ${north})`)}`;

test('images of all projections and formats lie where they belong', async () => {
  const utm = bboxOf(410000, 6170000, 416400, 6174800);
  for (const [file, query, projection, format] of [
    ['rgb-32637.tif', '', 'EPSG:32637', 'geotif'],
    ['rgba-4326.tif', '', 'EPSG:4326', 'geotif'],
    ['rgba-28407.tif', '', 'EPSG:28407', 'geotif'],
    ['big.tif', '', 'EPSG:32637', 'geotif'],
    ['codec-jpeg.tif', '', 'EPSG:32637', 'geotif'],
    ['codec-webp.tif', '', 'EPSG:32637', 'geotif'],
    ['codec-zstd.tif', '', 'EPSG:32637', 'geotif'],
    ['codec-lerc.tif', '', 'EPSG:32637', 'geotif'],
    ['world.zip', '', 'WGS_1984_UTM_Zone_37N', 'png'],
    ['palette.png', `srs=32637&${utm}`, 'EPSG:32637', 'png'],
    ['rgb.png', `srs=EPSG:32637&${utm}`, 'EPSG:32637', 'png'],
    ['rgb.jpg', `srs=32637&${utm}`, 'EPSG:32637', 'jpg'],
    ['no-place.tif', `srs=32637&${utm}`, 'EPSG:32637', 'geotif'],
  ] as const) {
    const { code, id } = await rasters.newLayer();
    const report = await rasters.load(code, file, query);
    assert.deepEqual([report.read, report.stored, report.refused, report.format], [1, 1, 0, format], file);
    assert.equal(report.projection, projection, file);
    assert.equal(report.raster.kind, 'picture');
    await assertQuarters(id, file);
    const [west, south, eastern, northern] = report.raster.extent;
    for (const [actual, expected] of [
      [west, 37.5676],
      [south, 55.6678],
      [eastern, 37.671],
      [northern, 55.7117],
    ])
      assert.ok(Math.abs(actual - expected!) < 0.003, `${file}: ${report.raster.extent}`);
  }
});

/** Colours that differ from those of all neighbours, none of them black. */
const colorOf = (column: number, row: number): [number, number, number] => [
  40 + ((column * 53) % 200),
  40 + ((row * 71) % 200),
  (column + row) % 2 ? 230 : 30,
];
const hexOf = (color: readonly number[]): string =>
  `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

function pngOf(width: number, height: number): Buffer {
  const png = new PNG({ width, height });
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++)
      png.data.set([...colorOf(column, row), 255], 4 * (row * width + column));
  }
  return PNG.sync.write(png);
}

/** Origin, and the way along all columns and along all rows. */
const fewPixelPlaces: [srs: string, origin: number[], along: number[], down: number[], z: number][] = [
  ['4326', [30, 64], [16, 0], [0, -12], 8],
  ['3857', [4_000_000, 7_600_000], [400_000, 0], [0, -300_000], 10],
  ['32637', [300_000, 6_300_000], [300_000, 0], [0, -200_000], 10],
  ['2154', [200_000, 7_000_000], [900_000, 0], [0, -800_000], 9],
  ['32637', [400_000, 6_200_000], [87_758, 47_943], [38_354, -70_207], 11],
];

for (const [srs, origin, along, down, z] of fewPixelPlaces) {
  for (const [width, height] of [
    [1, 1],
    [2, 3],
    [8, 8],
  ] as const) {
    test(`${width} × ${height} pixels in ${srs}${along[1] ? ', turned' : ''} lie where they belong`, async () => {
      const projection = srs === '4326' ? undefined : await openProjection(`EPSG:${srs}`);
      /** A place of the image, its sides being 1, and whether it is at a certain distance within or beyond its border. */
      const placeOf = async (u: number, v: number): Promise<[number, number]> => {
        const [x, y] = [0, 1].map((i) => origin[i]! + u * along[i]! + v * down[i]!) as [number, number];
        const [lon, lat] = (await projection?.toWgs84(Float64Array.of(x, y))) ?? [x, y];
        return [lon!, lat!];
      };
      const world = [
        along[0]! / width,
        along[1]! / width,
        down[0]! / height,
        down[1]! / height,
        origin[0]! + along[0]! / width / 2 + down[0]! / height / 2,
        origin[1]! + along[1]! / width / 2 + down[1]! / height / 2,
      ];
      const file = await zipOf({ 'a.png': pngOf(width, height), 'a.pgw': world.join('\n') });
      const { code, id } = await rasters.newLayer('raster-scaling: near;');
      await rasters.load(code, file, `srs=${srs}`);
      const near = 1 / 400;
      try {
        for (const [u, v] of [
          [0, 0],
          [1, 0],
          [0, 1],
          [1, 1],
        ] as const) {
          const [du, dv] = [u ? -near : near, v ? -near : near];
          const color = hexOf(colorOf(u * (width - 1), v * (height - 1)));
          assertColor(await rasters.colorAt(id, await placeOf(u + du, v + dv), z), color, `within ${u} ${v}`);
          for (const [x, y] of [
            [u - du, v + dv],
            [u + du, v - dv],
          ] as const)
            assert.equal(await rasters.colorAt(id, await placeOf(x, y), z), 'clear', `beyond ${u} ${v}`);
        }
        // Both sides of a border between pixels.
        const column = Math.floor(width / 2);
        for (const side of width > 1 ? [-1, 1] : []) {
          const at = await placeOf((column + (side * width) / 400) / width, 0.5 / height);
          const color = hexOf(colorOf(side < 0 ? column - 1 : column, 0));
          assertColor(await rasters.colorAt(id, at, z), color, `side ${side}`);
        }
      } finally {
        projection?.close();
      }
    });
  }
}

test('colours of 16 bits are stretched to 8, all by the same range', async () => {
  const { code, id } = await rasters.newLayer();
  const { raster, notes } = await rasters.load(code, 'rgb-16bit.tif');
  assert.deepEqual([raster.kind, raster.type, raster.processed.bands[0].type], ['picture', 'UInt16', 'Byte']);
  assert.match(notes.join(), /scaled to 8/);
  // 40 to 240 of 255 become 0 to 255.
  assertColor(await rasters.colorAt(id, [lon - east, lat + north / 3]), '#e60000');
  assertColor(await rasters.colorAt(id, [lon + east, lat + north]), '#009919');
  assert.equal(await rasters.colorAt(id, [lon + 0.06, lat]), 'clear');
});

test('an image of EPSG:3857 keeps its pixels', async () => {
  const { code, id } = await rasters.newLayer('raster-scaling: near;');
  const { raster } = await rasters.load(code, 'rgb-3857.tif');
  assert.deepEqual([raster.processed.width, raster.processed.height], [64, 48]);
  assert.ok(Math.abs(raster.processed.pixel - 100) < 1e-6);
  const [west, south] = raster.extent;
  assert.ok(Math.abs(west - (4_170_000 / 20_037_508.342789244) * 180) < 1e-9);
  assert.ok(south < 55.8 && south > 55.5);
  // The white square of 4 pixels: 1,400 to 1,800 m from the west, 1,000 to 1,400 m from the north.
  const degrees = (x: number, y: number): [number, number] => [
    (x / 6_378_137) * (180 / Math.PI),
    (Math.atan(Math.sinh(y / 6_378_137)) * 180) / Math.PI,
  ];
  for (const [dx, dy, color] of [
    [1_420, 1_020, colors.dot],
    [1_780, 1_380, colors.dot],
    [1_380, 1_200, colors.nw],
    [1_820, 1_200, colors.nw],
    [1_600, 980, colors.nw],
    [1_600, 1_420, colors.nw],
    [3_180, 2_380, colors.nw],
    [3_220, 2_420, colors.se],
  ] as const)
    assert.equal(
      await rasters.colorAt(id, degrees(4_170_000 + dx, 7_480_000 - dy), 16),
      color,
      `${dx} ${dy}`,
    );
});

const hasGdal = existsSync('/usr/bin/gdallocationinfo');

test('drawn colours equal those that GDAL finds at these positions', { skip: !hasGdal }, async () => {
  for (const file of ['rgb-32637.tif', 'rgba-28407.tif', 'rgba-4326.tif']) {
    const { code, id } = await rasters.newLayer('raster-scaling: near;');
    await rasters.load(code, file);
    const places = Array.from(
      { length: 30 },
      (_, i) => [lon + 0.0031 * ((i % 10) - 4.7), lat + 0.0083 * (Math.floor(i / 10) - 1.13)] as const,
    );
    const values = execFileSync('gdallocationinfo', ['-valonly', '-wgs84', imagePath(file)], {
      input: places.map((place) => place.join(' ')).join('\n'),
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .map(Number);
    const bands = file.startsWith('rgba') ? 4 : 3;
    assert.equal(values.length, bands * places.length, 'all places lie in the image');
    for (const [i, place] of places.entries()) {
      const [red, green, blue, alpha] = values.slice(i * bands);
      const hex = `#${[red, green, blue].map((value) => value!.toString(16).padStart(2, '0')).join('')}`;
      const expected = bands === 4 && alpha === 0 ? 'clear' : hex;
      assert.equal(await rasters.colorAt(id, place, 16), expected, `${file} ${place}`);
    }
  }
});

test('values: their statistics, gray by default, colours by stops, transparent for no data', async () => {
  const gray = await rasters.newLayer();
  const { raster } = await rasters.load(gray.code, 'values-float.tif');
  assert.deepEqual([raster.kind, raster.type, raster.bands], ['values', 'Float32', 1]);
  const [band] = raster.processed.bands;
  assert.deepEqual([band.type, band.nodata, band.min, band.max], ['Float32', -9999, 100, 200]);
  assert.ok(Math.abs(band.mean - 150) < 1 && Math.abs(band.stddev - 29.6) < 0.5, JSON.stringify(band));
  assert.equal(await rasters.colorAt(gray.id, middle), 'clear');
  const red = async (id: number, x: number): Promise<number> =>
    Number.parseInt((await rasters.colorAt(id, [lon + x, lat - 0.01])).slice(1, 3), 16);
  const along = await Promise.all([-0.049, -0.02, 0, 0.02, 0.049].map((x) => red(gray.id, x)));
  assert.deepEqual(
    along,
    [...along].sort((a, b) => a - b),
  );
  assert.ok(along[0]! < 8 && along[4]! > 247, along.join());

  const stops = 'stop(100, #0000ff, discrete) stop(150, #ff0000, discrete)';
  const colored = await rasters.newLayer(
    `raster-colorizer-default-mode: discrete; raster-colorizer-stops: ${stops};`,
  );
  await rasters.load(colored.code, 'values-float.tif');
  assert.equal(await rasters.colorAt(colored.id, [lon - 0.02, lat]), '#0000ff');
  assert.equal(await rasters.colorAt(colored.id, [lon + 0.02, lat]), '#ff0000');
  assert.equal(await rasters.colorAt(colored.id, middle), 'clear');

  // Without a value of its own for no data, all that it has is drawn, and nothing around it.
  const whole = await rasters.newLayer();
  const { raster: int } = await rasters.load(whole.code, 'values-int16.tif');
  assert.deepEqual(
    [int.type, int.processed.bands[0].type, int.processed.bands[0].min],
    ['Int16', 'Int32', -9999],
  );
  assert.equal(await rasters.colorAt(whole.id, middle), '#000000');
  assert.equal(await rasters.colorAt(whole.id, [lon + 0.06, lat]), 'clear');
});

test('style: opacity, composition, zoom levels; several layers above each other', async () => {
  const below = await rasters.newLayer();
  await rasters.load(below.code, 'rgb-32637.tif');
  const above = await rasters.newLayer('raster-opacity: 0.5; [zoom >= 15] { raster-comp-op: multiply; }');
  await rasters.load(above.code, 'values-float.tif');
  const at = [lon + 0.045, lat - north] as const;
  // White at half opacity over yellow.
  assertColor(await rasters.colorAt(`${below.id},${above.id}`, at, 14), '#f7e891');
  assertColor(await rasters.colorAt(`${below.id},${above.id}`, at, 15), colors.se);
  assertColor(await rasters.colorAt(`${above.id},${below.id}`, at, 14), colors.se);
  await server.admin('PATCH', `/m/layers/${below.code}/`, { render_settings: { opacity: 0.5 } });
  const tile = await rasters.colorAt(below.id, at, 15);
  assertColor(tile, colors.se);
});

test('an import takes the place of the image; tiles are fresh at once, old bytes go', async () => {
  const { code, id } = await rasters.newLayer();
  assert.equal(await rasters.colorAt(id, middle), 'clear');
  await rasters.load(code, 'rgb-32637.tif', 'action=2');
  await assertQuarters(id, 'first');
  const keys = await server.db.query<{ original: string; processed: string }>(
    sql`select original, processed from cartulary.raster where layer_id = ${id}`,
  );
  await rasters.load(code, 'rgb-16bit.tif', 'action=1');
  const other = image('values-float.tif');
  await rasters.load(code, other);
  assert.equal(await rasters.colorAt(id, middle), 'clear');
  const { db, storage } = server.server.services;
  // A picture may still be drawn from them.
  await removeDeleted({ db, storage });
  assert.ok(await storage.size(keys[0]!.processed));
  await db.transaction((tx) => tx.query(sql`update cartulary.file_removal set not_before = now()`));
  await removeDeleted({ db, storage });
  assert.equal(await storage.size(keys[0]!.processed), undefined);
  assert.equal(await storage.size(keys[0]!.original), undefined);
  await sweepFiles({ db, storage }, Date.now() + 60_000);
  assert.deepEqual((await exported(code, '')).bytes, other);
});

const headers = { accept: 'application/json' };
const exported = (code: string, query: string) =>
  server.request('GET', `/m/layers/${code}/export/?format=geotif${query}`, {
    token: server.adminToken,
    headers,
  });

test('export: the file as it came, or the one that is drawn', async () => {
  const { code } = await rasters.newLayer();
  const none = await exported(code, '');
  assert.deepEqual([none.status, none.json.code], [404, 'file_not_found']);
  const png = image('rgb.png');
  const box = bboxOf(10, 20, 11, 21);
  const sent = await rasters.send(code, png, 'Снимок "1";\r\n.png', box);
  assert.equal(sent.status, 200, sent.text);
  const original = await exported(code, '');
  assert.deepEqual(original.bytes, png);
  assert.equal(original.headers.get('content-type'), 'image/png');
  assert.match(
    original.headers.get('content-disposition')!,
    /^attachment; filename="[ -~]+"; filename\*=UTF-8''%D0/,
  );
  assert.deepEqual((await exported(code, '&orig=true')).bytes, png);
  for (const flag of ['0', 'false']) {
    const made = await exported(code, `&orig=${flag}`);
    assert.equal(made.bytes.toString('latin1', 0, 4), 'II*\0');
    assert.match(made.headers.get('content-type')!, /^image\/tiff/);
    const read = await (await fromArrayBuffer(new Uint8Array(made.bytes).buffer)).getImage();
    assert.deepEqual([read.getWidth() >= 64, read.getSamplesPerPixel()], [true, 4]);
    assert.equal(read.getGeoKeys()?.ProjectedCSTypeGeoKey, 3857);
  }
  const zip = await exported(code, '&zip=1');
  assert.equal(zip.bytes.toString('latin1', 0, 2), 'PK');
  assert.match(zip.headers.get('content-disposition')!, /\.zip"/);
  for (const format of ['geojson', 'shp', 'kmz', 'rubbish']) {
    const answer = await server.request('GET', `/m/layers/${code}/export/?format=${format}`, { headers });
    assert.deepEqual([answer.status, answer.json.code], [500, 'format_invalid'], format);
  }
  const vector = await server.admin('POST', '/m/layers/', { code: freshCode('v') });
  const wrong = await exported(vector.code, '');
  assert.deepEqual([wrong.status, wrong.json.code], [500, 'format_invalid']);
});

test('the interface of a raster layer', async () => {
  const { code, id } = await rasters.newLayer();
  const path = `/m/layers/${code}/`;
  const get = (rest = '') => server.request('GET', path + rest, { token: server.adminToken, headers });
  assert.equal((await get('?returnBbox=1')).json.bbox, null);
  assert.equal((await get('icon/?size=64')).status, 200);
  await rasters.load(code, 'rgb-32637.tif');
  const { type, css_style, bbox } = (await get('?returnBbox=1')).json;
  assert.equal(type, 'layer');
  assert.match(css_style, /raster-scaling/);
  assert.ok(
    Math.abs(bbox.sw[0] - 55.668) < 0.002 && Math.abs(bbox.ne[1] - 37.671) < 0.002,
    JSON.stringify(bbox),
  );
  assert.deepEqual((await get('bbox/')).json, bbox);
  const tree = await server.admin('GET', '/m/layers/?returnBbox=1');
  const item = tree.find((one: any) => one.id === id);
  assert.deepEqual([item.type, item.bbox], ['raster', bbox]);
  assert.deepEqual((await get('structure/')).json, []);
  for (const [method, rest, body] of [
    ['GET', 'objects/', undefined],
    ['GET', 'count/', undefined],
    ['POST', 'objects/', { fields: {} }],
    ['POST', 'structure/', { code: 'a', type: 'string' }],
    ['POST', 'makevalid/', undefined],
  ] as const) {
    const answer = await server.request(method, path + rest, { token: server.adminToken, body, headers });
    assert.deepEqual(
      [answer.status, answer.json.code],
      [400, 'bad_request'],
      `${method} ${rest}: ${answer.text}`,
    );
  }
  const changed = await server.admin('PATCH', path, { meta: { name: 'Image', cloudy: 3 }, json: { a: 1 } });
  assert.deepEqual([changed.meta, changed.json], [{ name: 'Image', cloudy: 3 }, { a: 1 }]);
  assert.equal((await get('icon/?size=64')).headers.get('content-type'), 'image/png');

  // Deleted, its code is free, and another layer of it knows nothing of the image.
  await server.admin('DELETE', path);
  await server.admin('POST', '/m/layers/', { code, type: 'raster' });
  assert.equal((await get('?returnBbox=1')).json.bbox, null);
  assert.equal((await exported(code, '')).status, 404);
  const left = await server.db.query(sql`select from cartulary.raster where layer_id = ${id}`);
  assert.deepEqual(left, []);
});

test('a raster layer is closed to callers who may not view it', async () => {
  const { code, id } = await rasters.newLayer();
  await rasters.load(code, 'rgb-32637.tif');
  await server.admin('PATCH', '/m/', { publish: false });
  try {
    for (const rest of ['export/?format=geotif', 'icon/', 'bbox/', '']) {
      const answer = await server.request('GET', `/m/layers/${code}/${rest}`);
      assert.equal(answer.status, 403, rest);
    }
    const tile = await server.request('GET', `//tms/demo/m/?z=0&x=0&y=0&layers=${id}`);
    assert.equal(tile.status, 403);
    const path = `/m/layers/${code}/import/`;
    assert.equal((await server.request('POST', path, { body: image('rgb.png') })).status, 401);
  } finally {
    await server.admin('PATCH', '/m/', { publish: true });
  }
});

test('a plan stores nothing and says what would be', async () => {
  const { code, id } = await rasters.newLayer();
  const plan = await rasters.load(code, 'rgb-32637.tif', 'dry_run=1');
  assert.deepEqual([plan.read, plan.stored, plan.refused, plan.format], [1, 0, 0, 'geotif']);
  assert.deepEqual([plan.projection, plan.raster.width, plan.raster.bands], ['EPSG:32637', 64, 3]);
  assert.ok(plan.extent[0] > 37.5 && plan.extent[2] < 37.7 && plan.raster.processed.pixel > 10);
  const refused = await rasters.load(code, 'no-place.tif', 'dry_run=1');
  assert.deepEqual([refused.read, refused.stored, refused.refused], [1, 0, 1]);
  assert.equal(refused.errors[0].code, 'import_georeference_missing');
  assert.equal(await rasters.colorAt(id, [lon + east, lat]), 'clear');
  assert.equal((await exported(code, '')).status, 404);
});

test('the world in degrees is cut where the map ends', async () => {
  const pixels = Buffer.alloc(360 * 180 * 3);
  for (let y = 0; y < 180; y++)
    for (let x = 0; x < 360; x++) pixels.set([x < 180 ? 200 : 0, y < 90 ? 200 : 0, 100], 3 * (y * 360 + x));
  const raw = { width: 360, height: 180, channels: 3 } as const;
  const { code, id } = await rasters.newLayer('raster-scaling: near;');
  const world = await rasters.load(
    code,
    await sharp(pixels, { raw }).png().toBuffer(),
    bboxOf(-180, -90, 180, 90),
  );
  const { width, height } = world.raster.processed;
  assert.deepEqual([width, height], [720, 720]);
  for (const [place, color] of [
    [[-90, 45], '#c8c864'],
    [[90, 45], '#00c864'],
    [[-90, -45], '#c80064'],
    [[179, -84], '#000064'],
    [[-179.9, 84.9], '#c8c864'],
  ] as const)
    assert.equal(await rasters.colorAt(id, place, 3), color, String(place));
});

test('an image across 180 degrees is drawn on both sides', async () => {
  const { code, id } = await rasters.newLayer('raster-scaling: near;');
  await rasters.load(code, 'rgb.png', bboxOf(160, 40, 200, 60));
  for (const [place, color] of [
    [[172, 58], colors.nw],
    [[-172, 58], colors.ne],
    [[172, 42], colors.sw],
    [[-172, 42], colors.se],
    [[0, 50], 'clear'],
    [[-158, 50], 'clear'],
  ] as const)
    assert.equal(await rasters.colorAt(id, place, 4), color, String(place));
});

for (const [west, south, north] of [
  [0, -60, 60],
  [-10, -90, 90],
  [-180.5, -60, 60],
] as const)
  test(`an image of all longitudes from ${west} is drawn whole`, async () => {
    const { code, id } = await rasters.newLayer('raster-scaling: near;');
    const { raster } = await rasters.load(code, 'rgb.png', bboxOf(west, south, west + 360, north));
    assert.deepEqual([raster.extent[0], raster.extent[2]].map(Math.round), [-180, 180]);
    // It has about as many pixels as the same image in its usual place.
    const other = await rasters.newLayer();
    const usual = await rasters.load(other.code, 'rgb.png', bboxOf(-180, south, 180, north));
    const share = raster.processed.width / usual.raster.processed.width;
    assert.ok(share > 0.8 && share <= 1, String(share));
    for (const [from, color] of [
      [20, colors.nw],
      [120, colors.nw],
      [200, colors.ne],
      [350, colors.ne],
    ] as const) {
      const lon = ((west + from + 540) % 360) - 180;
      assert.equal(await rasters.colorAt(id, [lon, 40], 4), color, String(lon));
    }
  });

test('pixels are taken as they are stored, whatever EXIF says of turning', async () => {
  const turned = await sharp(image('rgb.png'))
    .jpeg({ quality: 100 })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const { code, id } = await rasters.newLayer();
  const { raster } = await rasters.load(
    code,
    turned,
    `srs=32637&${bboxOf(410000, 6170000, 416400, 6174800)}`,
  );
  assert.deepEqual([raster.width, raster.height], [64, 48]);
  await assertQuarters(id, 'turned');
});

test('srs goes before what the file says', async () => {
  const { code } = await rasters.newLayer();
  const { raster, projection } = await rasters.load(code, 'rgb-32637.tif', 'srs=32638');
  assert.equal(projection, 'EPSG:32638');
  assert.ok(raster.extent[0] > 43 && raster.extent[0] < 44);
});

test('rasters and objects do not mix', async () => {
  const { code } = await rasters.newLayer();
  const geojson = Buffer.from('{"type":"FeatureCollection","features":[]}');
  const intoRaster = await rasters.send(code, geojson, 'a.geojson');
  assert.deepEqual([intoRaster.status, intoRaster.json.code], [500, 'import_failed']);
  assert.match(intoRaster.json.message, /type raster takes TIFF/);
  const vector = await server.admin('POST', '/m/layers/', { code: freshCode('v') });
  for (const file of ['rgb.png', 'rgb.jpg', 'rgb-32637.tif', 'big.tif', 'world.zip']) {
    const answer = await rasters.send(vector.code, image(file), file);
    assert.deepEqual([answer.status, answer.json.code], [500, 'import_failed'], file);
    assert.match(answer.json.message, /raster|image|holds nothing/, file);
  }
  const [left] = [join(server.server.services.config.dataFolder, 'tmp')];
  assert.deepEqual(existsSync(left) ? readdirSync(left) : [], []);
});

test('a form brings the image with its parameters; gzip is understood', async () => {
  const { code, id } = await rasters.newLayer();
  const form = new FormData();
  form.set('srs', '32637');
  form.set('raster_bbox', 'BOX(410000 6170000,416400 6174800)');
  form.set('file', new Blob([new Uint8Array(image('rgb.png'))]), 'image.png');
  const sent = await server.request('POST', `/m/layers/${code}/import/`, {
    token: server.adminToken,
    body: form,
  });
  assert.equal(sent.status, 200, sent.text);
  await assertQuarters(id, 'form');
  const packed = await rasters.send(code, gzipSync(image('rgb-3857.tif')), 'image.tif.gz');
  assert.equal(packed.status, 200, packed.text);
  const original = await exported(code, '');
  assert.match(original.headers.get('content-disposition')!, /"image\.tif"/);
  assert.deepEqual(original.bytes, image('rgb-3857.tif'));
});

test('a layer that is deleted while its image is imported leaves nothing', async () => {
  const { code, id } = await rasters.newLayer();
  const importing = rasters.send(code, image('rgb-32637.tif'), 'a.tif');
  const folder = join(server.server.services.config.dataFolder, 'tmp');
  while (!existsSync(folder) || !readdirSync(folder).length) await sleep(5);
  await server.admin('DELETE', `/m/layers/${code}/`);
  const answer = await importing;
  assert.equal(answer.status, 404, answer.text);
  const left = await server.db.query(sql`select from cartulary.raster where layer_id = ${id}`);
  assert.deepEqual(left, []);
});

test('with the map the bytes of its images go', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/layers/`, { code: 'r', type: 'raster' });
  const body = image('rgb-32637.tif');
  const sent = await server.request('POST', `/${map}/layers/r/import/`, {
    token: server.adminToken,
    body,
    headers: { 'x-filename': 'a.tif' },
  });
  assert.equal(sent.status, 200, sent.text);
  const { db, storage } = server.server.services;
  const [keys] = await db.query<{ original: string; processed: string }>(
    sql`select original, processed from cartulary.raster where layer_id = ${sent.json.id}`,
  );
  await server.admin('DELETE', `/${map}/`);
  await db.transaction((tx) => tx.query(sql`update cartulary.file_removal set not_before = now()`));
  await removeDeleted({ db, storage });
  for (const key of Object.values(keys!)) assert.equal(await storage.size(key), undefined);
});

test('of two imports at once one image stays', async () => {
  const { code, id } = await rasters.newLayer('raster-scaling: near;');
  const answers = await Promise.all(
    ['rgb-32637.tif', 'rgba-4326.tif'].map((file) => rasters.send(code, image(file), file)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  const rows = await server.db.query<{ name: string }>(
    sql`select name from cartulary.raster where layer_id = ${id}`,
  );
  assert.equal(rows.length, 1);
  assert.equal(await rasters.colorAt(id, [lon + east, lat - north]), colors.se);
});
