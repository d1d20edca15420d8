import assert from 'node:assert/strict';
import test from 'node:test';
import type { RasterInfo } from '../engine/orders.js';
import { parseRasterBox, parseWorldFile, rasterPlaceOf } from './georeference.js';
import { rasterLayoutOf } from './layout.js';

const info = (more: Partial<RasterInfo> = {}): RasterInfo => ({ size: [10, 20], bands: [], ...more });
const nothing = { srs: undefined, bbox: undefined, world: undefined, projection: undefined };
const missing = { code: 'import_georeference_missing' };
const own = [100, 1, 0, 50, 0, -1] as [number, number, number, number, number, number];

test('a box must have exactly the form of the interface', () => {
  const box = { west: -1.5, south: 20, east: 1e1, north: 30 };
  assert.deepEqual(parseRasterBox('BOX(-1.5 20,1e1 30)'), box);
  assert.deepEqual(parseRasterBox(' box ( -1.5   20 , 10 30 ) '), box);
  const wrong = [
    '',
    'BOX()',
    'BOX(1 2 3 4)',
    'BOX(1 2,3)',
    'BOX(1 2,3 4',
    'BOX(3 2,1 4)',
    'BOX(1 4,3 2)',
    'BOX(1 2,1 4)',
  ];
  for (const text of [...wrong, 'BOX(a b,c d)', 'BOX(NaN 2,3 4)', 'BOX(1 2,Infinity 4)', 'BOX(1 2,3 4)-of'])
    assert.throws(
      () => parseRasterBox(text),
      { code: 'bad_request', data: { parameters: ['raster_bbox'] } },
      text,
    );
});

test('a world file gives the centre of the first pixel', () => {
  assert.deepEqual(
    parseWorldFile('100\n0\n0\n-100\n410050\n6174750\n'),
    [410_000, 100, 0, 6_174_800, 0, -100],
  );
  assert.deepEqual(parseWorldFile('0,5 0 0 -0,5 10,25 19,75'), [10, 0.5, 0, 20, 0, -0.5]);
  // Rotated by 90 degrees.
  assert.deepEqual(parseWorldFile('0 -2 2 0 11 19'), [10, 0, 2, 20, -2, 0]);
  for (const text of ['', '1 0 0 -1 5', '1 0 0 x 5 6', '1 1 1 1 5 6', '<xml/>', '1e400 0 0 -1 5 6'])
    assert.throws(() => parseWorldFile(text), { code: 'import_failed' }, text);
});

test('precedence: parameters, then the image, then files beside it', () => {
  const bbox = { west: 1, south: 2, east: 3, north: 4 };
  const corners = ['-a_ullr', '1', '4', '3', '2'];
  assert.deepEqual(rasterPlaceOf(info(), { ...nothing, bbox }).args, ['-a_srs', 'EPSG:4326', ...corners]);
  const placed = info({ geoTransform: own, coordinateSystem: { wkt: 'PROJCRS[]' } });
  const both = rasterPlaceOf(placed, { ...nothing, bbox, srs: 'EPSG:3857' });
  assert.deepEqual([both.args, both.notes.length], [['-a_srs', 'EPSG:3857', ...corners], 1]);
  const world = [0, 2, 0, 0, 0, -2] as const;
  assert.deepEqual(rasterPlaceOf(placed, { ...nothing, world, projection: 'EPSG:1' }).args, []);
  assert.deepEqual(rasterPlaceOf(placed, { ...nothing, srs: 'EPSG:2' }).args, ['-a_srs', 'EPSG:2']);
  const beside = rasterPlaceOf(info(), { ...nothing, world, projection: 'EPSG:1' });
  assert.deepEqual(beside.args, ['-a_srs', 'EPSG:1', '-a_gt', '0', '2', '0', '0', '0', '-2']);
});

