import { fromMercator } from '../geo/bbox.js';
import type { Edges } from '../geo/join-boxes.js';
import type { Extent } from '../geo/tile.js';

/** Boxes in the indices of the database are rounded outwards to 24 binary digits, at 180 degrees to 2⁻¹⁶, both of the two that are compared. */
const rounding = 2 ** -14;

/** Degrees outside of which no box of the database meets an extent of EPSG:3857 and a margin around it, metres. */
export function dataBox([west, south, east, north]: Extent, margin: number): Edges {
  const [left, bottom] = fromMercator(west - margin, south - margin);
  const [right, top] = fromMercator(east + margin, north + margin);
  return [left - rounding, bottom - rounding, right + rounding, top + rounding];
}
