import assert from 'node:assert/strict';
import test from 'node:test';
import iconv from 'iconv-lite';
import { zipOf } from './archives.js';
import { dbfOf } from './shapefiles/shapefile-bytes.js';
import { type Formats, fixture, startFormats } from './support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

const source = JSON.parse(fixture('source.geojson').toString()).features;

/** Coordinates as far as the formats keep them, degrees. */
function near(actual: any, expected: any, label: string): void {
  if (expected === null) {
    assert.equal(actual, null, label);
    return;
  }
  assert.equal(actual?.type, expected.type, label);
  const flat = (value: any): number[] => [value.coordinates].flat(9);
  assert.equal(flat(actual).length, flat(expected).length, `${label}: number of coordinates`);
  for (const [i, number] of flat(expected).entries()) {
    assert.ok(Math.abs(flat(actual)[i]! - number) < 1e-6, `${label}: ${flat(actual)} and ${flat(expected)}`);
  }
}

for (const [file, format, encoding] of [
  ['shp-utf8.zip', 'shp', 'utf-8'],
  ['shp-cp1251.zip', 'shp', 'windows-1251'],
  ['shp-cp866.zip', 'shp', 'cp866'],
  ['shp-gk7.zip', 'shp', 'utf-8'],
  ['mif.zip', 'mif', 'windows-1251'],
  ['tab.zip', 'tab', 'windows-1251'],
  ['places.fgb', 'fgb', 'utf-8'],
  ['places.parquet', 'parquet', 'utf-8'],
] as const) {
  test(`${file} comes in whole`, async () => {
    const layer = await formats.newLayer();
    const report = await formats.load(layer, fixture(file), file);
    // GDAL leaves objects without geometry out of the FlatGeobuf that it makes.
    const count = format === 'fgb' ? 2 : 3;
    assert.deepEqual(
      [report.read, report.stored, report.refused, report.format, report.encoding],
      [count, count, 0, format, encoding],
      JSON.stringify(report),
    );
    assert.deepEqual(report.geometries, format === 'fgb' ? { Point: 2 } : { Point: 2, none: 1 });
    assert.equal(report.projection === 'EPSG:28407', file === 'shp-gk7.zip', report.projection);
    const objects = await formats.objects(layer);
    assert.equal(objects.length, count);
    for (const [i, { geometry, properties }] of source.slice(0, count).entries()) {
      const { fields, geom } = objects[i]!;
      near(geom, geometry, `${file} ${i}`);
      assert.equal(fields.name || null, properties.name);
      // The code page 866 has no such quotation marks.
      const note =
        format === 'shp' && encoding === 'cp866'
          ? (properties.note?.replace(/[«»]/g, '') ?? null)
          : properties.note;
      assert.equal(fields.note || null, note);
      // MapInfo has no empty numbers: they are 0 there.
      const none = format === 'mif' || format === 'tab' ? 0 : null;
      assert.equal(fields.people, properties.people ?? none);
      assert.equal(fields.area, properties.area ?? none);
      assert.equal(fields.founded?.slice(0, 10) ?? null, properties.founded);
      // A DBF of a shapefile has dates without time.
      const length = format === 'shp' ? 10 : 19;
      assert.equal(fields.seen?.slice(0, length) ?? null, properties.seen?.slice(0, length) ?? null);
      assert.equal(Number(fields.capital ?? none), Number(properties.capital ?? none));
    }
  });
}

