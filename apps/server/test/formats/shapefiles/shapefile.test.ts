import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { zipOf } from '../archives.js';
import { type Formats, startFormats } from '../support.js';
import { dbfOf, shpOf, shpPoint } from './shapefile-bytes.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

const hasOgr = spawnSync('ogr2ogr', ['--version']).status === 0;

const ring = (x: number, y: number, size: number, isHole = false): number[][] => {
  const corners = [
    [x, y],
    [x, y + size],
    [x + size, y + size],
    [x + size, y],
    [x, y],
  ];
  return isHole ? corners.toReversed() : corners;
};

const multi = (...polygons: number[][][][]) => ({ type: 'MultiPolygon', coordinates: polygons });

/** Geometries of one kind each, as a shapefile holds them. */
const kinds: Record<string, object[]> = {
  polygons: [
    { type: 'Polygon', coordinates: [ring(0, 0, 10), ring(2, 2, 3, true), ring(6, 6, 3, true)] },
    // An island in the hole of another, with a hole of its own.
    multi(
      [ring(0, 0, 30), ring(5, 5, 20, true)],
      [ring(10, 10, 10), ring(12, 12, 2, true)],
      [ring(50, 50, 5)],
    ),
    // A hole that touches its polygon in a corner.
    {
      type: 'Polygon',
      coordinates: [
        ring(0, 0, 10),
        [
          [0, 0],
          [3, 2],
          [2, 3],
          [0, 0],
        ],
      ],
    },
  ],
  lines: [
    {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
        [2, 0],
      ],
    },
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [5, 5],
          [6, 6],
          [7, 5],
        ],
      ],
    },
  ],
  points: [
    {
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
  heights: [
    { type: 'Point', coordinates: [1, 2, 3.5] },
    { type: 'Point', coordinates: [-1, -2, 0] },
  ],
  'lines-3d': [
    {
      type: 'LineString',
      coordinates: [
        [0, 0, 1],
        [1, 1, 2.5],
      ],
    },
  ],
  'polygons-3d': [{ type: 'Polygon', coordinates: [ring(0, 0, 1).map(([x, y], i) => [x, y, i % 4])] }],
};

/** A shapefile that ogr2ogr makes of geometries, its files by their names. */
function shapefile(geometries: readonly (object | null)[], ...options: string[]): Record<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-shp-'));
  try {
    const features = geometries.map((geometry, i) => ({ type: 'Feature', properties: { n: i }, geometry }));
    writeFileSync(join(folder, 'in.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));
    const made = spawnSync('ogr2ogr', [
      '-f',
      'ESRI Shapefile',
      join(folder, 'x.shp'),
      join(folder, 'in.geojson'),
      ...options,
    ]);
    assert.equal(made.status, 0, String(made.stderr));
    const names = readdirSync(folder).filter((name) => name.startsWith('x.'));
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Rings without regard to where they begin, and parts without regard to their order. */
function shape(geometry: any): unknown {
  const key = (ringOrLine: number[][]): string => {
    const positions = ringOrLine.map((position) => position.join(' '));
    const isClosed = positions.length > 2 && positions[0] === positions.at(-1);
    if (!isClosed) return positions.join(',');
    return positions.slice(1).sort().join(',');
  };
  const { type, coordinates } = geometry;
  if (type === 'Polygon') return [type, [coordinates[0], ...coordinates.slice(1)].map(key).sort()];
  if (type === 'MultiPolygon')
    return [type, coordinates.map((rings: number[][][]) => rings.map(key).sort().join('|')).sort()];
  return [type, coordinates];
}

for (const [kind, geometries] of Object.entries(kinds)) {
  test(`shapefile of ${kind}: as another program wrote it`, { skip: !hasOgr }, async () => {
    const layer = await formats.newLayer();
    const report = await formats.load(layer, await zipOf(shapefile([...geometries, null])), 'x.zip');
    assert.deepEqual(
      [report.read, report.stored, report.projection],
      [geometries.length + 1, geometries.length + 1, 'EPSG:4326'],
    );
    const objects = await formats.objects(layer);
    assert.deepEqual(
      objects.map(({ geom }) => geom && shape(geom)),
      [...geometries.map(shape), null],
    );
    assert.deepEqual(
      objects.map(({ fields }) => fields.n),
      [...geometries.keys(), geometries.length],
    );
  });
}

test('projections of a .prj', { skip: !hasOgr }, async () => {
  const geometry = { type: 'Point', coordinates: [39.25, 55.5] };
  for (const [srs, says] of [
    ['EPSG:32637', 'EPSG:32637'],
    ['EPSG:32737', 'EPSG:32737'],
    ['EPSG:3857', 'EPSG:3857'],
    ['EPSG:28407', 'EPSG:28407'],
    ['EPSG:4284', 'EPSG:4284'],
    ['EPSG:3395', 'EPSG:3395'],
  ] as const) {
    const layer = await formats.newLayer();
    const report = await formats.load(layer, await zipOf(shapefile([geometry], '-t_srs', srs)), 'x.zip');
    assert.equal(report.projection, says);
    const geom = (await formats.objects(layer))[0]!.geom;
    for (const [i, number] of geom.coordinates.entries())
      assert.ok(Math.abs(number - geometry.coordinates[i]!) < 3e-6, `${srs}: ${geom.coordinates}`);
  }
});

/** A table with one record. */
function table(fields: [name: string, type: string, value: string | Buffer][], mark = ' '): Buffer {
  const values = fields.map(([, , value]) => Buffer.from(value as string));
  return dbfOf(
    fields.map(([name, type], i) => [name, type, values[i]!.length]),
    [{ mark, values }],
  );
}

const shapes = (...contents: Buffer[]): Buffer => shpOf(contents);

test('values of a dBase table', async () => {
  const int = Buffer.alloc(4);
  int.writeInt32LE(-7);
  const moment = Buffer.alloc(8);
  moment.writeInt32LE(2_440_588, 0);
  moment.writeInt32LE(3_600_000, 4);
  const dbf = table([
    ['TEXT', 'C', 'Ab c  '],
    ['BLANK', 'C', '   '],
    ['WHOLE', 'N', '   42'],
    ['PART', 'N', ' 1.5 '],
    ['COMMA', 'N', '1,5'],
    ['FULL', 'N', '*****'],
    ['LONG', 'N', '12345678901234567890'],
    ['YES', 'L', 'T'],
    ['NO', 'L', 'n'],
    ['OPEN', 'L', '?'],
    ['DAY', 'D', '20240501'],
    ['NODAY', 'D', '        '],
    ['INT', 'I', int],
    ['SEEN', '@', moment],
    ['MEMO', 'M', '         1'],
    ['TEXT', 'C', 'again'],
  ]);
  const layer = await formats.newLayer();
  const report = await formats.load(
    layer,
    await zipOf({ 'a.shp': shapes(shpPoint(1, 2)), 'a.dbf': dbf }),
    'a.zip',
  );
  assert.match(report.notes.join(), /1 columns of memos/);
  const { fields } = (await formats.objects(layer))[0]!;
  const { DAY, SEEN, ...rest } = fields;
  assert.deepEqual([DAY.slice(0, 10), SEEN.slice(0, 19)], ['2024-05-01', '1970-01-01T01:00:00']);
  assert.deepEqual(
    { ...rest },
    {
      TEXT: 'Ab c',
      BLANK: null,
      WHOLE: 42,
      PART: 1.5,
      COMMA: 1.5,
      FULL: null,
      LONG: '12345678901234567890',
      YES: true,
      NO: false,
      OPEN: null,
      NODAY: null,
      INT: -7,
      TEXT_2: 'again',
    },
  );
});

test('binary values of another length are text, and moments beyond the calendar none', async () => {
  const beyond = Buffer.alloc(8);
  beyond.writeInt32LE(2 ** 31 - 1, 0);
  const dbf = table([
    ['STAMP', 'T', '20240501120000'],
    ['LATE', 'T', beyond],
    ['LATER', '@', beyond],
    ['INT', 'I', '7'],
  ]);
  const layer = await formats.newLayer();
  await formats.load(layer, await zipOf({ 'a.shp': shapes(shpPoint(1, 2)), 'a.dbf': dbf }), 'a.zip');
  const { fields } = (await formats.objects(layer))[0]!;
  assert.deepEqual({ ...fields }, { STAMP: '20240501120000', LATE: null, LATER: null, INT: '7' });
});

test('a .shx that names one record a thousand times is not believed', async () => {
  const shp = shapes(shpPoint(1, 2), shpPoint(3, 4));
  const head = Buffer.from(shp.subarray(0, 100));
  head.writeInt32BE((100 + 8_000) / 2, 24);
  const entry = Buffer.alloc(8);
  entry.writeInt32BE(50, 0);
  entry.writeInt32BE(10, 4);
  const shx = Buffer.concat([head, ...Array.from({ length: 1_000 }, () => entry)]);
  const layer = await formats.newLayer();
  const files = { 'a.shp': shp, 'a.shx': shx, 'a.dbf': table([['A', 'C', 'x']]) };
  assert.equal((await formats.load(layer, await zipOf(files), 'a.zip')).read, 2);
});

test('records that are marked as deleted are not there', async () => {
  const layer = await formats.newLayer();
  const files = { 'a.shp': shapes(shpPoint(1, 2)), 'a.dbf': table([['A', 'C', 'x']], '*') };
  assert.equal((await formats.load(layer, await zipOf(files), 'a.zip')).read, 0);
});

test('damaged files are reported', async () => {
  const good = table([['A', 'C', 'x']]);
  const many = Buffer.alloc(48);
  many.writeInt32LE(5, 0);
  many.writeInt32LE(2 ** 31 - 1, 36);
  const parts = Buffer.alloc(44 + 8 + 32);
  parts.writeInt32LE(3, 0);
  parts.writeInt32LE(2, 36);
  parts.writeInt32LE(2, 40);
  parts.writeInt32LE(1, 44);
  parts.writeInt32LE(0, 48);
  const unknown = Buffer.alloc(20);
  unknown.writeInt32LE(77, 0);
  const negative = shapes(shpPoint(1, 2));
  negative.writeInt32BE(-5, 104);
  const long = table([['A', 'C', 'x']]);
  long.writeUInt16LE(1, 10);
  const cut = table([['A', 'C', 'x']]);
  cut.writeUInt32LE(2, 4);
  for (const [what, shp, dbf, says] of [
    ['counts of 2^31', shapes(many), good, /Feature 1: .*cut off/],
    ['parts that go backwards', shapes(parts), good, /Feature 1: .*parts/],
    ['an unknown type', shapes(unknown), good, /Feature 1: .*type 77/],
    ['a negative length', negative, good, /cut off or damaged/],
    ['a range', shapes(shpPoint(500, 2)), good, /Feature 1: .*range/],
    ['columns longer than the record', shapes(shpPoint(1, 2)), long, /\.dbf/],
    ['fewer records', shapes(shpPoint(1, 2), shpPoint(3, 4)), cut, /\.dbf should have 2 .*ends after 1/],
    ['a number that is none', shapes(shpPoint(1, 2)), table([['N', 'N', 'a1']]), /Feature 1: N: .*number/],
    ['no head', shapes(shpPoint(1, 2)), Buffer.alloc(10), /\.dbf/],
  ] as const) {
    const layer = await formats.newLayer();
    const answer = await formats.send(layer, await zipOf({ 'a.shp': shp, 'a.dbf': dbf }), 'a.zip');
    assert.ok(answer.status >= 400, what);
    assert.match(answer.json.message, says, what);
    assert.deepEqual(await formats.objects(layer), [], what);
  }
});
