import assert from 'node:assert/strict';
import test from 'node:test';
import { clipShape } from './clip.js';
import { labelPoints } from './label-points.js';
import { type Piece, piecesOf } from './pyramid.js';
import type { PyramidShape } from './shapes.js';
import { shapeFromTwkb, shapeFromWkb, shapeToTwkb } from './shapes.js';

/** A star-like ring of `count` positions around the middle of the world. */
function star(count: number): PyramidShape {
  const ring = new Float64Array(2 * count + 2);
  for (let i = 0; i <= count; i++) {
    const [angle, radius] = [(2 * Math.PI * (i % count)) / count, 0.3 + 0.1 * Math.sin((i % count) * 7)];
    ring[2 * i] = 0.5 + radius * Math.cos(angle);
    ring[2 * i + 1] = 0.5 + radius * Math.sin(angle);
  }
  return { dimension: 2, parts: [[ring]] };
}

/** The part of a piece in its cell alone. */
function ownPart({ level, x, y, shape }: Piece): PyramidShape {
  const size = 2 ** -level;
  return clipShape(shape, { west: x * size, north: y * size, east: (x + 1) * size, south: (y + 1) * size });
}

/** The share of the world that a polygon covers. */
function areaOf({ parts }: PyramidShape): number {
  let doubled = 0;
  for (const [ring] of parts)
    for (let i = 0; i + 3 < ring!.length; i += 2)
      doubled += ring![i]! * ring![i + 3]! - ring![i + 2]! * ring![i + 1]!;
  return Math.abs(doubled) / 2;
}

test('leaves are exact, and their cells together hold the shape once; every piece stays within its cell and half a cell around it', () => {
  const shape = star(20_000);
  const pieces: Piece[] = [...piecesOf(shape)];
  const leaves = pieces.filter(({ isLeaf }) => isLeaf);
  const held = leaves.reduce((sum, leaf) => sum + areaOf(ownPart(leaf)), 0);
  assert.ok(Math.abs(held / areaOf(shape) - 1) < 1e-9, `${held / areaOf(shape)} times`);
  for (const { level, x, y, shape: part } of pieces)
    for (const [ring] of part.parts)
      for (let i = 0; i < ring!.length; i += 2) {
        const [px, py] = [ring![i]! * 2 ** level - x, ring![i + 1]! * 2 ** level - y];
        assert.ok(
          px >= -0.5 - 1e-9 && px <= 1.5 + 1e-9 && py >= -0.5 - 1e-9 && py <= 1.5 + 1e-9,
          `${px} ${py}`,
        );
      }
  const places = new Set(pieces.map(({ level, x, y }) => `${level}/${x}/${y}`));
  assert.equal(places.size, pieces.length);
});

test('a line leaves and enters a cell as several lines', () => {
  const zigzag = Float64Array.from(
    Array.from({ length: 3_000 }, (_, i) => [0.1 + (0.8 * i) / 3_000, i % 2 ? 0.2 : 0.8]).flat(),
  );
  const pieces = [...piecesOf({ dimension: 1, parts: [[zigzag]] })];
  assert.ok(pieces.some(({ shape }) => shape.parts.length > 100));
  const length = ({ parts }: PyramidShape): number =>
    parts.reduce((sum, [line]) => {
      for (let i = 0; i + 3 < line!.length; i += 2)
        sum += Math.hypot(line![i + 2]! - line![i]!, line![i + 3]! - line![i + 1]!);
      return sum;
    }, 0);
  const leaves = pieces.filter(({ isLeaf }) => isLeaf);
  const all = leaves.reduce((sum, leaf) => sum + length(ownPart(leaf)), 0);
  assert.ok(Math.abs(all / length({ dimension: 1, parts: [[zigzag]] }) - 1) < 1e-9);
});

test('edges that cross all cells are multiplied up to a limit', () => {
  // A ring that goes from side to side of a circle: its edges cross in every cell.
  const ring = Float64Array.from(
    Array.from({ length: 6_002 }, (_, k) => {
      const angle = (2 * Math.PI * ((k * 3_000) % 6_001)) / 6_001;
      return [0.5 + 0.4 * Math.cos(angle), 0.5 + 0.4 * Math.sin(angle)];
    }).flat(),
  );
  let positions = 0;
  let held = 0;
  for (const piece of piecesOf({ dimension: 2, parts: [[ring]] })) {
    positions += piece.shape.parts.flat().reduce((sum, path) => sum + path.length / 2, 0);
    if (piece.isLeaf) held += areaOf(ownPart(piece));
  }
  assert.ok(positions < 6_000 * 100, `${positions}`);
  assert.ok(Math.abs(held / areaOf({ dimension: 2, parts: [[ring]] }) - 1) < 1e-6, `${held}`);
});

