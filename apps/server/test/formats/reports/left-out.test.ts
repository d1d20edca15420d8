import assert from 'node:assert/strict';
import test from 'node:test';
import { zipOf } from '../archives.js';
import { type Formats, fixture, startFormats } from '../support.js';

/* What an import does not keep stands in its report. */

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

interface Loaded {
  report: any;
  notes: string;
  objects: Awaited<ReturnType<Formats['objects']>>;
}

async function loaded(file: Buffer | string, name: string, query = ''): Promise<Loaded> {
  const layer = await formats.newLayer();
  const report = await formats.load(layer, file, name, query);
  return { report, notes: report.notes.join('\n'), objects: await formats.objects(layer) };
}

const point = '{"type":"Point","coordinates":[1,2]}';
const feature = (properties: object, geometry = point): string =>
  `{"type":"Feature","properties":${JSON.stringify(properties)},"geometry":${geometry}}`;

/** POINT ZM (1 2 3 4) as hexadecimal WKB. */
const pointZm = (): string => {
  const bytes = Buffer.alloc(37);
  bytes[0] = 1;
  bytes.writeUInt32LE(3001, 1);
  for (const [i, number] of [1, 2, 3, 4].entries()) bytes.writeDoubleLE(number, 5 + 8 * i);
  return bytes.toString('hex');
};

test('measures of positions in GeoJSON and in texts of tables', async () => {
  const long = '{"type":"Point","coordinates":[1,2,3,4]}';
  const geojson = await loaded([feature({}), feature({}, long)].join('\n'), 'a.geojsonl');
  assert.match(
    geojson.notes,
    /1 × position of more than three numbers \(feature 2\): the first three are kept/,
  );
  const hexadecimal = await loaded(feature({}, `"${pointZm()}"`), 'a.geojson');
  assert.match(hexadecimal.notes, /1 × measures \(M\) of positions \(feature 1\): not read, left out/);
  for (const text of ['POINT ZM (1 2 3 4)', 'POINT (1 2 3 4)', 'POINTZM(1 2 3 4)', pointZm()]) {
    const table = await loaded(`wkt;n\n${text};1\n`, 'a.csv');
    assert.deepEqual(table.objects[0]!.geom.coordinates, [1, 2, 3]);
    assert.match(table.notes, /The measures \(M\) of its positions were left out/, text);
  }
  for (const text of ['POINT Z (1 2 3)', 'POINT (1 2 3)', 'POINT (1 2)'])
    assert.doesNotMatch((await loaded(`wkt;n\n${text};1\n`, 'a.csv')).notes, /measures/, text);
});

const entity = (kind: string, ...groups: [code: number, value: number | string][]): string =>
  `  0\r\n${kind}\r\n  8\r\n0\r\n${groups.map(([code, value]) => `${code}\r\n${value}\r\n`).join('')}`;
const section = (name: string, content: string): string =>
  `0\r\nSECTION\r\n2\r\n${name}\r\n${content}0\r\nENDSEC\r\n`;

test('entities of a drawing that are not read', async () => {
  const ray: [number, number][] = [
    [10, 0],
    [20, 0],
    [11, 1],
    [21, 0],
  ];
  const block = `0\r\nBLOCK\r\n8\r\n0\r\n2\r\nB\r\n70\r\n0\r\n10\r\n0\r\n20\r\n0\r\n${entity('RAY', ...ray)}${entity('LINE', ...ray)}0\r\nENDBLK\r\n8\r\n0\r\n`;
  const entities = [
    entity('POINT', [10, 1], [20, 2]),
    // Its last value equals the code of the entity behind it.
    entity('XLINE', ...ray),
    entity('XLINE', ...ray),
    entity('TEXT', [10, 1], [20, 2], [40, 1], [1, 'RAY'], [70, 0]),
    entity('IMAGE', [10, 0], [20, 0]),
    entity('VIEWPORT', [10, 0], [20, 0]),
    // More than is read of the file at once.
    `${entity('TEXT', [10, 1], [20, 2], [40, 1], [1, 'x'])}999\r\n${'-'.repeat(100)}\r\n`.repeat(8_000),
    entity('XLINE', ...ray),
    entity('INSERT', [2, 'B'], [10, 0], [20, 0]),
  ].join('');
  const drawing = `${section('HEADER', '')}${section('BLOCKS', block)}${section('ENTITIES', entities)}0\r\nEOF\r\n`;
  const { report, notes } = await loaded(drawing, 'a.dxf', 'srs=4326&dry_run=1');
  assert.equal(report.read, 8_003);
  assert.match(notes, /3 × XLINE: not read, left out/);
  assert.match(notes, /1 × IMAGE: not read, left out/);
  assert.doesNotMatch(notes, /RAY|VIEWPORT|TEXT|LINE:.*\n.*LINE:/);
});

test('files of an archive that are not read', async () => {
  const inner = await zipOf({ 'b.geojson': point });
  const archive = await zipOf({
    'a.geojson': feature({ a: 1 }),
    'inner.zip': inner,
    'sub/b.gml': '<gml/>',
    'c.gdb/a00000001.gdbtable': 'x',
    'readme.txt': 'x',
    'photo.jpg': 'x',
    '__MACOSX/._inner.zip': 'x',
  });
  const { report, notes } = await loaded(archive, 'a.zip');
  assert.equal(report.read, 1);
  assert.match(
    notes,
    /3 files of the archive were not read: 'inner\.zip', 'sub\/b\.gml', 'c\.gdb\/a00000001\.gdbtable'/,
  );
  assert.doesNotMatch((await loaded(fixture('shp-utf8.zip'), 'a.zip')).notes, /of the archive/);
});

test('JSON of other programs beside the GeoJSON of an archive', async () => {
  const archive = await zipOf({
    'a.json': '{"name":"settings","version":1}',
    'b.json': feature({ a: 1 }),
    'c.geojson': feature({ a: 2 }),
  });
  const { report, notes } = await loaded(archive, 'a.zip');
  assert.equal(report.read, 2);
  assert.match(notes, /'a\.json': not read, left out/);
  const { json } = await formats.send(
    await formats.newLayer(),
    await zipOf({ 'a.json': '{"name":"settings"}' }),
    'a.zip',
  );
  assert.match(json.message, /Not GeoJSON/);
});

test('files that are no data are refused with what they are', async () => {
  for (const [file, name, says] of [
    ['<!DOCTYPE html>\n<html><body>Sign in</body></html>', 'a.geojson', /a web page \(HTML\)/],
    ['<html><body>404</body></html>', 'a.kml', /a web page \(HTML\)/],
    [Buffer.from('0000000d0a094f534d48656164657218', 'hex'), 'a.osm.pbf', /not of a format that is read/],
    [Buffer.from('0809fe02000000000000', 'hex'), 'a.dgn', /not of a format that is read/],
    ['EXP  0 C:\\A.E00\nARC  2\n', 'a.e00', /not of a format that is read/],
    ['select 1;\n', 'a.sql', /not of a format that is read/],
    ['hello world\n', 'a.txt', /not of a format that is read/],
    ['hello world\n', 'a.geojson', /Not GeoJSON: an object expected/],
    ['{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},"features":[]}', 'a.json', /Esri/],
  ] as const) {
    const { status, json } = await formats.send(await formats.newLayer(), file as Buffer, name);
    assert.equal(status, 500);
    assert.equal(json.code, 'import_failed');
    assert.match(json.message, says, name);
  }
});
