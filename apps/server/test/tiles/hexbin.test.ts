import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import { compactNumber } from '@cartulary/visualizations/internal/style/labels.js';
import { PNG } from 'pngjs';
import { assertPicture, colorAt, pixel } from '../pictures/compare.js';
import { binned, hexagonOf, latitude, mapY, middle, numbers, widthOf } from '../support/hexagons.js';
import { freshCode, startServer, type TestServer } from '../support/server.js';
import { tile } from './scene.js';
import { makeWorld } from './world.js';

let server: TestServer;
const ids = new Map<string, number>();
const columns = new Map<string, number>();
before(async () => {
  server = await startServer();
  await makeWorld(server);
  for (const layer of ['cities', 'routes', 'countries']) {
    ids.set(layer, (await server.admin('GET', `/world/layers/${layer}/`)).id);
    for (const { code, id } of await server.admin('GET', `/world/layers/${layer}/structure/`))
      columns.set(`${layer}.${code}`, id);
  }
});
after(() => server?.stop());

const uuid = '6f1c2a52-8d0b-4c3e-9b57-2f1f0c9a7e11';
const set = (path: string, settings: object, column?: number) =>
  server.admin('PATCH', path, {
    visualCustomSettings: {
      type: 'hexbin',
      columns: column === undefined ? {} : { [uuid]: column },
      settings: column === undefined ? settings : { column: uuid, ...settings },
    },
  });

type Place = readonly [z: number, x: number, y: number];
const africa: Place = [3, 4, 4];
/** The last layer is on top and has the hexagons. */
const pictures: [name: string, layers: string[], column: string | undefined, settings: object, at: Place][] =
  [
    ['cells', ['countries', 'cities'], undefined, { zoom: 3, cellSize: 20 }, africa],
    [
      'cells-values',
      ['cities'],
      'population',
      { zoom: 3, cellSize: 48, aggregate: 'sum', showValues: true, gap: 2, algorithm: 3, opacity: 1 },
      africa,
    ],
    [
      'cells-border',
      ['routes', 'countries'],
      'area',
      {
        zoom: 2,
        cellSize: 28,
        aggregate: 'mean',
        classesCount: 4,
        colors: ['#fee5d9', '#fb6a4a', '#99000d'],
        opacity: 0.6,
        borderSettings: { color: '#67000d', width: 2, opacity: 0.5 },
        showValues: true,
        textSettings: { fontSize: 14, fontFamily: 'DejaVu Sans Bold' },
      },
      africa,
    ],
    ['cells-merged', ['cities'], undefined, { zoom: 6, cellSize: 20 }, [2, 2, 2]],
  ];
for (const [name, layers, column, settings, at] of pictures)
  test(`picture of hexagons: ${name}`, async () => {
    const layer = layers.at(-1)!;
    await set(
      `/world/layers/${layer}/`,
      settings,
      column === undefined ? undefined : columns.get(`${layer}.${column}`),
    );
    const drawn = layers.map((code) => ids.get(code));
    const { status, bytes, text } = await tile(server, 'world', at, `layers=${drawn}&retina=2`);
    assert.equal(status, 200, text);
    assertPicture(`visual-${name}`, bytes);
  });

test('the icon of a layer of hexagons, in all sizes', async () => {
  await set('/world/layers/cities/', { gap: 1 });
  for (const size of [16, 64, 512]) {
    const { status, bytes } = await server.request('GET', `/world/layers/cities/icon/?size=${size}`);
    assert.equal(status, 200);
    const { width, height } = PNG.sync.read(bytes);
    assert.deepEqual([width, height], [size, size]);
    if (size === 64) assertPicture('visual-icon-hexbin', bytes);
  }
  await server.admin('POST', '/world/layers/', { code: 'empty' });
  await set('/world/layers/empty/', {});
  const { bytes } = await server.request('GET', '/world/layers/empty/icon/?size=64');
  assert.notEqual(colorAt(bytes, 32, 32), 'clear', 'a layer without objects has an icon');
});

interface Thing {
  x: number;
  /** Degrees on the map. */
  y: number;
  v: number;
}

