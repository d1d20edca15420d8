import type { Geometry } from 'geojson';
import { positionsOf } from '../coordinates.js';
import { takeApart } from '../geometry-parts.js';

/** Maximum distance of equal positions in degrees, since formats round them. */
const tolerance = 1e-6;

/** Weights by which parts are ordered: different parts hardly ever have equal weighted sums. */
const weights = [1, 0.618, 0.414, 0.732] as const;

/** Most parts with about the same weighted sum that are compared. A whole with more of them was made on purpose. */
const mostCompared = 1_000;

/** A function that tells whether a geometry is one that an export makes of the whole one. Its time hardly depends on the number of parts. */
export function partFinder(whole: Geometry): (part: Geometry | null) => boolean {
  const parts = [
    whole,
    ...takeApart(whole, ['GeometryCollection']),
    ...takeApart(whole, ['GeometryCollection', 'MultiPoint']),
  ]
    .map(sumsOf)
    .sort((a, b) => a.weighted - b.weighted);
  return (part) => {
    if (!part) return false;
    const { count, values, weighted } = sumsOf(part);
    const most = tolerance * count;
    const reach = most * weights.reduce((sum, weight) => sum + weight, 0);
    const first = firstFrom(parts, weighted - reach);
    for (let i = first; i < parts.length && i < first + mostCompared; i++) {
      const other = parts[i]!;
      if (other.weighted > weighted + reach) return false;
      if (count === other.count && values.every((sum, k) => Math.abs(sum - other.values[k]!) <= most))
        return true;
    }
    return false;
  };
}

/** Index of the first part with at least this weighted sum. */
function firstFrom(parts: readonly Sums[], least: number): number {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.weighted < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Sums {
  count: number;
  values: readonly number[];
  weighted: number;
}

/** Sums of coordinates and of their squares, which do not depend on where a ring begins or on its direction. */
function sumsOf(geometry: Geometry): Sums {
  // A ring repeats its first position, wherever it begins.
  const different = new Map(positionsOf(geometry).map(([x, y]) => [`${x},${y}`, [x!, y!] as const]));
  const values = [0, 0, 0, 0];
  for (const [x, y] of different.values()) {
    values[0]! += x;
    values[1]! += y;
    values[2]! += (x * x) / 360;
    values[3]! += (y * y) / 180;
  }
  const weighted = values.reduce((sum, value, i) => sum + value * weights[i]!, 0);
  return { count: different.size, values, weighted };
}
