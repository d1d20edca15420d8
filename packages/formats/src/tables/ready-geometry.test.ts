import assert from 'node:assert/strict';
import test from 'node:test';
import { toEwkb } from '@cartulary/geo/internal/ewkb.js';
import { checkGeometry } from '@cartulary/geo/internal/geojson.js';
import { readyGeometry } from './ready-geometry.js';
import { fromWkt } from './wkt.js';

test('a geometry that is read directly equals one that is read by way of GeoJSON', () => {
  for (const text of [
    'POINT(1 2)',
    'POINT (-179.99999999999999 -0.1)',
    'LINESTRING(0 0, 1.5 2,3 4)',
    'POLYGON((0 0,1 0,1 1,0 0))',
    'POLYGON ((0 0, 9 0, 9 9, 0 0), (1 1,2 1,2 2,1 1))',
    'MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5),(5.5 5.1,5.6 5.1,5.6 5.2,5.5 5.1)))',
  ]) {
    const { geometry } = fromWkt(text);
    assert.deepEqual(readyGeometry(text)?.ewkb, toEwkb(checkGeometry(geometry)), text);
  }
  assert.deepEqual(readyGeometry('LINESTRING(3 -4,1 2)')?.box, [1, -4, 3, 2]);
});

test('numbers equal those that JavaScript parses, to the last bit', () => {
  const texts = [
    '0',
    '-0',
    '.5',
    '5.',
    '-.25',
    '007',
    '0.1',
    '89.99999999999999999999',
    '0.0000000000000000000000001',
  ];
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let i = 0; i < 20_000; i++) {
    const digits = Array.from({ length: 1 + random(17) }, () => random(10)).join('');
    texts.push(`${random(2) ? '-' : ''}${random(89)}.${digits}`);
  }
  for (const text of texts) {
    const ewkb = readyGeometry(`POINT(${text} 1)`)!.ewkb as Buffer;
    assert.ok(Object.is(ewkb.readDoubleLE(9), Number(text)), text);
  }
});

test('unusual or invalid texts are left to the general reader', () => {
  for (const text of [
    '',
    'POINT EMPTY',
    'POINT(1)',
    'POINT(1 2',
    'POINT(1 2))',
    'POINT(1 2 3)',
    'POINT(1e1 2)',
    'POINT(1.2.3 2)',
    'POINT(- 2)',
    'POINT(181 2)',
    'POINT(1 91)',
    'LINESTRING(1 2)',
    'LINESTRING()',
    'POLYGON((0 0,1 0,1 1))',
    'POLYGON((0 0,1 0,1 1,0 0.1))',
    'POLYGON(0 0,1 0,1 1,0 0)',
    'MULTIPOLYGON((0 0,1 0,1 1,0 0))',
    'SRID=3857;POINT(1 2)',
  ]) {
    assert.equal(readyGeometry(text), undefined, text);
  }
});
