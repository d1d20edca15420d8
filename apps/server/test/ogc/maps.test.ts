/** WMS, OGC API Tiles and OGC API Maps: the pictures of the interface 2.8 at other addresses, and in any reference system. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { promisify } from 'node:util';
import { toMercator } from '@cartulary/geo/internal/bbox.js';
import { tileExtent } from '@cartulary/geo/internal/tile.js';
import { sql } from '@cartulary/sql';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import sharp from 'sharp';
import { rastersOn } from '../formats/raster-support.js';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';
import { makeScene, type SceneLayer, tile } from '../tiles/scene.js';

let server: TestServer;
let ids: Record<SceneLayer, number>;
let image: string;
before(async () => {
  server = await startServer();
  ids = await makeScene(server);
  await server.admin('PATCH', '/scene/', { name: 'A <scene>', json: { attribution: '© us' } });
  // A map whose pictures can be computed: a square of one degree, around it a ring of points, and an image.
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'square', css_style: '#square { polygon-fill: #f00; }' });
  const at = (x: number, y: number) => [8 + 4 * x, 50 + 4 * y];
  const square = [at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0, 0)];
  await server.admin('POST', '/m/layers/square/import/', {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: { n: 1 }, geometry: { type: 'Polygon', coordinates: [square] } },
    ],
  });
  // A column without values: the table has none of its name.
  await server.admin('POST', '/m/layers/square/structure/', { code: 'head', type: 'title' });
  const rasters = rastersOn(server);
  const green = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer();
  image = (await rasters.newLayer('raster-opacity: 1;')).code;
  await rasters.load(image, green, `raster_bbox=${encodeURIComponent('BOX(14 50,18 54)')}`);
});
after(() => server?.stop());

type Options = Parameters<TestServer['request']>[2];
const get = (path: string, options: Options = {}): Promise<TestAnswer> =>
  server.request('GET', `//${path}`, options);
const query = (all: Record<string, string | number | undefined>): string =>
  `?${new URLSearchParams(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  )}`;

/** A GetMap of the tile 3/4/3 from the north. */
const box = tileExtent(3, 4, 3).join(',');
const wms = (changed: Record<string, string | number | undefined> = {}, map = 'scene'): string =>
  `wms/demo/${map}/${query({
    SERVICE: 'WMS',
    Request: 'GetMap',
    VERSION: '1.3.0',
    LAYERS: 'map.all',
    STYLES: '',
    CRS: 'EPSG:3857',
    BBOX: box,
    WIDTH: 256,
    height: 256,
    FORMAT: 'image/png',
    TRANSPARENT: 'TRUE',
    ...changed,
  })}`;

