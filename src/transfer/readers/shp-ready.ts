import { positionLimit } from '../../geo/geojson.js';
import type { ReadyGeometry } from '../tables/ready-geometry.js';

/** Kinds of shapes without heights: their code in WKB. */
const kinds = { 1: 'Point', 3: 'LineString', 5: 'Polygon' } as const;
const codes = { Point: 1, LineString: 2, Polygon: 3 } as const;

/** Positions of a shape that has one part begin here, behind its box, two counts and the place of the part. */
const partStart = 48;

/**
 * A shape of one part in longitude and latitude without the detour of objects for its positions: its bytes are those of the EWKB.
 * Undefined for all that is unusual or wrong, which is for `shapeOf`, and for who checks what it gives.
 */
export function readyShape(shape: Buffer): ReadyGeometry | undefined {
  const type = shape.length < 20 ? undefined : kinds[shape.readInt32LE(0) as keyof typeof kinds];
  if (!type) return undefined;
  const isPoint = type === 'Point';
  const from = isPoint ? 4 : partStart;
  const count = isPoint ? 1 : countOf(shape);
  if (count < { Point: 1, LineString: 2, Polygon: 4 }[type] || count > positionLimit) return undefined;
  const end = from + 16 * count;
  if (shape.length < end || (type === 'Polygon' && !isClosed(shape, from, end))) return undefined;
  const box = boxOf(shape, from, end);
  if (!box) return undefined;
  const counts = { Point: [], LineString: [count], Polygon: [1, count] }[type];
  const head = 9 + 4 * counts.length;
  const ewkb = Buffer.allocUnsafe(head + end - from);
  ewkb[0] = 1;
  ewkb.writeUInt32LE(0x20000000 + codes[type], 1);
  ewkb.writeUInt32LE(4326, 5);
  for (const [i, one] of counts.entries()) ewkb.writeUInt32LE(one, 9 + 4 * i);
  shape.copy(ewkb, head, from, end);
  return { ewkb, type, box };
}

/** Positions of a shape of one part; 0 of any other. */
const countOf = (shape: Buffer): number =>
  shape.length > partStart && shape.readInt32LE(36) === 1 && shape.readInt32LE(44) === 0
    ? shape.readInt32LE(40)
    : 0;

const isClosed = (shape: Buffer, from: number, end: number): boolean =>
  shape.compare(shape, end - 16, end, from, from + 16) === 0;

/** West, south, east, north; undefined where a position is none on the earth. */
function boxOf(shape: Buffer, from: number, end: number): ReadyGeometry['box'] | undefined {
  const view = new DataView(shape.buffer, shape.byteOffset, shape.length);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = from; at < end; at += 16) {
    const x = view.getFloat64(at, true);
    const y = view.getFloat64(at + 8, true);
    // Not a number is not in the range either.
    if (!(x >= -180 && x <= 180 && y >= -90 && y <= 90)) return undefined;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return [west, south, east, north];
}
