import assert from 'node:assert/strict';
import test from 'node:test';
import { toEwkb } from '@cartulary/geo/internal/ewkb.js';
import { checkGeometry, emptyExtent } from '@cartulary/geo/internal/geojson.js';
import type { Geometry, Position } from 'geojson';
import { shapeEwkb } from './shp-ewkb.js';
import { shapeGeometry } from './shp-geometry.js';
import { decodeShape } from './shp-shape.js';

/** The content of a record: a point, or parts of positions. */
function shape(type: number, parts: readonly Position[][]): Buffer {
  const positions = parts.flat();
  const isPoint = type === 1;
  const bytes = Buffer.alloc(isPoint ? 20 : 44 + 4 * parts.length + 16 * positions.length);
  bytes.writeInt32LE(type, 0);
  let at = 4;
  if (!isPoint) {
    bytes.writeInt32LE(parts.length, 36);
    bytes.writeInt32LE(positions.length, 40);
    let from = 0;
    for (const [i, part] of parts.entries()) {
      bytes.writeInt32LE(from, 44 + 4 * i);
      from += part.length;
    }
    at = 44 + 4 * parts.length;
  }
  for (const [x, y] of positions as [number, number][]) {
    at = bytes.writeDoubleLE(x, at);
    at = bytes.writeDoubleLE(y, at);
  }
  return bytes;
}

const decoded = (bytes: Buffer) => decodeShape(bytes, 0, bytes.length);

const square: Position[] = [
  [1.5, 2],
  [1.5, 3],
  [2.5, 3],
  [2.5, 2],
  [1.5, 2],
];

test('the EWKB of a shape of one part equals that of its GeoJSON', () => {
  for (const bytes of [
    shape(1, [[[-180, 89.999]]]),
    shape(3, [
      [
        [0, 0],
        [10.25, -90],
      ],
    ]),
    shape(3, [square]),
    shape(5, [square]),
    shape(5, [square.toReversed()]),
  ]) {
    const box = emptyExtent();
    const geometry = checkGeometry(shapeGeometry(decoded(bytes)), '4326', box) as Geometry;
    assert.deepEqual(shapeEwkb(decoded(bytes)), { ewkb: toEwkb(geometry), type: geometry.type, box });
  }
});

test('other and invalid shapes have no EWKB of copied positions', () => {
  const square3 = square.slice(0, 3);
  for (const bytes of [
    Buffer.alloc(4),
    shape(1, [[[Number.NaN, 0]]]),
    shape(1, [[[-1e39, 0]]]),
    shape(1, [[[181, 0]]]),
    shape(3, [[[0, 0]]]),
    shape(3, [square, square]),
    shape(5, [square.slice(0, 4)]),
    shape(5, [[...square3, square[0]!].slice(0, 3)]),
    shape(5, [square, square]),
    shape(5, [square]).subarray(0, 100),
    shape(15, [square]),
    shape(8, [square]),
  ])
    assert.equal(shapeEwkb(decoded(bytes)), undefined);
});
