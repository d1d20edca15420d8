import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { filesOf, zipOf } from './archives.js';
import { dbfOf, shpOf, shpPoint } from './shapefiles/shapefile-bytes.js';
import { type Formats, startFormats } from './support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

const hasOgr = spawnSync('ogr2ogr', ['--version']).status === 0;

type Place = readonly [x: number, y: number];

/** Moscow, in degrees and in systems of maps. */
const moscow: Place = [37.6173, 55.7558];
const inZone7: Place = [7_413_305.557, 6_182_341.067];
const inUtm37: Place = [413_224.138, 6_179_766.954];
const inMercator: Place = [4_187_538.681, 7_509_955.142];

/** 10 cm, degrees. */
const near = 1e-6;

function assertNear(actual: readonly number[], expected: Place, message?: string): void {
  for (const [i, value] of expected.entries())
    assert.ok(Math.abs(actual[i]! - value) < near, `${message ?? ''} ${actual} is not ${expected}`);
}

const mifOf = (system: string, [x, y]: Place): string =>
  `Version 300\nCharset "Neutral"\nDelimiter ","\n${system}\nColumns 1\n  n Char(10)\nData\n\nPoint ${x} ${y}\n`;

async function imported(file: Buffer | string, name: string, query?: string) {
  const layer = await formats.newLayer();
  const report = await formats.load(layer, file, name, query);
  return { report, objects: await formats.objects(layer) };
}

const transverse = '"m", 39, 0, 1, 7500000, 0';

const systems: [system: string, place: Place, expected: Place, projection: RegExp][] = [
  ['CoordSys Earth Projection 1, 104', moscow, moscow, /^EPSG:4326$/],
  ['CoordSys Earth Projection 1, 1001', [37.619_174, 55.755_757], moscow, /^Pulkovo 1942$/],
  [`CoordSys Earth Projection 8, 1001, ${transverse}`, inZone7, moscow, /^Pulkovo 1942, Transverse/],
  [
    `COORDSYS EARTH PROJECTION 8, 1001, ${transverse} Bounds (6000000, 0) (9000000, 9000000)`,
    inZone7,
    moscow,
    /^Pulkovo/,
  ],
  [
    `CoordSys Earth Projection 8, 9999, 3, 23.57, -140.95, -79.8, 0, -0.35, -0.79, 0.22, 0, ${transverse}`,
    inZone7,
    moscow,
    /Transverse/,
  ],
  ['CoordSys Earth Projection 8, 104, "m", 39, 0, 0.9996, 500000, 0', inUtm37, moscow, /Transverse/],
  ['CoordSys Earth Projection 10, 157, "m", 0', inMercator, moscow, /Pseudo-Mercator/],
  [
    'CoordSys Earth Projection 3, 33, "m", 3, 46.5, 44, 49, 700000, 6600000',
    [652_301.565, 6_861_302.726],
    [2.35, 48.85],
    /^EPSG:2154$/,
  ],
];

for (const [system, place, expected, projection] of systems) {
  test(`MIF: ${system}`, async () => {
    const { report, objects } = await imported(mifOf(system, place), 'x.mif');
    assertNear(objects[0]!.geom.coordinates, expected);
    assert.match(report.projection, projection);
    assert.doesNotMatch(report.notes.join(), /datum/);
  });
}

test('MIF: a system that is nowhere on the earth, or is not understood, needs srs', async () => {
  for (const system of [
    'CoordSys NonEarth Units "m" Bounds (0, 0) (1000000, 10000000)',
    'CoordSys Table "other"',
    'CoordSys Earth Projection',
  ]) {
    const layer = await formats.newLayer();
    for (const place of [moscow, inUtm37]) {
      const { json } = await formats.send(layer, mifOf(system, place), 'x.mif');
      assert.equal(json.code, 'import_failed', system);
      assert.match(json.message, /give srs/);
      assert.deepEqual(json.data.parameters, ['srs']);
    }
    const { report, objects } = await imported(mifOf(system, inUtm37), 'x.mif', 'srs=32637');
    assert.equal(report.projection, 'EPSG:32637');
    assertNear(objects[0]!.geom.coordinates, moscow, system);
  }
});

test('MIF: without a system its coordinates are degrees, which is said', async () => {
  const { report, objects } = await imported(mifOf('', moscow), 'x.mif');
  assert.deepEqual(objects[0]!.geom.coordinates, moscow);
  assert.match(report.notes.join(), /names no projection: longitude and latitude are assumed/);
});

const shapefile = (place: Place, prj: Buffer | string): Promise<Buffer> =>
  zipOf({
    'x.shp': shpOf([shpPoint(...place)]),
    'x.dbf': dbfOf([['n', 'C', 10]], [{ mark: ' ', values: ['a'] }]),
    'x.prj': prj,
  });

