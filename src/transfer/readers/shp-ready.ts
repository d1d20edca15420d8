import type { ByteRange } from '../../db/copy-binary.js';
import { positionLimit } from '../../geo/geojson.js';
import type { ReadyGeometry } from '../tables/ready-geometry.js';

/** Kinds of shapes without heights: their code in WKB. */
const kinds = { 1: 'Point', 3: 'LineString', 5: 'Polygon' } as const;
const codes = { Point: 1, LineString: 2, Polygon: 3 } as const;
/** Fewest positions. */
const fewest = { Point: 1, LineString: 2, Polygon: 4 } as const;
/** Bytes of the EWKB before the positions. */
const heads = { Point: 9, LineString: 13, Polygon: 17 } as const;

/** Positions of a shape that has one part begin here, behind its box, two counts and the place of the part. */
const partStart = 48;

/** A shape of one part among other bytes. */
interface UsualShape {
  type: keyof typeof codes;
  /** Of the first position. */
  from: number;
  count: number;
  /** West, south, east, north. */
  box: [number, number, number, number];
}

/**
 * A shape of one part in longitude and latitude without the detour of objects for its positions: its bytes are those of the EWKB.
 * Undefined for all that is unusual or wrong, which is for `shapeOf`, and for who checks what it gives.
 */
export function readyShape(shape: Buffer): ReadyGeometry | undefined {
  const usual = usualShape(shape, 0, shape.length);
  if (!usual) return undefined;
  const { type, count, box } = usual;
  const ewkb = Buffer.allocUnsafe(heads[type] + 16 * count);
  writeEwkb(ewkb, usual, shape);
  return { ewkb, type, box };
}

/** The same of a shape that lies at a place among bytes, `range` being made to hold the EWKB: without new memory. */
export function readyRange(
  bytes: Buffer,
  { at, size }: { at: number; size: number },
  range: ByteRange,
): Pick<UsualShape, 'type' | 'box'> | undefined {
  const usual = usualShape(bytes, at, size);
  if (!usual) return undefined;
  const length = heads[usual.type] + 16 * usual.count;
  if (range.bytes.length < length) range.bytes = Buffer.allocUnsafe(2 * length);
  writeEwkb(range.bytes, usual, bytes);
  range.start = 0;
  range.end = length;
  return usual;
}

function usualShape(bytes: Buffer, at: number, size: number): UsualShape | undefined {
  const type = size < 20 ? undefined : kinds[bytes.readInt32LE(at) as keyof typeof kinds];
  if (!type) return undefined;
  const isPoint = type === 'Point';
  const from = at + (isPoint ? 4 : partStart);
  const count = isPoint ? 1 : countOf(bytes, at, size);
  if (count < fewest[type] || count > positionLimit) return undefined;
  const end = from + 16 * count;
  if (end > at + size || (type === 'Polygon' && !isClosed(bytes, from, end))) return undefined;
  const box = boxOf(bytes, from, end);
  return box && { type, from, count, box };
}

function writeEwkb(target: Buffer, { type, from, count }: UsualShape, bytes: Buffer): void {
  target[0] = 1;
  target.writeUInt32LE(0x20000000 + codes[type], 1);
  target.writeUInt32LE(4326, 5);
  if (type === 'Polygon') target.writeUInt32LE(1, 9);
  if (type !== 'Point') target.writeUInt32LE(count, heads[type] - 4);
  bytes.copy(target, heads[type], from, from + 16 * count);
}

/** Positions of a shape of one part; 0 of any other. */
const countOf = (bytes: Buffer, at: number, size: number): number =>
  size > partStart && bytes.readInt32LE(at + 36) === 1 && bytes.readInt32LE(at + 44) === 0
    ? bytes.readInt32LE(at + 40)
    : 0;

function isClosed(bytes: Buffer, from: number, end: number): boolean {
  for (let i = 0; i < 16; i++) if (bytes[from + i] !== bytes[end - 16 + i]) return false;
  return true;
}

let viewed: Buffer | undefined;
let view: DataView = new DataView(new ArrayBuffer(0));

/** West, south, east, north; undefined where a position is none on the earth. */
function boxOf(bytes: Buffer, from: number, end: number): UsualShape['box'] | undefined {
  if (viewed !== bytes) view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  viewed = bytes;
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
