import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { PNG } from 'pngjs';
import { assertPicture } from '../pictures/compare.js';
import { startServer, type TestServer } from '../support/server.js';
import { tile } from './scene.js';
import { makeWorld } from './world.js';

let server: TestServer;
before(async () => {
  server = await startServer();
  await makeWorld(server);
});
after(() => server?.stop());

const set = (layer: string, visualSettings: object) =>
  server.admin('PATCH', `/world/layers/${layer}/`, { visualSettings });
const ids = new Map<string, number>();
async function idOf(layer: string): Promise<number> {
  const known = ids.get(layer) ?? (await server.admin('GET', `/world/layers/${layer}/`)).id;
  ids.set(layer, known);
  return known;
}

/** A tile of Africa and Arabia: the named layers above the background. */
async function picture(
  layers: readonly string[],
  at: readonly [number, number, number] = [3, 4, 4],
): Promise<Buffer> {
  const drawn = await Promise.all(layers.map(idOf));
  const { status, bytes, text } = await tile(server, 'world', at, `layers=${drawn}&retina=2`);
  assert.equal(status, 200, text);
  return bytes;
}

type Place = readonly [z: number, x: number, y: number];
const asia: Place = [2, 3, 2];
const pictures: [name: string, layer: string, settings: object, at?: Place][] = [
  ['thematic', 'countries', { type: 1, columnCode: 'area', algorithm: 2 }],
  [
    'thematic-text',
    'countries',
    {
      type: 1,
      columnCode: 'area',
      algorithm: 3,
      classesCount: 4,
      classesSettings: { minColor: '#fef0d9', midColor: '#fc8d59', maxColor: '#990000' },
      borderSettings: { color: '#666666', width: 1, pattern: 'dash' },
      showText: true,
      textSettings: { column: 'name', fontSize: 12 },
    },
  ],
  [
    'thematic-lines',
    'routes',
    {
      type: 1,
      columnCode: 'load',
      classesCount: 3,
      classesSettings: {
        lineWidth: 4,
        minColor: '#2166ac',
        midColor: '#f7f7f7',
        maxColor: '#b2182b',
        opacity: 1,
      },
      borderSettings: { color: '#444444', width: 1 },
    },
    asia,
  ],
  [
    'thematic-points',
    'cities',
    { type: 1, columnCode: 'population', algorithm: 3, pointSettings: { sizeEnabled: true, size: 8 } },
  ],
  ['categories', 'countries', { type: 2, columnCode: 'first', classesCount: 12 }],
  [
    'bubble',
    'cities',
    {
      type: 3,
      columnCode: 'population',
      showText: true,
      textSettings: { column: 'name' },
      classesSettings: { pointSizeMin: 2, pointSizeMax: 50 },
    },
  ],
  [
    'pie',
    'countries',
    {
      type: 4,
      classesSettings: { columns: [{ code: 'field' }, { code: 'wood' }, { code: 'change' }], sizeType: 2 },
    },
  ],
  [
    'pie-apart',
    'countries',
    {
      type: 4,
      showText: true,
      textSettings: { column: 'name' },
      classesSettings: {
        columns: [
          { code: 'field', color: '#e9c46a' },
          { code: 'wood', color: '#2a9d8f' },
        ],
        sizeType: 3,
        sizeColumnCode: 'area',
        sizeFrom: 16,
        sizeTo: 50,
        allowOverlap: false,
      },
    },
  ],
  [
    'bar',
    'countries',
    {
      type: 5,
      classesSettings: {
        columns: [{ code: 'field', label: 'Fields' }, { code: 'wood' }, { code: 'change' }],
        sizeType: 3,
        sizeColumnCode: 'area',
        showScale: true,
        allowOverlap: false,
      },
    },
  ],
  [
    'line',
    'countries',
    {
      type: 6,
      classesSettings: {
        columns: [{ code: 'field' }, { code: 'wood' }, { code: 'change' }],
        sizeType: 2,
        showScale: true,
        allowOverlap: false,
      },
    },
  ],
  ['heat', 'cities', { type: 7 }, asia],
  [
    'heat-weighted',
    'cities',
    {
      type: 7,
      classesSettings: {
        useWeight: true,
        useWeightField: 'population',
        markerSizeType: 'field',
        markerSizeField: 'population',
        colors: ['#2166ac', '#f7f7f7', '#b2182b'],
        layerOpacity: 1,
      },
    },
  ],
  ['bubble-areas', 'countries', { type: 3, columnCode: 'area' }],
];
for (const [name, layer, settings, at] of pictures) {
  test(`picture of a visualization: ${name}`, async () => {
    await set(layer, settings);
    assertPicture(`visual-${name}`, await picture([layer], at));
  });
}

