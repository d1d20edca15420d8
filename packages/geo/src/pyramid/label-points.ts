import { interiorPoint, ringBounds } from './interior-point.js';
import type { PositionPath, PyramidShape } from './shapes.js';
import { simplifyShape } from './simplify-path.js';

type Point = readonly [x: number, y: number];

/** Share of the size of a polygon by which its edges may be moved for its interior point. */
const tolerance = 1 / 4_000;

/**
 * Where Mapnik sets the label of a polygon; of several parts, in the one with the largest box. `interior` is that of
 * `interiorPoint`. In units of the world. undefined: it is not a polygon, or has no area.
 */
export function labelPoints({
  dimension,
  parts,
}: PyramidShape): { centroid: Point; interior: Point } | undefined {
  if (dimension !== 2) return undefined;
  const largest = largestOf(parts);
  const centroid = largest && centroidOf(largest.rings);
  if (!centroid) return undefined;
  const allowed = Math.max(largest.width, largest.height) * tolerance;
  const { parts: simple } = simplifyShape({ dimension, parts: [largest.rings] }, allowed);
  return { centroid, interior: interiorPoint(simple[0]!, centroid) };
}

/**
 * The lines along which Mapnik sets labels: all lines, or the rings of the polygon with the largest box, the outer one
 * counterclockwise, the holes clockwise.
 */
export const labelledLines = ({ dimension, parts }: PyramidShape): readonly PositionPath[] =>
  dimension === 1
    ? parts.flat()
    : (largestOf(parts)?.rings ?? []).map((ring, i) => (isClockwise(ring) === i > 0 ? ring : reversed(ring)));

/** y grows downwards. */
function isClockwise(ring: PositionPath): boolean {
  let area = 0;
  for (let i = 0; i + 3 < ring.length; i += 2)
    area +=
      (ring[i]! - ring[0]!) * (ring[i + 3]! - ring[1]!) -
      (ring[i + 2]! - ring[0]!) * (ring[i + 1]! - ring[1]!);
  return area > 0;
}

function reversed(ring: PositionPath): PositionPath {
  const turned = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) turned.set([ring[i]!, ring[i + 1]!], ring.length - 2 - i);
  return turned;
}

interface PolygonPart {
  rings: readonly PositionPath[];
  width: number;
  height: number;
}

/** The polygon with the largest box; undefined: none has positions. */
const largestOf = (parts: PyramidShape['parts']): PolygonPart | undefined =>
  parts
    .filter(([outer]) => outer?.length)
    .map((rings) => ({ rings, ...ringBounds(rings[0]!) }))
    .sort((a, b) => b.width * b.height - a.width * a.height)[0];

/** The centre of the area between rings; holes run the other way around. */
function centroidOf(rings: readonly PositionPath[]): Point | undefined {
  const [x0, y0] = [rings[0]![0]!, rings[0]![1]!];
  let [area, sumX, sumY] = [0, 0, 0];
  rings.forEach((ring, index) => {
    let [own, ownX, ownY] = [0, 0, 0];
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [ax, ay, bx, by] = [ring[i]! - x0, ring[i + 1]! - y0, ring[i + 2]! - x0, ring[i + 3]! - y0];
      const cross = ax * by - bx * ay;
      own += cross;
      ownX += (ax + bx) * cross;
      ownY += (ay + by) * cross;
    }
    const sign = (own < 0 ? -1 : 1) * (index ? -1 : 1);
    [area, sumX, sumY] = [area + sign * own, sumX + sign * ownX, sumY + sign * ownY];
  });
  return area > 0 ? [x0 + sumX / (3 * area), y0 + sumY / (3 * area)] : undefined;
}
