import assert from 'node:assert/strict';
import test from 'node:test';
import { zipOf } from './archives.js';
import { dbfOf, shpOf, shpPoint } from './shapefiles/shapefile-bytes.js';
import { type Formats, startFormats } from './support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

type Place = readonly [x: number, y: number];

const wgs84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
const mercator =
  'PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]';

const geojson = (coordinates: Place, crs?: string): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    ...(crs ? { crs: { type: 'name', properties: { name: crs } } } : {}),
    features: [{ type: 'Feature', properties: { n: 'a' }, geometry: { type: 'Point', coordinates } }],
  });
const shapefile = (places: readonly Place[], prj: string): Promise<Buffer> =>
  zipOf({
    'x.shp': shpOf(places.map((place) => shpPoint(...place))),
    'x.dbf': dbfOf(
      [['n', 'C', 10]],
      places.map(() => ({ mark: ' ', values: ['a'] })),
    ),
    'x.prj': prj,
  });
const mif = ([x, y]: Place): string =>
  `Version 300\nCharset "Neutral"\nDelimiter ","\nCoordSys Earth Projection 1, 104\nColumns 1\n  n Char(10)\nData\n\nPoint ${x} ${y}\n`;
const kml = (place: Place): string =>
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Point><coordinates>${place}</coordinates></Point></Placemark></kml>`;

/** Files of a point in degrees. */
const degrees: Record<string, (place: Place) => Promise<Buffer> | Buffer | string> = {
  'x.geojson': (place) => geojson(place),
  'named.geojson': (place) => geojson(place, 'urn:ogc:def:crs:EPSG::4979'),
  'x.kml': kml,
  'x.mif': mif,
  'x.csv': ([x, y]) => `lon,lat,n\n${x},${y},a\n`,
  'wkt.csv': ([x, y]) => `wkt;n\nPOINT (${x} ${y});a\n`,
  'x.zip': (place) => shapefile([place], wgs84),
};

for (const [name, fileOf] of Object.entries(degrees)) {
  test(`a little beyond 180 or 90 degrees is taken to the edge: ${name}`, async () => {
    for (const [place, edge] of [
      [
        [180.000_001_907_348_63, 10],
        [180, 10],
      ],
      [
        [-180.000_009, -90.000_009],
        [-180, -90],
      ],
      [
        [20, 90.000_001],
        [20, 90],
      ],
    ] as const) {
      const layer = await formats.newLayer();
      const report = await formats.load(layer, await fileOf(place), name);
      assert.match(report.notes.join(), /1 features had positions a little beyond 180 or 90 degrees/);
      const [{ geom }] = (await formats.objects(layer)) as [any];
      for (const [i, value] of edge.entries()) assert.ok(Math.abs(geom.coordinates[i] - value) < 1e-12);
    }
    const layer = await formats.newLayer();
    const exact = await formats.load(layer, await fileOf([180, -90]), name);
    assert.doesNotMatch(exact.notes.join(), /edge/);
    for (const place of [
      [180.000_02, 10],
      [20, -90.000_02],
    ] as const) {
      // PROJ takes longitudes once around the earth.
      if (name === 'named.geojson' && place[0] > 180) continue;
      const { json } = await formats.send(layer, await fileOf(place), name);
      assert.equal(json.code, 'value_invalid', `${place}`);
      assert.match(json.message, /Feature 1.*(range of coordinates|no place)/);
    }
  });
}

test('a little beyond the edge of EPSG:3857 is taken to it', async () => {
  const files: [name: string, fileOf: (place: Place) => Promise<Buffer> | string][] = [
    ['x.geojson', (place) => geojson(place, 'EPSG:3857')],
    ['x.zip', (place) => shapefile([place], mercator)],
  ];
  for (const [name, fileOf] of files) {
    for (const x of [-20_037_508.5, 20_037_510.3]) {
      const layer = await formats.newLayer();
      const report = await formats.load(layer, await fileOf([x, 0]), name);
      assert.match(report.notes.join(), /^1 features .* were taken to the edge/);
      assert.deepEqual((await formats.objects(layer))[0]!.geom.coordinates, [180 * Math.sign(x), 0]);
    }
    const layer = await formats.newLayer();
    const { json } = await formats.send(layer, await fileOf([20_037_511, 0]), name);
    assert.equal(json.code, 'value_invalid');
  }
});

test('a shapefile of the whole world by a program that rounds', async () => {
  const layer = await formats.newLayer();
  const places = Array.from(
    { length: 2_500 },
    (_, i) => [i % 2 ? 180.000_001_907_348_63 : i / 50, 0] as const,
  );
  const report = await formats.load(layer, await shapefile(places, wgs84), 'x.zip', 'action=1');
  assert.equal(report.stored, 2_500);
  assert.match(report.notes.join(), /^1250 features had positions/);
  const box = await formats.server.admin('GET', `/m/layers/${layer}/bbox/`);
  assert.deepEqual(box.ne[1], 180);
});
