import geographiclib from 'geographiclib-geodesic';
import type { LonLat } from '../../map/geometry.js';

const { Geodesic } = geographiclib;
const earth = Geodesic.WGS84;

/** Largest distance between two positions of a drawn line, metres. On this scale a geodesic looks straight. */
const stepMetres = 50_000;

/** The length of the shortest line over the WGS 84 ellipsoid through points, metres. */
export function lengthOf(points: readonly LonLat[]): number {
  let sum = 0;
  for (const [i, [lon, lat]] of points.entries()) {
    const before = points[i - 1];
    if (before) sum += earth.Inverse(before[1], before[0], lat, lon).s12 ?? 0;
  }
  return sum;
}

/** The area on the ellipsoid within points, square metres, whichever way round they are. */
export function areaOf(points: readonly LonLat[]): number {
  const polygon = earth.Polygon(false);
  for (const [lon, lat] of points) polygon.AddPoint(lat, lon);
  return Math.abs(polygon.Compute(false, true).area ?? 0);
}

/** The positions of the shortest line through points, close enough to draw it. Longitudes go on beyond ±180. */
export function geodesicThrough(points: readonly LonLat[]): LonLat[] {
  const [first, ...others] = points;
  if (!first) return [];
  const line: LonLat[] = [first];
  for (const [lon, lat] of others) {
    const [lon1, lat1] = line.at(-1)!;
    const segment = earth.InverseLine(lat1, lon1, lat, lon);
    const steps = Math.max(1, Math.ceil(segment.s13 / stepMetres));
    for (let i = 1; i <= steps; i++) {
      const { lat2, lon2 } = segment.Position(
        (segment.s13 * i) / steps,
        Geodesic.STANDARD | Geodesic.LONG_UNROLL,
      );
      line.push([lon2!, lat2!]);
    }
  }
  return line;
}
