import { Readable } from 'node:stream';
import type { ColumnType, ObjectRow } from '@cartulary/columns';
import { toWkb } from '@cartulary/geo';
import { createSlices } from '@cartulary/runtime';
import type { Geometry, Position } from 'geojson';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { hasHeight } from '../geometry-parts.js';
import { ownDescription } from '../own-exports/own-archive.js';
import { idField, type OutField } from './fields.js';

/*
 * Writes GeoParquet 1.1 (https://geoparquet.org): WKB in longitude and latitude. Each row group is complete in memory, and sent
 * before the next one.
 */

/** Limits of a row group: its encoding holds the event loop for some ten milliseconds. */
const groupLimit = { rows: 10_000, bytes: 4 * 1024 * 1024 };

/** The key of the types of columns for an import of our own. */
export const ownColumnsKey = 'cartulary:columns';

/** The name of the geometry. */
const geometryName = 'geom';

const optional = { repetition_type: 'OPTIONAL' } as const;
const text = {
  ...optional,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
} as const;

const elements: Readonly<Record<ColumnType | 'id', Omit<SchemaElement, 'name'>>> = {
  id: { repetition_type: 'REQUIRED', type: 'INT64' },
  number: { ...optional, type: 'DOUBLE' },
  bool: { ...optional, type: 'BOOLEAN' },
  datetime: {
    ...optional,
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  string: text,
  text,
  json: text,
  file: text,
  title: text,
  geom: { ...optional, type: 'BYTE_ARRAY' },
};

/** Objects, whose geometries are GeoJSON, as a file of Parquet. An error before the first object rejects. */
export async function writeParquetFile(
  rows: AsyncIterable<ObjectRow[]>,
  fields: readonly OutField[],
): Promise<Readable> {
  const pieces = piecesOf(rows, [idField, ...fields]);
  const first = await pieces.next();
  return Readable.from(joined(first.value as Buffer, pieces), { objectMode: false, highWaterMark: 1 });
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* piecesOf(
  rows: AsyncIterable<ObjectRow[]>,
  fields: readonly OutField[],
): AsyncGenerator<Buffer, undefined> {
  const bytes = new ByteWriter(groupLimit.bytes);
  const take = (): Buffer => {
    const taken = Buffer.from(bytes.getBytes());
    // The offset within the file goes on.
    bytes.index = 0;
    return taken;
  };
  const file = new ParquetWriter({ writer: bytes, schema: schemaOf(fields), createdBy: 'Cartulary' });
  const seen = newSeen();
  const slices = createSlices();
  let group = newGroup(fields.length + 1);
  const write = (): Buffer => {
    const columnData = [...fields.map(({ key }) => key), geometryName].map((name, i) => ({
      name,
      data: group.columns[i]!,
      statistics: name !== geometryName,
    }));
    file.write({ columnData, rowGroupSize: group.rows });
    group = newGroup(fields.length + 1);
    return take();
  };
  for await (const some of rows) {
    for (const row of some) {
      if (slices.isOver()) await slices.next();
      addRow(group, row, { fields, seen });
      if (group.rows >= groupLimit.rows || group.bytes >= groupLimit.bytes) yield write();
    }
  }
  if (group.rows) yield write();
  file.kvMetadata = metadataOf(fields, seen);
  file.finish();
  yield take();
}

const schemaOf = (fields: readonly OutField[]): SchemaElement[] => [
  { name: 'root', num_children: fields.length + 1 },
  ...fields.map((field) => ({ name: field.key, ...elements[field === idField ? 'id' : field.type] })),
  { name: geometryName, ...elements.geom },
];

interface Group {
  columns: unknown[][];
  rows: number;
  bytes: number;
}

const newGroup = (columns: number): Group => ({
  columns: Array.from({ length: columns }, () => []),
  rows: 0,
  bytes: 0,
});

/** What the metadata say of the geometries. */
interface Seen {
  types: Set<string>;
  box: [west: number, south: number, east: number, north: number];
}

const newSeen = (): Seen => ({ types: new Set(), box: [Infinity, Infinity, -Infinity, -Infinity] });

function addRow(
  group: Group,
  row: ObjectRow,
  { fields, seen }: { fields: readonly OutField[]; seen: Seen },
): void {
  for (const [i, field] of fields.entries()) {
    const value = field === idField ? BigInt(row.id) : written(field, row);
    group.columns[i]!.push(value);
    group.bytes += typeof value === 'string' ? value.length : 8;
  }
  const geometry = row.geom === null ? null : (JSON.parse(row.geom) as Geometry);
  if (geometry) note(seen, geometry);
  const wkb = geometry && toWkb(geometry);
  group.columns.at(-1)!.push(wkb);
  group.bytes += wkb?.length ?? 1;
  group.rows++;
}

function written({ value, type }: OutField, { values }: ObjectRow): unknown {
  const own = value(values);
  return type === 'datetime' && typeof own === 'string' ? instantOf(own) : own;
}

/** An instant; null beyond the range of dates. A query may give years of more than four digits, which ISO 8601 writes with a sign. */
function instantOf(text: string): Date | null {
  const instant = new Date(text.replace(/^\d{5,}(?=-)/, (year) => `+${year.padStart(6, '0')}`));
  return Number.isNaN(instant.getTime()) ? null : instant;
}

function note({ types, box }: Seen, geometry: Geometry): void {
  types.add(hasHeight(geometry) ? `${geometry.type} Z` : geometry.type);
  const widen = (value: Position | Position[] | Position[][] | Position[][][]): void => {
    if (typeof value[0] !== 'number') {
      for (const part of value) widen(part as Position);
      return;
    }
    const [x, y] = value as Position;
    box[0] = Math.min(box[0], x!);
    box[1] = Math.min(box[1], y!);
    box[2] = Math.max(box[2], x!);
    box[3] = Math.max(box[3], y!);
  };
  if (geometry.type === 'GeometryCollection')
    for (const part of geometry.geometries) widen(coordinatesOf(part));
  else widen(geometry.coordinates);
}

/** Stored collections are flat. */
const coordinatesOf = (part: Geometry): Position[] =>
  'coordinates' in part ? (part.coordinates as Position[]) : [];

function metadataOf(fields: readonly OutField[], { types, box }: Seen): { key: string; value: string }[] {
  const geo = {
    version: '1.1.0',
    primary_column: geometryName,
    columns: {
      // Without a name of its system a geometry is in longitude and latitude.
      [geometryName]: {
        encoding: 'WKB',
        geometry_types: [...types].sort(),
        ...(box.every(Number.isFinite) ? { bbox: box } : {}),
      },
    },
  };
  const own = Object.fromEntries(fields.map(({ key, title, type }) => [key, ownDescription(title, type)]));
  return [
    { key: 'geo', value: JSON.stringify(geo) },
    { key: ownColumnsKey, value: JSON.stringify(own) },
  ];
}
