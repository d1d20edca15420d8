import assert from 'node:assert/strict';
import test from 'node:test';
import iconv from 'iconv-lite';
import { filesOf, zipOf } from './archives.js';
import { type Formats, type Shown, startFormats } from './support.js';

/*
 * Exports objects with values that formats often change, and imports them again: into a layer with the same columns, and, if the
 * format declares the types of its columns, into a new layer.
 */

const long = 'Ёж и ёлка; '.repeat(28);
const longer = 'Längerer Text, '.repeat(7_000);

const columns = [
  { code: 'word', type: 'string', name: 'Слово' },
  { code: 'prose', type: 'text', name: 'Prose' },
  { code: 'amount', type: 'number', name: 'Amount' },
  { code: 'at', type: 'datetime', name: 'At' },
  { code: 'yes', type: 'bool', name: 'Yes or no' },
  { code: 'info', type: 'json', name: 'Info' },
] as const;

const values: Record<(typeof columns)[number]['code'], readonly unknown[]> = {
  word: [
    'Zürich',
    'Москва',
    'Łódź',
    'Ω and 漢字',
    '',
    null,
    '  blanks  ',
    '2024-05-01',
    '00771',
    'true',
    '{"a":1}',
  ],
  prose: [
    long,
    longer,
    'a\nb\r\nc\rd\te',
    '"q" \'r\' \\ \\n',
    '🙂👍🏽',
    'שלום עולם',
    '\u0001\u001f',
    '<&>;,|',
    '=1+1',
    '',
    null,
  ],
  amount: [
    9007199254740991,
    -9007199254740991,
    0.1 + 0.2,
    Math.PI,
    1e-7,
    1 / 3,
    -12345678.25,
    0,
    1e-300,
    5,
    null,
  ],
  at: [
    '2024-05-01T12:30:00.123Z',
    '1147-04-04T00:00:00.000Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '1899-12-31T23:59:59.000Z',
    '1970-01-01T00:00:00.001Z',
    '1900-02-28T12:00:00.000Z',
    '2024-02-29T00:00:00.000Z',
    null,
  ],
  yes: [true, false, null],
  info: [
    { a: [1, 'ы', null], b: { c: '"' } },
    [1, 2],
    'text',
    '"quoted"',
    5,
    true,
    [],
    {},
    null,
    '',
    { long },
  ],
};

const ring = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
  [0, 0],
];
const hole = [
  [2, 2],
  [2, 3],
  [3, 3],
  [2, 2],
];
const far = ring.map(([x, y]) => [x! + 20, y! + 20]);
const geometries: readonly ({ type: string; coordinates?: unknown; geometries?: unknown } | null)[] = [
  { type: 'Point', coordinates: [37.6173, 55.7558] },
  { type: 'Point', coordinates: [37.6173, 55.7558, 156.5] },
  {
    type: 'MultiPoint',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [1, 2, 3],
      [3, 4, 5],
    ],
  },
  {
    type: 'MultiLineString',
    coordinates: [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    ],
  },
  { type: 'Polygon', coordinates: [ring, hole] },
  { type: 'MultiPolygon', coordinates: [[ring, hole], [far]] },
  {
    type: 'GeometryCollection',
    geometries: [
      { type: 'Point', coordinates: [1, 1] },
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
      { type: 'Polygon', coordinates: [far] },
    ],
  },
  null,
];

const count = Math.max(...Object.values(values).map((list) => list.length), geometries.length);
const at = <T>(list: readonly T[], i: number): T => list[i % list.length]!;

let formats: Formats;
let layer: string;
let before: Shown[];

