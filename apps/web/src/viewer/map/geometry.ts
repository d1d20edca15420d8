import type { Geometry, Polygon, Position } from 'geojson';
import type { Extent } from '../common/types.js';

/** Longitude, latitude in degrees. */
export type LonLat = [number, number];

/** Metres of a degree of latitude. */
const metresPerDegree = 111_320;

/** A circle on the ground as a polygon with 64 corners. */
export function circleAround([lon, lat]: LonLat, radiusMetres: number): Polygon {
  const height = radiusMetres / metresPerDegree;
  const width = height / Math.max(Math.cos((lat * Math.PI) / 180), 0.01);
  const ring = Array.from({ length: 65 }, (_, i): Position => {
    const angle = ((i % 64) / 64) * 2 * Math.PI;
    return [lon + width * Math.cos(angle), lat + height * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [ring] };
}

/** A rectangle around a point, cut at the edges of the world. */
export function squareAround([lon, lat]: LonLat, reach: { lon: number; lat: number }): Polygon {
  const west = Math.max(lon - reach.lon, -180);
  const east = Math.min(lon + reach.lon, 180);
  const south = Math.max(lat - reach.lat, -90);
  const north = Math.min(lat + reach.lat, 90);
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

/** The box around a geometry; null when it has no positions. */
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
