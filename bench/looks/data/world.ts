import { execFileSync } from 'node:child_process';
import type { Position as Corner, MultiPolygon, Point, Polygon } from 'geojson';
import { type DataRow, type DataSet, type Position, shapes } from './data-set.js';

/** The program that prints the data of the demo world. */
const program = 'apps/server/dist/src/demo/data.js';
const maxBytes = 256 * 1024 ** 2;

interface WorldFeature {
  properties: Record<string, string | number | boolean | null>;
  geometry: Point | Polygon | MultiPolygon;
}

/** The features of one kind, a line each. */
function* features(kind: string): Generator<WorldFeature> {
  const printed = execFileSync(process.execPath, [program, kind], { maxBuffer: maxBytes, encoding: 'utf8' });
  for (const line of printed.split('\n'))
    if (line.startsWith('{"type":"Feature",')) yield JSON.parse(line.replace(/,$/, '')) as WorldFeature;
}

const rings = (list: readonly Corner[][]): string =>
  `(${list.map((ring) => `(${shapes.listed(ring as unknown as Position[])})`).join(',')})`;

function shapeOf({ geometry }: WorldFeature): { shape: string; at: Position } {
  if (geometry.type === 'Point') {
    const at = geometry.coordinates as unknown as Position;
    return { shape: shapes.point(at), at };
  }
  const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const at = parts[0]![0]![0] as unknown as Position;
  return { shape: `MULTIPOLYGON(${parts.map(rings).join(',')})`, at };
}

function* rowsOf(kind: string, columns: readonly string[]): Generator<DataRow> {
  for (const feature of features(kind)) {
    const values = columns.map((column) => {
      const value = feature.properties[column];
      // The null of COPY.
      return typeof value === 'boolean' ? Number(value) : (value ?? '\\N');
    });
    yield { ...shapeOf(feature), values };
  }
}

const worldSet = (code: string, geometry: DataSet['geometry'], columns: DataSet['columns']): DataSet => ({
  code,
  geometry,
  columns,
  rows: () => rowsOf(code, Object.keys(columns)),
});

/** The countries of the demo world. */
export const countries = worldSet('countries', 'POLYGON', {
  name: 'string',
  iso_a2: 'string',
  area_km2: 'number',
  color: 'number',
});
/** Its cities; `capital` is 1 or 0. */
export const cities = worldSet('cities', 'POINT', {
  name: 'string',
  population: 'number',
  capital: 'number',
});
