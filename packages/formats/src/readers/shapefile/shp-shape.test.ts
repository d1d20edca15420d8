import assert from 'node:assert/strict';
import test from 'node:test';
import { ServiceError } from '@cartulary/errors';
import { shapeGeometry } from './shp-geometry.js';
import { decodeShape, hasMeasures } from './shp-shape.js';

type XY = readonly [number, number];

/** A record of lines or rings: their positions, then ranges and values of heights and measures. */
function lists(type: number, parts: readonly (readonly XY[])[], values: readonly (readonly number[])[] = []) {
  const starts = parts.map((_, i) => parts.slice(0, i).flat().length);
  const ints = Int32Array.of(parts.length, parts.flat().length, ...starts);
  const doubles = [...parts.flat(2), ...values.flatMap((list) => [0, 0, ...list])];
  const head = Buffer.alloc(36);
  head.writeInt32LE(type);
  return Buffer.concat([head, Buffer.from(ints.buffer), Buffer.from(Float64Array.from(doubles).buffer)]);
}

const line: XY[] = [
  [1, 2],
  [3, 4],
];

/** Decodes a record with other bytes before and after it. */
function decodedAmongOthers(record: Buffer) {
  const bytes = Buffer.concat([Buffer.alloc(12, 0xff), record, Buffer.alloc(40, 0xff)]);
  return decodeShape(bytes, 12, record.length);
}

test('a record is decoded at any offset of a buffer', () => {
  const shape = decodedAmongOthers(lists(3, [line, line]));
  assert.deepEqual(shapeGeometry(shape), { type: 'MultiLineString', coordinates: [line, line] });
  assert.equal(hasMeasures(shape), false);
});

test('heights and measures are found after the positions', () => {
  const withHeights = decodedAmongOthers(lists(13, [line], [[5, 6]]));
  const positions = [
    [1, 2, 5],
    [3, 4, 6],
  ];
  assert.deepEqual(shapeGeometry(withHeights), { type: 'LineString', coordinates: positions });
  assert.equal(hasMeasures(withHeights), false);
  const withBoth = decodedAmongOthers(
    lists(
      13,
      [line],
      [
        [5, 6],
        [7, 8],
      ],
    ),
  );
  assert.deepEqual(shapeGeometry(withBoth), { type: 'LineString', coordinates: positions });
  assert.equal(hasMeasures(withBoth), true);
  assert.equal(hasMeasures(decodedAmongOthers(lists(23, [line], [[7, 8]]))), true);
});

test('a record that is cut off anywhere is refused, and no byte after it is read', () => {
  const record = lists(13, [line], [[5, 6]]);
  for (let size = 0; size < record.length; size++) {
    assert.throws(
      () => shapeGeometry(decodedAmongOthers(record.subarray(0, size))),
      (error) => error instanceof ServiceError && error.code === 'value_invalid',
      String(size),
    );
  }
});
