import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { srsName } from '@cartulary/geo';
import type { RawFeature } from './raw-feature.js';

/** Positions of several features in parallel arrays. */
export interface Coordinates {
  /** x0, y0, x1, y1 … */
  xy: Float64Array;
}

/** The positions of a geometry, which may be invalid: items that are not pairs of numbers are skipped. */
export function positionsOf(geometry: unknown, into: number[][] = []): number[][] {
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

/** Collects the coordinates of features for a transformation. */
export function gatherCoordinates(features: readonly RawFeature[]): Coordinates {
  const perFeature = features.map(({ geometry }) => positionsOf(geometry));
  const xy = new Float64Array(2 * perFeature.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const positions of perFeature) {
    for (const [x, y] of positions) {
      xy[at++] = x!;
      xy[at++] = y!;
    }
  }
  return { xy };
}

/** Writes coordinates back into the features from which `gatherCoordinates` took them. Heights stay unchanged. */
export function replaceCoordinates(features: readonly RawFeature[], xy: Float64Array): void {
  let at = 0;
  for (const { geometry } of features) {
    for (const position of positionsOf(geometry)) {
      position[0] = xy[at++]!;
      position[1] = xy[at++]!;
    }
  }
}

/**
 * The features with a position that the transformation cannot place on the earth, and why. Call it before
 * `replaceCoordinates`.
 */
export function misplaced(
  features: readonly RawFeature[],
  xy: Float64Array,
  srs: string,
): Map<RawFeature, ServiceError> {
  const lost = new Map<RawFeature, ServiceError>();
  if (xy.every(Number.isFinite)) return lost;
  let at = 0;
  for (const feature of features) {
    for (const [x, y] of positionsOf(feature.geometry)) {
      const isPlaced = Number.isFinite(xy[at]!) && Number.isFinite(xy[at + 1]!);
      at += 2;
      if (isPlaced || lost.has(feature)) continue;
      const reason = noteOf('positionWithoutPlace', { x: x!, y: y!, srs: srsName(srs) });
      const message = noteOf('ofGeometry', { reason });
      lost.set(feature, new ServiceError('value_invalid', message, { columns: ['geom'] }));
    }
  }
  return lost;
}
