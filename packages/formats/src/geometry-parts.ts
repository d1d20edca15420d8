import type { Geometry, Position } from 'geojson';

/** Kinds of geometry for which formats with one kind per file have separate files, and GDAL's type for each. */
export const partTypes = {
  point: 'POINT',
  multipoint: 'MULTIPOINT',
  line: 'MULTILINESTRING',
  polygon: 'MULTIPOLYGON',
} as const;

export type PartKind = keyof typeof partTypes;

export const partKindOf = (geometry: Geometry): PartKind => {
  switch (geometry.type) {
    case 'Point':
      return 'point';
    case 'LineString':
    case 'MultiLineString':
      return 'line';
    case 'Polygon':
    case 'MultiPolygon':
      return 'polygon';
    default:
      return 'multipoint';
  }
};

/** Adds items one by one: a call cannot take as many arguments as a geometry has positions. */
export function append<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

/** Divides a geometry whose type is in `apart` into one geometry per kind that it contains. */
export function takeApart(geometry: Geometry, apart: readonly Geometry['type'][]): Geometry[] {
  if (!apart.includes(geometry.type)) return [geometry];
  const points: Position[] = [];
  const lines: Position[][] = [];
  const polygons: Position[][][] = [];
  for (const part of simpleParts(geometry)) {
    if (part.type === 'Point') points.push(part.coordinates);
    else if (part.type === 'MultiPoint') append(points, part.coordinates);
    else if (part.type === 'LineString') lines.push(part.coordinates);
    else if (part.type === 'MultiLineString') append(lines, part.coordinates);
    else if (part.type === 'Polygon') polygons.push(part.coordinates);
    else if (part.type === 'MultiPolygon') append(polygons, part.coordinates);
  }
  const parts: Geometry[] = [];
  if (apart.includes('MultiPoint') || points.length === 1) {
    append(
      parts,
      points.map((coordinates) => ({ type: 'Point', coordinates })),
    );
  } else if (points.length) parts.push({ type: 'MultiPoint', coordinates: points });
  if (lines.length) parts.push({ type: 'MultiLineString', coordinates: lines });
  if (polygons.length) parts.push({ type: 'MultiPolygon', coordinates: polygons });
  return parts;
}

const simpleParts = (geometry: Geometry): Geometry[] =>
  geometry.type === 'GeometryCollection' ? geometry.geometries.flatMap(simpleParts) : [geometry];

/** Whether a position of the geometry has a height. */
export function hasHeight(geometry: Geometry, isMeant: (height: number) => boolean = () => true): boolean {
  if (geometry.type === 'GeometryCollection')
    return geometry.geometries.some((part) => hasHeight(part, isMeant));
  const somewhere = (value: unknown): boolean =>
    Array.isArray(value) &&
    (typeof value[0] === 'number' ? value.length > 2 && isMeant(value[2]) : value.some(somewhere));
  return somewhere(geometry.coordinates);
}