const esri = (
  name: string,
  [meridian, easting]: Place,
  unit = '"Meter",1.0',
  projection = 'Transverse_Mercator',
) =>
  `PROJCS["${name}",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["${projection}"],PARAMETER["False_Easting",${easting}],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",${meridian}],${
    projection === 'Transverse_Mercator'
      ? 'PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0]'
      : 'PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0]'
  },UNIT[${unit}]]`;

test('a .prj is taken by its numbers, not by its name', async () => {
  const foot = 0.304_800_609_601_219_2;
  const utm = 'WGS_1984_UTM_Zone_37N';
  const web = ['WGS_1984_Web_Mercator_Auxiliary_Sphere', '"Meter",1.0', 'Mercator_Auxiliary_Sphere'] as const;
  const cases: [place: Place, prj: string][] = [
    [inUtm37, esri(utm, [39, 500_000])],
    [[inUtm37[0] / foot, inUtm37[1] / foot], esri(utm, [39, 500_000 / foot], `"Foot_US",${foot}`)],
    [[inUtm37[0] + 500_000, inUtm37[1]], esri(utm, [39, 1_000_000])],
    [inMercator, esri(web[0], [0, 0], web[1], web[2])],
    [[inMercator[0] - 16_697_923.619, inMercator[1]], esri(web[0], [150, 0], web[1], web[2])],
  ];
  for (const [place, prj] of cases) {
    const { objects } = await imported(await shapefile(place, prj), 'x.zip');
    assertNear(objects[0]!.geom.coordinates, moscow, prj);
    const given = await imported(
      await shapefile(place, 'of another'),
      'x.zip',
      `srs=${encodeURIComponent(prj)}`,
    );
    assertNear(given.objects[0]!.geom.coordinates, moscow, prj);
  }
});

test('a .prj may have a byte order mark, and be in UTF-16', async () => {
  const prj = `\ufeff${esri('own', [39, 500_000])}`;
  const wide = Buffer.from(prj, 'utf16le');
  for (const bytes of [Buffer.from(prj), wide, Buffer.from(wide).swap16()]) {
    const { objects } = await imported(await shapefile(inUtm37, bytes), 'x.zip');
    assertNear(objects[0]!.geom.coordinates, moscow, bytes.toString('latin1', 0, 10));
  }
});

test('a datum that nobody knows is told', async () => {
  const krassowsky = (datum: string): string =>
    esri('zone', [39, 7_500_000])
      .replace('"Scale_Factor",0.9996', '"Scale_Factor",1.0')
      .replace('DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]]', datum);
  const ellipsoid = 'SPHEROID["Krassowsky_1940",6378245.0,298.3]';
  const unknown = await imported(
    await shapefile(inZone7, krassowsky(`DATUM["D_Foo",${ellipsoid}]`)),
    'x.zip',
  );
  assert.match(unknown.report.notes.join(), /The datum of the projection \(.*\) is not known: .* give srs/);
  for (const known of [
    krassowsky(`DATUM["D_Pulkovo_1942",${ellipsoid}]`).replace('GCS_WGS_1984', 'GCS_Pulkovo_1942'),
    esri('utm', [39, 7_500_000]),
  ]) {
    const { report } = await imported(await shapefile(inZone7, known), 'x.zip');
    assert.doesNotMatch(report.notes.join(), /datum/, known);
  }
});

test('a .prj that is not understood needs srs', async () => {
  const layer = await formats.newLayer();
  for (const prj of ['of another', 'LOCAL_CS["plan",UNIT["metre",1],AXIS["X",EAST],AXIS["Y",NORTH]]']) {
    const { json } = await formats.send(layer, await shapefile(moscow, prj), 'x.zip');
    assert.equal(json.code, 'import_failed');
    assert.match(json.message, /give srs/);
  }
  const { report } = await imported(await shapefile(moscow, ' '), 'x.zip');
  assert.match(report.notes.join(), /longitude and latitude are assumed/);
});

const positions = ({ type, coordinates }: any): number[][] =>
  type === 'MultiLineString' ? coordinates.flat(1) : coordinates;

