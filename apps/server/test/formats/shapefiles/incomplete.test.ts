import assert from 'node:assert/strict';
import test from 'node:test';
import { filesOf, zipOf } from '../archives.js';
import { type Formats, fixture, startFormats } from '../support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());

test('parts that are absent are made up for, and said', async () => {
  const shp = filesOf(fixture('shp-utf8.zip'));
  for (const [extension, says] of [
    // The index only gives the positions of records.
    ['.shx', /^$/],
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

test('a MapInfo file without its .mid has no attributes, and it is said', async () => {
  const { 'places.mif': mif } = filesOf(fixture('mif.zip'));
  const report = await formats.load(await formats.newLayer(), await zipOf({ 'a.mif': mif! }), 'x.zip');
  assert.equal(report.read, 3);
  assert.match(report.notes.join(), /without \.mid/);
});

test('several shapefiles in folders of one zip come in together', async () => {
  const shp = filesOf(fixture('shp-utf8.zip'));
  const latin = filesOf(fixture('shp-cp1252.zip'));
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
  const kml = `<kml><Document><Placemark>${polygon}</Placemark></Document></kml>`;
  assert.equal((await formats.load(other, kml, 'x.kml')).stored, 1);
});

test('a client that leaves during a conversion leaves nothing behind', async () => {
  const controller = new AbortController();
  const sent = fetch(`${formats.server.api}/m/layers/${await formats.newLayer()}/import/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${formats.server.adminToken}`, 'x-filename': 'x.gpkg' },
    body: new Uint8Array(fixture('places.gpkg')),
    signal: controller.signal,
  });
  // The file has come into the folder of the job.
  const ended = assert.rejects(sent, { name: 'AbortError' });
  await Promise.race([ended, formats.isAtWork()]);
  controller.abort();
  await ended;
  await formats.assertClean();
});