/** The colours of a picture as #rrggbb, without transparent pixels. */
function colorsOf(bytes: Buffer): Set<string> {
  const { data } = PNG.sync.read(bytes);
  const colors = new Set<string>();
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 3] === 255) colors.add(`#${data.subarray(i, i + 3).toString('hex')}`);
  return colors;
}

/** A row of `count` adjacent areas, each of whole pixels of the tile 0/0/0. */
const strip = (i: number, count: number) => {
  const [west, east] = [i, i + 1].map((at) => (360 * Math.round((256 * at) / count)) / 256 - 180);
  const ring = [
    [west, -85.06],
    [east, -85.06],
    [east, 85.06],
    [west, 85.06],
    [west, -85.06],
  ];
  return { type: 'Polygon', coordinates: [ring] };
};

test('drawn colours and classes of the legend are the same', async () => {
  const count = 60;
  const features = Array.from({ length: count }, (_, i) => ({
    type: 'Feature',
    properties: { v: i % 20 === 3 ? null : ((i * 37) % 101) / 3 - 10, k: `kind ${(i * i) % 17}` },
    geometry: strip(i, count),
  }));
  await server.admin('POST', '/', { code: 'strips', css_style: '' });
  await server.admin('POST', '/strips/layers/', { code: 'l' });
  await server.admin('POST', '/strips/layers/l/import/', { type: 'FeatureCollection', features });
  const kinds = [
    ...[1, 2, 3].map((algorithm) => ({ type: 1, columnCode: 'v', algorithm, classesCount: 7 })),
    { type: 2, columnCode: 'k', classesCount: 14 },
  ];
  for (const kind of kinds) {
    await server.admin('PATCH', '/strips/layers/l/', {
      visualSettings: { ...kind, showBorder: false, classesSettings: { opacity: 1 } },
    });
    const { classificators } = await server.admin('GET', '/strips/layers/l/legend/');
    const shown = new Set(classificators.filter((one: any) => one.count).map(({ fill }: any) => fill));
    const { bytes } = await tile(server, 'strips', [0, 0, 0], 'base=0');
    assert.deepEqual([...colorsOf(bytes)].sort(), [...shown].sort(), JSON.stringify(kind));
    // Under a filter the classes stay, with the numbers and the colours of the objects that meet it.
    const filter = encodeURIComponent('v > 10');
    const some = await server.admin('GET', `/strips/layers/l/legend/?filter=${filter}`);
    const part = await tile(server, 'strips', [0, 0, 0], `base=0&filter=${filter}`);
    const ofSome = some.classificators.filter((one: any) => one.count).map(({ fill }: any) => fill);
    assert.equal(some.count, features.filter(({ properties: { v } }) => v !== null && v > 10).length);
    assert.deepEqual(
      [...colorsOf(part.bytes)].sort(),
      [...new Set<string>(ofSome)].sort(),
      JSON.stringify(kind),
    );
    assert.deepEqual(
      some.classificators.map(({ value }: any) => value),
      classificators.map(({ value }: any) => value),
    );
    const failing = encodeURIComponent('v * 1e308 * 1e308 > 0');
    const failed = await server.request('GET', `/strips/layers/l/legend/?filter=${failing}`, {
      headers: { accept: 'application/json' },
      token: server.adminToken,
    });
    assert.deepEqual(
      [failed.status, failed.json.code, failed.json.data.parameters],
      [400, 'bad_request', ['filter']],
    );
  }
});

for (const [layer, settings] of [
  ['cities', { type: 3, columnCode: 'population' }],
  ['countries', { type: 2, columnCode: 'first' }],
  ['routes', { type: 1, columnCode: 'load' }],
  ['cities', { type: 7 }],
  ...([4, 5, 6] as const).map(
    (type) =>
      [
        'countries',
        { type, classesSettings: { columns: [{ code: 'field' }, { code: 'wood' }, { code: 'area' }] } },
      ] as const,
  ),
] as const)
  test(`the icon of a visualization of the type ${settings.type}`, async () => {
    await set(layer, settings);
    const { status, bytes } = await server.request('GET', `/world/layers/${layer}/icon/?size=64`);
    assert.equal(status, 200);
    assertPicture(`visual-icon-${settings.type}`, bytes);
  });

