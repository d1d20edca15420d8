import { positionLimit } from '@cartulary/geo';
import type { BufferRange } from '@cartulary/sql';
import type { ReadyGeometry } from '../../tables/ready-geometry.js';
import type { Shape } from './shp-shape.js';

/** Shapes whose positions can be copied: the code in WKB, the fewest positions, bytes of the EWKB before the positions. */
const simpleKinds = {
  point: { type: 'Point', code: 1, fewest: 1, headBytes: 9 },
  lines: { type: 'LineString', code: 2, fewest: 2, headBytes: 13 },
  polygon: { type: 'Polygon', code: 3, fewest: 4, headBytes: 17 },
} as const;

type SimpleKind = (typeof simpleKinds)[keyof typeof simpleKinds];

type Box = [west: number, south: number, east: number, north: number];

const wkbSridFlag = 0x20000000;
const wkbSrid = 4326;

/**
 * The EWKB of a decoded shape in longitude and latitude, with copied positions. Undefined if the shape has several
 * parts, heights, measures, or anything that needs a check; then `shapeGeometry` handles it.
 */
export function shapeEwkb(shape: Shape): ReadyGeometry | undefined {
  const kind = simpleKindOf(shape);
  const box = kind && boxOf(shape);
  if (!box) return undefined;
  const ewkb = Buffer.allocUnsafe(lengthOf(kind, shape));
  writeEwkb(ewkb, kind, shape);
  return { ewkb, type: kind.type, box };
}

/** The same, written into the memory of `range`, which is reused for the next shape. */
export function shapeEwkbInto(
  shape: Shape,
  range: BufferRange,
): Pick<ReadyGeometry, 'type' | 'box'> | undefined {
  const kind = simpleKindOf(shape);
  const box = kind && boxOf(shape);
  if (!box) return undefined;
  const length = lengthOf(kind, shape);
  if (range.bytes.length < length) range.bytes = Buffer.allocUnsafe(2 * length);
  writeEwkb(range.bytes, kind, shape);
  range.start = 0;
  range.end = length;
  return { type: kind.type, box };
}

const lengthOf = ({ headBytes }: SimpleKind, { positionCount }: Shape): number =>
  headBytes + 16 * positionCount;

/** The kind of a shape with one complete part, closed if it is a ring, and without third or fourth dimension; else undefined. */
function simpleKindOf(shape: Shape): SimpleKind | undefined {
  const { kind, bytes, end, partCount, partsAt, positionsAt, positionCount, heightsAt, measuresAt } = shape;
  if (kind !== 'point' && kind !== 'lines' && kind !== 'polygon') return undefined;
  if (heightsAt || measuresAt) return undefined;
  const simple = simpleKinds[kind];
  if (positionCount < simple.fewest || positionCount > positionLimit) return undefined;
  if (positionsAt + 16 * positionCount > end) return undefined;
  if (kind === 'point') return simple;
  if (partCount !== 1 || bytes.readInt32LE(partsAt) !== 0) return undefined;
  return kind === 'polygon' && !isClosed(shape) ? undefined : simple;
}

function isClosed({ bytes, positionsAt, positionCount }: Shape): boolean {
  const lastAt = positionsAt + 16 * (positionCount - 1);
  for (let i = 0; i < 16; i++) if (bytes[positionsAt + i] !== bytes[lastAt + i]) return false;
  return true;
}

function writeEwkb(target: Buffer, { type, code, headBytes }: SimpleKind, shape: Shape): void {
  const { bytes, positionsAt, positionCount } = shape;
  target[0] = 1; // little-endian
  target.writeUInt32LE(wkbSridFlag + code, 1);
  target.writeUInt32LE(wkbSrid, 5);
  if (type === 'Polygon') target.writeUInt32LE(1, 9);
  if (type !== 'Point') target.writeUInt32LE(positionCount, headBytes - 4);
  bytes.copy(target, headBytes, positionsAt, positionsAt + 16 * positionCount);
}

/** A view of the bytes of the last shape. Many shapes share a buffer, and a DataView reads numbers faster than a Buffer. */
let viewed: Buffer | undefined;
let view: DataView = new DataView(new ArrayBuffer(0));

/** The extent of all positions; undefined if a position is not a valid longitude and latitude. */
function boxOf({ bytes, positionsAt, positionCount }: Shape): Box | undefined {
  if (viewed !== bytes) view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  viewed = bytes;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const end = positionsAt + 16 * positionCount;
  for (let at = positionsAt; at < end; at += 16) {
    const x = view.getFloat64(at, true);
    const y = view.getFloat64(at + 8, true);
    // The negated form is also true for NaN.
    if (!(x >= -180 && x <= 180 && y >= -90 && y <= 90)) return undefined;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return [west, south, east, north];
}
