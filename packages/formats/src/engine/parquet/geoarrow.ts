import { toWkb } from '@cartulary/geo';
import type { Geometry, Position } from 'geojson';

/** How many lists lie around the positions of an encoding, and the geometry that they are. */
const encodings = {
  point: { depth: 0, type: 'Point' },
  linestring: { depth: 1, type: 'LineString' },
  multipoint: { depth: 1, type: 'MultiPoint' },
  polygon: { depth: 2, type: 'Polygon' },
  multilinestring: { depth: 2, type: 'MultiLineString' },
  multipolygon: { depth: 3, type: 'MultiPolygon' },
} as const;

/** The encodings of GeoParquet 1.1 whose positions are structures of numbers, as those of GeoArrow. */
export type ArrowEncoding = keyof typeof encodings;

export const isArrowEncoding = (encoding: string): encoding is ArrowEncoding =>
  Object.hasOwn(encodings, encoding);

/** The geometry of a value as WKB; undefined: there is none. */
export function arrowWkb(value: unknown, encoding: ArrowEncoding): Uint8Array | undefined {
  if (value === null || value === undefined) return undefined;
  const { depth, type } = encodings[encoding];
  const coordinates = positionsIn(value, depth);
  const isEmpty = Array.isArray(coordinates) && !coordinates.length;
  return isEmpty ? undefined : toWkb({ type, coordinates } as Geometry);
}

type Nested = Position | Nested[];

function positionsIn(value: unknown, depth: number): Nested {
  if (depth) return Array.isArray(value) ? value.map((inner) => positionsIn(inner, depth - 1)) : [];
  const { x, y, z } = (value ?? {}) as Record<string, unknown>;
  return [x, y, ...(z === undefined ? [] : [z])].map((number) =>
    typeof number === 'number' ? number : Number.NaN,
  );
}