test('a heat map has no seams, keeps its place between layers, and is the same alone and in a block', async () => {
  await set('cities', { type: 7, classesSettings: { markerSize: 30, layerOpacity: 1 } });
  const [cities, countriesId] = [await idOf('cities'), await idOf('countries')];
  const at = (x: number, layers = `${cities}`) => tile(server, 'world', [4, x, 9], `base=0&layers=${layers}`);
  const block = [(await at(8)).bytes, (await at(9)).bytes].map((bytes) => PNG.sync.read(bytes));
  await server.admin('PATCH', '/world/layers/cities/', { render_settings: { cache: false } });
  const alone = [(await at(8)).bytes, (await at(9)).bytes].map((bytes) => PNG.sync.read(bytes));
  await server.admin('PATCH', '/world/layers/cities/', { render_settings: {} });
  for (const [i, one] of alone.entries()) assert.ok(one.data.equals(block[i]!.data), `tile ${i}`);
  // The step between two tiles is no larger than the steps within them.
  const [left, right] = [alone[0]!, alone[1]!];
  const step = (a: PNG, ax: number, b: PNG, bx: number): number => {
    let most = 0;
    for (let y = 0; y < 256; y++)
      for (let c = 0; c < 4; c++)
        most = Math.max(most, Math.abs(a.data[4 * (256 * y + ax) + c]! - b.data[4 * (256 * y + bx) + c]!));
    return most;
  };
  const within = Math.max(...Array.from({ length: 40 }, (_, i) => step(left, 200 + i, left, 201 + i)));
  assert.ok(step(left, 255, right, 0) <= within + 2, `${step(left, 255, right, 0)} by ${within}`);
  const [above, below] = [await at(8, `${countriesId},${cities}`), await at(8, `${cities},${countriesId}`)];
  assert.equal(above.status, 200);
  assert.notDeepEqual(above.bytes, below.bytes, 'the order of layers counts');
});

test('weights below a given limit count nothing, whatever the data has', async () => {
  const weighted = (weightNormalizeMin: number | null, weightNormalizeMax: number | null) =>
    set('cities', {
      type: 7,
      classesSettings: {
        useWeight: true,
        useWeightField: 'population',
        weightNormalize: true,
        weightNormalizeMin,
        weightNormalizeMax,
      },
    });
  const isEmpty = async () => {
    const { bytes } = await tile(server, 'world', [3, 4, 4], `base=0&layers=${await idOf('cities')}`);
    return PNG.sync.read(bytes).data.every((byte) => byte === 0);
  };
  await weighted(1e12, null);
  assert.equal(await isEmpty(), true, 'all are below');
  await weighted(null, -1);
  assert.equal(await isEmpty(), false, 'all are above');
});

test('an object of several kinds of geometry is drawn: by default, in a simple style, in its class', async () => {
  await server.admin('POST', '/', { code: 'several' });
  await server.admin('POST', '/several/layers/', { code: 'l' });
  const geometries = [
    { type: 'Point', coordinates: [-120, 20] },
    {
      type: 'LineString',
      coordinates: [
        [-60, -60],
        [-20, 60],
      ],
    },
    {
      type: 'Polygon',
      coordinates: [
        [
          [40, 0],
          [40, 50],
          [120, 50],
          [120, 0],
          [40, 0],
        ],
      ],
    },
  ];
  await server.admin('POST', '/several/layers/l/import/', {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: { v: 1 }, geometry: { type: 'GeometryCollection', geometries } },
    ],
  });
  // Pixels of the tile 0/0/0: on the point, on the line, in the polygon, and on the background.
  const places = [
    [43, 113],
    [100, 128],
    [185, 108],
    [230, 200],
  ];
  const simple = { stroke: '#123456', fill: '#fedcba', marker: { shape: 'circle', color: '#123456' } };
  for (const change of [{}, { simpleStyle: simple }, { visualSettings: { type: 1, columnCode: 'v' } }]) {
    await server.admin('PATCH', '/several/layers/l/', change);
    const { bytes } = await tile(server, 'several', [0, 0, 0], 'base=0');
    const { data } = PNG.sync.read(bytes);
    const drawn = places.map(([x, y]) => data[4 * (256 * y! + x!) + 3]! > 0);
    assert.deepEqual(drawn, [true, true, true, false], JSON.stringify(change));
  }
});
