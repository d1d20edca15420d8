import { ServiceError } from '@cartulary/errors';
import { cursorOver, several } from './cursor.js';
import { type MathBase, sxfProjection } from './projection.js';

/*
 * SXF ("Storage and eXchange Format") is the exchange format of the Panorama GIS. It consists of a passport of 256 bytes
 * (version 3) or 400 (version 4), a descriptor with the number of objects, and the objects. Positions of the fields:
 * http://gistoolkit.ru/download/doc/sxf4bin.pdf, and the driver of GDAL.
 */

export interface Passport {
  version: 3 | 4;
  /** Number of objects that the file declares. */
  count: number;
  /** Encoding of label texts. */
  encoding: string;
  /** Factors from the coordinates of a record, north and east, to the unit of `srs`: metres or degrees. */
  north: Scale;
  east: Scale;
  /** In the form of `parseSrs`; undefined if the passport declares none or an unknown one. */
  srs: string | undefined;
}

export interface Scale {
  origin: number;
  factor: number;
}

/** Bytes needed to know the length of the passport, and bytes before the first object, by version. */
export const passportHeadBytes = 8;
const sizes = { 3: 300, 4: 452 } as const;

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

/** Number of bytes before the objects. Throws `import_failed` if this is not SXF version 3 or 4. */
export function headSizeOf(start: Buffer): number {
  const length = start.readUInt32LE(4);
  if (length === 256) return sizes[3];
  if (length === 400) return sizes[4];
  throw failed(`The passport of the SXF has ${length} bytes: only versions 3 (256) and 4 (400) are read`);
}

/** Parses everything before the objects; all these bytes must be present. Throws `import_failed`. */
export function readPassport(head: Buffer): Passport {
  const version = headSizeOf(head) === sizes[4] ? 4 : 3;
  const told = head[version === 4 ? 10 : 9];
  if (told !== version) throw failed(`The SXF has version ${told}: only 3 and 4 are read`);
  const passport = version === 4 ? readVersion4(head) : readVersion3(head);
  const descriptor = version === 4 ? 400 : 256;
  if (head.toString('latin1', descriptor, descriptor + 3) !== 'DAT') {
    throw failed('The SXF is damaged: after its passport no descriptor of data follows');
  }
  const count = head.readUInt32LE(descriptor + (version === 4 ? 40 : 32));
  return { version, count, ...passport };
}

/** Corners are given as north, east of the south-west, north-west, north-east and south-east. */
function readVersion3(head: Buffer): Omit<Passport, 'version' | 'count'> {
  const at = cursorOver(head, 48);
  const scale = at.u32();
  at.skip(26);
  const flags = at.u8();
  at.skip(15);
  const corners = several(8, at.i32).map((decimetres) => decimetres / 10);
  const geographic = several(8, at.i32).map((value) => value / 1e8);
  const base = several(8, at.u8);
  at.skip(46);
  const resolution = at.i32();
  const frame = several(8, at.i16);
  at.skip(4);
  const parameters = several(5, at.i32).map((value) => (value === -1 ? 0 : value / 1e8));
  const isReal = Boolean(flags & 0x18) || resolution < 0 || frame.every((value) => value === 0);
  const math: MathBase = { ...mathOf(base), corners, geographic, epsg: 0, meridian: parameters[2]! };
  const [parallel1, parallel2, , latitude] = parameters as [number, number, number, number];
  const srs = sxfProjection({ ...math, parallel1, parallel2, latitude, falseNorthing: 0, falseEasting: 0 });
  const units = { unit: base[4]!, isReal, ratio: scale / resolution };
  return { encoding: 'cp866', srs, ...scales(units, corners, frame) };
}

const labelEncodings: Readonly<Record<number, string>> = { 0: 'cp866', 1: 'windows-1251', 2: 'koi8-r' };

function readVersion4(head: Buffer): Omit<Passport, 'version' | 'count'> {
  const at = cursorOver(head, 60);
  const scale = at.u32();
  at.skip(32);
  const [flags, encoding, accuracy] = several(4, at.u8) as [number, number, number];
  const epsg = at.u32();
  const corners = several(8, at.f64);
  const geographic = several(8, at.f64);
  const base = several(8, at.u8);
  at.skip(72);
  const resolution = at.i32();
  const frame = several(8, at.i32);
  at.skip(4);
  const [parallel1, parallel2, meridian, latitude, falseNorthing, falseEasting] = several(6, at.f64) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const isReal =
    Boolean(flags & 0x18) || accuracy > 0 || resolution < 0 || frame.every((value) => value === 0);
  const math: MathBase = { ...mathOf(base), corners, geographic, epsg, meridian };
  const srs = sxfProjection({ ...math, parallel1, parallel2, latitude, falseNorthing, falseEasting });
  const units = { unit: base[4]!, isReal, ratio: scale / resolution };
  return { encoding: labelEncodings[encoding] ?? 'windows-1251', srs, ...scales(units, corners, frame) };
}

/** The unit of plan coordinates: the factor to metres or degrees. Unknown units are taken as metres. */
const factors: Readonly<Record<number, number>> = {
  1: 0.1,
  2: 0.01,
  3: 0.001,
  16: 0.3048,
  64: 180 / Math.PI,
  130: 180 / Math.PI,
};
const angles = new Set([64, 65, 129, 130]);

function mathOf([ellipsoid, , projection, system, unit]: readonly number[]): Pick<
  MathBase,
  'ellipsoid' | 'projection' | 'system' | 'isGeographic'
> {
  return {
    ellipsoid: ellipsoid!,
    projection: projection!,
    system: system!,
    isGeographic: angles.has(unit!),
  };
}

/**
 * The factors of coordinates. Real coordinates are in the unit of the passport. Others are digitizer steps of `ratio`
 * metres; `frame` contains the corners in such steps.
 */
function scales(
  { unit, isReal, ratio }: { unit: number; isReal: boolean; ratio: number },
  corners: readonly number[],
  frame: readonly number[],
): Pick<Passport, 'north' | 'east'> {
  if (isReal) {
    const scale = { origin: 0, factor: factors[unit] ?? 1 };
    return { north: scale, east: scale };
  }
  if (!Number.isFinite(ratio) || ratio <= 0) {
    throw failed('The SXF is damaged: it does not tell the scale of its coordinates');
  }
  const [north, east] = corners as [number, number];
  return {
    north: { origin: north - frame[0]! * ratio, factor: ratio },
    east: { origin: east - frame[1]! * ratio, factor: ratio },
  };
}
