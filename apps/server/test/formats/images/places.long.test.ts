import { spawnSync } from 'node:child_process';
import { described, type ImageCase, placeOf, translated, usualPlace, withFiles } from './case.js';
import { testImages } from './drawn.js';

/** At another place: its projection and corners. */
const placed = (what: string, srs: string, corners: string, rest: Partial<ImageCase> = {}): ImageCase => ({
  what,
  make: translated('rgb.ppm', '', placeOf(srs, corners)),
  becomes: 'picture',
  ...rest,
});

const utm = '410000 6174800 416400 6170000';
const noSrs = (args: string): ImageCase['make'] => translated('rgb.ppm', args, []);

/** Another transformation of pixels to coordinates. */
const turned = (numbers: string): ImageCase['make'] =>
  described('rgb.ppm', (vrt) =>
    vrt.replace(/<GeoTransform>.*<\/GeoTransform>/, `<GeoTransform>${numbers}</GeoTransform>`),
  );

const points = [
  '-gcp 0 0 37.55 55.75',
  '-gcp 16 0 37.67 55.77',
  '-gcp 16 12 37.69 55.69',
  '-gcp 0 12 37.57 55.67',
].join(' ');

/** Rational polynomials: degrees and metres to columns and rows, here by one factor each. */
const polynomials = `<Metadata domain="RPC">${Object.entries({
  LINE_OFF: 6,
  SAMP_OFF: 8,
  LAT_OFF: 55.72,
  LONG_OFF: 37.62,
  HEIGHT_OFF: 150,
  LINE_SCALE: 6,
  SAMP_SCALE: 8,
  LAT_SCALE: 0.03,
  LONG_SCALE: 0.05,
  HEIGHT_SCALE: 500,
  LINE_NUM_COEFF: `0 0 -1 ${'0 '.repeat(17)}`,
  LINE_DEN_COEFF: `1 ${'0 '.repeat(19)}`,
  SAMP_NUM_COEFF: `0 1 0.1 ${'0 '.repeat(17)}`,
  SAMP_DEN_COEFF: `1 ${'0 '.repeat(19)}`,
})
  .map(([key, value]) => `<MDI key="${key}">${value}</MDI>`)
  .join('')}</Metadata>`;
const withPolynomials = (place: string[]): ImageCase['make'] =>
  described('rgb.ppm', (vrt) => vrt.replace('<VRTRasterBand', `${polynomials}<VRTRasterBand`), '', place);

const tfw = '400\n0\n0\n-400\n410200\n6174600\n';
const auxXml = `<PAMDataset><SRS dataAxisToSRSAxisMapping="1,2">${wktOf('EPSG:32637').replaceAll('"', '&quot;')}</SRS>
<GeoTransform> 4.1000000000000000e+05,  4.0e+02,  0.0e+00,  6.1748e+06,  0.0e+00, -4.0e+02</GeoTransform></PAMDataset>`;
const prjOf = (srs: string): string => wktOf(srs, 'wkt_esri');

