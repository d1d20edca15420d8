import { labelPoints, shapeFromTwkb, worldPointDegrees } from '@cartulary/geo';
import { LRUCache } from 'lru-cache';
import type { LabelPoint } from './label-rows.js';

/** Points of recent polygons by their TWKB in base64: all pictures of a polygon need the same point. Limit in characters. */
const known = new LRUCache<string, { point: LabelPoint | undefined }>({ maxSize: 8_000_000 });

/** Characters that the point of a polygon takes besides its TWKB. */
const overhead = 100;

/** The point in degrees where the label of a polygon lies, of which it reads the TWKB in base64; undefined: it has no area. */
export function interiorOf(twkb: string): LabelPoint | undefined {
  const found = known.get(twkb);
  if (found) return found.point;
  const shape = shapeFromTwkb(Buffer.from(twkb, 'base64'));
  const points = shape && labelPoints(shape);
  const point = points && worldPointDegrees(points.interior);
  known.set(twkb, { point }, { size: twkb.length + overhead });
  return point;
}
