import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { Geometry, Position } from 'geojson';
import { joinedLines, lineOfArcs } from './arcs.js';

/** Flags of the type word in PostGIS's EWKB. */
const zFlag = 0x80000000;
const mFlag = 0x40000000;
const sridFlag = 0x20000000;

interface Reader {
  bytes: Buffer;
  at: number;
  /** Receives each circular string. */
  arc(): void;
  /** Receives each geometry with measures. */
  measure(): void;
}

/** Layout of the positions of one geometry. */
interface Layout {
  isLittle: boolean;
  hasZ: boolean;
  hasM: boolean;
}

/** Maximum nesting of geometries. */
const deepest = 20;

/**
 * Decodes (E)WKB to GeoJSON: keeps heights, drops measures, turns triangles and surfaces into polygons, and arcs into
 * lines, of which `arc` and `measure` are told. Null for an empty geometry; a point of NaN stays a point. Throws `value_invalid` for
 * anything else.
 */
export function fromWkb(
  bytes: Buffer,
  arc: () => void = () => {},
  measure: () => void = () => {},
): Geometry | null {
  try {
    const geometry = geometryOf({ bytes, at: 0, arc, measure }, 0);
    return isEmpty(geometry) ? null : geometry;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw wrong(noteOf('geometryCutOff'));
  }
}

const wrong = (why: string): ServiceError =>
  new ServiceError('value_invalid', noteOf('ofGeometry', { reason: why }), { columns: ['geom'] });

function isEmpty(geometry: Geometry): boolean {
  return geometry.type === 'GeometryCollection'
    ? geometry.geometries.length === 0
    : geometry.coordinates.length === 0;
}

function geometryOf(reader: Reader, depth: number): Geometry {
  if (depth > deepest) throw wrong(noteOf('nestedTooDeep'));
  const isLittle = reader.bytes.readUInt8(reader.at++) === 1;
  const word = count(reader, isLittle);
  if (word & sridFlag) reader.at += 4;
  const code = (word & 0x1fffffff) >>> 0;
  const thousand = Math.floor(code / 1000);
  const layout = {
    isLittle,
    hasZ: (word & zFlag) !== 0 || thousand === 1 || thousand === 3,
    hasM: (word & mFlag) !== 0 || thousand >= 2,
  };
  if (layout.hasM) reader.measure();
  return contentOf(reader, layout, { type: code % 1000, depth });
}

function contentOf(
  reader: Reader,
  layout: Layout,
  { type, depth }: { type: number; depth: number },
): Geometry {
  const parts = (): Geometry[] =>
    many(reader, layout, () => geometryOf(reader, depth + 1)).filter((part) => !isEmpty(part));
  switch (type) {
    case 1:
      return { type: 'Point', coordinates: position(reader, layout) };
    case 2:
      return { type: 'LineString', coordinates: positions(reader, layout) };
    case 3:
    case 17:
      return { type: 'Polygon', coordinates: many(reader, layout, () => positions(reader, layout)) };
    case 4:
      return { type: 'MultiPoint', coordinates: coordinatesOf<Position>(parts(), 'Point') };
    case 5:
    case 11:
      return { type: 'MultiLineString', coordinates: coordinatesOf<Position[]>(parts(), 'LineString') };
    case 6:
    case 12:
    case 15:
    case 16:
      return { type: 'MultiPolygon', coordinates: coordinatesOf<Position[][]>(parts(), 'Polygon') };
    case 7:
      return { type: 'GeometryCollection', geometries: parts() };
    case 8:
      reader.arc();
      return { type: 'LineString', coordinates: lineOfArcs(positions(reader, layout)) };
    case 9:
      return {
        type: 'LineString',
        coordinates: joinedLines(coordinatesOf<Position[]>(parts(), 'LineString')),
      };
    case 10:
      return { type: 'Polygon', coordinates: coordinatesOf<Position[]>(parts(), 'LineString') };
    default:
      throw wrong(noteOf('geometryNotTaken', { kind: type }));
  }
}

function coordinatesOf<C>(parts: Geometry[], type: string): C[] {
  return parts.map((part) => {
    if (part.type !== type) throw wrong(noteOf('wrongMember', { found: part.type, wanted: type }));
    return (part as { coordinates: unknown }).coordinates as C;
  });
}

function count(reader: Reader, isLittle: boolean): number {
  const { bytes, at } = reader;
  reader.at += 4;
  return isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
}

function many<T>(reader: Reader, { isLittle }: Layout, part: () => T): T[] {
  const length = count(reader, isLittle);
  // Every part takes at least four bytes.
  if (length > reader.bytes.length / 4) throw wrong(noteOf('geometryCutOff'));
  return Array.from({ length }, part);
}

const positions = (reader: Reader, layout: Layout): Position[] =>
  many(reader, layout, () => position(reader, layout));

function position(reader: Reader, { isLittle, hasZ, hasM }: Layout): Position {
  const length = 2 + Number(hasZ) + Number(hasM);
  const numbers: number[] = [];
  for (let i = 0; i < length; i++, reader.at += 8) {
    numbers.push(isLittle ? reader.bytes.readDoubleLE(reader.at) : reader.bytes.readDoubleBE(reader.at));
  }
  return hasM ? numbers.slice(0, -1) : numbers;
}
