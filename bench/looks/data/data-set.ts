import { run } from '../../stage.js';

/** Longitude and latitude. */
export type Position = readonly [lon: number, lat: number];

export interface DataRow {
  /** Well-known text. */
  shape: string;
  /** In the order of the columns. */
  values: readonly (string | number)[];
  /** A position of the shape, at which views are placed. */
  at: Position;
}

/** Generated objects: the same ones for the same size. */
export interface DataSet {
  code: string;
  geometry: 'POLYGON' | 'LINE' | 'POINT' | 'RASTER';
  columns: Readonly<Record<string, 'string' | 'number'>>;
  /** `features`: the wanted size of a large layer; each set has a fixed share of it. */
  rows(features: number): Iterable<DataRow>;
}

/** A data set in a table, which the layers are copied from. */
export interface StoredData {
  /** `bench.<code>`: `geom` and the columns. */
  table: string;
  /** Positions of some of the objects, in their order. */
  places: readonly Position[];
}

const maxPlaces = 5_000;
const rowsPerChunk = 500;

/** Creates the table of a data set. */
export async function storeData(database: string, data: DataSet, features: number): Promise<StoredData> {
  const table = `bench.${data.code}`;
  const columns = Object.entries(data.columns).map(
    ([code, type]) => `${code} ${type === 'number' ? 'double precision' : 'text'}`,
  );
  const create = `create schema if not exists bench; drop table if exists ${table};
    create unlogged table ${table} (geom geometry, ${columns.join(', ')})`;
  await run('psql', [database, '-qX', '-v', 'ON_ERROR_STOP=1', '-c', create]);
  const copying = run('psql', [database, '-qX', '-v', 'ON_ERROR_STOP=1', '-c', `copy ${table} from stdin`]);
  const input = copying.child.stdin!;
  const seen: Position[] = [];
  let lines = '';
  let count = 0;
  for (const { shape, values, at } of data.rows(features)) {
    lines += `SRID=4326;${shape}\t${values.join('\t')}\n`;
    count += 1;
    seen.push(at);
    if (count % rowsPerChunk) continue;
    if (!input.write(lines)) await new Promise((resolve) => input.once('drain', resolve));
    lines = '';
  }
  input.end(lines);
  await copying;
  const step = Math.max(1, Math.floor(seen.length / maxPlaces));
  return { table, places: seen.filter((_, i) => i % step === 0) };
}

const rounded = (degrees: number): string => degrees.toFixed(6);

const listed = (positions: readonly Position[]): string =>
  positions.map(([lon, lat]) => `${rounded(lon)} ${rounded(lat)}`).join(',');

/** Well-known text of shapes. Rings are closed by their last position. */
export const shapes = {
  /** The positions between the brackets. */
  listed,
  point: (at: Position): string => `POINT(${listed([at])})`,
  line: (positions: readonly Position[]): string => `LINESTRING(${listed(positions)})`,
  polygon: (ring: readonly Position[]): string => `POLYGON((${listed(ring)}))`,
} as const;