test('a GeoParquet of another system gives decimals, lists and structures; a damaged one is refused with a reason', async () => {
  const whole = fixture('nested-25832.parquet');
  const layer = await formats.newLayer();
  const report = await formats.load(layer, whole, 'data.parquet');
  assert.deepEqual([report.read, report.format, report.projection], [3, 'parquet', 'EPSG:25832']);
  const [first, second] = await formats.objects(layer);
  near(first!.geom, { type: 'Point', coordinates: [9, 49.99999367947971] }, 'transformed');
  const { price, tags, s, day, big, cat, raw, bbox } = first!.fields;
  assert.deepEqual(
    [price, tags, s, day, big, cat, raw, bbox],
    [
      1.1,
      ['a', 'b'],
      { x: 1, y: 'q' },
      '2024-05-01T00:00:00.000Z',
      '1152921504606846976',
      'a',
      undefined,
      undefined,
    ],
  );
  assert.deepEqual([second!.geom, second!.fields.price, second!.fields.f], [null, 123.45, null]);
  const replaced = (from: string, to: string): Buffer =>
    Buffer.from(whole.toString('latin1').replaceAll(from, to), 'latin1');
  for (const [bytes, said] of [
    [whole.subarray(0, 2_000), /damaged|cut off/],
    [Buffer.concat([whole.subarray(0, 500), Buffer.alloc(200), whole.subarray(700)]), /damaged|cut off/],
    [Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(100, 255), Buffer.from('PAR1')]), /damaged|cut off/],
    [replaced('"encoding": "WKB"', '"encoding":"pnt" '), /encoded as 'pnt'/],
    [replaced('25832}', '99999}'), /projection|99999/],
  ] as const) {
    const refused = await formats.send(await formats.newLayer(), bytes, 'data.parquet');
    assert.deepEqual([refused.status, refused.json.code], [500, 'import_failed'], refused.text);
    assert.match(refused.json.message, said);
  }
});

test('a GeoParquet gives geometries of lists and structures, a projection without a code, and all digits of decimals', async () => {
  const layer = await formats.newLayer();
  const report = await formats.load(layer, fixture('arrow-own-grid.parquet'), 'data.parquet');
  assert.deepEqual([report.read, report.projection, report.notes], [4, 'Own grid', []]);
  assert.deepEqual(report.geometries, { MultiPolygon: 2, none: 2 });
  const objects = await formats.objects(layer);
  const [shape, missing, , empty] = objects.map(({ geom }) => geom);
  assert.deepEqual([missing, empty], [null, null]);
  assert.deepEqual(
    shape.coordinates.map((rings: unknown[][]) => rings.map((ring) => ring.length)),
    [[4, 4]],
  );
  const corner = { type: 'Point', coordinates: shape.coordinates[0][0][0] };
  near(corner, { type: 'Point', coordinates: [33, 60.003778559, 7] }, 'transformed');
  assert.deepEqual(
    objects.map(({ fields }) => fields.sum),
    ['12345678901234567890.12', '-0.05', null, '1'],
  );
});

test('columns of a Parquet without geometry give it, as those of a table of text', async () => {
  const whole = fixture('coordinates.parquet');
  const taken = async (file: Buffer, query: string): Promise<unknown[]> => {
    const layer = await formats.newLayer();
    const { tables } = await formats.load(layer, file, 'data.parquet', query);
    const objects = await formats.objects(layer);
    return [
      tables?.[0]?.geometry,
      objects.map(
        ({ geom }) => geom?.coordinates.map((number: number) => Math.round(number * 100) / 100) ?? null,
      ),
      Object.keys(objects[0]!.fields).sort(),
    ];
  };
  const points = [[30.25, 60.5], [31, 61], null];
  assert.deepEqual(await taken(whole, ''), [['lon', 'lat'], points, ['name', 'x', 'y']]);
  assert.deepEqual(await taken(whole, 'x=x&y=y&srs=32636'), [
    ['x', 'y'],
    [[33, 60], [33, 60], null],
    ['lat', 'lon', 'name'],
  ]);
  const none = [undefined, [null, null, null], ['lat', 'lon', 'name', 'x', 'y']];
  assert.deepEqual(await taken(whole, 'geometry=none'), none);
  const wrong = await formats.send(await formats.newLayer(), whole, 'data.parquet', 'x=east&y=north');
  assert.match(wrong.json.message, /no column 'east'; it has 'name', 'lat'/);
  // Nobody says that other numbers named x and y are degrees.
  const plan = Buffer.from(
    whole.toString('latin1').replaceAll('lat', 'a_t').replaceAll('lon', 'o_n'),
    'latin1',
  );
  assert.deepEqual((await taken(plan, '')).slice(0, 2), [undefined, [null, null, null]]);
});

