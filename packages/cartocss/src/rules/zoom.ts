import type { Comparison } from '../syntax/tree.js';

/** The deepest zoom level of CartoCSS. */
export const maxStyleZoom = 25;

/** A set of zoom levels: bit z is level z. */
export type ZoomSet = number;
export const allZooms: ZoomSet = 2 ** (maxStyleZoom + 1) - 1;

export const hasZoom = (zooms: ZoomSet, zoom: number): boolean =>
  zoom >= 0 && zoom <= maxStyleZoom && (zooms & (1 << zoom)) !== 0;

/** The levels for which `zoom op value` holds. `value`: an integer from 0 to 25. */
export function zoomsWhere(op: Exclude<Comparison, '=~'>, value: number): ZoomSet {
  const tests: Record<typeof op, (zoom: number) => boolean> = {
    '=': (zoom) => zoom === value,
    '!=': (zoom) => zoom !== value,
    '<': (zoom) => zoom < value,
    '<=': (zoom) => zoom <= value,
    '>': (zoom) => zoom > value,
    '>=': (zoom) => zoom >= value,
  };
  let zooms = 0;
  for (let zoom = 0; zoom <= maxStyleZoom; zoom++) if (tests[op](zoom)) zooms |= 1 << zoom;
  return zooms;
}

/**
 * Scale denominators between the levels, as in carto: level z applies below `scaleBounds[z]` and from `scaleBounds[z + 1]`.
 * The denominators of 256-pixel tiles (559082264 / 2^z) lie well between them.
 */
const scaleBounds = [
  1_000_000_000, 500_000_000, 200_000_000, 100_000_000, 50_000_000, 25_000_000, 12_500_000, 6_500_000,
  3_000_000, 1_500_000, 750_000, 400_000, 200_000, 100_000, 50_000, 25_000, 12_500, 5000, 2500, 1500, 750,
  500, 250, 100, 50, 25, 12.5,
];

/** The level that applies at a scale denominator. */
export function levelAt(denominator: number): number {
  let level = 0;
  while (level < maxStyleZoom && denominator < scaleBounds[level + 1]!) level++;
  return level;
}

/** Scale denominators of the levels `first` to `last`. undefined: no limit. */
export function scaleLimits(
  first: number,
  last: number,
): { max: number | undefined; min: number | undefined } {
  return {
    max: first > 0 ? scaleBounds[first] : undefined,
    min: last < maxStyleZoom ? scaleBounds[last + 1] : undefined,
  };
}
