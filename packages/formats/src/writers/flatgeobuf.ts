import { Builder } from 'flatbuffers';
import type { Geometry, Position } from 'geojson';

/*
 * Writes FlatGeobuf 3 (https://github.com/flatgeobuf/flatgeobuf, src/fbs), the format in which objects go to GDAL. It is
 * typed, so that numbers, null and empty text, dates and heights stay distinct. The file has no index, and heights for
 * all geometries.
 */

/** Types of written columns, by their numbers in the format. */
export const columnTypes = { bool: 2, long: 7, double: 10, string: 11, json: 12, datetime: 13 } as const;

/** Columns are numbered in 16 bits. */
export const fgbColumnLimit = 65_535;

export interface FgbColumn {
  name: string;
  type: keyof typeof columnTypes;
  title?: string;
  description?: string;
  /** Of its texts, bytes; 0 or undefined: any. */
  width?: number;
}

const magic = Buffer.from([0x66, 0x67, 0x62, 0x03, 0x66, 0x67, 0x62, 0x00]);

const geometryTypes = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 4,
  MultiLineString: 5,
  MultiPolygon: 6,
  GeometryCollection: 7,
} as const;

function offsets(builder: Builder, items: readonly number[]): number {
  builder.startVector(4, items.length, 4);
  for (const item of [...items].reverse()) builder.addOffset(item);
  return builder.endVector();
}

/** The beginning of a file: geometries of any kind in EPSG:4326. Its length does not depend on the widths. */
export function fgbHeader(name: string, columns: readonly FgbColumn[]): Buffer {
  const builder = new Builder(4096);
  const tables = columns.map((column) => {
    const text = builder.createString(column.name);
    const title = column.title ? builder.createString(column.title) : 0;
    const description = column.description ? builder.createString(column.description) : 0;
    builder.startObject(11);
    builder.addFieldOffset(0, text, 0);
    builder.addFieldInt8(1, columnTypes[column.type], 0);
    builder.addFieldOffset(2, title, 0);
    builder.addFieldOffset(3, description, 0);
    builder.addFieldInt32(4, column.width ?? 0, -1);
    return builder.endObject();
  });
  const list = offsets(builder, tables);
  const authority = builder.createString('EPSG');
  builder.startObject(6);
  builder.addFieldOffset(0, authority, 0);
  builder.addFieldInt32(1, 4326, 0);
  const crs = builder.endObject();
  const title = builder.createString(name);
  builder.startObject(14);
  builder.addFieldOffset(0, title, 0);
  builder.addFieldInt8(3, 1, 0); // heights
  builder.addFieldOffset(7, list, 0);
  builder.addFieldInt16(9, 0, 16); // no index
  builder.addFieldOffset(10, crs, 0);
  builder.finishSizePrefixed(builder.endObject());
  return Buffer.concat([magic, builder.asUint8Array()]);
}

export interface FgbWriter {
  /** Encodes an object; null values are omitted. */
  write(geometry: Geometry | null, values: readonly unknown[]): Buffer;
}

export function createFgbWriter(columns: readonly FgbColumn[]): FgbWriter {
  const builder = new Builder(64 * 1024);
  return {
    write(geometry, values) {
      builder.clear();
      const shape = geometry ? geometryTable(builder, geometry) : 0;
      const properties = builder.createByteVector(propertyBytes(columns, values));
      builder.startObject(3);
      if (shape) builder.addFieldOffset(0, shape, 0);
      builder.addFieldOffset(1, properties, 0);
      builder.finishSizePrefixed(builder.endObject());
      return Buffer.from(builder.asUint8Array());
    },
  };
}

function propertyBytes(columns: readonly FgbColumn[], values: readonly unknown[]): Buffer {
  const parts: Buffer[] = [];
  for (const [i, { type }] of columns.entries()) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    const index = Buffer.alloc(2);
    index.writeUInt16LE(i);
    parts.push(index, valueBytes(type, value));
  }
  return Buffer.concat(parts);
}

function valueBytes(type: FgbColumn['type'], value: unknown): Buffer {
  if (type === 'bool') return Buffer.from([value ? 1 : 0]);
  const bytes = Buffer.alloc(8);
  if (type === 'long') bytes.writeBigInt64LE(BigInt(value as number));
  else if (type === 'double') bytes.writeDoubleLE(value as number);
  else {
    const text = Buffer.from(String(value));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    return Buffer.concat([length, text]);
  }
  return bytes;
}

/** A table Geometry with its content. */
function geometryTable(builder: Builder, geometry: Geometry): number {
  const { type } = geometry;
  if (type === 'GeometryCollection' || type === 'MultiPolygon') {
    const geometries: Geometry[] =
      type === 'MultiPolygon'
        ? geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }))
        : geometry.geometries;
    const parts = offsets(
      builder,
      geometries.map((part) => geometryTable(builder, part)),
    );
    return table(builder, type, { parts });
  }
  if (type === 'Point') return shape(builder, type, [[geometry.coordinates]]);
  if (type === 'LineString' || type === 'MultiPoint') return shape(builder, type, [geometry.coordinates]);
  return shape(builder, type, geometry.coordinates);
}

function shape(builder: Builder, type: keyof typeof geometryTypes, lines: readonly Position[][]): number {
  const positions = lines.flat();
  const xy = doubles(
    builder,
    positions.flatMap(([x, y]) => [x!, y!]),
  );
  const z = doubles(
    builder,
    positions.map(([, , height]) => height ?? 0),
  );
  const hasEnds = type === 'Polygon' || type === 'MultiLineString';
  return table(builder, type, { xy, z, ends: hasEnds ? endsOf(builder, lines) : 0 });
}

function doubles(builder: Builder, numbers: readonly number[]): number {
  builder.startVector(8, numbers.length, 8);
  for (let i = numbers.length - 1; i >= 0; i--) builder.addFloat64(numbers[i]!);
  return builder.endVector();
}

/** Index of the end of each line, in positions. */
function endsOf(builder: Builder, lines: readonly Position[][]): number {
  let end = 0;
  const ends = lines.map((line) => {
    end += line.length;
    return end;
  });
  builder.startVector(4, ends.length, 4);
  for (const position of ends.reverse()) builder.addInt32(position);
  return builder.endVector();
}

function table(
  builder: Builder,
  type: keyof typeof geometryTypes,
  { ends = 0, xy = 0, z = 0, parts = 0 }: { ends?: number; xy?: number; z?: number; parts?: number },
): number {
  builder.startObject(8);
  for (const [field, offset] of [ends, xy, z].entries()) if (offset) builder.addFieldOffset(field, offset, 0);
  builder.addFieldInt8(6, geometryTypes[type], 0);
  if (parts) builder.addFieldOffset(7, parts, 0);
  return builder.endObject();
}
