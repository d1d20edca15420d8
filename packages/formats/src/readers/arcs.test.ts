import assert from 'node:assert/strict';
import test from 'node:test';
import type { Geometry, Position } from 'geojson';
import { fromWkt } from '../tables/wkt.js';
import { lineOfArcs } from './arcs.js';
import { fromWkb } from './wkb.js';

/** As GDAL 3.6 approximates: number of positions, and the second one. */
const cases: [arc: Position[], count: number, second: Position][] = [
  [
    [
      [0, 0],
      [1, 1],
      [2, 0],
    ],
    46,
    [0.0024359, 0.0697565],
  ],
  [
    [
      [2, 0],
      [1, 1],
      [0, 0],
    ],
    46,
    [1.9975641, 0.0697565],
  ],
  [
    [
      [0, 0],
      [2, 0],
      [0, 0],
    ],
    92,
    [0.0023827, -0.0689911],
  ],
  [
    [
      [0, 0],
      [0.1, 0.01],
      [0.2, 0],
    ],
    8,
    [0.0283389, 0.0048897],
  ],
  [
    [
      [0, 0],
      [1, 0],
      [2, 0],
    ],
    3,
    [1, 0],
  ],
];

test('arcs that become more positions than a geometry may have are refused while they are made', () => {
  const circles = Array.from({ length: 100_001 }, (_, i): Position => [i % 2, 0]);
  assert.throws(() => lineOfArcs(circles), { code: 'value_invalid', message: /more than 2000000 positions/ });
});

test('arcs become the lines that GDAL makes of them', () => {
  for (const [arc, count, second] of cases) {
    const line = lineOfArcs(arc);
    assert.equal(line.length, count);
    assert.deepEqual([line[0], line.at(-1)], [arc[0], arc[2]]);
    assert.ok(Math.hypot(line[1]![0]! - second[0]!, line[1]![1]! - second[1]!) < 1e-7, String(line[1]));
  }
  const heights = lineOfArcs([
    [0, 0, 0],
    [1, 1, 5],
    [2, 0, 45],
  ]).map(([, , z]) => Math.round(z!));
  assert.deepEqual(
    heights,
    Array.from({ length: 46 }, (_, i) => i),
  );
  assert.throws(
    () =>
      lineOfArcs([
        [0, 0],
        [1, 1],
      ]),
    /2 positions/,
  );
  assert.deepEqual(lineOfArcs([]), []);
});

/** Little-endian WKB: a type, a number of parts, and the parts or coordinates. */
function wkb(type: number, ...parts: (Buffer | Position)[]): Buffer {
  const head = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32LE(type, 1);
  head.writeUInt32LE(parts.length, 5);
  return Buffer.concat([
    head,
    ...parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(new Float64Array(part).buffer))),
  ]);
}

const length = (line: Position[] | undefined): number => line?.length ?? 0;

test('curves are read alike from well-known text and binary, and told', () => {
  const arc = wkb(8, [0, 0], [1, 1], [2, 0]);
  const back = wkb(2, [2, 0], [0, 0]);
  const both = wkb(9, arc, back);
  const text = 'COMPOUNDCURVE(CIRCULARSTRING(0 0,1 1,2 0),(2 0,0 0))';
  const kinds: [string, Buffer, (geometry: any) => number][] = [
    ['CIRCULARSTRING(0 0,1 1,2 0)', arc, ({ coordinates }) => length(coordinates) + 1],
    [text, both, ({ coordinates }) => length(coordinates)],
    [`CURVEPOLYGON(${text})`, wkb(10, both), ({ coordinates }) => length(coordinates[0])],
    [`MULTICURVE(${text},(2 0,0 0))`, wkb(11, both, back), ({ coordinates }) => length(coordinates[0])],
    [
      `MULTISURFACE(CURVEPOLYGON(${text}),((0 0,1 0,1 1,0 0)))`,
      wkb(12, wkb(10, both), wkb(3, ringOf([0, 0], [1, 0], [1, 1], [0, 0]))),
      ({ coordinates }) => length(coordinates[0][0]),
    ],
  ];
  for (const [wkt, bytes, positionsIn] of kinds) {
    let told = 0;
    const tell = (): number => told++;
    const geometry = fromWkt(wkt, tell).geometry as Geometry;
    assert.deepEqual(fromWkb(bytes, tell), geometry, wkt);
    assert.deepEqual([positionsIn(geometry), told], [47, 2], wkt);
  }
  const measured = fromWkt(
    'COMPOUNDCURVE M ((0 0 7,1 0 7),CIRCULARSTRING M (1 0 7,2 1 7,3 0 7),(3 0 7,4 0 7))',
  );
  assert.equal(
    (measured.geometry as any).coordinates.every((position: Position) => position.length === 2),
    true,
  );
});

/** A ring without the head of a geometry: its number of positions, and these. */
const ringOf = (...positions: Position[]): Buffer => wkb(0, ...positions).subarray(5);

test('a curve with parts of another kind, or too deep, is refused', () => {
  assert.throws(() => fromWkt('COMPOUNDCURVE((0 0,1 1),POINT(1 1))'), /not understood from "POINT/);
  assert.throws(() => fromWkt('CURVEPOLYGON('.repeat(50_000)), /too deep/);
  assert.equal(fromWkt('CURVEPOLYGON EMPTY').geometry, null);
  assert.equal(fromWkt('MULTICURVE(EMPTY,CIRCULARSTRING EMPTY)').geometry, null);
});
