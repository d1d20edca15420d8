import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { runPage } from '../support/guide.js';
import { startServer } from '../support/server.js';

/** Where the tour of the README saves its tile. */
const tileInTour = '/tmp/parks.png';

/** The tour of the README. Its tile is saved to `tileFile` instead. */
function tour(tileFile: string): string {
  const readme = readFileSync('README.md', 'utf8');
  const part = readme.split('\n## ').find((one) => one.startsWith('Five minutes with curl')) ?? '';
  assert.ok(part.includes(tileInTour), 'the tour saves a tile');
  return part.replaceAll(tileInTour, tileFile);
}

test('the tour of the README works as printed, twice', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-tour-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const tileFile = join(folder, 'parks.png');
  await runPage(tour(tileFile), server);
  rmSync(tileFile);
  const output = await runPage(tour(tileFile), server);
  const order = ['Jardin des Tuileries', 'Jardin du Luxembourg', 'Parc Montsouris'].map((name) =>
    output.lastIndexOf(name),
  );
  assert.ok(Math.min(...order) >= 0, `each garden is printed: ${order}`);
  assert.deepEqual(
    order.toSorted((a, b) => a - b),
    order,
    'largest first',
  );
  const empty = await server.request('GET', '//tms/demo/parks/?z=12&x=0&y=0');
  assert.ok(readFileSync(tileFile).length > empty.bytes.length, 'the tile shows the gardens');
});

test('the README names every format that is read or written, and the changes have no marks of a merge', () => {
  const readme = readFileSync('README.md', 'utf8').toLowerCase();
  const table = readFileSync('docs/guide/formats.md', 'utf8').split('## Formats')[1]!.split('\n## ')[0]!;
  const rows = table.match(/^\|.*$/gm)!;
  const names: Record<string, string> = {
    geotif: 'geotiff',
    jpg: 'jpeg',
    shp: 'shapefile',
    fgb: 'flatgeobuf',
    gpkg: 'geopackage',
    dbf: 'dbase',
  };
  const formats = rows
    .slice(2)
    .flatMap((row) => [...row.split('|')[1]!.matchAll(/`([a-z]+)`/g)].map(([, one]) => one!));
  assert.ok(formats.length >= 17);
  assert.ok(!/\|\n\n\|/.test(table), 'the table is one');
  for (const format of formats.filter((one) => one !== 'geojsonl'))
    assert.ok(readme.includes(names[format] ?? format), format);
  assert.doesNotMatch(readFileSync('CHANGELOG.md', 'utf8'), /^[<=>]{7}/m);
});
