import type { Geometry, Position } from 'geojson';

/** Type codes of WKB (OGC 06-103r4, table 7). */
const types = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 4,
  MultiLineString: 5,
  MultiPolygon: 6,
  GeometryCollection: 7,
} as const;

/** Flags of PostGIS's EWKB in the type word. */
const zFlag = 0x80000000;
const sridFlag = 0x20000000;

interface Writer {
  /** A DataView writes several times as fast as the methods of Buffer. */
  view: DataView;
  at: number;
  /** Numbers per position. */
  dimensions: 2 | 3;
  /** What a height adds to the type: a flag in EWKB, 1,000 in WKB. */
  height: number;
}

/**
 * Converts a checked geometry to little-endian EWKB with SRID 4326; the numbers stay bit-identical. A WKB geometry has one
 * dimension throughout: if one position has a height, positions without height get 0. A fourth number is dropped
 * (RFC 7946, 3.1.1).
 */
export function toEwkb(geometry: Geometry): Buffer {
  const dimensions = hasHeight(geometry) ? 3 : 2;
  const bytes = Buffer.allocUnsafe(sizeBytes(geometry, dimensions) + 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  writeGeometry({ view, at: 0, dimensions, height: zFlag }, geometry, 4326);
  return bytes;
}

/** The same as WKB of the standard (ISO 13249-3), which has no SRID. */
export function toWkb(geometry: Geometry): Buffer {
  const dimensions = hasHeight(geometry) ? 3 : 2;
  const bytes = Buffer.allocUnsafe(sizeBytes(geometry, dimensions));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  writeGeometry({ view, at: 0, dimensions, height: 1_000 }, geometry);
  return bytes;
}

function hasHeight(geometry: Geometry): boolean {
  switch (geometry.type) {
    case 'Point':
      return isHigh(geometry.coordinates);
    case 'LineString':
    case 'MultiPoint':
      return geometry.coordinates.some(isHigh);
    case 'Polygon':
    case 'MultiLineString':
      return geometry.coordinates.some(areHigh);
    case 'MultiPolygon':
      return geometry.coordinates.some((rings) => rings.some(areHigh));
    case 'GeometryCollection':
      return geometry.geometries.some(hasHeight);
  }
}

const isHigh = (position: Position): boolean => position.length > 2;
const areHigh = (positions: Position[]): boolean => positions.some(isHigh);

/** Bytes of the EWKB, without the SRID. */
function sizeBytes(geometry: Geometry, dimensions: number): number {
  const positionBytes = 8 * dimensions;
  switch (geometry.type) {
    case 'Point':
      return 5 + positionBytes;
    case 'LineString':
      return 9 + positionBytes * geometry.coordinates.length;
    case 'MultiPoint':
      return 9 + (5 + positionBytes) * geometry.coordinates.length;
    case 'Polygon':
      return polygonBytes(geometry.coordinates, positionBytes);
    case 'MultiLineString':
      return 9 + sum(geometry.coordinates, (line) => 9 + positionBytes * line.length);
    case 'MultiPolygon':
      return 9 + sum(geometry.coordinates, (rings) => polygonBytes(rings, positionBytes));
    case 'GeometryCollection':
      return 9 + sum(geometry.geometries, (part) => sizeBytes(part, dimensions));
  }
}

const sum = <T>(items: readonly T[], size: (item: T) => number): number =>
  items.reduce((total, item) => total + size(item), 0);

const polygonBytes = (rings: Position[][], positionBytes: number): number =>
  9 + sum(rings, (ring) => 4 + positionBytes * ring.length);

function writeGeometry(writer: Writer, geometry: Geometry, srid?: number): void {
  writeHead(writer, geometry.type, srid);
  if (geometry.type === 'Point') writePoint(writer, geometry.coordinates);
  else if (geometry.type === 'LineString') writePositions(writer, geometry.coordinates);
  else if (geometry.type === 'Polygon') writeRings(writer, geometry.coordinates);
  else if (geometry.type === 'MultiPoint') writePoints(writer, geometry.coordinates);
  else writeParts(writer, partsOf(geometry), (part) => writeGeometry(writer, part));
}

/** Writes points directly: creating an object per point takes most of the time of a large multipoint. */
const writePoints = (writer: Writer, positions: Position[]): void =>
  writeParts(writer, positions, (position) => {
    writeHead(writer, 'Point');
    writePoint(writer, position);
  });

/** The members of a compound geometry as geometries. */
function partsOf(
  geometry: Exclude<Geometry, { type: 'Point' | 'LineString' | 'Polygon' | 'MultiPoint' }>,
): Geometry[] {
  switch (geometry.type) {
    case 'MultiLineString':
      return geometry.coordinates.map((coordinates) => ({ type: 'LineString', coordinates }));
    case 'MultiPolygon':
      return geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }));
    case 'GeometryCollection':
      return geometry.geometries;
  }
}

function writeHead(writer: Writer, type: keyof typeof types, srid?: number): void {
  const z = writer.dimensions === 3 ? writer.height : 0;
  writer.view.setUint8(writer.at++, 1);
  writeCount(writer, types[type] + z + (srid === undefined ? 0 : sridFlag));
  if (srid !== undefined) writeCount(writer, srid);
}

function writeCount(writer: Writer, count: number): void {
  writer.view.setUint32(writer.at, count, true);
  writer.at += 4;
}

function writeParts<T>(writer: Writer, parts: readonly T[], write: (part: T) => void): void {
  writeCount(writer, parts.length);
  for (const part of parts) write(part);
}

const writeRings = (writer: Writer, rings: Position[][]): void =>
  writeParts(writer, rings, (ring) => writePositions(writer, ring));

function writePositions(writer: Writer, positions: Position[]): void {
  writeCount(writer, positions.length);
  for (const position of positions) writePoint(writer, position);
}

/** Writes an empty point as NaN coordinates, like PostGIS. */
function writePoint(writer: Writer, position: Position): void {
  const { view, at, dimensions } = writer;
  view.setFloat64(at, position[0] ?? Number.NaN, true);
  view.setFloat64(at + 8, position[1] ?? Number.NaN, true);
  if (dimensions === 3) view.setFloat64(at + 16, position[2] ?? 0, true);
  writer.at = at + 8 * dimensions;
}