test('without a projection only valid degrees are accepted', () => {
  const degrees = rasterPlaceOf(info({ geoTransform: [10, 1, 0, 50, 0, -1] }), nothing);
  assert.deepEqual([degrees.srs, degrees.notes.length], ['EPSG:4326', 1]);
  assert.throws(() => rasterPlaceOf(info({ geoTransform: [10, 10, 0, 50, 0, -10] }), nothing), missing);
  assert.throws(() => rasterPlaceOf(info(), nothing), missing);
  assert.throws(
    () => rasterPlaceOf(info({ geoTransform: [0, 1, 0, 0, 0, 1] }), { ...nothing, srs: 'EPSG:1' }),
    missing,
  );
});

const band = (type: string, more: object = {}) => ({ type, colorInterpretation: 'Undefined', ...more });

test('a box in degrees lies on the earth; one of another projection may have any numbers', () => {
  const box = (west: number, south: number, east: number, north: number) => ({ west, south, east, north });
  const refused = { code: 'bad_request', data: { parameters: ['raster_bbox'] } };
  for (const bbox of [
    box(0, 0, 2000, 10),
    box(0, 80, 10, 100),
    box(-400, 0, -390, 1),
    box(-300, 0, 300, 1),
  ]) {
    assert.throws(() => rasterPlaceOf(info(), { ...nothing, bbox }), refused);
    assert.throws(() => rasterPlaceOf(info(), { ...nothing, bbox, srs: 'EPSG:4326' }), refused);
    assert.ok(rasterPlaceOf(info(), { ...nothing, bbox, srs: 'EPSG:3857' }));
  }
  for (const bbox of [box(-180.00001, -90, 180, 90.0005), box(170, -10, 190, 10), box(0, -90, 360, 90)])
    assert.ok(rasterPlaceOf(info(), { ...nothing, bbox }));
});

test('bands of pictures and of values are distinguished', () => {
  const many = (count: number, type: string, last = 'Undefined') =>
    rasterLayoutOf({
      bands: Array.from({ length: count }, (_, i) =>
        band(type, i === count - 1 ? { colorInterpretation: last } : {}),
      ),
    });
  assert.equal(many(3, 'Byte').kind, 'picture');
  assert.deepEqual([many(4, 'Byte', 'Alpha').notes, many(4, 'Byte').notes.length], [[], 1]);
  assert.deepEqual(many(3, 'UInt16').wide, { alpha: 65_535 });
  assert.equal(many(2, 'Byte', 'Alpha').kind, 'picture');
  for (const [count, type] of [
    [2, 'Byte'],
    [5, 'Byte'],
    [3, 'Float32'],
    [1, 'CFloat32'],
    [0, 'Byte'],
  ] as const)
    assert.throws(() => many(count, type), { code: 'import_failed' }, `${count} ${type}`);
  const table = (alpha: number) =>
    rasterLayoutOf({ bands: [band('Byte', { colorTable: { entries: [[1, 2, 3, alpha]] } })] });
  assert.deepEqual(
    [table(255).prepare, table(0).prepare],
    [
      ['-expand', 'rgb', '-ot', 'Byte'],
      ['-expand', 'rgba', '-ot', 'Byte'],
    ],
  );
});

test('the value for no data is that of the file, or one that a wider type has', () => {
  const warp = (type: string, noDataValue?: unknown): string =>
    rasterLayoutOf({ bands: [band(type, { noDataValue })] }).warp.join(' ');
  assert.equal(warp('Byte', 7), '-r near -ot Byte -dstnodata 7');
  assert.equal(warp('Byte'), '-r near -ot Int16 -dstnodata -32768');
  assert.equal(warp('Byte', -9999), '-r near -ot Int16 -dstnodata -32768');
  assert.equal(warp('UInt16', 0.5), '-r near -ot Int32 -dstnodata -2147483648');
  assert.equal(warp('Float32', -9999), '-r near -ot Float32 -dstnodata -9999');
  for (const none of ['NaN', null, undefined])
    assert.equal(
      warp('Float32', none),
      '-r near -ot Float32 -dstnodata -3.4028234663852886e+38 -srcnodata nan',
    );
});
