import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { checkGridFolder } from '@cartulary/renderer';
import { assertColor, colors, image, rastersOn } from '../raster-support.js';
import { type Formats, startFormats } from '../support.js';

const [easternShift, northernShift] = [0.02, 0.01];

/** A grid of PROJ (NTv2) over Germany that moves every place by the same degrees. */
function gridFile(): Buffer {
  const record = (key: string, value: string | number, isWhole = false): Buffer => {
    const bytes = Buffer.alloc(16, ' ');
    bytes.write(key);
    if (typeof value === 'string') bytes.write(value, 8);
    else if (isWhole) bytes.fill(0, 8).writeInt32LE(value, 8);
    else bytes.writeDoubleLE(value, 8);
    return bytes;
  };
  const [south, north, west, east] = [47, 56, 5, 16];
  const nodes = (north - south + 1) * (east - west + 1);
  const node = Buffer.alloc(16);
  node.writeFloatLE(northernShift * 3600, 0);
  node.writeFloatLE(-easternShift * 3600, 4);
  return Buffer.concat([
    ...['NUM_OREC', 'NUM_SREC', 'NUM_FILE'].map((key, i) => record(key, i < 2 ? 11 : 1, true)),
    ...['GS_TYPE SECONDS', 'VERSION NTv2.0', 'SYSTEM_FDHDN', 'SYSTEM_TETRS89'].map((text) =>
      record(text.slice(0, 8), text.slice(8)),
    ),
    ...[6_377_397.155, 6_356_078.963, 6_378_137, 6_356_752.314].map((axis, i) =>
      record(['MAJOR_F', 'MINOR_F', 'MAJOR_T', 'MINOR_T'][i]!, axis),
    ),
    ...['SUB_NAMEALL', 'PARENT  NONE', 'CREATED', 'UPDATED'].map((text) =>
      record(text.slice(0, 8), text.slice(8)),
    ),
    // Seconds; longitudes count westward.
    ...Object.entries({
      S_LAT: south,
      N_LAT: north,
      E_LONG: -east,
      W_LONG: -west,
      LAT_INC: 1,
      LONG_INC: 1,
    }).map(([key, degrees]) => record(key, degrees * 3600)),
    record('GS_COUNT', nodes, true),
    ...Array.from({ length: nodes }, () => node),
  ]);
}

/** The middle of the image in EPSG:31467, and how far from it its quarters are tried: its pixels have 100 m. */
const [middleX, middleY] = [3_503_200, 5_702_400];
const aside = 110;

test('grid files of a folder shift objects and images; without them seven parameters do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grids-'));
  writeFileSync(join(folder, 'BETA2007.gsb'), gridFile());
  const [withGrids, without] = await Promise.all([
    startFormats({ CARTULARY_PROJ_GRIDS: folder }),
    startFormats(),
  ]);
  try {
    const onMeridian = JSON.stringify({ type: 'Point', coordinates: [2_500_000, 5_700_000] });
    const [x] = await placeBy(withGrids, onMeridian, 'EPSG:31466');
    assert.ok(Math.abs(x! - (6 + easternShift)) < 1e-8, `${x}`);
    const [plain] = await placeBy(without, onMeridian, 'EPSG:31466');
    assert.ok(Math.abs(plain! - 5.999_402) < 1e-6, `${plain}`);
    for (const formats of [withGrids, without]) await assertQuarters(formats);
  } finally {
    await withGrids.server.stop();
    await without.server.stop();
    rmSync(folder, { recursive: true });
  }
});

async function placeBy(formats: Formats, point: string, srs: string): Promise<number[]> {
  const layer = await formats.newLayer();
  await formats.load(layer, point, 'x.geojson', `srs=${srs}`);
  return (await formats.objects(layer))[0]!.geom.coordinates;
}

/** The quarters of an image lie at the places of objects with the same coordinates. */
async function assertQuarters(formats: Formats): Promise<void> {
  const rasters = rastersOn(formats.server);
  const { id, code } = await rasters.newLayer('raster-scaling: near;');
  const corners = `BOX(${middleX - 3200} ${middleY - 2400},${middleX + 3200} ${middleY + 2400})`;
  await rasters.load(code, image('rgb.png'), `srs=31467&raster_bbox=${encodeURIComponent(corners)}`);
  for (const [east, north, color] of [
    [-1, 1, colors.nw],
    [1, 1, colors.ne],
    [-1, -1, colors.sw],
    [1, -1, colors.se],
  ] as const) {
    const coordinates = [middleX + aside * east, middleY + aside * north];
    const place = await placeBy(formats, JSON.stringify({ type: 'Point', coordinates }), 'EPSG:31467');
    assertColor(await rasters.colorAt(id, [place[0]!, place[1]!], 16), color);
  }
}

test('a folder of grids that is not there, or has a database of PROJ, is told at the start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grids-'));
  try {
    checkGridFolder('');
    checkGridFolder(folder);
    assert.throws(
      () => checkGridFolder(join(folder, 'none')),
      /^Error: CARTULARY_PROJ_GRIDS=.*none: there is no such folder$/,
    );
    writeFileSync(join(folder, 'proj.db'), '');
    assert.throws(() => checkGridFolder(folder), /it has a proj\.db/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