test('columns of a table of dBase give the geometry, except where the request or the numbers speak against it', async () => {
  const table = (...values: [string, string]): Buffer =>
    dbfOf(
      [
        ['LAT', 'C', 12],
        ['LON', 'C', 12],
      ],
      Array.from({ length: 1_200 }, () => ({ mark: ' ', values })),
    );
  for (const [file, query, count, place] of [
    [table('60,5', '30,25'), '', 1_200, [30.25, 60.5]],
    [table('60,5', '30,25'), 'geometry=none', 0, undefined],
    [table('6651832', '500000'), '', 0, undefined],
    [table('6651832', '500000'), 'x=lon&y=lat&srs=32636', 1_200, [33, 60]],
  ] as const) {
    const layer = await formats.newLayer();
    const { read, geometries } = await formats.load(layer, file, 'x.dbf', query);
    assert.deepEqual([read, geometries.Point ?? 0], [1_200, count], query);
    const [first] = await formats.objects(layer);
    const rounded = first!.geom?.coordinates.map((number: number) => Math.round(number * 100) / 100);
    assert.deepEqual(rounded, place, query);
    assert.equal('LAT' in first!.fields || 'lat' in first!.fields, count === 0, query);
  }
});

test('GPX: decimal commas are those of coordinates, and what is no number is refused', async () => {
  const gpx = (...points: string[]): string =>
    `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${points.join('')}</gpx>`;
  const point = (lat: string, lon: string, more = ''): string =>
    `<wpt\nlat='${lat}' lon = "${lon}"><ele>5,25</ele><desc>lat="x" ${more}</desc></wpt>`;
  const layer = await formats.newLayer();
  const many = gpx(...Array.from({ length: 30_000 }, () => point('60,5', '-30.25', 'ё'.repeat(20))));
  assert.equal((await formats.load(layer, many, 'a.gpx')).read, 30_000);
  const places = new Set((await formats.objects(layer)).map(({ geom }) => geom.coordinates.join()));
  assert.deepEqual([...places], ['-30.25,60.5,5.25']);
  for (const lat of ['N60', '60,5,5', '']) {
    const refused = await formats.send(layer, gpx(point(lat, '30')), 'a.gpx');
    assert.equal(refused.json.message, `'a.gpx': '${lat}' is no coordinate`);
  }
});

test('Western European texts are distinguished from Cyrillic ones', async () => {
  const layer = await formats.newLayer();
  const report = await formats.load(layer, fixture('shp-cp1252.zip'), 'x.zip');
  assert.equal(report.encoding, 'windows-1252');
  const [first] = await formats.objects(layer);
  assert.equal(first!.fields.name, "Château d'Épernay");
});

test('a GeoPackage gives all its layers, columns united', async () => {
  const layer = await formats.newLayer();
  const report = await formats.load(layer, fixture('places.gpkg'), 'data.bin');
  assert.deepEqual([report.read, report.stored, report.format], [5, 5, 'gpkg']);
  assert.match(report.notes.join(), /The file has 2 layers, and all were read: .*give sheet/);
  for (const sheet of ['nothing', '0', '3', '-1', '1.5']) {
    const { json } = await formats.send(layer, fixture('places.gpkg'), 'data.bin', `sheet=${sheet}`);
    assert.match(json.message, new RegExp(`has no layer '${sheet}'; it has '`));
  }
  const objects = await formats.objects(layer);
  assert.deepEqual(
    objects.map(({ fields }) => fields.name),
    ['Москва', 'Санкт-Петербург', null, "Château d'Épernay", 'Peña Señorío'],
  );
  // Long before 1902, where a fast way of the engine gives other dates.
  assert.equal(objects[0]!.fields.founded.slice(0, 10), '1147-04-04');
  assert.equal(objects[0]!.fields.capital, true);
  assert.equal(objects[0]!.fields.seen, '2024-05-01T12:30:00.000Z');
});

test('KML with folders, schemas, data and tracks', async () => {
  const layer = await formats.newLayer();
  const report = await formats.load(layer, fixture('places.kml'), 'places.kml');
  assert.deepEqual([report.read, report.stored, report.format], [4, 4, 'kml']);
  assert.deepEqual(report.notes, [
    '1 × id of an element (feature 2): not read, left out',
    '1 × GroundOverlay: no object, left out',
  ]);
  const [moscow, area, track, none] = await formats.objects(layer);
  assert.deepEqual(moscow!.geom.coordinates, [37.6173, 55.7558, 156]);
  const { name, description, folder, people, capital, founded } = moscow!.fields;
  assert.deepEqual(
    [name, description, folder, people, capital, founded],
    ['Москва', '<b>Столица</b> & город', 'Города / Столицы', 12655050, true, '1147-04-04T00:00:00.000Z'],
  );
  assert.equal(area!.geom.type, 'MultiPolygon');
  assert.equal(area!.geom.coordinates[0].length, 2);
  assert.equal(area!.fields.kod, '47');
  assert.deepEqual(track!.geom.coordinates, [
    [1, 2, 3],
    [4, 5, 6],
  ]);
  assert.equal(none!.geom, null);
});