/** Formats with the arguments of `ogr2ogr` that write them. */
const written: Record<string, string[]> = {
  mif: ['-f', 'MapInfo File', '-dsco', 'FORMAT=MIF'],
  tab: ['-f', 'MapInfo File'],
  shp: ['-f', 'ESRI Shapefile'],
  gpkg: ['-f', 'GPKG'],
  fgb: ['-f', 'FlatGeobuf', '-lco', 'SPATIAL_INDEX=NO'],
  geojson: ['-f', 'GeoJSON', '-lco', 'RFC7946=NO'],
};
/** Projections with a place in each: with a shift of the datum, in feet, with the northing first, around a pole, local. */
const places: [srs: string, place: Place, without?: readonly string[]][] = [
  ['EPSG:28407', moscow],
  ['EPSG:3395', moscow],
  ['EPSG:3857', moscow],
  ['EPSG:32637', moscow],
  ['EPSG:4284', moscow],
  ['EPSG:27700', [-0.12, 51.5]],
  ['EPSG:2056', [7.44, 46.95]],
  ['EPSG:2193', [174.8, -41.3]],
  ['EPSG:3006', [15, 59]],
  // Programs of GDAL 3.6 read the feet of their own MapInfo files as lying elsewhere; here they lie where they were.
  ['EPSG:2264', [-80.8, 35.2], ['mif', 'tab']],
  ['EPSG:32733', [16, -20]],
  // MapInfo has no stereographic projection around a pole with a true scale elsewhere: GDAL writes metres of a plane.
  ['EPSG:3413', [-45, 80], ['mif', 'tab']],
  [
    '+proj=tmerc +lat_0=0 +lon_0=38.4833 +k=1 +x_0=2250000 +y_0=-5712900.566 +ellps=krass +towgs84=23.57,-140.95,-79.8,0,0.35,0.79,-0.22 +units=m',
    moscow,
    // It has no number, by which alone a member `crs` names a projection.
    ['geojson'],
  ],
];

/** A line, of which one kind alone goes into a shapefile. */
const lineAt = ([x, y]: Place, n: number): object => ({
  type: 'Feature',
  properties: { n },
  geometry: {
    type: 'LineString',
    coordinates: [
      [x, y],
      [x + 0.02, y + 0.01],
      [x + 0.03, y - 0.01],
    ],
  },
});

/** Features of files as GDAL's own programs read them. */
function nativeOf(folder: string, files: readonly string[]): any[] {
  return files.flatMap((file) => {
    const args = ['-f', 'GeoJSONSeq', '-t_srs', 'EPSG:4326', '-lco', 'COORDINATE_PRECISION=9'];
    const made = spawnSync('ogr2ogr', [...args, '/vsistdout/', file], { cwd: folder, encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    return made.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  });
}

function assertSamePlaces(ours: readonly any[], theirs: readonly any[], what: string): void {
  assert.equal(ours.length, theirs.length, what);
  for (const [i, geometry] of theirs.entries()) {
    const own = positions(ours[i]);
    for (const [k, place] of positions(geometry).entries())
      assertNear(own[k]!, place as unknown as Place, `${what}, object ${i + 1}`);
  }
}

for (const [format, args] of Object.entries(written)) {
  test(`${format}: projections as GDAL has them, in and out`, { skip: !hasOgr }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'projections-'));
    try {
      const of = places.filter(([, , without]) => !without?.includes(format));
      for (const [i, [srs, place]] of of.entries()) {
        const name = `x${String(i).padStart(2, '0')}`;
        writeFileSync(join(folder, 'source'), JSON.stringify(lineAt(place, i)));
        const made = spawnSync('ogr2ogr', [...args, '-t_srs', srs, `${name}.${format}`, 'source'], {
          cwd: folder,
        });
        assert.equal(made.status, 0, String(made.stderr));
      }
      rmSync(join(folder, 'source'));
      const files = readdirSync(folder).sort();
      const bytes = files.map((file) => [file, readFileSync(join(folder, file))]);
      const layer = await formats.newLayer();
      await formats.load(layer, await zipOf(Object.fromEntries(bytes)), 'x.zip');
      const geometries = (await formats.objects(layer)).map(({ geom }) => geom);
      const main = files.filter((file) => file.endsWith(`.${format}`));
      const theirs = nativeOf(folder, main).map(({ geometry }) => geometry);
      assertSamePlaces(geometries, theirs, `${format} in`);

      const answer = await fetch(`${formats.server.api}/m/layers/${layer}/export/?format=${format}&zip=1`);
      const out = filesOf(Buffer.from(await answer.arrayBuffer()));
      for (const [file, content] of Object.entries(out)) writeFileSync(join(folder, file), content);
      const exported = Object.keys(out).find((file) => file.endsWith(`.${format}`))!;
      const back = nativeOf(folder, [exported]);
      const idOf = ({ properties, id }: any): number => properties.svc_id ?? id;
      back.sort((a, b) => idOf(a) - idOf(b));
      assertSamePlaces(
        back.map(({ geometry }) => geometry),
        geometries,
        `${format} out`,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