test('the label of a polygon of many thin teeth is found within its limit', () => {
  const teeth = Array.from({ length: 60_000 }, (_, k) => [
    0.1 + (0.8 * (k >> 1)) / 30_000,
    k % 4 === 1 || k % 4 === 2 ? 0.2 : 0.7,
  ]).flat();
  const ring = Float64Array.from([...teeth, 0.9, 0.72, 0.1, 0.72, teeth[0]!, teeth[1]!]);
  const { interior } = labelPoints({ dimension: 2, parts: [[ring]] })!;
  assert.ok(
    interior[0] > 0.1 && interior[0] < 0.9 && interior[1] > 0.2 && interior[1] <= 0.72,
    `${interior}`,
  );
});

test('a label lies inside of a bent polygon, and in the larger part', () => {
  const ring = (...positions: number[]): Float64Array => Float64Array.from(positions);
  const bent = ring(0, 0, 0.3, 0, 0.3, 0.05, 0.05, 0.05, 0.05, 0.3, 0, 0.3, 0, 0);
  const small = ring(0.8, 0.8, 0.81, 0.8, 0.81, 0.81, 0.8, 0.8);
  const { interior, centroid } = labelPoints({ dimension: 2, parts: [[small], [bent]] })!;
  assert.ok(interior[0] < 0.05 || interior[1] < 0.05, `${interior}`);
  assert.ok(centroid[0] > 0.05 && centroid[1] > 0.05 && centroid[0] < 0.3, `${centroid}`);
  assert.equal(labelPoints({ dimension: 2, parts: [[ring(0, 0, 1, 1, 0, 0)]] }), undefined, 'without area');
});

test('a label lies near the centroid where that is as far from the edges, and beside holes', () => {
  const ring = (...positions: number[]): Float64Array => Float64Array.from(positions);
  const interior = (...rings: Float64Array[]) => labelPoints({ dimension: 2, parts: [rings] })!.interior;
  const near = (point: readonly [number, number], x: number, y: number, by: number): void =>
    assert.ok(Math.hypot(point[0] - x, point[1] - y) <= by, `${point}, not ${x} ${y}`);
  // Of a long rectangle all points in the middle are equally far from the edges.
  near(interior(ring(0, 0, 0.8, 0, 0.8, 0.1, 0, 0.1, 0, 0)), 0.4, 0.05, 1e-9);
  const [x, y] = interior(
    ring(0, 0, 0.4, 0, 0.4, 0.4, 0, 0.4, 0, 0),
    ring(0.1, 0.1, 0.1, 0.3, 0.3, 0.3, 0.3, 0.1, 0.1, 0.1),
  );
  assert.ok(x < 0.1 || x > 0.3 || y < 0.1 || y > 0.3, `${x} ${y}`);
  near(interior(ring(0, 0, 0.9, 0, 0.9, 1e-9, 0, 1e-9, 0, 0)), 0.45, 0, 1e-6);
});

test('WKB of all kinds is read, big-endian and with heights; other geometries are left alone', () => {
  const read = (hex: string) => shapeFromWkb(Buffer.from(hex, 'hex'));
  const number = (value: number): string => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return bytes.toString('hex');
  };
  const high = `0080000002${'00000002'}${[-180, 0, 7, 180, 0, 7].map(number).join('')}`;
  assert.deepEqual([...read(high)!.parts[0]![0]!], [0, 0.5, 1, 0.5]);
  assert.equal(read(`0000000001${number(1)}${number(2)}`), undefined);
  // One line from 0 0 to 1 0, in whole degrees: type 5, no decimals, one line of two positions.
  const line: PyramidShape = { dimension: 1, parts: [[Float64Array.from([0.5, 0.5, 0.5 + 1 / 360, 0.5])]] };
  assert.equal(shapeToTwkb(line, 0).toString('hex'), '05000102000002' + '00');
});

test('TWKB of polygons is read as it is written, and as PostGIS writes it', () => {
  const two: PyramidShape = { dimension: 2, parts: [...star(40).parts, ...star(7).parts] };
  const read = shapeFromTwkb(shapeToTwkb(two, 7))!;
  assert.equal(read.parts.length, 2);
  for (const [i, [ring]] of two.parts.entries())
    ring!.forEach((value, k) => {
      assert.ok(Math.abs(value - read.parts[i]![0]![k]!) < 1e-9, `${i} ${k}`);
    });
  // st_astwkb('POLYGON((0 0, 1 0, 1 -1, 0 0))', 0): without a box, and with sizes and a box.
  const triangle = [0, 0, 1, 0, 1, -1, 0, 0];
  for (const hex of ['030001040000020000010102', '03030e0002010201040000020000010102'])
    assert.deepEqual(
      Array.from(shapeFromTwkb(Buffer.from(hex, 'hex'))!.parts[0]![0]!, (value, k) =>
        Math.round(k % 2 ? (0.5 - value) * 360 : (value - 0.5) * 360),
      ).map((value) => value || 0),
      triangle,
      hex,
    );
  assert.equal(shapeFromTwkb(Buffer.from('0310', 'hex')), undefined, 'POLYGON EMPTY');
  assert.equal(shapeFromTwkb(Buffer.from('01000204', 'hex')), undefined, 'a point');
});