test('a tile is the same picture in each form of address', async () => {
  for (const [layer, own, door, more] of [
    ['map.all', '', '', {}],
    ['places', `layers=${ids.places}&base=0&lng=ru`, 'collections/places/', { lng: 'ru' }],
    ['roads', `layers=${ids.roads}&base=0&filter=lanes>1`, 'collections/roads/', { filter: 'lanes>1' }],
  ] as const) {
    const { bytes } = await tile(server, 'scene', [3, 4, 4], own);
    const set = 'WebMercatorQuad/3/3/4';
    for (const address of [
      wms({ LAYERS: layer, ...more }),
      wms({ LAYERS: layer, VERSION: '1.1.1', SRS: 'EPSG:900913', CRS: undefined, ...more }),
      `ogc/demo/scene/${door}map/tiles/${set}${query(more)}`,
      `ogc/demo/scene/${door}map${query({ bbox: box, 'bbox-crs': 'EPSG:3857', crs: 'EPSG:3857', width: 256, ...more })}`,
    ]) {
      const answer = await get(address);
      assert.equal(answer.status, 200, answer.text.slice(0, 500));
      assert.ok(answer.bytes.equals(bytes), address);
    }
  }
  const both = await get(
    `ogc/demo/scene/map/tiles/WebMercatorQuad/3/3/4${query({ collections: 'roads,places' })}`,
  );
  assert.ok(
    both.bytes.equals(
      (await tile(server, 'scene', [3, 4, 4], `layers=${ids.roads},${ids.places}&base=0`)).bytes,
    ),
  );
  const vectors = await get('ogc/demo/scene/collections/roads/tiles/WebMercatorQuad/3/3/4');
  assert.ok(vectors.bytes.equals((await get(`tiles/demo/scene/3/4/3.mvt?layers=${ids.roads}`)).bytes));
  const opaque = await get(
    wms({ LAYERS: 'roads', TRANSPARENT: 'FALSE', BGCOLOR: '0x102030', FORMAT: 'image/webp' }),
  );
  assert.equal(opaque.headers.get('content-type'), 'image/webp');
  const { data } = await sharp(opaque.bytes)
    .removeAlpha()
    .extract({ left: 250, top: 2, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (const [i, value] of [0x10, 0x20, 0x30].entries())
    assert.ok(Math.abs(data[i]! - value) < 8, [...data].join());
});

/** Where a position in degrees lies in a system. */
async function placed(lon: number, lat: number, srid: number): Promise<[number, number]> {
  const [row] = await server.db.query<{ x: number; y: number }>(sql`
    select st_x(p) as x, st_y(p) as y from st_transform(st_setsrid(st_makepoint(${lon}::float8, ${lat}::float8), 4326), ${srid}::integer) p`);
  return [row!.x, row!.y];
}

test('pictures in other reference systems show everything at its place', async () => {
  const [red, green, nothing] = ['255,0,0,255', '0,255,0,255', '0,0,0,0'];
  for (const [srid, isNorthFirst] of [
    [25832, false],
    [4326, true],
    [3035, true],
    [28404, true],
    [3395, false],
    [3857, false],
  ] as const) {
    const corners = await Promise.all(
      [
        [7, 49],
        [19, 49],
        [7, 55],
        [19, 55],
        [13, 49],
        [13, 55],
      ].map(([lon, lat]) => placed(lon!, lat!, srid)),
    );
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const [west, south, east, north] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    const BBOX = (isNorthFirst ? [south, west, north, east] : [west, south, east, north]).join(',');
    // Pixels need not be square.
    const [width, height] = [300, 200];
    const answer = await get(
      wms({ LAYERS: `square,${image}`, CRS: `EPSG:${srid}`, BBOX, WIDTH: width, height }, 'm'),
    );
    assert.equal(answer.status, 200, `${srid}: ${answer.text.slice(0, 400)}`);
    const pixels = await sharp(answer.bytes).ensureAlpha().raw().toBuffer();
    // Within and beside the edges of square and image, a tenth of a degree away.
    for (const [lon, lat, color] of [
      [8.2, 50.2, red],
      [11.8, 53.8, red],
      [10, 52, red],
      [7.7, 52, nothing],
      [12.3, 52, nothing],
      [10, 49.7, nothing],
      [14.3, 50.3, green],
      [17.7, 53.7, green],
      [16, 52, green],
      [13.7, 52, nothing],
      [16, 54.4, nothing],
    ] as const) {
      const [x, y] = await placed(lon, lat, srid);
      const [column, row] = [
        Math.floor(((x - west) / (east - west)) * width),
        Math.floor(((north - y) / (north - south)) * height),
      ];
      const first = 4 * (row * width + column);
      assert.equal([...pixels.subarray(first, first + 4)].join(), color, `${srid}: ${lon} ${lat}`);
    }
  }
});

test('a picture of a few pixels is a part of a larger one', async () => {
  const layers = `square,${image}`;
  /** The pixels of a part of a picture, each a tenth of a degree wide, around 8 E, 50 N. */
  const part = async (crs: string, [left, top, width, height]: readonly number[]): Promise<Buffer> => {
    const pixel = crs === 'CRS:84' ? 0.1 : 11_132;
    const [x, y] = crs === 'CRS:84' ? [5, 53] : toMercator(5, 53);
    const [west, north] = [x + left! * pixel, y - top! * pixel];
    const BBOX = [west, north - height! * pixel, west + width! * pixel, north].join();
    const answer = await get(wms({ LAYERS: layers, CRS: crs, BBOX, WIDTH: width, height }, 'm'));
    assert.equal(answer.status, 200, answer.text.slice(0, 400));
    return sharp(answer.bytes).ensureAlpha().raw().toBuffer();
  };
  for (const crs of ['EPSG:3857', 'CRS:84']) {
    const whole = sharp(await part(crs, [0, 0, 60, 60]), { raw: { width: 60, height: 60, channels: 4 } });
    for (const [left, top, width, height] of [
      [28, 26, 8, 5],
      [20, 25, 40, 6],
      [31, 0, 1, 60],
      [35, 10, 1, 1],
    ] as const) {
      const cut = await whole.clone().extract({ left, top, width, height }).raw().toBuffer();
      const small = await part(crs, [left, top, width, height]);
      assert.ok(small.equals(cut), `${crs} ${width} × ${height}`);
      assert.ok(small.includes(255), `${crs} ${width} × ${height} is empty`);
    }
  }
});

test('tiles of pictures are told with those that symbols and a background reach', async () => {
  /** The least and the largest column and row of matrix 5. */
  const limits = async (path: string): Promise<number[]> => {
    const { tileMatrixSetLimits } = (await get(`ogc/demo/m/${path}/WebMercatorQuad`)).json;
    const { minTileCol, maxTileCol, minTileRow, maxTileRow } = tileMatrixSetLimits[5];
    return [minTileCol, maxTileCol, minTileRow, maxTileRow];
  };
  assert.deepEqual(await limits('collections/square/tiles'), [16, 17, 10, 10]);
  assert.deepEqual(await limits('collections/square/map/tiles'), [15, 18, 9, 11]);
  assert.deepEqual(await limits('map/tiles'), [0, 31, 0, 31]);
  await server.admin('PATCH', '/m/', { css_style: 'Map { buffer-size: 10; }' });
  assert.deepEqual(await limits('map/tiles'), [15, 18, 9, 11]);
});

/** A square with sides of 6 degrees. */
const squareAt = (x: number, y: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [x + 6, y],
      [x + 6, y + 6],
      [x, y + 6],
      [x, y],
    ],
  ],
});

