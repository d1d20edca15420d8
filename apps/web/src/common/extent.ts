import type { Extent } from './types.js';

/** West, south, east, north in degrees. */
export type Bounds = [number, number, number, number];

/**
 * The part of an extent (null: the world) to show in Web Mercator, degrees. Of a world-wide extent the polar regions are
 * cut off, because the projection enlarges them most.
 */
export function visibleBounds(extent: Extent | null): Bounds {
  const { sw, ne } = extent ?? { sw: [-90, -180], ne: [90, 180] };
  const [lowest, highest] = ne[1] - sw[1] > 300 ? [-58, 78] : [-84, 84];
  const clamp = (latitude: number): number => Math.max(lowest, Math.min(highest, latitude));
  return [sw[1], clamp(sw[0]), ne[1], clamp(ne[0])];
}