const places: readonly ImageCase[] = [
  placed('EPSG:4326', 'EPSG:4326', '37.5 55.8 37.7 55.6'),
  placed('EPSG:4326 from 0 to 360 degrees', 'EPSG:4326', '350 60 366 48'),
  placed('EPSG:3857', 'EPSG:3857', '4170000 7480000 4176400 7475200'),
  placed('UTM, south', 'EPSG:32737', '410000 8174800 416400 8170000'),
  placed('an arctic projection', 'EPSG:3995', '900000 -900000 1540000 -1380000'),
  placed('an antarctic projection', 'EPSG:3031', '900000 1380000 1540000 900000'),
  placed('vertical coordinates', 'EPSG:32637+5773', utm),
  placed('US survey feet', 'EPSG:2263', '980000 210000 996000 198000'),
  placed('grads', 'EPSG:4807', '2 55 2.4 54.7'),
  placed('Pulkovo 1942', 'EPSG:28407', '7410000 6174800 7416400 6170000'),
  placed('DHDN', 'EPSG:31467', '3500000 5600000 3506400 5595200'),
  placed('OSGB', 'EPSG:27700', '400000 300000 406400 295200'),
  placed(
    'sinusoidal on a sphere',
    '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs',
    '1000000 5000000 1640000 4520000',
  ),
  placed(
    'a projection of its own',
    '+proj=tmerc +lat_0=0 +lon_0=38.5 +k=1 +x_0=250000 +y_0=-5000000 +ellps=krass +towgs84=23.57,-140.95,-79.8,0,0.35,0.79,-0.22 +units=m',
    '210000 1174800 216400 1170000',
  ),
  placed(
    'an oblique projection',
    '+proj=omerc +lat_0=55 +lonc=37 +alpha=30 +gamma=20 +k=1 +x_0=0 +y_0=0 +datum=WGS84',
    '10000 4800 16400 0',
  ),
  placed(
    'a Lambert projection',
    '+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80',
    '4321000 3210000 4385000 3162000',
  ),
  placed('ESRI keys', 'EPSG:32637', utm, { make: translated('rgb.ppm', '-co GEOTIFF_KEYS_FLAVOR=ESRI_PE') }),
  placed('GeoTIFF 1.1', 'EPSG:32637', utm, { make: translated('rgb.ppm', '-co GEOTIFF_VERSION=1.1') }),
  placed('a pixel that is a point', '', '', { make: translated('rgb.ppm', '-mo AREA_OR_POINT=Point') }),
  placed('a pixel that is a point, ZSTD', '', '', {
    make: translated('rgb.ppm', '-mo AREA_OR_POINT=Point -co COMPRESS=ZSTD'),
  }),
  placed('rows from the south', 'EPSG:32637', '410000 6170000 416400 6174800'),
  placed('rows from the south in EPSG:3857', 'EPSG:3857', '4170000 7475200 4176400 7480000'),
  placed('columns from the east', 'EPSG:32637', '416400 6174800 410000 6170000'),
  placed('turned', '', '', { make: turned('410000, 300, 200, 6174800, 200, -300') }),
  placed('turned, ZSTD', '', '', {
    make: described(
      'rgb.ppm',
      (vrt) =>
        vrt.replace(
          /<GeoTransform>.*<\/GeoTransform>/,
          '<GeoTransform>410000, 300, 200, 6174800, 200, -300</GeoTransform>',
        ),
      '-co COMPRESS=ZSTD',
    ),
  }),
  placed('a quarter turned', '', '', { make: turned('410000, 0, 400, 6174800, -400, 0') }),
  placed('control points', '', '', { make: noSrs(`-a_srs EPSG:4326 ${points}`) }),
  placed('control points, ZSTD', '', '', { make: noSrs(`-a_srs EPSG:4326 ${points} -co COMPRESS=ZSTD`) }),
  placed('control points without projection', '', '', { make: noSrs(points), becomes: /srs|projection/ }),
  placed('a place without projection, degrees', '', '', {
    make: noSrs('-a_ullr 37.5 55.8 37.7 55.6'),
    args: ['-a_srs', 'EPSG:4326'],
    notes: /longitude and latitude are assumed/,
  }),
  placed('a place without projection, metres', '', '', {
    make: noSrs(`-a_ullr ${utm}`),
    becomes: /in which projection; give srs/,
  }),
  placed('a place without projection, and srs', '', '', {
    make: noSrs(`-a_ullr ${utm}`),
    query: 'srs=32637',
    args: ['-a_srs', 'EPSG:32637'],
  }),
  placed('srs instead of another projection', 'EPSG:32638', utm, {
    query: 'srs=32637',
    args: ['-a_srs', 'EPSG:32637'],
  }),
  placed('no place', '', '', { make: noSrs(''), becomes: /raster_bbox/ }),
  placed('raster_bbox', '', '', {
    make: noSrs(''),
    query: 'srs=32637&raster_bbox=BOX(410000%206170000,416400%206174800)',
    args: usualPlace,
  }),
  placed('rational polynomials', '', '', { make: withPolynomials([]), becomes: /RPC.*give raster_bbox/ }),
  placed('rational polynomials and raster_bbox', '', '', {
    make: withPolynomials([]),
    query: 'srs=32637&raster_bbox=BOX(410000%206170000,416400%206174800)',
    args: usualPlace,
  }),
  placed('rational polynomials beside a place', '', '', { make: withPolynomials(usualPlace) }),
  placed('a world file and .prj', '', '', {
    make: withFiles(noSrs(''), { 'made.tfw': tfw, 'made.prj': prjOf('EPSG:32637') }),
    beside: ['made.tfw', 'made.prj'],
    args: usualPlace,
  }),
  placed('a world file and .prj with a byte order mark', '', '', {
    make: withFiles(noSrs(''), { 'made.tfw': tfw, 'made.prj': `\ufeff${prjOf('EPSG:32637')}` }),
    beside: ['made.tfw', 'made.prj'],
    args: usualPlace,
  }),
  placed('a world file and .prj on an old datum', '', '', {
    make: withFiles(noSrs(''), {
      'made.tfw': tfw.replace('410200', '7410200'),
      'made.prj': prjOf('EPSG:28407'),
    }),
    beside: ['made.tfw', 'made.prj'],
    args: placeOf('EPSG:28407', '7410000 6174800 7416400 6170000'),
  }),
  placed('a world file alone', '', '', {
    make: withFiles(noSrs(''), { 'made.tfw': tfw }),
    beside: ['made.tfw'],
    becomes: /in which projection; give srs/,
  }),
  placed('a place in .aux.xml', '', '', {
    make: withFiles(noSrs(''), { 'made.tif.aux.xml': auxXml }),
    beside: ['made.tif.aux.xml'],
    args: usualPlace,
  }),
  placed('a place within and another world file', '', '', {
    make: withFiles(translated('rgb.ppm', ''), { 'made.tfw': tfw.replace('410200', '510200') }),
    beside: ['made.tfw'],
  }),
];

testImages({ places });

/** A projection as well-known text. */
function wktOf(srs: string, form = 'wkt1'): string {
  return spawnSync('gdalsrsinfo', ['-o', form, '--single-line', srs], { encoding: 'utf8' }).stdout.trim();
}