test('pictures of degrees whose pixels are not square show everything at its place, up to 180 degrees', async () => {
  const code = 'far';
  await server.admin('POST', '/', { code });
  await server.admin('POST', '/far/layers/', { code, css_style: '#far { polygon-fill: #f00; }' });
  const corners = [
    [-178, 5],
    [150, 5],
    [172, -60],
    [0, 5],
    [-120, 75],
  ] as const;
  const create = corners.map(([x, y]) => ({ fields: {}, geom: squareAt(x, y) }));
  await server.admin('POST', `/far/layers/${code}/objects/batch/`, { create });
  const frames = [
    ...corners.map(([x, y]) => [x - 2, y - 2, x + 8, y + 8]),
    [-180, -90, 180, 90],
    [-180, 0, 180, 12],
  ] as const;
  const sizes = [
    [120, 60],
    [60, 120],
    [360, 90],
    [90, 360],
  ] as const;
  for (const [west, south, east, north] of frames as readonly (readonly [number, number, number, number])[])
    for (const [width, height] of sizes) {
      const BBOX = [west, south, east, north].join(',');
      const answer = await get(wms({ LAYERS: code, CRS: 'CRS:84', BBOX, WIDTH: width, height }, code));
      assert.equal(answer.status, 200, answer.text.slice(0, 300));
      const pixels = await sharp(answer.bytes).ensureAlpha().raw().toBuffer();
      const where = `${BBOX} ${width} ${height}`;
      const drawn = corners.flatMap(([x, y]) => {
        const column = Math.floor(((x + 3 - west) / (east - west)) * width);
        const row = Math.floor(((north - y - 3) / (north - south)) * height);
        const isInside = column >= 0 && row >= 0 && column < width && row < height;
        return isInside ? [4 * (row * width + column)] : [];
      });
      for (const at of drawn) assert.ok(pixels[at + 3]! > 0, `${where}: ${at}`);
      // Nothing else is drawn: the squares have their area, but for their edges.
      const area = pixels.filter((_, at) => at % 4 === 3).reduce((sum, alpha) => sum + alpha / 255, 0);
      const pixel = ((east - west) / width) * ((north - south) / height);
      const [low, high] = [0, 1].map((add) =>
        corners.reduce((sum, [x, y]) => {
          const [w, h] = [
            Math.min(x + 6, east) - Math.max(x, west),
            Math.min(y + 6, north) - Math.max(y, south),
          ];
          return w > 0 && h > 0 ? sum + (w * h) / pixel + (add ? 30 : -30) : sum;
        }, 0),
      ) as [number, number];
      assert.ok(area > low && area < high + 1, `${where}: ${area} of ${low} to ${high}`);
    }
});

test('axes, systems and tiles of degrees agree, and a kept picture is not sent again', async () => {
  const size = { LAYERS: `square,${image}`, WIDTH: 256, height: 256 };
  const set = await get(
    `ogc/demo/m/map/tiles/WorldCRS84Quad/4/3/16${query({ collections: `square,${image}` })}`,
  );
  assert.equal(set.status, 200, set.text.slice(0, 300));
  // The tile from 0 to 11.25 degrees east, 45 to 56.25 degrees north.
  for (const place of [
    { CRS: 'EPSG:4326', BBOX: '45,0,56.25,11.25' },
    { CRS: 'CRS:84', BBOX: '0,45,11.25,56.25' },
    { VERSION: '1.1.1', CRS: undefined, SRS: 'EPSG:4326', BBOX: '0,45,11.25,56.25' },
  ])
    assert.ok((await get(wms({ ...size, ...place }, 'm'))).bytes.equals(set.bytes), JSON.stringify(place));
  const byMap = await get(
    `ogc/demo/m/map${query({ bbox: '45,0,56.25,11.25', 'bbox-crs': 'EPSG:4326', crs: 'OGC:CRS84', width: 256, height: 256, collections: `square,${image}` })}`,
  );
  assert.ok(byMap.bytes.equals(set.bytes));
  assert.equal(byMap.headers.get('content-crs'), '<http://www.opengis.net/def/crs/OGC/1.3/CRS84>');
  const [byWmts, alone] = [
    await get('wmts/demo/m/square/default/WorldCRS84Quad/4/3/16.png'),
    await get('ogc/demo/m/collections/square/map/tiles/WorldCRS84Quad/4/3/16'),
  ];
  assert.ok(byWmts.status === 200 && byWmts.bytes.equals(alone.bytes), 'WMTS');
  const etag = set.headers.get('etag')!;
  const again = () =>
    get(`ogc/demo/m/map/tiles/WorldCRS84Quad/4/3/16${query({ collections: `square,${image}` })}`, {
      headers: { 'if-none-match': etag },
    });
  assert.equal((await again()).status, 304);
  await server.admin('PATCH', '/m/layers/square/', { css_style: '#square { polygon-fill: #00f; }' });
  assert.equal((await again()).status, 200);
  await server.admin('PATCH', '/m/layers/square/', { css_style: '#square { polygon-fill: #f00; }' });
  const large = await get(wms({ WIDTH: 512, height: 512, dpi: 192 }));
  assert.ok(
    large.bytes.equals((await tile(server, 'scene', [3, 4, 4], 'retina=2')).bytes),
    'symbols grow with dpi',
  );
});

