import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { filesOf, zipOf } from './archives.js';
import { type Formats, startFormats } from './support.js';

let formats: Formats;
let layer: string;

const long = 'Ёж '.repeat(200).trim();
const square = [
  [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
    [0, 0],
  ],
  [
    [2, 2],
    [2, 3],
    [3, 3],
    [2, 2],
  ],
];
const features = [
  [
    'Point',
    [37.6173, 55.7558, 156.5],
    { a_number: 0.5, name: 'Москва', at: '2024-05-01T12:30:00.000Z', yes: true, info: { a: [1, 'ы'] } },
  ],
  [
    'MultiPoint',
    [
      [1, 2],
      [3, 4],
    ],
    { a_number: -12345678.25, name: 'a;"b"\t<&>', at: '1147-04-04T00:00:00.000Z', yes: false, info: null },
  ],
  [
    'LineString',
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    { a_number: 1e-7, name: null, at: null, yes: null, info: { b: 'x' } },
  ],
  [
    'MultiLineString',
    [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    ],
    { a_number: null, name: '', at: null, yes: null, info: null },
  ],
  ['Polygon', square, { a_number: 7, name: 'Ω and 漢字', at: null, yes: true, info: null }],
  [
    'MultiPolygon',
    [
      square,
      [
        [
          [20, 20],
          [30, 20],
          [30, 30],
          [20, 20],
        ],
      ],
    ],
    { a_number: 8, name: long, at: null, yes: true, info: null },
  ],
  [null, null, { a_number: 9, name: 'nowhere', at: null, yes: null, info: null }],
] as const;

