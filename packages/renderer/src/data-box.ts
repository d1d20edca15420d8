import { type BoxEdges, type Extent, fromMercator } from '@cartulary/geo';

/** Database indexes round boxes outwards to 24 binary digits (2⁻¹⁶ at 180 degrees). Both compared boxes are rounded. */
const rounding = 2 ** -14;

/** The box in degrees that contains every database box meeting an extent (EPSG:3857) with a margin in metres. */
export function dataBox([west, south, east, north]: Extent, margin: number): BoxEdges {
  const [left, bottom] = fromMercator(west - margin, south - margin);
  const [right, top] = fromMercator(east + margin, north + margin);
  return [left - rounding, bottom - rounding, right + rounding, top + rounding];
}