/** Makes a map with a layer `l` of points with the number `v`. */
async function layerOf(things: readonly Thing[]): Promise<{ map: string; path: string; v: number }> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map, css_style: '' });
  const path = `/${map}/layers/l/`;
  await server.admin('POST', `/${map}/layers/`, { code: 'l', render_settings: { cache: false } });
  const features = things.map(({ x, y, v }) => ({
    type: 'Feature',
    properties: { v },
    geometry: { type: 'Point', coordinates: [x, latitude(y)] },
  }));
  await server.admin('POST', `${path}import/`, { type: 'FeatureCollection', features });
  const found: { code: string; id: number }[] = await server.admin('GET', `${path}structure/`);
  return { map, path, v: found.find(({ code }) => code === 'v')?.id ?? 0 };
}

/** Clusters of points around the middle of the map, and some distant points. */
function scattered(count: number): Thing[] {
  const random = numbers(5);
  return Array.from({ length: count }, (_, i) => {
    const far = i % 5 === 0 ? 150 : 40;
    return {
      x: (random() - 0.5) * far * random(),
      y: (random() - 0.5) * far * random(),
      v: Math.round(100 * random()),
    };
  });
}

/** The mean value of each cell at a zoom level by `i,j`, and the width of the cells. */
function drawnCells(things: readonly Thing[], size: number, zoom: number, z: number) {
  const own = widthOf(size, zoom);
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
  const cells = new Map([...binned(things, own)].map(([key, list]) => [key, mean(list.map(({ v }) => v))]));
  let factor = 1;
  while ((own * factor * 256 * 2 ** z) / 360 < 4) factor *= 2;
  if (factor === 1) return { width: own, cells };
  const width = own * factor;
  const wide = new Map<string, number[]>();
  for (const [key, value] of cells) {
    const [i, j] = key.split(',').map(Number) as [number, number];
    const at = hexagonOf(middle(i, j, own), width);
    wide.set(at, [...(wide.get(at) ?? []), value]);
  }
  return { width, cells: new Map([...wide].map(([key, values]) => [key, mean(values)])) };
}

/** The pixel of a place on the map, from the north-western corner of the world. */
const pixelOf = ({ x, y }: { x: number; y: number }, z: number): [number, number] => {
  const perDegree = (256 * 2 ** z) / 360;
  return [Math.floor((x + 180) * perDegree), Math.floor((180 - y) * perDegree)];
};

test('each cell has the colour of its value in the legend at each zoom level; places without cells stay empty', async () => {
  const things = scattered(4000);
  const { map, path, v } = await layerOf(things);
  const limits = [0, 20, 40, 45, 50, 55, 60, 100];
  const [size, zoom] = [16, 5];
  await set(
    path,
    { zoom, cellSize: size, aggregate: 'mean', limits, opacity: 1, showBorder: false, gap: 0 },
    v,
  );
  const { classificators } = await server.admin('GET', `${path}legend/`);
  for (const z of [7, 5, 4, 3, 2, 1, 0]) {
    const { width, cells } = drawnCells(things, size, zoom, z);
    const half = 2 ** z / 2;
    const tiles =
      z === 0
        ? [[0, 0]]
        : [
            [half, half],
            [half - 1, half],
            [half, half - 1],
          ];
    let seen = 0;
    const reach = Math.ceil((360 * 1.5) / 2 ** z / width);
    for (const [tx, ty] of tiles as [number, number][]) {
      // Requests count rows from the south, this test from the north.
      const { status, bytes } = await tile(server, map, [z, tx, 2 ** z - 1 - ty], 'base=0');
      assert.equal(status, 200);
      const drawn = PNG.sync.read(bytes);
      for (let i = -2 * reach; i <= 2 * reach; i++)
        for (let j = -2 * reach; j <= 2 * reach; j++) {
          if ((i + j) % 2 !== 0) continue;
          const [px, py] = pixelOf(middle(i, j, width), z);
          const [x, y] = [px - 256 * tx, py - 256 * ty];
          if (x < 1 || y < 1 || x > 254 || y > 254) continue;
          const value = cells.get(`${i},${j}`);
          const at = 4 * (256 * y + x);
          const shown = drawn.data[at + 3] ? `#${drawn.data.subarray(at, at + 3).toString('hex')}` : 'clear';
          const inClass = limits.slice(1, -1).filter((limit) => value! >= limit).length;
          const expected = value === undefined ? 'clear' : classificators[inClass].fill;
          assert.equal(shown, expected, `zoom level ${z}, tile ${tx} ${ty}, cell ${i} ${j}: ${value}`);
          seen += value === undefined ? 0 : 1;
        }
    }
    assert.ok(seen > 20, `${seen} cells at ${z}`);
  }
});