test('GPX: waypoints, routes and tracks', async () => {
  const layer = await formats.newLayer();
  const report = await formats.load(layer, fixture('track.gpx'), 'track.gpx');
  assert.deepEqual(report.geometries, { Point: 1, LineString: 1, MultiLineString: 1 });
  const objects = await formats.objects(layer);
  assert.deepEqual(
    objects.map(({ fields }) => fields.name),
    ['Привал', 'Маршрут', 'Трек'],
  );
  assert.equal(objects[0]!.fields.time, '2024-05-01T12:30:00.000Z');
  assert.deepEqual(
    objects.map(({ geom }) => geom.coordinates),
    [
      [37.61, 55.75, 156],
      [
        [2, 1],
        [4, 3],
      ],
      [
        [
          [2, 1, 10],
          [4, 3, 11],
        ],
      ],
    ],
  );
});

test('GPX: columns are made of what the file has, and warnings of what is not read are left out', async () => {
  const layer = await formats.newLayer();
  const heart = (rate: string): string =>
    `<extensions><x:TrackPointExtension><x:hr>${rate}</x:hr></x:TrackPointExtension></extensions>`;
  const report = await formats.load(
    layer,
    `<?xml version="1.0"?>
<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
<wpt lat="1" lon="2"><name>a</name><sym>Flag</sym></wpt>
<trk><name>b</name><type>run</type><trkseg><trkpt lat="1" lon="2">${heart('100')}</trkpt><trkpt lat="2" lon="3">${heart('101')}</trkpt></trkseg></trk></gpx>`,
    'a.gpx',
  );
  assert.deepEqual(await formats.columns(layer), { name: 'string', sym: 'string', type: 'string' });
  assert.deepEqual(report.notes, [
    'Of the 2 track points the places and heights were kept, other values left out',
  ]);
});

test('GPX in other encodings than UTF-8', async () => {
  const text = fixture('track.gpx').toString();
  const declaring = (name: string): string => text.replace('UTF-8', name);
  for (const [bytes, query] of [
    [iconv.encode(declaring('windows-1251'), 'windows-1251')],
    [Buffer.from(`\ufeff${declaring('UTF-16')}`, 'utf16le')],
    [iconv.encode(text.replace(/^.*\n/, ''), 'windows-1251'), 'encoding=1251'],
    [fixture('track.gpx'), 'encoding=utf-8'],
  ] as const) {
    const layer = await formats.newLayer();
    await formats.load(layer, bytes, 'track.gpx', query);
    const [first] = await formats.objects(layer);
    assert.equal(first!.fields.name, 'Привал');
  }
  const refused = await formats.send(await formats.newLayer(), declaring('windows-9999'), 'track.gpx');
  assert.match(refused.json.message, /windows-9999/);
});

test('DXF in windows-1251: curves become lines', async () => {
  const layer = await formats.newLayer();
  const report = await formats.load(layer, fixture('shapes.dxf'), 'shapes.dxf');
  assert.equal(report.read, 3);
  const objects = await formats.objects(layer);
  assert.equal(objects[0]!.fields.Layer, 'Дороги');
  assert.equal(objects[1]!.fields.Text, 'Подпись');
  assert.equal(objects[2]!.geom.type, 'LineString');
  assert.ok(objects[2]!.geom.coordinates.length > 20);
});

test('srs overrides what the file says, in each of its forms', async () => {
  for (const srs of ['3857', 'EPSG:3857', '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +units=m']) {
    const layer = await formats.newLayer();
    await formats.load(layer, fixture('shp-utf8.zip'), 'x.zip', `srs=${encodeURIComponent(srs)}`);
    const [first] = await formats.objects(layer);
    assert.ok(Math.abs(first!.geom.coordinates[0]) < 0.001, srs);
  }
});

