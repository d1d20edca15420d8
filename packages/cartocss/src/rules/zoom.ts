import type { Comparison } from './tree.js';

/** The zoom levels that CartoCSS knows. */
export const maxZoom = 25;

/** A set of zoom levels: bit z stands for level z. */
export type ZoomSet = number;
export const allZooms: ZoomSet = 2 ** (maxZoom + 1) - 1;

export const hasZoom = (zooms: ZoomSet, zoom: number): boolean =>
  zoom >= 0 && zoom <= maxZoom && (zooms & (1 << zoom)) !== 0;

/** The levels for which `zoom op value` holds. `value`: a whole number from 0 to 25. */
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
  for (let zoom = 0; zoom <= maxZoom; zoom++) if (tests[op](zoom)) zooms |= 1 << zoom;
  return zooms;
}

/**
 * Scale denominators between the levels: level z is drawn where the scale is less than `bounds[z]` and not less than
 * `bounds[z + 1]`. The numbers are carto's; those of tiles of 256 pixels (559082264 / 2^z) lie well between them.
 */
const bounds = [
  1_000_000_000, 500_000_000, 200_000_000, 100_000_000, 50_000_000, 25_000_000, 12_500_000, 6_500_000,
  3_000_000, 1_500_000, 750_000, 400_000, 200_000, 100_000, 50_000, 25_000, 12_500, 5000, 2500, 1500, 750,
  500, 250, 100, 50, 25, 12.5,
];

/** The limits of the levels from `first` to `last`; undefined where there is none. */
export function scaleLimits(
  first: number,
  last: number,
): { max: number | undefined; min: number | undefined } {
  return {
    max: first > 0 ? bounds[first] : undefined,
    min: last < maxZoom ? bounds[last + 1] : undefined,
  };
}

/** The first and last level of each gapless part of the set. */
export function zoomRuns(zooms: ZoomSet): { first: number; last: number }[] {
  const runs: { first: number; last: number }[] = [];
  for (let zoom = 0; zoom <= maxZoom; zoom++) {
    if (!hasZoom(zooms, zoom)) continue;
    const run = runs.at(-1);
    if (run !== undefined && run.last === zoom - 1) run.last = zoom;
    else runs.push({ first: zoom, last: zoom });
  }
  return runs;
}
