import assert from 'node:assert/strict';
import test from 'node:test';
import { type Formats, fixture, startFormats, zipOf } from './support.js';

let formats: Formats;
let layer: string;
let before: string;

const state = async (): Promise<string> =>
  JSON.stringify([await formats.objects(layer), await formats.columns(layer)]);

test.before(async () => {
  formats = await startFormats({
    CARTULARY_TEMPORARY_LIMIT: String(300 * 1024 * 1024),
    CARTULARY_ARCHIVE_ENTRIES: '50',
  });
  layer = await formats.newLayer({ code: 'name', type: 'string' });
  await formats.load(layer, '{"type":"Feature","geometry":null,"properties":{"name":"before"}}', 'x.geojson');
  before = await state();
});
test.after(() => formats.server.stop());

/** Files of a zip archive that yazl or zip made, by reading its central directory with the service's own reader. */
async function filesOf(archive: Buffer): Promise<Record<string, Buffer>> {
  const { inflateRawSync } = await import('node:zlib');
  const files: Record<string, Buffer> = {};
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = archive.readUInt32LE(end + 16);
  for (let i = archive.readUInt16LE(end + 10); i > 0; i--) {
    const [size, name, extra, comment] = [20, 28, 30, 32].map((offset) =>
      offset === 20 ? archive.readUInt32LE(at + offset) : archive.readUInt16LE(at + offset),
    ) as [number, number, number, number];
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(start, start + size);
    files[archive.toString('utf8', at + 46, at + 46 + name)] =
      archive.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed;
    at += 46 + name + extra + comment;
  }
  return files;
}

const vrt = `<OGRVRTDataSource><OGRVRTLayer name="passwd"><SrcDataSource>/etc/passwd</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>`;
const kml = (placemark: string, head = ''): string =>
  `<?xml version="1.0"?>${head}<kml><Document><Placemark>${placemark}</Placemark></Document></kml>`;
const laughs = '<!DOCTYPE kml [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>';

