import type { Geometry, Polygon, Position } from 'geojson';
import type { Extent } from '../../common/types.js';

/** Longitude, latitude in degrees. */
export type LonLat = [number, number];

/** Length of a degree of latitude, metres. */
const metresPerDegree = 111_320;

/** A circle on the earth's surface as a polygon with 64 corners. */
export function circleAround([lon, lat]: LonLat, radiusMetres: number): Polygon {
  const height = radiusMetres / metresPerDegree;
  const width = height / Math.max(Math.cos((lat * Math.PI) / 180), 0.01);
  const ring = Array.from({ length: 65 }, (_, i): Position => {
    const angle = ((i % 64) / 64) * 2 * Math.PI;
    return [lon + width * Math.cos(angle), lat + height * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [ring] };
}

/** An extent of twice the width and height around another; null for a point, which has no size. */
export function surroundings({ sw, ne }: Extent): Extent | null {
  const [height, width] = [ne[0] - sw[0], ne[1] - sw[1]];
  if (height === 0 && width === 0) return null;
  const [dy, dx] = [Math.max(height, width / 4) / 2, Math.max(width, height / 4) / 2];
  return {
    sw: [Math.max(-89, sw[0] - dy), sw[1] - dx],
    ne: [Math.min(89, ne[0] + dy), ne[1] + dx],
  };
}

/** The extent of a geometry; null for an empty one. */
export function extentOf(geometry: Geometry): Extent | null {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  const visit = (coordinates: unknown): void => {
    if (!Array.isArray(coordinates)) return;
    const [lon, lat] = coordinates as unknown[];
    if (typeof lon !== 'number' || typeof lat !== 'number') {
      for (const part of coordinates) visit(part);
      return;
    }
    box.west = Math.min(box.west, lon);
    box.east = Math.max(box.east, lon);
    box.south = Math.min(box.south, lat);
    box.north = Math.max(box.north, lat);
  };
  const parts = geometry.type === 'GeometryCollection' ? geometry.geometries : [geometry];
  for (const part of parts) if ('coordinates' in part) visit(part.coordinates);
  if (box.west > box.east) return null;
  return { sw: [box.south, box.west], ne: [box.north, box.east] };
}