test('tiles of a projected system are its pictures, and vector tiles of degrees have their positions', async () => {
  // Matrix 7 of EPSG:25832 has tiles of 2^18 m around 500,000, 0: the tile from 500,000 to 762,144 m east, from 5,505,024 m north.
  const side = 2 ** 18;
  const [column, row] = [64, 64 - 22];
  const east = [500_000, 500_000 + side];
  const north = [21 * side, 22 * side];
  const layers = `square,${image}`;
  const tiles = [
    await get(`ogc/demo/m/map/tiles/EPSG25832/7/${row}/${column}${query({ collections: layers })}`),
    await get(
      wms(
        {
          LAYERS: layers,
          CRS: 'EPSG:25832',
          BBOX: [east[0], north[0], east[1], north[1]].join(),
          WIDTH: 256,
          height: 256,
        },
        'm',
      ),
    ),
  ];
  assert.equal(tiles[0]!.status, 200, tiles[0]!.text.slice(0, 300));
  assert.ok(tiles[0]!.bytes.equals(tiles[1]!.bytes));
  const { tileMatrixSetLimits, tileMatrixSetURI } = (
    await get('ogc/demo/m/collections/square/map/tiles/EPSG25832')
  ).json;
  const { minTileCol, maxTileCol, minTileRow, maxTileRow } = tileMatrixSetLimits[7];
  assert.deepEqual(
    [minTileCol, maxTileCol, minTileRow, maxTileRow, tileMatrixSetURI],
    [62, 65, 40, 43, undefined],
  );
  assert.match((await get('wmts/demo/m/1.0.0/WMTSCapabilities.xml')).text, /<ows:Identifier>EPSG32632</);
  // The tile of degrees from 0 to 11.25 E, 45 to 56.25 N: the square from 8 E, 50 N, in units of 1/4096.
  const tile = new VectorTile(new PbfReader((await get('ogc/demo/m/tiles/WorldCRS84Quad/4/3/16')).bytes));
  const [ring] = tile.layers.square!.feature(0).loadGeometry();
  const units = (degrees: number) => Math.round((degrees * 4096) / 11.25);
  assert.deepEqual(
    [Math.min(...ring!.map(({ x }) => x)), Math.max(...ring!.map(({ y }) => y))],
    [units(8), units(56.25 - 50)],
  );
});

test('WMS capabilities: the publication tree that the caller may view', async () => {
  const capabilities = (version = '1.3.0', options: Options = {}): Promise<TestAnswer> =>
    get(`wms/demo/scene/?service=WMS&request=GetCapabilities&version=${version}`, options);
  const { id } = await server.admin('POST', '/scene/folders/', { code: 'lines', name: 'Lines & more' });
  await server.admin('PATCH', '/scene/layers/roads/', {
    parent_id: id,
    render_settings: { minZoom: 3, maxZoom: 12 },
  });
  const first = await capabilities();
  assert.equal(first.headers.get('content-type'), 'text/xml; charset=utf-8');
  const names = (text: string): string[] =>
    [...text.matchAll(/<Layer [^>]*><Name>(.*?)<\/Name>/g)].map(([, name]) => name!);
  assert.deepEqual(names(first.text).toSorted(), ['land', 'lines', 'map.all', 'places', 'roads']);
  assert.ok(id && first.text.includes('<Title>Lines &amp; more</Title>'), first.text);
  assert.match(
    first.text,
    /<Name>roads<\/Name>[\s\S]*?<MinScaleDenominator>100000<\/MinScaleDenominator><MaxScaleDenominator>100000000<\/MaxScaleDenominator>/,
  );
  assert.match(first.text, /<BoundingBox CRS="EPSG:4326" minx="7" miny="11" maxx="35" maxy="44"\/>/);
  const old = await capabilities('1.1.0');
  assert.match(old.text, /<WMT_MS_Capabilities version="1.1.1">[\s\S]*<LatLonBoundingBox /);
  const folder = await get(wms({ LAYERS: 'land,lines' }));
  assert.ok(folder.bytes.equals((await get(wms({ LAYERS: 'land,roads' }))).bytes));
  const headers = { 'if-none-match': first.headers.get('etag')! };
  assert.equal((await capabilities('1.3.0', { headers })).status, 304);
  await server.admin('PUT', '/scene/layers/roads/rights/', { user: 'public', right: 'none' });
  const second = await capabilities('1.3.0', { headers });
  assert.deepEqual(names(second.text).toSorted(), ['land', 'map.all', 'places']);
  assert.doesNotMatch(second.text, /roads|lines/);
  for (const [hidden, path] of [
    ['roads', (name: string) => wms({ LAYERS: name })],
    ['lines', (name: string) => wms({ LAYERS: name })],
    ['roads', (name: string) => wms({ Request: 'GetFeatureInfo', QUERY_LAYERS: name, I: 1, J: 1 })],
    ['roads', (name: string) => wms({ Request: 'GetLegendGraphic', LAYER: name })],
    ['roads', (name: string) => `ogc/demo/scene/collections/${name}/map`],
    ['roads', (name: string) => `ogc/demo/scene/map?collections=${name}`],
  ] as const) {
    const [own, unknown] = [await get(path(hidden)), await get(path('nothing'))];
    assert.ok(own.status === 400 || own.status === 404, own.text);
    assert.deepEqual([own.status, own.text.replace(hidden, 'nothing')], [unknown.status, unknown.text]);
  }
  await server.admin('PUT', '/scene/layers/roads/rights/', { user: 'public', right: 'view' });
});

