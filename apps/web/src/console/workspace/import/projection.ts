import type { Position } from 'geojson';

/** Where positions in degrees lie in a picture. */
export type Project = (position: Position) => [x: number, y: number];

export interface Size {
  width: number;
  height: number;
}

/** Fits positions in degrees into a picture, with a margin to its edges. */
export function projectionFor(positions: readonly Position[], { width, height }: Size, margin = 12): Project {
  const [west, east] = rangeOf(positions.map(([x]) => x!));
  const [south, north] = rangeOf(positions.map(([, y]) => y!));
  const squeeze = Math.max(0.1, Math.cos((((south + north) / 2) * Math.PI) / 180));
  const scale = Math.min(
    (width - 2 * margin) / Math.max(1e-9, (east - west) * squeeze),
    (height - 2 * margin) / Math.max(1e-9, north - south),
  );
  return ([x = 0, y = 0]) => [
    width / 2 + (x - (west + east) / 2) * squeeze * scale,
    height / 2 - (y - (south + north) / 2) * scale,
  ];
}

function rangeOf(numbers: readonly number[]): [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const one of numbers) [least, most] = [Math.min(least, one), Math.max(most, one)];
  return [least, most];
}
