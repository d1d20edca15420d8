import type { MultiPolygon, Polygon, Position } from 'geojson';

/** Area on the sphere of radius 6,371.0088 km (Chamberlain and Duquette, "Some Algorithms for Polygons on a Sphere", 2007). */
export function areaKm2(geometry: Polygon | MultiPolygon): number {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return polygons
    .map((rings) => rings.map(ringAreaKm2).reduce((outer, hole, i) => (i ? outer - hole : hole), 0))
    .reduce((sum, area) => sum + area, 0);
}

function ringAreaKm2(ring: readonly Position[]): number {
  const radians = Math.PI / 180;
  let sum = 0;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [lon1, lat1] = ring[i] as [number, number];
    const [lon2, lat2] = ring[i + 1] as [number, number];
    sum += (lon2 - lon1) * radians * (2 + Math.sin(lat1 * radians) + Math.sin(lat2 * radians));
  }
  return Math.abs((sum * 6371.0088 ** 2) / 2);
}