/** GetFeatureInfo at 33 E, 7 N, where Millford lies. */
const info = (changed: Record<string, string | number>): Promise<TestAnswer> =>
  get(
    wms({
      Request: 'GetFeatureInfo',
      QUERY_LAYERS: 'map.all',
      CRS: 'CRS:84',
      BBOX: '23,-3,43,17',
      WIDTH: 200,
      height: 200,
      I: 100,
      J: 100,
      FEATURE_COUNT: 5,
      ...changed,
    }),
  );

test('GetFeatureInfo and GetLegendGraphic', async () => {
  const json = JSON.parse((await info({ INFO_FORMAT: 'application/json' })).text);
  assert.deepEqual(
    json.features.map((one: { id: string; properties: { people?: number } }) => [
      one.id.split('.')[0],
      one.properties.people,
    ]),
    [
      ['places', 900_000],
      ['land', undefined],
    ],
  );
  assert.deepEqual(json.features[0].geometry, { type: 'Point', coordinates: [33, 7] });
  assert.match(
    (await info({ INFO_FORMAT: 'text/plain', FEATURE_COUNT: 1 })).text,
    /^Layer 'places'\nFeature \d+\nname = 'Millford'\npeople = '900000'\n$/,
  );
  assert.match((await info({ INFO_FORMAT: 'text/html', lng: 'ru' })).text, /<td>Мельница<\/td>/);
  assert.match((await info({ I: 20, J: 20, QUERY_LAYERS: 'places' })).text, /^no features/);
  const metres = await placed(33, 7, 32636);
  const utm = JSON.parse(
    (
      await info({
        INFO_FORMAT: 'application/json',
        CRS: 'EPSG:32636',
        BBOX: [metres[0] - 1e5, metres[1] - 1e5, metres[0] + 1e5, metres[1] + 1e5].join(),
        FEATURE_COUNT: 1,
      })
    ).text,
  );
  assert.ok(Math.abs(utm.features[0].geometry.coordinates[0] - metres[0]) < 1, JSON.stringify(utm));
  const legend = await get(
    'wms/demo/scene/?service=WMS&request=GetLegendGraphic&layer=land&format=image/png',
  );
  assert.deepEqual(
    [legend.headers.get('content-type'), (await sharp(legend.bytes).metadata()).width],
    ['image/png', 20],
  );
});

test('GetFeatureInfo finds nothing that the filter of the picture leaves out', async () => {
  const filtered = (filter: string, layers = 'map.all') =>
    info({ CQL_FILTER: filter, QUERY_LAYERS: layers }).then(({ text }) =>
      [...text.matchAll(/^Layer '(.*)'/gm)].map(([, name]) => name),
    );
  assert.deepEqual(await filtered('people > 800000'), ['places', 'land']);
  assert.deepEqual(await filtered('people > 1000000'), ['land']);
  assert.deepEqual(await filtered('people > 1000000', 'land'), ['land']);
  const misspelt = await info({ CQL_FILTER: 'nothing = 1' });
  assert.match(misspelt.text, /code="InvalidParameterValue"/);
});

