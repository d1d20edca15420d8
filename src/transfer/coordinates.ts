import type { RawFeature } from './geojson.js';

/** Positions of features beside each other. */
export interface Coordinates {
  /** x0, y0, x1, y1 … */
  xy: Float64Array;
  /** Positions per feature. */
  counts: number[];
}

/** The positions of a geometry, whatever else is wrong with it: what is no pair of numbers is passed by. */
function positionsOf(geometry: unknown, into: number[][] = []): number[][] {
  if (typeof geometry !== 'object' || geometry === null) return into;
  const { coordinates, geometries } = geometry as { coordinates?: unknown; geometries?: unknown };
  if (Array.isArray(geometries)) for (const part of geometries) positionsOf(part, into);
  collect(coordinates, into);
  return into;
}

function collect(value: unknown, into: number[][]): void {
  if (!Array.isArray(value)) return;
  if (typeof value[0] !== 'number') for (const item of value) collect(item, into);
  else if (typeof value[1] === 'number') into.push(value);
}

/** The coordinates of features, to be transformed. */
export function gatherCoordinates(features: readonly RawFeature[]): Coordinates {
  const perFeature = features.map(({ geometry }) => positionsOf(geometry));
  const counts = perFeature.map(({ length }) => length);
  const xy = new Float64Array(2 * counts.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (const positions of perFeature) {
    for (const [x, y] of positions) {
      xy[at++] = x!;
      xy[at++] = y!;
    }
  }
  return { xy, counts };
}

/** Puts coordinates back into the features from which `gatherCoordinates` took them. Heights stay. */
export function replaceCoordinates(features: readonly RawFeature[], xy: Float64Array): void {
  let at = 0;
  for (const { geometry } of features) {
    for (const position of positionsOf(geometry)) {
      position[0] = xy[at++]!;
      position[1] = xy[at++]!;
    }
  }
}

/** In which feature the position at `index` lies, counted from 0. */
export function featureAt(counts: readonly number[], index: number): number {
  let feature = 0;
  for (let sum = counts[0] ?? 0; sum <= index && feature < counts.length; ) sum += counts[++feature]!;
  return feature;
}
