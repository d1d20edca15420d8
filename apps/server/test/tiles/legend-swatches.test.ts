import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { PNG } from 'pngjs';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';
import { box } from './colors.js';

let server: TestServer;
before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'swatches', css_style: 'Map { background-color: #ffffff; }' });
  for (const kind of Object.keys(geometries) as Kind[]) ids[kind] = await makeLayer(kind);
});
after(() => server?.stop());

const geometries = {
  areas: (i: number) => box(-170 + i * 80, -60, -110 + i * 80, 60),
  lines: (i: number) => ({
    type: 'LineString',
    coordinates: [
      [-170 + i * 80, 0],
      [-110 + i * 80, 0],
    ],
  }),
  points: (i: number) => ({ type: 'Point', coordinates: [-140 + i * 80, 0] }),
} as const;
type Kind = keyof typeof geometries;

/** A layer of four objects in a row; the last has no value. */
async function makeLayer(kind: Kind): Promise<number> {
  const { id } = await server.admin('POST', '/swatches/layers/', { code: kind });
  const values = [10, 20, 30, null];
  const features = values.map((n, i) => ({
    type: 'Feature',
    geometry: geometries[kind](i),
    properties: { n, kind: n === null ? null : `k${i}`, m: n === null ? null : 40 - n },
  }));
  await server.admin('POST', `/swatches/layers/${kind}/import/`, { type: 'FeatureCollection', features });
  return id;
}

const ids: Partial<Record<Kind, number>> = {};

const set = (kind: Kind, visualSettings: object) =>
  server.admin('PATCH', `/swatches/layers/${kind}/`, { visualSettings });
const ask = (kind: Kind, entry: number | string, query = ''): Promise<TestAnswer> =>
  server.request('GET', `/swatches/layers/${kind}/legend/${entry}/icon/?${query}`);
const swatch = async (kind: Kind, entry: number, size: number): Promise<PNG> => {
  const { status, bytes, text } = await ask(kind, entry, `size=${size}`);
  assert.equal(status, 200, text);
  return PNG.sync.read(bytes);
};
const tile = async (kind: Kind): Promise<PNG> => {
  const { status, bytes, text } = await server.request(
    'GET',
    `//tms/demo/swatches/?z=0&x=0&y=0&retina=4&layers=${ids[kind]}`,
  );
  assert.equal(status, 200, text);
  return PNG.sync.read(bytes);
};

type Color = [number, number, number];
/** A pixel on white. */
function colorAt({ data, width }: PNG, x: number, y: number): Color {
  const at = 4 * (Math.round(y) * width + Math.round(x));
  const part = data[at + 3]! / 255;
  return [0, 1, 2].map((i) => Math.round(255 + (data[at + i]! - 255) * part)) as Color;
}
const differ = (a: Color, b: Color): number => Math.max(...a.map((one, i) => Math.abs(one - b[i]!)));

/** The middle of an object on the tile of zoom level 0, whose side is 1024 pixels. */
const columnOf = (i: number): number => ((40 + i * 80) / 360) * 1024;
/** A point of every swatch that shows its class, in parts of its side: a line rises through 0.5, 0.5. */
const middle = 0.5;

const look = { pointSettings: { sizeEnabled: true, size: 30 } };
const cases: [what: string, kind: Kind, settings: object][] = (
  [
    ['thematic', { type: 1, columnCode: 'n', classesCount: 3, classesSettings: { lineWidth: 12 }, ...look }],
    [
      'categories',
      {
        type: 2,
        columnCode: 'kind',
        classesSettings: {
          opacity: 0.6,
          lineWidth: 10,
          linePattern: 'solid',
          classes: [
            { value: 'k0', color: '#d62728' },
            { value: 'k1', color: '#2ca02c' },
            { value: 'k2', color: '#1f77b4' },
          ],
        },
        borderSettings: { width: 2, color: '#000000' },
        ...look,
      },
    ],
  ] as const
).flatMap(([what, settings]) =>
  (Object.keys(geometries) as Kind[]).map((kind): [string, Kind, object] => [what, kind, settings]),
);
cases.push([
  'bubbles',
  'areas',
  { type: 3, columnCode: 'n', classesCount: 3, classesSettings: { pointSizeMin: 12, pointSizeMax: 40 } },
]);
cases.push([
  'icons',
  'points',
  {
    type: 2,
    columnCode: 'kind',
    classesSettings: {
      classes: ['circle', 'square', 'triangle'].map((icon, i) => ({ value: `k${i}`, icon, useIcon: true })),
    },
    ...look,
  },
]);