test('legends: WIDTH and HEIGHT are the size of a sample, RULE is one entry', async () => {
  const legend = (more: string) =>
    get(`wms/demo/scene/?service=WMS&version=1.3.0&request=GetLegendGraphic&format=image/png&layer=${more}`);
  const sizeOf = async (more: string): Promise<[number, number]> => {
    const answer = await legend(more);
    assert.equal(answer.status, 200, answer.text);
    const { width, height } = await sharp(answer.bytes).metadata();
    return [width!, height!];
  };
  assert.deepEqual(await sizeOf('land&width=60&height=40'), [60, 40]);
  assert.deepEqual(await sizeOf('places&WIDTH=48'), [48, 20]);
  // The symbol is in the middle, and as large as fits.
  const { data } = await sharp((await legend('land&width=60&height=40')).bytes)
    .ensureAlpha()
    .extractChannel('alpha')
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([data[20 * 60 + 30]! > 0, data[20 * 60 + 16]! > 0, data[20 * 60 + 4]], [true, true, 0]);
  const classes = ['wood', 'meadow', 'lake'].map((value) => ({ value, color: '#080' }));
  const visualSettings = { type: 2, columnCode: 'kind', classesSettings: { classes } };
  await server.admin('PATCH', '/scene/layers/land/', { visualSettings });
  const [width, height] = await sizeOf('land');
  assert.deepEqual(await sizeOf('land&width=40&height=40'), [width + 20, (height / 26) * 46]);
  assert.deepEqual(await sizeOf('land&width=8&height=8'), [width - 12, height]);
  assert.deepEqual(await sizeOf('land&width=30&height=20&rule=wood'), [30, 20]);
  // QGIS sends the box and the size of its map.
  assert.deepEqual(await sizeOf('land&bbox=1,2,3,4&width=1000&height=900'), [width, height]);
  for (const [more, name] of [
    ['width=0', 'width'],
    ['height=513', 'height'],
    ['width=a', 'width'],
    ['rule=nothing', 'rule'],
  ] as const) {
    const refused = await legend(`land&${more}`);
    assert.equal(refused.status, 400, more);
    assert.match(refused.text, new RegExp(`code="InvalidParameterValue" locator="${name}"`));
  }
  await server.admin('PATCH', '/scene/layers/land/', { visualSettings: null });
  assert.equal((await legend('land&rule=land')).status, 200);
  assert.equal((await legend('land&rule=other')).status, 400);
});

test('the texts of legends', async () => {
  const legend = async (layer: string) =>
    (await get(`wms/demo/scene/?service=WMS&request=GetLegendGraphic&layer=${layer}&format=application/json`))
      .json;
  assert.deepEqual(await legend('land'), {
    Legend: [{ layerName: 'land', title: 'land', rules: [{ title: 'land' }] }],
  });
  const visualSettings = {
    type: 2,
    columnCode: 'kind',
    classesSettings: { classes: [{ value: 'wood', color: '#080' }] },
  };
  await server.admin('PATCH', '/scene/layers/land/', { visualSettings });
  const texts = (await legend('land')).Legend[0].rules.map(({ title }: { title: string }) => title);
  const { classificators } = await server.admin('GET', '/scene/layers/land/legend/');
  assert.deepEqual(
    texts,
    classificators.map(({ label }: { label: string | null }) => label ?? ''),
  );
  await server.admin('PATCH', '/scene/layers/land/', { visualSettings: null });
});