async function cases(): Promise<[what: string, file: Buffer | string, name: string, says: RegExp][]> {
  const shp = await filesOf(fixture('shp-utf8.zip'));
  const without = (extension: string) =>
    zipOf(Object.fromEntries(Object.entries(shp).filter(([name]) => !name.endsWith(extension))));
  const slip = await zipOf({ 'xx/a.shp': 'x' });
  const bomb = await zipOf({ 'a.geojson': Buffer.alloc(280 * 1024 * 1024, 0x20) });
  const cut = (extension: string, bytes: number) =>
    zipOf(
      Object.fromEntries(
        Object.entries(shp).map(([name, content]) => [
          name,
          name.endsWith(extension) ? content.subarray(0, bytes) : content,
        ]),
      ),
    );
  const gpkg = fixture('places.gpkg');
  return [
    ['VRT as .shp', vrt, 'x.shp', /OGRVRTDataSource/],
    ['VRT as .csv', vrt, 'x.csv', /OGRVRTDataSource/],
    ['VRT as .geojson', vrt, 'x.geojson', /OGRVRTDataSource/],
    ['VRT in a zip', await zipOf({ 'x.shp': vrt }), 'x.zip', /no shp|OGRVRTDataSource/],
    ['nothing', '', 'x.shp', /shp/],
    ['a lone .shp', shp['places.shp']!, 'places.shp', /zip/],
    ['without .shp', await without('.shp'), 'x.zip', /not the \.shp/],
    ['a cut .shp', await cut('.shp', 120), 'x.zip', /cut off|damaged|could not be read/],
    ['a cut .dbf', await cut('.dbf', 300), 'x.zip', /cut off|damaged|could not be read|should have/],
    ['a zip that is cut off', fixture('shp-utf8.zip').subarray(0, 700), 'x.zip', /zip/],
    ['an empty zip', await zipOf({}), 'x.zip', /holds nothing/],
    ['a zip of texts', await zipOf({ 'a.txt': 'x' }), 'x.zip', /holds nothing/],
    ['a zip in a zip', await zipOf({ 'a.zip': fixture('shp-utf8.zip') }), 'x.zip', /not opened/],
    [
      'zip slip',
      Buffer.from(slip.toString('latin1').replaceAll('xx/a', '../a'), 'latin1'),
      'x.zip',
      /leads out/,
    ],
    ['a zip bomb', bomb, 'x.zip', /unpacks to more/],
    [
      'many files',
      await zipOf(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.shp`, '']))),
      'x.zip',
      /more than 50/,
    ],
    [
      'two formats',
      await zipOf({ 'a.kml': kml(''), 'b.gpx': fixture('track.gpx') }),
      'x.zip',
      /several formats/,
    ],
    ['a cut GeoPackage', gpkg.subarray(0, 40_000), 'x.gpkg', /could not be read/],
    ['KML with entities', kml('<name>&b;</name>', laughs), 'x.kml', /DOCTYPE|document type/],
    ['KML with an unknown entity', kml('<name>&x;</name>'), 'x.kml', /Not valid XML/],
    ['KML that is cut off', kml('').slice(0, -12), 'x.kml', /XML|cut off/],
    ['KML nested deep', `<kml>${'<Folder>'.repeat(1000)}`, 'x.kml', /deep/],
    ['KML with NaN', kml('<Point><coordinates>NaN,1</coordinates></Point>'), 'x.kml', /Feature 1: .*NaN/],
    [
      'KML out of range',
      kml('<Point><coordinates>500,1</coordinates></Point>'),
      'x.kml',
      /Feature 1: .*range/,
    ],
    [
      'GPX with entities',
      laughs.replace('kml', 'gpx') + fixture('track.gpx').toString().replace(/^.*\n/, ''),
      'x.gpx',
      /could not be read|DOCTYPE|document type|entit/i,
    ],
    ['a DWG', 'AC1032xxxx', 'x.dwg', /DXF/],
    ['RAR', 'Rar!\x1a\x07\x00', 'x.zip', /zip/],
    ['a picture', Buffer.from('\x89PNG\r\n', 'latin1'), 'x.shp', /png/],
  ];
}

test('hostile and broken files end with a clear error, and change nothing', async () => {
  for (const [what, file, name, says] of await cases()) {
    const answer = await formats.send(layer, file, name);
    assert.ok(answer.status >= 400, `${what}: ${answer.text}`);
    const message = answer.json?.message ?? answer.text;
    assert.match(message, says, what);
    assert.doesNotMatch(message, /\/tmp\/|\/job|select |at file:/, what);
    assert.equal(await state(), before, what);
    await formats.assertClean();
  }
});

test('parts that are absent are made up for, and said', async () => {
  const shp = await filesOf(fixture('shp-utf8.zip'));
  for (const [extension, says] of [
    ['.shx', /made anew/],
    ['.prj', /assumed/],
    ['.dbf', /no attributes/],
  ] as const) {
    const other = await formats.newLayer();
    const some = Object.fromEntries(Object.entries(shp).filter(([name]) => !name.endsWith(extension)));
    const report = await formats.load(other, await zipOf(some), 'x.zip');
    assert.equal(report.read, 3, extension);
    assert.match(report.notes.join(), says);
  }
});

test('several shapefiles in folders of one zip come in together', async () => {
  const shp = await filesOf(fixture('shp-utf8.zip'));
  const latin = await filesOf(fixture('shp-cp1252.zip'));
  const files = {
    ...Object.fromEntries(Object.entries(shp).map(([name, content]) => [`Россия/${name}`, content])),
    ...Object.fromEntries(
      Object.entries(latin).map(([name, content]) => [`Europe/${name.toUpperCase()}`, content]),
    ),
    'README.txt': 'x',
    '__MACOSX/._places.shp': 'x',
  };
  const other = await formats.newLayer();
  const report = await formats.load(other, await zipOf(files), 'x.zip');
  assert.deepEqual([report.read, report.stored], [5, 5]);
  assert.equal(report.encoding, 'windows-1252, utf-8');
  const names = (await formats.objects(other)).map(({ fields }) => fields.name);
  assert.deepEqual(names, ["Château d'Épernay", 'Peña Señorío', 'Москва', 'Санкт-Петербург', null]);
});

test('self-intersecting rings are stored as they are, as of GeoJSON', async () => {
  const ring = '0,0 10,10 10,0 0,10 0,0';
  const polygon = `<Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon>`;
  const other = await formats.newLayer();
  assert.equal((await formats.load(other, kml(polygon), 'x.kml')).stored, 1);
});

test('a client that leaves, and a conversion that takes too long, leave nothing behind', async () => {
  const controller = new AbortController();
  const sent = fetch(`${formats.server.api}/m/layers/${layer}/import/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${formats.server.adminToken}`, 'x-filename': 'x.gpkg' },
    body: new Uint8Array(fixture('places.gpkg')),
    signal: controller.signal,
  });
  setTimeout(() => controller.abort(), 400);
  await sent.then(
    (answer) => answer.text(),
    () => {},
  );
  await formats.assertClean();
});