/** Colours weighted by alpha: the colour of a nearly transparent pixel is arbitrary. */
const visible = (rgba: Uint8Array): number[] =>
  Array.from(rgba, (value, i) => (i % 4 === 3 ? value : (value * rgba[i | 3]!) / 255));

test('single tiles equal one picture of all: cells continue across borders with one value', async () => {
  const { map, path, v } = await layerOf(scattered(2500));
  for (const [z, settings] of [
    [
      3,
      {
        zoom: 3,
        cellSize: 37,
        showValues: true,
        borderSettings: { width: 3 },
        textSettings: { fontSize: 9 },
      },
    ],
    [5, { zoom: 1, cellSize: 50, showValues: true, gap: 4 }],
    [6, { zoom: 1, cellSize: 50, algorithm: 1, classesCount: 20 }],
    [3, { zoom: 6, cellSize: 15 }],
    [2, { zoom: 9, cellSize: 24 }],
  ] as const) {
    await set(path, { aggregate: 'sum', ...settings }, v);
    const [x, y] = [2 ** (z - 1), 2 ** (z - 1)];
    const at = async (dx: number, dy: number) =>
      PNG.sync.read((await tile(server, map, [z, x + dx, y + dy], 'base=0')).bytes);
    const places = [
      [-1, -1],
      [-1, 0],
      [0, -1],
      [0, 0],
    ] as const;
    // One after the other: concurrent requests would be drawn together.
    const alone: PNG[] = [];
    for (const [dx, dy] of places) alone.push(await at(dx, dy));
    await server.admin('PATCH', path, { render_settings: { cache: true } });
    const block = await Promise.all(places.map(([dx, dy]) => at(dx, dy)));
    await server.admin('PATCH', path, { render_settings: { cache: false } });
    for (const [i, one] of alone.entries()) {
      // Except antialiasing at slanted edges and in letters, whose positions are fractions of a pixel.
      const [own, other] = [visible(one.data), visible(block[i]!.data)];
      const most = own.reduce((worst, value, at) => Math.max(worst, Math.abs(value - other[at]!)), 0);
      assert.ok(most <= 10, `${JSON.stringify(settings)}: tile ${places[i]} by ${most}`);
      assert.ok(
        one.data.some((value) => value > 0),
        `${JSON.stringify(settings)}: tile ${places[i]} is empty`,
      );
    }
  }
});

test('every colour of the cells is in the legend, and every class that has objects is drawn', async () => {
  const { map, path } = await layerOf(scattered(1500));
  for (const algorithm of [1, 2, 3]) {
    await set(path, { zoom: 4, cellSize: 24, algorithm, opacity: 1, showBorder: false, gap: 4 });
    const { classificators } = await server.admin('GET', `${path}legend/`);
    const { bytes } = await tile(server, map, [2, 2, 2], 'base=0&retina=2');
    const { data } = PNG.sync.read(bytes);
    const seen = new Map<string, number>();
    for (let i = 0; i < data.length; i += 4) {
      const color = `#${data.subarray(i, i + 3).toString('hex')}`;
      if (data[i + 3] === 255) seen.set(color, (seen.get(color) ?? 0) + 1);
    }
    const legend = new Set(classificators.map(({ fill }: { fill: string }) => fill));
    assert.deepEqual(
      [...seen.keys()].filter((color) => !legend.has(color)),
      [],
      `algorithm ${algorithm}`,
    );
    assert.ok(seen.size > 2);
  }
});