test('what is wrong with a request of WMS is an exception of the standard', async () => {
  for (const [address, code, status = 400] of [
    [wms({ LAYERS: undefined }), 'MissingParameterValue'],
    [wms({ LAYERS: 'nothing' }), 'LayerNotDefined'],
    [wms({ LAYERS: '' }), 'MissingParameterValue'],
    [wms({ STYLES: 'other' }), 'StyleNotDefined'],
    [wms({ CRS: 'EPSG:99999' }), 'InvalidCRS'],
    [wms({ CRS: "EPSG:1'; drop" }), 'InvalidCRS'],
    [wms({ CRS: 'AUTO2:42001,1,0,50' }), 'InvalidCRS'],
    [wms({ VERSION: '1.1.1', SRS: 'x' }), 'InvalidSRS'],
    [wms({ VERSION: '1.0.0' }), 'InvalidParameterValue'],
    [wms({ BBOX: '1,2,3' }), 'InvalidParameterValue'],
    [wms({ BBOX: '1,2,a,4' }), 'InvalidParameterValue'],
    [wms({ BBOX: '5,5,5,9' }), 'InvalidParameterValue'],
    [wms({ BBOX: '9,9,1,1' }), 'InvalidParameterValue'],
    [wms({ BBOX: '1e300,1,1e301,2' }), 'InvalidParameterValue'],
    [wms({ CRS: 'EPSG:25832', BBOX: '9e8,9e8,9.1e8,9.1e8' }), 'InvalidParameterValue'],
    [wms({ WIDTH: 100_000 }), 'InvalidParameterValue'],
    [wms({ WIDTH: -1 }), 'InvalidParameterValue'],
    [wms({ height: 'a' }), 'InvalidParameterValue'],
    [wms({ FORMAT: 'image/tiff' }), 'InvalidFormat'],
    [wms({ TRANSPARENT: 'maybe' }), 'InvalidParameterValue'],
    [wms({ TRANSPARENT: 'FALSE', BGCOLOR: 'red' }), 'InvalidParameterValue'],
    [wms({ DPI: 'x' }), 'InvalidParameterValue'],
    [wms({ FILTER: '<Filter><!DOCTYPE x></Filter>' }), 'InvalidParameterValue'],
    [wms({ CQL_FILTER: 'nothing = 1' }), 'InvalidParameterValue'],
    [wms({ CQL_FILTER: 'lanes >' }), 'InvalidParameterValue'],
    [
      wms({ SLD_BODY: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>' }),
      'OperationNotSupported',
    ],
    [wms({ Request: 'GetFeatureInfo', QUERY_LAYERS: 'land', I: 256, J: 0 }), 'InvalidPoint'],
    [
      wms({ Request: 'GetFeatureInfo', QUERY_LAYERS: 'land', I: 1, J: 1, INFO_FORMAT: 'text/xml' }),
      'InvalidFormat',
    ],
    [
      wms({ Request: 'GetFeatureInfo', LAYERS: image, QUERY_LAYERS: image, I: 1, J: 1 }, 'm'),
      'LayerNotQueryable',
    ],
    [wms({ Request: 'GetLegendGraphic', LAYER: 'lines' }), 'LayerNotDefined'],
    [wms({ Request: 'Nothing' }), 'OperationNotSupported'],
    [wms({ SERVICE: 'WFS' }), 'InvalidParameterValue'],
    [wms({}, 'nothing'), undefined, 404],
  ] as const) {
    const answer = await get(address);
    const named = /<ServiceException(?: code="(\w+)")?[ >]/.exec(answer.text);
    assert.deepEqual([answer.status, named?.[1]], [status, code], `${address}: ${answer.text}`);
    assert.match(answer.headers.get('content-type')!, /^(text\/xml|application\/vnd\.ogc\.se_xml)/);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  }
  // Boxes beyond the world show what lies in them.
  assert.equal((await get(wms({ BBOX: '-60000000,-60000000,60000000,60000000' }))).status, 200);
  assert.equal((await get(wms({ CRS: 'EPSG:4326', BBOX: '-100,-400,100,400' }))).status, 200);
});

test('tilesets describe themselves', async () => {
  const json = async (path: string) => {
    const answer = await get(`ogc/demo/scene/${path}`);
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text);
  };
  for (const [path, dataType, sets] of [
    ['map/tiles', 'map', ['WebMercatorQuad', 'WorldCRS84Quad']],
    ['tiles', 'vector', ['WebMercatorQuad', 'WorldCRS84Quad']],
    ['collections/land/map/tiles', 'map', ['WebMercatorQuad', 'WorldCRS84Quad']],
    ['collections/land/tiles', 'vector', ['WebMercatorQuad', 'WorldCRS84Quad']],
  ] as const) {
    const { tilesets } = await json(path);
    assert.deepEqual(
      tilesets.map((one: { tileMatrixSetURI: string }) => one.tileMatrixSetURI.split('/').at(-1)),
      sets,
    );
    for (const set of sets) {
      const metadata = await json(`${path}/${set}`);
      assert.equal(metadata.dataType, dataType);
      const link = (rel: string) =>
        metadata.links.find((one: { rel: string }) => one.rel === rel).href as string;
      const matrices = JSON.parse(
        (await get(link('http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme').slice(server.url.length + 1)))
          .text,
      ).tileMatrices;
      assert.deepEqual(
        metadata.tileMatrixSetLimits.map((one: { tileMatrix: string }) => one.tileMatrix),
        matrices.map((one: { id: string }) => one.id),
      );
      const { tileMatrix, minTileRow, minTileCol } = metadata.tileMatrixSetLimits[3];
      const address = link('item')
        .replace('{tileMatrix}', tileMatrix)
        .replace('{tileRow}', minTileRow)
        .replace('{tileCol}', minTileCol);
      const item = await get(address.slice(server.url.length + 1));
      assert.equal(item.status, 200, `${address} ${item.text}`);
      for (const page of [path, `${path}/${set}`])
        assert.match((await get(`ogc/demo/scene/${page}?f=html`)).headers.get('content-type')!, /html/);
    }
  }
});

test('a layer of an image is a collection that has a picture and map tiles alone', async () => {
  const { collections } = (await get('ogc/demo/m/collections')).json;
  const ids = collections.map(({ id }: { id: string }) => id);
  assert.deepEqual(ids.toSorted(), [image, 'square'].toSorted());
  const relsOf = ({ links }: any) => links.map(({ rel }: { rel: string }) => rel.split('/').at(-1));
  const own = ['self', 'alternate', 'map', 'tilesets-map'];
  const answer = await get(`ogc/demo/m/collections/${image}`);
  assert.equal(answer.status, 200, answer.text);
  for (const one of [answer.json, collections[ids.indexOf(image)]]) {
    assert.deepEqual([one.id, one.itemType, relsOf(one)], [image, undefined, own]);
    const extent = one.extent.spatial.bbox[0].map((edge: number) => Math.round(edge * 1e4) / 1e4);
    assert.deepEqual(extent, [14, 50, 18, 54]);
    for (const { href } of one.links)
      assert.equal((await get(href.slice(server.url.length + 1))).status, 200, href);
  }
  assert.match((await get(`ogc/demo/m/collections/${image}?f=html`)).text, /<h2>Map<\/h2>/);
  for (const end of ['items', 'items/1', 'queryables', 'sortables', 'schema', 'items?f=csv']) {
    const refused = await get(`ogc/demo/m/collections/${image}/${end}`);
    assert.equal(refused.status, 404, refused.text);
    assert.match(refused.json.detail, /has no features: it is a layer of type raster/, end);
  }
  const body = { type: 'Feature', properties: {}, geometry: null };
  const token = server.adminToken;
  const items = `//ogc/demo/m/collections/${image}/items`;
  for (const [method, path] of [
    ['POST', items],
    ['PUT', `${items}/1`],
    ['DELETE', `${items}/1`],
  ] as const) {
    const sent = method === 'DELETE' ? {} : { body };
    assert.equal((await server.request(method, path, { ...sent, token })).status, 404, method);
  }
  // A caller who may not view the layer learns nothing of it, and WFS has no type of it.
  assert.doesNotMatch((await get('wfs/demo/m?service=WFS&request=GetCapabilities')).text, new RegExp(image));
  await server.admin('PUT', `/m/layers/${image}/rights/`, { user: 'public', right: 'none' });
  const hidden = await get(`ogc/demo/m/collections/${image}`);
  assert.deepEqual([hidden.status, hidden.json.detail], [404, `The layer '${image}' does not exist`]);
  assert.equal((await get('ogc/demo/m/collections')).json.collections.length, 1);
  await server.admin('PUT', `/m/layers/${image}/rights/`, { user: 'public', right: 'view' });
});

test('what is wrong with tiles and pictures is told as a problem', async () => {
  const picture = await get('ogc/demo/scene/map?f=jpeg');
  const { width, height, format } = await sharp(picture.bytes).metadata();
  assert.deepEqual([format, Math.max(width!, height!)], ['jpeg', 1024]);
  for (const [path, status, name] of [
    ['map/tiles/Nothing', 404],
    ['tiles/EPSG25832', 404],
    ['map/tiles/EPSG99999', 404],
    ['map/tiles/EPSG4326', 404],
    ['map/tiles/WebMercatorQuad/3/8/0', 404],
    ['map/tiles/WorldCRS84Quad/25/0/0', 404],
    ['map/tiles/WebMercatorQuad/a/0/0', 404],
    ['map/tiles/WebMercatorQuad/0/0/0?collections=nothing', 400, 'collections'],
    ['map/tiles/WebMercatorQuad/0/0/0?filter=lanes', 400, 'filter'],
    ['map/tiles/WebMercatorQuad/0/0/0?nothing=1', 400, 'nothing'],
    ['map?bbox=1,2,3', 400, 'bbox'],
    ['map?bbox=1,2,1,2', 400, 'bbox'],
    ['map?bbox=1,2,3,4&crs=EPSG:99999', 400, 'crs'],
    ['map?bbox=1,2,3,4&bbox-crs=x', 400, 'bbox-crs'],
    ['map?bbox=1,2,3,4&width=0', 400, 'width'],
    ['map?bbox=1,2,3,4&width=5000', 400, 'width'],
    ['map?bbox=1,2,1.001,3&width=99', 400, 'height'],
    ['map?bgcolor=blueish', 400, 'bgcolor'],
    ['map?f=gif', 400, 'f'],
    ['collections/nothing/tiles', 404],
  ] as const) {
    const answer = await get(`ogc/demo/scene/${path}`, { headers: { accept: 'application/json' } });
    assert.equal(answer.status, status, `${path}: ${answer.text.slice(0, 300)}`);
    const { data } = JSON.parse(answer.text);
    if (name) assert.deepEqual(data.parameters, [name], answer.text);
  }
});

const run = promisify(execFile);
const withoutGdal = await run('gdal_translate', ['--version']).then(
  () => false,
  () => 'GDAL is not installed',
);

test('GDAL draws by WMS', { skip: withoutGdal }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'maps-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const env = { ...process.env, GDAL_ENABLE_WMS_CACHE: 'NO', HOME: folder };
  const service = `WMS:${server.url}/wms/demo/scene/?SERVICE=WMS&VERSION=1.1.1`;
  const { stdout } = await run('gdalinfo', [`${service}&REQUEST=GetCapabilities`], { env });
  for (const layer of ['map.all', 'places', 'roads', 'land'])
    assert.ok(stdout.includes(`LAYERS=${layer}&`), stdout);
  const half = 20_037_508.342789244;
  const place = ['-projwin', '0', String(half / 4), String(half / 4), '0', '-outsize', '256', '256'];
  const byWms = `${service}&REQUEST=GetMap&LAYERS=map.all&SRS=EPSG:3857&FORMAT=image/png&BBOX=${-half},${-half},${half},${half}`;
  const pixels = (bytes: Buffer): Promise<Buffer> =>
    sharp(bytes).flatten({ background: '#fff' }).raw().toBuffer();
  const file = join(folder, 'tile.png');
  await run('gdal_translate', ['-q', '-of', 'PNG', ...place, byWms, file], { env });
  const [read, own] = [
    await pixels(await readFile(file)),
    await pixels((await tile(server, 'scene', [3, 4, 4])).bytes),
  ];
  const error = read.reduce((sum, value, i) => sum + Math.abs(value - own[i]!), 0) / own.length;
  // GDAL asks for larger pieces, whose labels may lie elsewhere.
  assert.ok(error < 2, `mean difference ${error}`);
});