test.before(async () => {
  formats = await startFormats();
  layer = await formats.newLayer(...columns);
  const features = Array.from({ length: count }, (_, i) => ({
    type: 'Feature',
    id: 100 + i,
    geometry: at(geometries, i),
    properties: Object.fromEntries(columns.map(({ code }) => [code, at(values[code], i)])),
  }));
  await formats.load(layer, JSON.stringify({ type: 'FeatureCollection', features }), 'x.geojson');
  before = await formats.objects(layer);
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

async function exported(format: string, of: string, query = ''): Promise<Buffer> {
  const answer = await fetch(`${formats.server.api}/m/layers/${of}/export/?format=${format}&${query}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.equal(answer.status, 200, bytes.toString());
  return bytes;
}

/** Positions to a millionth of a degree; rings may begin anywhere and run the other way, and one part is no different from it alone. */
function shapeOf(geom: any): unknown {
  if (!geom) return null;
  if (geom.type === 'GeometryCollection') return geom.geometries.map(shapeOf);
  const type = geom.type.replace('Multi', '');
  const positions = (value: any): string[] =>
    typeof value[0] === 'number'
      ? [value.map((part: number) => Number(part.toFixed(6))).join()]
      : value.flatMap(positions);
  const all = positions(geom.coordinates);
  return [type, type === 'Polygon' ? [...new Set(all)].sort() : all];
}

function assertSame(after: readonly Shown[], what: string): void {
  assert.equal(after.length, before.length, what);
  const different: string[] = [];
  for (const { id, fields, geom } of before) {
    const back = after.find((other) => other.id === id);
    assert.ok(back, `${what}: object ${id}`);
    const compare = (name: string, actual: unknown, expected: unknown): void => {
      const [shown, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
      if (shown !== wanted)
        different.push(`${id} ${name}: ${shown?.slice(0, 200)} is not ${wanted?.slice(0, 200)}`);
    };
    for (const { code } of columns) compare(code, back.fields[code], fields[code]);
    compare('geom', shapeOf(back.geom), shapeOf(geom));
  }
  assert.deepEqual(different, [], what);
}

/** Formats that tell the types of their columns. */
const typed = ['shp', 'mif', 'tab', 'kml', 'kmz', 'gpkg', 'fgb', 'parquet'];
const untyped = ['geojson', 'geojsonl', 'csv', 'xlsx', 'xls'];

/** A preview has texts by their first 500 characters, and geometries of up to 1,000 points. */
const previewed = ({ fields, geom }: Pick<Shown, 'fields' | 'geom'>): string => {
  const shown = columns.map(({ code, type }) => {
    const isText = type === 'string' || type === 'text';
    return isText ? (fields[code]?.slice(0, 500) ?? null) : fields[code];
  });
  return JSON.stringify([shown, geom]);
};

for (const format of [...typed, ...untyped]) {
  test(`${format}: into a layer of the same columns, as its preview shows`, async () => {
    const other = await formats.newLayer(...columns);
    const file = await exported(format, layer);
    const { rows } = await formats.load(other, file, `x.${format}`, 'dry_run=1&rows=100');
    await formats.load(other, file, `x.${format}`);
    const after = await formats.objects(other);
    assertSame(after, format);
    assert.deepEqual(rows.map(previewed).sort(), after.map(previewed).sort());
  });
}

for (const format of typed) {
  test(`${format}: into a new layer, and again`, async () => {
    let of = layer;
    for (const round of ['once', 'twice']) {
      const other = await formats.newLayer();
      const report = await formats.load(other, await exported(format, of), `x.${format}`);
      assert.equal(report.read, count);
      assertSame(await formats.objects(other), `${format} ${round}`);
      const structure = await formats.server.admin('GET', `/m/layers/${other}/structure/`);
      assert.deepEqual(
        structure.slice(2).map(({ code, type, name }: any) => ({ code, type, name })),
        columns,
      );
      of = other;
    }
  });
}

for (const format of [...typed, ...untyped]) {
  test(`${format}: columns with equal titles`, async () => {
    const same = ['a', 'b', 'c'].map((code) => ({ code, type: 'string', name: 'Name' }) as const);
    const [of, other] = [await formats.newLayer(...same), await formats.newLayer(...same)];
    const feature = {
      type: 'Feature',
      id: 1,
      geometry: { type: 'Point', coordinates: [1, 2] },
      properties: { a: 'x', b: 'y', c: 'z' },
    };
    await formats.load(of, JSON.stringify(feature), 'x.geojson');
    await formats.load(other, await exported(format, of), `x.${format}`);
    const [back] = await formats.objects(other);
    assert.deepEqual(back?.fields, { a: 'x', b: 'y', c: 'z' });
  });
}

for (const format of [...typed, ...untyped]) {
  test(`${format}: columns named as readers name geometries and ids`, async () => {
    const special = [
      ...['ogc_fid', 'fid', 'x', 'y', 'lat', 'lon'].map((code) => ({ code, type: 'number', name: code })),
      ...['wkt', 'the_geom', 'coordinates'].map((code) => ({
        code,
        type: 'string',
        name: code,
      })),
    ];
    const numbers = { ogc_fid: 9.5, fid: 8, x: 5, y: 6, lat: 7, lon: 8 };
    const texts = { wkt: 'POINT(9 9)', the_geom: 'POINT(8 8)', coordinates: '55.5, 37.5' };
    const properties = { ...numbers, ...texts };
    for (const places of [
      [null, null],
      [{ type: 'Point', coordinates: [0, 0] }, null],
    ]) {
      const [of, into] = [await formats.newLayer(...special), await formats.newLayer(...special)];
      const features = places.map((geometry, i) => ({ type: 'Feature', id: i + 1, geometry, properties }));
      await formats.load(of, JSON.stringify({ type: 'FeatureCollection', features }), 'x.geojson');
      const before = await formats.objects(of);
      const file = await exported(format, of);
      const fresh = await formats.newLayer();
      for (const layer of [of, into, fresh]) {
        await formats.load(layer, file, `x.${format}`);
        assert.deepEqual(await formats.objects(layer), before, JSON.stringify(places));
      }
    }
  });
}

for (const format of [...typed, ...untyped]) {
  test(`${format}: columns whose codes differ in upper and lower case only`, async () => {
    const cased = ['a', 'A'].map((code) => ({ code, type: 'string', name: `Column ${code}` }));
    const [of, into] = [await formats.newLayer(...cased), await formats.newLayer(...cased)];
    const feature = { type: 'Feature', id: 1, geometry: null, properties: { a: 'small', A: 'large' } };
    await formats.load(of, JSON.stringify(feature), 'x.geojson');
    const file = await exported(format, of);
    for (const layer of [into, await formats.newLayer()]) {
      await formats.load(layer, file, `x.${format}`);
      assert.deepEqual(await formats.objects(layer), await formats.objects(of));
    }
  });
}

for (const format of ['kml', 'kmz', 'parquet', 'geojson', 'csv', 'xlsx']) {
  test(`${format}: heights of 0 beside geometries without heights`, async () => {
    const [of, other] = [await formats.newLayer(), await formats.newLayer()];
    const places = [
      [1, 2, 0],
      [3, 4],
      [5, 6, 7],
    ].map((coordinates, i) => ({
      type: 'Feature',
      id: i + 1,
      geometry: { type: 'MultiPoint', coordinates: [coordinates, coordinates] },
      properties: { a: 1 },
    }));
    await formats.load(of, JSON.stringify({ type: 'FeatureCollection', features: places }), 'x.geojson');
    await formats.load(other, await exported(format, of), `x.${format}`);
    const geometriesOf = async (code: string): Promise<unknown[]> =>
      (await formats.objects(code)).map(({ geom }) => geom);
    assert.deepEqual(await geometriesOf(other), await geometriesOf(of));
  });
}

for (const format of ['shp', 'gpkg', 'fgb']) {
  test(`${format}: heights of multi-geometries`, async () => {
    const [of, other] = [await formats.newLayer(), await formats.newLayer()];
    const line = (x: number): number[][] => [
      [x, 1, 5],
      [x + 1, 2, 6],
    ];
    const area = (x: number): number[][][] => [
      [
        [x, 0, 1],
        [x, 9, 2],
        [x + 1, 9, 3],
        [x, 0, 1],
      ],
    ];
    const geometries = [
      { type: 'MultiLineString', coordinates: [line(0), line(5)] },
      { type: 'MultiPolygon', coordinates: [area(0), area(5)] },
      { type: 'MultiPoint', coordinates: line(3) },
    ];
    const features = geometries.map((geometry, i) => ({
      type: 'Feature',
      id: i + 1,
      geometry,
      properties: {},
    }));
    await formats.load(of, JSON.stringify({ type: 'FeatureCollection', features }), 'x.geojson');
    await formats.load(other, await exported(format, of), 'x.zip');
    assert.deepEqual(
      (await formats.objects(other)).map(({ geom }) => geom),
      geometries,
    );
  });
}

for (const encoding of ['windows-1251', 'iso-8859-1']) {
  test(`csv in ${encoding}, packed with values that the encoding lacks`, async () => {
    const other = await formats.newLayer();
    await formats.load(other, await exported('csv', layer, `encoding=${encoding}&zip=1`), 'x.zip');
    assertSame(await formats.objects(other), encoding);
  });
}

test('data changed since the export takes precedence over the accompanying list', async () => {
  const [code, own] = [await formats.newLayer(...columns), await formats.newLayer(...columns)];
  const point = { type: 'Point', coordinates: [1, 2] };
  const feature = (id: number) => ({
    type: 'Feature',
    id,
    geometry: point,
    properties: { prose: longer, word: 'ж' },
  });
  await formats.load(
    code,
    JSON.stringify({ type: 'FeatureCollection', features: [feature(1), feature(2)] }),
    'x.geojson',
  );
  const files = filesOf(await exported('mif', code));
  const texts = iconv.decode(files[`${code}.mid`]!, 'windows-1251').split('\r\n');
  files[`${code}.mid`] = iconv.encode(
    [texts[0]!.replace('ngerer', 'NGERER'), ...texts.slice(1)].join('\r\n'),
    'windows-1251',
  );
  const report = await formats.load(own, await zipOf(files), 'x.zip');
  const [first, second] = await formats.objects(own);
  assert.match(first!.fields.prose, /^L.NGERER/);
  assert.equal(second!.fields.prose, longer);
  assert.match(report.notes.join(), /1 values are others than the export wrote.*prose of 1/);
});

test('a shapefile in UTF-8 with texts and numbers of many objects', async () => {
  const code = await formats.newLayer({ code: 'word', type: 'string' }, { code: 'amount', type: 'number' });
  const features = Array.from({ length: 3_000 }, (_, i) => ({
    type: 'Feature',
    id: i + 1,
    geometry: { type: 'Point', coordinates: [i / 100, i / 100] },
    properties: { word: i % 3 ? `${i} `.repeat(100) : 'a', amount: Math.sqrt(i) },
  }));
  await formats.load(code, JSON.stringify({ type: 'FeatureCollection', features }), 'x.geojson');
  for (const format of ['shp', 'tab']) {
    const own = await formats.newLayer();
    await formats.load(own, await exported(format, code), 'x.zip');
    const found = await formats.server.admin(
      'GET',
      `/m/layers/${own}/objects/?fields=*&returnGeom=0&limit=3000`,
    );
    assert.deepEqual(
      found.map(({ fields }: Shown) => fields),
      features.map(({ properties }) => properties),
    );
  }
});