test('encoding overrides the guess, and a wrong one is said', async () => {
  const layer = await formats.newLayer();
  const wrong = await formats.send(layer, fixture('shp-cp1251.zip'), 'x.zip', 'encoding=utf-8');
  assert.equal(wrong.status, 500);
  assert.match(wrong.json.message, /Feature 1: .*utf-8/);
  assert.equal(wrong.json.data.feature, 1);
  assert.equal(
    (await formats.send(layer, fixture('shp-cp1251.zip'), 'x.zip', 'encoding=klingon')).status,
    400,
  );
  const report = await formats.load(layer, fixture('shp-cp866.zip'), 'x.zip', 'encoding=866');
  assert.equal(report.encoding, 'cp866');
});

test('dry_run says what would be and stores nothing', async () => {
  const layer = await formats.newLayer();
  const before = await formats.columns(layer);
  const plan = await formats.load(layer, fixture('shp-gk7.zip'), 'x.zip', 'dry_run=1');
  assert.deepEqual([plan.read, plan.stored, plan.refused, plan.projection], [3, 0, 0, 'EPSG:28407']);
  assert.deepEqual(
    plan.columns.map(({ code, type, new: isNew }: any) => [code, type, isNew]),
    [
      ['name', 'string', true],
      ['people', 'number', true],
      ['area', 'number', true],
      ['founded', 'datetime', true],
      ['seen', 'datetime', true],
      ['capital', 'number', true],
      ['note', 'string', true],
    ],
  );
  assert.ok(Math.abs(plan.extent[0] - 30.3351) < 1e-5 && Math.abs(plan.extent[3] - 59.9343) < 1e-5);
  assert.deepEqual(await formats.columns(layer), before);
  assert.deepEqual(await formats.objects(layer), []);
});

test('skip_errors stores valid features and lists the others', async () => {
  const layer = await formats.newLayer({ code: 'n', type: 'number' });
  const feature = (n: unknown, x: number, id?: number) =>
    JSON.stringify({
      type: 'Feature',
      id,
      geometry: { type: 'Point', coordinates: [x, 1] },
      properties: { n },
    });
  const text = [
    feature(1, 1, 7),
    feature('no number', 1),
    feature(3, 999),
    '{"type":"Wrong"}',
    feature(5, 2, 7),
    feature(6, 2),
  ].join('\n');
  const collection = `{"type":"FeatureCollection","features":[${text.replaceAll('\n', ',')}]}`;
  assert.equal((await formats.send(layer, collection, 'x.geojson')).json.data.feature, 2);
  assert.equal((await formats.objects(layer)).length, 0);
  const plan = await formats.load(layer, collection, 'x.geojson', 'dry_run=1');
  assert.deepEqual(
    plan.errors.map(({ feature }: any) => feature),
    [2, 3, 4, 5],
  );
  const report = await formats.load(layer, collection, 'x.geojson', 'skip_errors=1');
  assert.deepEqual([report.read, report.stored, report.refused], [6, 2, 4]);
  assert.deepEqual(report.errors, plan.errors);
  const objects = await formats.objects(layer);
  assert.deepEqual(objects.map(({ fields }) => fields.n).sort(), [1, 6]);
});

test('logical columns of MapInfo are booleans', async () => {
  const layer = await formats.newLayer();
  const mif =
    'Version 450\r\nCharset "WindowsLatin1"\r\nCoordSys Earth Projection 1, 104\r\nColumns 3\r\n  Letter Char(1)\r\n  Open Logical\r\n  Logical Char(9)\r\nData\r\n\r\nPoint 1 2\r\nPoint 1 2\r\nnone\r\n';
  const mid = '"T"\tT\t"T"\r\n"F"\tF\t"no"\r\n""\t\t""\r\n';
  await formats.load(layer, await zipOf({ 'a.mif': mif, 'a.mid': mid }), 'a.zip');
  assert.deepEqual(await formats.columns(layer), { Letter: 'string', Open: 'bool', Logical: 'string' });
  const found = await formats.objects(layer);
  assert.deepEqual(
    found.map(({ fields }) => [fields.Letter, fields.Open]),
    [
      ['T', true],
      ['F', false],
      ['', null],
    ],
  );
});