test.before(async () => {
  formats = await startFormats();
  const column = (code: string, type: string) => ({ code, type, name: `Title of ${code}` });
  layer = await formats.newLayer(
    column('a_number', 'number'),
    column('name', 'text'),
    column('at', 'datetime'),
    column('yes', 'bool'),
    column('info', 'json'),
    column('a_long_name_of_a_column', 'string'),
    column('a_long_name_of_another', 'string'),
  );
  const collection = {
    type: 'FeatureCollection',
    features: features.map(([type, coordinates, properties], i) => ({
      type: 'Feature',
      id: 100 + i,
      geometry: type && { type, coordinates },
      properties: { ...properties, a_long_name_of_a_column: `one ${i}`, a_long_name_of_another: `two ${i}` },
    })),
  };
  await formats.load(layer, JSON.stringify(collection), 'x.geojson');
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

async function get(format: string, query = '', of = layer) {
  const url = `${formats.server.api}/m/layers/${of}/export/?format=${format}&${query}`;
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const text = bytes.toString();
  const json = answer.status === 500 ? JSON.parse(text) : undefined;
  return { status: answer.status, headers: answer.headers, bytes, text, json };
}

const rounded = (value: any): any =>
  Array.isArray(value) ? value.map(rounded) : typeof value === 'number' ? Number(value.toFixed(6)) : value;

const flat = (value: any): any => (typeof value[0] === 'number' ? value.slice(0, 2) : value.map(flat));

/** Geometries as a format that knows no difference between one and several gives them back. */
const single = (geom: any): any =>
  geom?.type.startsWith('Multi') && geom.coordinates.length === 1
    ? { type: geom.type.slice(5), coordinates: geom.coordinates[0] }
    : geom;

/** Rings run either way. */
const ordered = (geom: any): any => JSON.stringify(geom, (_key, value) => value);

function assertGeometry(actual: any, expected: any, { heights }: { heights: boolean }): void {
  if (!expected) {
    assert.equal(actual, null);
    return;
  }
  const shape = (geom: any) => {
    const { type, coordinates } = single(geom);
    const positions = rounded(heights ? coordinates : flat(coordinates));
    // A ring may begin elsewhere and run the other way: its positions are the same.
    const isArea = type.endsWith('Polygon');
    const level = type === 'Polygon' ? 1 : 2;
    return {
      type,
      coordinates: isArea
        ? positions.flat(level - 1).map((ring: any) => [...new Set(ring.map(ordered))].sort())
        : positions,
    };
  };
  assert.deepEqual(shape(actual), shape(expected));
}

for (const format of ['geojson', 'geojsonl', 'kml', 'kmz', 'gpkg', 'fgb', 'parquet', 'shp', 'mif', 'tab']) {
  test(`${format}: what goes out comes in again`, async () => {
    const answer = await get(format);
    assert.equal(answer.status, 200, answer.text);
    const isText = format === 'shp' || format === 'mif' || format === 'tab';
    const isZip = isText || format === 'kmz';
    assert.equal(answer.bytes.toString('latin1', 0, 2) === 'PK', isZip);
    assert.match(
      answer.headers.get('content-disposition')!,
      new RegExp(`"${layer}\\.${isText ? 'zip' : format}"`),
    );
    const before = await formats.objects(layer);
    const other = await formats.newLayer();
    const report = await formats.load(
      other,
      answer.bytes,
      isZip ? `x.${format === 'kmz' ? 'kmz' : 'zip'}` : 'data',
    );
    assert.deepEqual([report.read, report.stored], [7, 7], JSON.stringify(report));
    assert.equal(report.format, format === 'geojsonl' ? 'geojson' : format);
    const after = await formats.objects(other);
    for (const object of before) {
      const back = after.find(({ id }) => id === object.id)!;
      assert.ok(back, `object ${object.id}`);
      assertGeometry(back.geom, object.geom, { heights: object.id === 100 });
      assert.deepEqual(back.fields, object.fields);
    }
    if (isText) {
      const folder = mkdtempSync(join(tmpdir(), 'formats-'));
      writeFileSync(join(folder, 'x.zip'), answer.bytes);
      try {
        const list = execFileSync('unzip', ['-Z1', join(folder, 'x.zip')]).toString();
        assert.match(list, /README\.txt/);
        const whole = execFileSync('unzip', ['-p', join(folder, 'x.zip'), 'whole_texts.csv']).toString();
        assert.ok(whole.includes(long), 'the whole text is in the archive');
        assert.match(
          execFileSync('unzip', ['-p', join(folder, 'x.zip'), 'fields.csv']).toString(),
          /Title of a_number/,
        );
        if (format === 'shp') assert.match(list, /_point\.shp[\s\S]*|_polygon\.shp/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  });
}

const hasOgr = spawnSync('ogrinfo', ['--version']).status === 0;

test('other programs read the written files', { skip: !hasOgr }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'formats-'));
  try {
    for (const [format, query] of [
      ['gpkg', ''],
      ['fgb', ''],
      ['kml', ''],
      ['shp', ''],
      ['mif', ''],
      ['tab', ''],
      ['fgb', 'feature_ids=100,102'],
    ]) {
      const { bytes, text } = await get(format!, query);
      const isZip = bytes.toString('latin1', 0, 2) === 'PK';
      const file = join(folder, isZip ? `${format}.zip` : `x.${format}`);
      writeFileSync(file, bytes);
      const found = spawnSync('ogrinfo', ['-ro', '-al', '-so', isZip ? `/vsizip/${file}` : file]);
      const out = found.stdout.toString();
      assert.equal(found.status, 0, `${format}: ${found.stderr} ${isZip ? '' : text.slice(0, 300)}`);
      const counts = [...out.matchAll(/Feature Count: (\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0);
      assert.ok(counts >= (query ? 2 : 7), `${format}: ${out}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a part of the objects: by ids, box and filter', async () => {
  const filter = encodeURIComponent(JSON.stringify({ op: '>=', args: [{ property: 'a_number' }, 7] }));
  const ids = async (query: string) =>
    JSON.parse((await get('geojson', query)).text).features.map(({ id }: any) => id);
  assert.deepEqual(await ids(`filter=${filter}`), [104, 105, 106]);
  assert.deepEqual(await ids(`filter=${filter}&fbbox=19,19,31,31`), [105]);
  assert.deepEqual(await ids('feature_ids=106,100'), [106, 100]);
  assert.equal((await get('geojson', 'filter=%7B')).status, 400);
  assert.equal((await get('geojson', `feature_ids=100&filter=${filter}`)).status, 400);
  const kmz = await get('kmz', `filter=${filter}&zip=1`);
  assert.match(kmz.headers.get('content-disposition')!, /\.kmz"/);
});

test('collections are taken apart for formats that have none', async () => {
  const own = await formats.newLayer();
  const geometries = [
    { type: 'Point', coordinates: [1, 1] },
    { type: 'Polygon', coordinates: [square[0]] },
    {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    },
  ];
  const feature = {
    type: 'Feature',
    geometry: { type: 'GeometryCollection', geometries },
    properties: { a: 1 },
  };
  await formats.load(own, JSON.stringify(feature), 'x.geojson');
  for (const format of ['shp', 'tab', 'mif']) {
    const other = await formats.newLayer();
    const { bytes, text, status } = await get(format, '', own);
    assert.equal(status, 200, text);
    await formats.load(other, bytes, 'x.zip');
    assert.deepEqual(
      (await formats.objects(other)).map(({ geom }) => geom),
      [feature.geometry],
    );
    // Without the list of the archive they become three objects.
    const besides = /^(?:fields|whole_texts)\.csv$/;
    const data = await zipOf(
      Object.fromEntries(Object.entries(filesOf(bytes)).filter(([name]) => !besides.test(name))),
    );
    const plan = await formats.load(other, data, 'x.zip', 'dry_run=1');
    assert.equal(plan.read, 3, JSON.stringify(plan));
  }
  for (const format of ['gpkg', 'fgb', 'parquet', 'kml']) {
    const other = await formats.newLayer();
    await formats.load(other, (await get(format, '', own)).bytes, 'x');
    assert.equal((await formats.objects(other))[0]!.geom.type, 'GeometryCollection', format);
  }
});

test('an empty layer is a valid file in every format', async () => {
  const own = await formats.newLayer({ code: 'a', type: 'number' });
  const others = ['kml', 'kmz', 'gpkg', 'fgb', 'parquet', 'shp', 'mif', 'tab', 'csv', 'xls', 'xlsx'];
  for (const format of ['geojson', 'geojsonl', 'geojsonl zip', ...others]) {
    const [code, zip] = format.split(' ') as [string, string | undefined];
    const answer = await get(code, zip ? 'zip=1' : '', own);
    assert.equal(answer.status, 200, `${format}: ${answer.text.slice(0, 300)}`);
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition')!)![1]!;
    const report = await formats.load(own, answer.bytes, name);
    assert.equal(report.read, 0, format);
  }
});

test('wrong formats and encodings', async () => {
  for (const format of ['', 'xyz', 'dxf', 'gpx']) {
    const answer = await get(format);
    assert.equal(answer.status, 500);
    assert.match(answer.json.code, /format_invalid|required_missing/);
  }
  assert.equal((await get('mif', 'encoding=utf-8')).status, 400);
  assert.equal((await get('shp', 'encoding=cp1251')).status, 200);
});