for (const [what, kind, settings] of cases)
  test(`${what} of ${kind}: each class has its colour of the map`, async () => {
    await set(kind, settings);
    const { classificators, swatchSize } = await server.admin('GET', `/swatches/layers/${kind}/legend/`);
    assert.equal(classificators.length, 4);
    const drawn = await tile(kind);
    for (const [i, entry] of classificators.entries()) {
      assert.equal(entry.swatch, `/api/2.8/demo/swatches/layers/${kind}/legend/${i}/icon/`);
      const size = 4 * Math.min(128, swatchSize);
      const picture = await swatch(kind, i, size);
      const [own, onMap] = [colorAt(picture, size * middle, size * middle), colorAt(drawn, columnOf(i), 512)];
      assert.ok(differ(own, onMap) <= 3, `${i}: ${own} as ${onMap}`);
      assert.ok(differ(onMap, [255, 255, 255]) > 5, `${i} is drawn at all`);
    }
  });

test('markers of a legend keep their relative sizes, and are as large as on the map at the size of the legend', async () => {
  await set('areas', cases.find(([what]) => what === 'bubbles')![2]);
  const { classificators, swatchSize } = await server.admin('GET', '/swatches/layers/areas/legend/');
  for (const [i, { size }] of classificators.entries()) {
    const picture = await swatch('areas', i, swatchSize * 4);
    const row = Array.from({ length: picture.width }, (_, x) => colorAt(picture, x, picture.height / 2));
    const width = row.filter((color) => differ(color, [255, 255, 255]) > 40).length / 4;
    assert.ok(Math.abs(width - size) <= 1, `${i}: ${width} pixels for ${size}`);
  }
});

test('charts show their parts, heat maps their colours', async () => {
  const columns = [
    { code: 'n', color: '#d62728' },
    { code: 'm', color: '#1f77b4' },
  ];
  for (const type of [4, 5, 6]) {
    await set('areas', { type, classesSettings: { columns, opacity: 1 } });
    const own = await Promise.all([0, 1, 2].map((i) => swatch('areas', i, 96)));
    const [n, m, none] = own.map((picture) => colorAt(picture, 48, 48));
    assert.deepEqual([n, m, none], [[214, 39, 40], [31, 119, 180], [189, 189, 189]], String(type)); // biome-ignore format: short
  }
  const colors = ['#ffff00', '#ff0000'];
  await set('points', { type: 7, classesSettings: { colors, layerOpacity: 0.5 } });
  const drawn = [await swatch('points', 0, 64), await swatch('points', 1, 64)].map((one) =>
    colorAt(one, 32, 32),
  );
  assert.ok(
    differ(drawn[0]!, [255, 255, 128]) <= 1 && differ(drawn[1]!, [255, 128, 128]) <= 1,
    String(drawn),
  );
});

test('from 16 to 512 pixels the edge of an area is sharp', async () => {
  await set('areas', { type: 1, columnCode: 'n', showBorder: false, classesSettings: { opacity: 1 } });
  for (const size of [16, 17, 32, 100, 256, 512]) {
    const picture = await swatch('areas', 0, size);
    assert.deepEqual([picture.width, picture.height], [size, size]);
    const row = Array.from({ length: size }, (_, x) => picture.data[4 * (size * (size >> 1) + x) + 3]!);
    const blurred = row.filter((alpha) => alpha > 10 && alpha < 245).length;
    assert.ok(blurred <= 2, `${size}: ${row}`);
    assert.ok(row.filter((alpha) => alpha >= 245).length >= 0.7 * size, String(size));
  }
});

test('the ETag of a swatch changes with its look alone', async () => {
  await set('areas', { type: 1, columnCode: 'n', classesCount: 3 });
  const first = await ask('areas', 1);
  assert.equal(first.headers.get('content-type'), 'image/png');
  assert.equal(first.headers.get('cache-control'), 'public, no-cache');
  const tag = { 'if-none-match': first.headers.get('etag')! };
  const again = () => server.request('GET', '/swatches/layers/areas/legend/1/icon/', { headers: tag });
  assert.equal((await again()).status, 304);
  await set('areas', { type: 1, columnCode: 'n', classesCount: 3, classesSettings: { midColor: '#00ff00' } });
  assert.equal((await again()).status, 200);
});

test('unknown entries, layers without a legend and wrong sizes are refused', async () => {
  await set('areas', { type: 1, columnCode: 'n', classesCount: 3 });
  for (const [
    entry,
    status,
  ] of [[4, 404], [99999999, 404], [-1, 400], ['x', 400], ['1.5', 400], ['1e99', 404]] as const) // biome-ignore format: a table
    assert.equal((await ask('areas', entry)).status, status, String(entry));
  for (const query of ['size=15', 'size=513', 'size=x', 'size=1.5'])
    assert.equal((await ask('areas', 0, query)).status, 400, query);
  await server.admin('PATCH', '/swatches/layers/areas/', { visualSettings: null });
  assert.equal((await ask('areas', 0)).status, 404);
});
