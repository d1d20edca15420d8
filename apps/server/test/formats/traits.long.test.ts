import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { zipOf } from './archives.js';
import { imagePath } from './raster-support.js';
import { type Formats, startFormats } from './support.js';
import type { TraitCase } from './traits/case.js';
import { dbfCases } from './traits/dbf.js';
import { geojsonCases } from './traits/geojson.js';
import { kmlCases } from './traits/kml.js';
import { mapinfoCases } from './traits/mapinfo.js';
import { comparable, hasOgr, type NativeFeature, readImported, readNatively } from './traits/native.js';
import { otherCases } from './traits/others.js';
import { shapefileCases } from './traits/shapefiles.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());

async function imported({ files, query }: TraitCase): Promise<{ layer: string; report: any }> {
  const layer = await formats.newLayer();
  const [name, content] = Object.entries(files)[0]!;
  const isAlone = Object.keys(files).length === 1;
  const file = isAlone && !name.endsWith('.shp') ? Buffer.from(content as string) : await zipOf(files);
  const report = await formats.load(layer, file, isAlone ? name : 'a.zip', query);
  return { layer, report };
}

/** Values that are not null. */
const withValue = ({ properties }: NativeFeature): object =>
  Object.fromEntries(Object.entries(properties ?? {}).filter(([, value]) => value !== null));

const geometryOf = ({ geometry }: NativeFeature): object => comparable({ geometry, properties: {} });

for (const [group, cases] of Object.entries({
  shapefiles: () => shapefileCases,
  'tables of dBase': () => dbfCases,
  KML: () => kmlCases,
  GeoJSON: () => geojsonCases,
  MapInfo: mapinfoCases,
  'other formats': otherCases,
})) {
  test(`traits of files as GDAL reads them: ${group}`, { skip: !hasOgr }, async (t) => {
    for (const trait of cases()) {
      await t.test(trait.what, async () => {
        const { layer, report } = await imported(trait);
        if (trait.notes) assert.match(report.notes.join('\n'), trait.notes);
        if (trait.geometries) assert.deepEqual(report.geometries, trait.geometries);
        const ours = await readImported(formats, layer);
        assert.equal(report.read, ours.length);
        if (trait.values) assert.deepEqual(ours.map(withValue), trait.values);
        if (trait.nativeDiffers) {
          assert.equal(ours.length, trait.expected);
          return;
        }
        const native = readNatively(trait.files, Object.keys(trait.files)[0]!);
        const compared = trait.valuesDiffer ? geometryOf : comparable;
        assert.deepEqual(ours.map(compared), native.map(compared));
      });
    }
  });
}

test('a GeoPackage with images only is refused with this reason', { skip: !hasOgr }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-traits-'));
  try {
    const path = join(folder, 'a.gpkg');
    const made = spawnSync('gdal_translate', ['-of', 'GPKG', imagePath('rgb-3857.tif'), path]);
    assert.equal(made.status, 0, String(made.stderr));
    const { json } = await formats.send(await formats.newLayer(), readFileSync(path), 'a.gpkg');
    assert.equal(json.code, 'import_failed');
    assert.match(json.message, /'a\.gpkg' holds images \(tiles\) and no objects/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a table of another version of dBase is refused with what to do', async () => {
  // dBase II: the version, the number of records and their size are elsewhere, and columns take 16 bytes.
  const table = Buffer.alloc(600);
  table.set([2, 1, 0, 1, 1, 99, 11, 0]);
  table.write('NAME\0\0\0\0\0\0\0C', 8, 'latin1');
  table[20] = 10;
  table[24] = 0x0d;
  const { json } = await formats.send(await formats.newLayer(), table, 'a.dbf');
  assert.equal(json.code, 'import_failed');
  assert.match(json.message, /no table of dBase III to V or FoxPro: save it as one, or as csv/);
});