test('objects at the poles belong to cells at the edge of the map; a cell across 180° ends there', async () => {
  const { map, path } = await layerOf([]);
  for (const [x, y] of [
    [0, 89.9],
    [0, -90],
    [180, 0],
    [-180, 30],
  ])
    await server.admin('POST', `${path}objects/`, {
      fields: {},
      geom: { type: 'Point', coordinates: [x, y] },
    });
  await set(path, {
    zoom: 0,
    cellSize: 32,
    opacity: 1,
    showBorder: false,
    limits: [0, 1],
    colors: ['#123456', '#123456'],
  });
  const { classificators } = await server.admin('GET', `${path}legend/`);
  assert.deepEqual(
    classificators.map(({ count }: { count: number }) => count),
    [4, 0],
  );
  const { bytes } = await tile(server, map, [0, 0, 0], 'base=0');
  const colors = [
    [128, 1],
    [128, 254],
    [254, 128],
    [1, Math.round(128 - (mapY(30) * 256) / 360)],
    [64, 128],
  ].map(([x, y]) => colorAt(bytes, x, y));
  assert.deepEqual(colors, ['#123456', '#123456', '#123456', '#123456', 'clear']);
});

test('a cell is filled with its colour at deep zoom levels, and has its border', async () => {
  const { map, path } = await layerOf([{ x: 0.1, y: 0.1, v: 1 }]);
  await set(path, {
    zoom: 2,
    cellSize: 64,
    opacity: 1,
    limits: [0, 5],
    colors: ['#225588', '#225588'],
    borderSettings: { color: '#ff0000', width: 8 },
  });
  for (const z of [6, 12, 18, 24]) {
    const half = 2 ** z / 2;
    const { status, bytes } = await tile(server, map, [z, half, half], 'base=0');
    assert.deepEqual([status, colorAt(bytes, 10, 200)], [200, '#225588'], `zoom level ${z}`);
    // Half a width (11.25°) east of the middle: a side of the cell.
    const [px] = pixelOf({ x: 11.25, y: 0 }, z);
    const edge = await tile(server, map, [z, Math.floor(px / 256), half], 'base=0');
    const at = px % 256;
    assert.equal(colorAt(edge.bytes, at, 250), '#ff0000', `zoom level ${z}`);
    assert.equal(pixel(edge.bytes, Math.min(255, at + 12), 250)[3], 0);
  }
});

test('a limited palette, a feature sheet and vector tiles of a layer of hexagons', async () => {
  const { map, path } = await layerOf(scattered(200));
  await set(path, { zoom: 3, showValues: true });
  const limited = await tile(server, map, [2, 2, 2], 'base=0&palette=1');
  assert.equal(limited.status, 200);
  const [object] = await server.admin('GET', `${path}objects/?limit=1`);
  const asAdmin = { token: server.adminToken };
  const sheet = await server.request('GET', `${path}objects/${object.id}/?f=pdf`, asAdmin);
  assert.deepEqual([sheet.status, sheet.headers.get('content-type')], [200, 'application/pdf']);
  const vectors = await server.request('GET', `//mvt/demo/${map}/2/2/1.pbf`, asAdmin);
  assert.deepEqual([vectors.status, vectors.bytes.length > 100], [200, true]);
});

test('values as labels: three digits, in thousands, millions and so on', async () => {
  const labels: [number, string][] = [
    [0, '0'],
    [7, '7'],
    [57, '57'],
    [999, '999'],
    [1000, '1k'],
    [1234, '1.23k'],
    [56_789, '56.8k'],
    [999_400, '999k'],
    [1_240_000, '1.24M'],
    [3e9, '3G'],
    [4.56e12, '4.56T'],
    [7e15, '7000T'],
    [-1234.5, '-1.23k'],
    [0.25, '0.25'],
    [0.001234, '0.00123'],
    [2.5, '2.5'],
    [99.96, '100'],
  ];
  for (const [value, label] of labels) {
    const [row] = await server.db.query<{ label: string; russian: string }>(
      sql`select ${compactNumber(sql`${value}::double precision`, 'en')} as label, ${compactNumber(sql`${value}::double precision`, 'ru')} as russian`,
    );
    assert.deepEqual([row!.label, row!.russian], [label, label.replace('.', ',')], `${value}`);
  }
});
