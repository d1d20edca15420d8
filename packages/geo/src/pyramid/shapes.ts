/** Reads and writes the lines and polygons of a pyramid as WKB. */

/** Positions as x, y, x, y, … in units of the world: 0 to 1 from west to east, and from north to south (EPSG:3857). */
export type PositionPath = Float64Array;

/** Lines, each of one path, or polygons, each of an outer ring and holes. Rings end where they begin. */
export interface PyramidShape {
  dimension: 1 | 2;
  parts: readonly (readonly PositionPath[])[];
}

const codes = { point: 1, line: 2, polygon: 3, multiLine: 5, multiPolygon: 6 } as const;
const flags = { z: 0x80000000, m: 0x40000000, srid: 0x20000000 };
const maxLatitude = 89.9999;

/** A degree of latitude → the distance from the northern edge of the world. */
const northing = (latitude: number): number => {
  const bounded = Math.max(-maxLatitude, Math.min(maxLatitude, latitude));
  return (1 - Math.asinh(Math.tan((bounded * Math.PI) / 180)) / Math.PI) / 2;
};
const latitudeOf = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

class Reader {
  readonly #view: DataView;
  #at = 0;
  #isLittle = true;
  #numbers = 2;

  constructor(wkb: Uint8Array) {
    this.#view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  }

  /** The type code of a geometry, whose header it passes. */
  type(): number {
    this.#isLittle = this.#view.getUint8(this.#at) === 1;
    const word = this.#view.getUint32(this.#at + 1, this.#isLittle);
    this.#at += word & flags.srid ? 9 : 5;
    this.#numbers = 2 + (word & flags.z ? 1 : 0) + (word & flags.m ? 1 : 0);
    return word & 0xff;
  }

  count(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, this.#isLittle);
  }

  path(): PositionPath {
    const count = this.count();
    const path = new Float64Array(2 * count);
    for (let i = 0; i < count; i++, this.#at += 8 * this.#numbers) {
      path[2 * i] = this.#view.getFloat64(this.#at, this.#isLittle) / 360 + 0.5;
      path[2 * i + 1] = northing(this.#view.getFloat64(this.#at + 8, this.#isLittle));
    }
    return path;
  }

  rings(): PositionPath[] {
    return Array.from({ length: this.count() }, () => this.path());
  }
}

/** Reads WKB or EWKB in degrees; undefined for what is neither of lines nor of polygons. */
export function shapeFromWkb(wkb: Uint8Array): PyramidShape | undefined {
  const reader = new Reader(wkb);
  const members = <T>(read: () => T): T[] =>
    Array.from({ length: reader.count() }, () => {
      reader.type();
      return read();
    });
  switch (reader.type()) {
    case codes.line:
      return { dimension: 1, parts: [[reader.path()]] };
    case codes.multiLine:
      return { dimension: 1, parts: members(() => [reader.path()]) };
    case codes.polygon:
      return { dimension: 2, parts: [reader.rings()] };
    case codes.multiPolygon:
      return { dimension: 2, parts: members(() => reader.rings()) };
    default:
      return undefined;
  }
}

/**
 * A multi-geometry as TWKB in degrees with `digits` decimals (TWKB specification, version 0.23): a third of the size of WKB,
 * since each position is the difference to the one before.
 */
export function shapeToTwkb({ dimension, parts }: PyramidShape, digits: number): Buffer {
  const writer = new TwkbWriter(digits);
  const type = dimension === 2 ? codes.multiPolygon : codes.multiLine;
  writer.byte(type | (zigzag(digits) << 4));
  writer.byte(0);
  writer.count(parts.length);
  for (const part of parts) {
    if (dimension === 2) writer.count(part.length);
    for (const path of part) writer.path(path);
  }
  return writer.written();
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unzigzag = (value: number): number => (value % 2 ? -(value + 1) / 2 : value / 2);

/** Bits of the second byte of a TWKB. */
const twkbFlags = { box: 1, size: 2, ids: 4, more: 8, empty: 16 };

class TwkbReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #factor = 1;
  #x = 0;
  #y = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The type code, after which come the members; undefined for what has no positions or more than two numbers each. */
  type(): number | undefined {
    const first = this.#bytes[this.#at++]!;
    const seen = this.#bytes[this.#at++]!;
    if (seen & ~(twkbFlags.box | twkbFlags.size)) return undefined;
    if (seen & twkbFlags.size) this.count();
    if (seen & twkbFlags.box) for (let i = 0; i < 4; i++) this.count();
    this.#factor = 10 ** unzigzag(first >> 4);
    return first & 15;
  }

  count(): number {
    let [value, unit] = [0, 1];
    for (;;) {
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 127) * unit;
      if (byte < 128) return value;
      unit *= 128;
    }
  }

  path(): PositionPath {
    const path = new Float64Array(2 * this.count());
    for (let i = 0; i < path.length; i += 2) {
      this.#x += unzigzag(this.count());
      this.#y += unzigzag(this.count());
      path[i] = this.#x / this.#factor / 360 + 0.5;
      path[i + 1] = northing(this.#y / this.#factor);
    }
    return path;
  }

  rings(): PositionPath[] {
    return Array.from({ length: this.count() }, () => this.path());
  }
}

/** Reads TWKB in degrees; undefined for what is neither of lines nor of polygons, or has no positions. */
export function shapeFromTwkb(twkb: Uint8Array): PyramidShape | undefined {
  const reader = new TwkbReader(twkb);
  switch (reader.type()) {
    case codes.line:
      return { dimension: 1, parts: [[reader.path()]] };
    case codes.multiLine:
      return { dimension: 1, parts: Array.from({ length: reader.count() }, () => [reader.path()]) };
    case codes.polygon:
      return { dimension: 2, parts: [reader.rings()] };
    case codes.multiPolygon:
      return { dimension: 2, parts: Array.from({ length: reader.count() }, () => reader.rings()) };
    default:
      return undefined;
  }
}

class TwkbWriter {
  readonly #factor: number;
  #bytes = Buffer.allocUnsafe(4096);
  #length = 0;
  #x = 0;
  #y = 0;

  constructor(digits: number) {
    this.#factor = 10 ** digits;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * this.#length);
    this.#bytes[this.#length++] = value;
  }

  /** A number that is not negative, seven bits a byte. */
  count(value: number): void {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.byte((rest % 128) | 128);
    this.byte(rest);
  }

  path(path: PositionPath): void {
    this.count(path.length / 2);
    for (let i = 0; i < path.length; i += 2) {
      const x = Math.round((path[i]! - 0.5) * 360 * this.#factor);
      const y = Math.round(latitudeOf(path[i + 1]!) * this.#factor);
      this.count(zigzag(x - this.#x));
      this.count(zigzag(y - this.#y));
      [this.#x, this.#y] = [x, y];
    }
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** The longitude and latitude of a point in units of the world. */
export const worldPointDegrees = ([x, y]: readonly [x: number, y: number]): [lon: number, lat: number] => [
  (x - 0.5) * 360,
  latitudeOf(y),
];

/** A point in units of the world as EWKB in degrees, SRID 4326. */
export function pointToEwkb(point: readonly [x: number, y: number]): Buffer {
  const [longitude, latitude] = worldPointDegrees(point);
  const bytes = Buffer.alloc(25);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(codes.point + flags.srid, 1);
  bytes.writeUInt32LE(4326, 5);
  bytes.writeDoubleLE(longitude, 9);
  bytes.writeDoubleLE(latitude, 17);
  return bytes;
}
