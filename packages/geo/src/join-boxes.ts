/** [west, south, east, north] in any unit. */
export type BoxEdges = readonly [west: number, south: number, east: number, north: number];

/** Cells per side of the Hilbert curve. */
const curveSide = 2 ** 16;

/**
 * Joins boxes to at most `limit` boxes. It orders them along a Hilbert curve, which keeps neighbours together, and cuts the
 * sequence at the largest gaps. Every box lies in one of the returned boxes.
 */
export function joinBoxes(boxes: readonly BoxEdges[], limit: number): BoxEdges[] {
  if (boxes.length <= limit) return [...boxes];
  const row = alongCurve(boxes);
  const gaps = row.slice(1).map((box, i) => ({ at: i + 1, gap: gapBetween(row[i]!, box) }));
  const cuts = gaps
    .sort((a, b) => b.gap - a.gap)
    .slice(0, limit - 1)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  return [0, ...cuts].map((start, i) => unionOf(row.slice(start, cuts[i])));
}

/** The bounding box of all boxes. Without boxes it is inverted (Infinity to -Infinity) and contains no point. */
export function unionOf(boxes: readonly BoxEdges[]): BoxEdges {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    west = Math.min(west, box[0]);
    south = Math.min(south, box[1]);
    east = Math.max(east, box[2]);
    north = Math.max(north, box[3]);
  }
  return [west, south, east, north];
}

const middle = ([west, south, east, north]: BoxEdges): [x: number, y: number] => [
  (west + east) / 2,
  (south + north) / 2,
];

/** Width and height that the bounding box of both adds to the larger of the two. */
function gapBetween(a: BoxEdges, b: BoxEdges): number {
  const [west, south, east, north] = unionOf([a, b]);
  const width = east - west - Math.max(a[2] - a[0], b[2] - b[0]);
  const height = north - south - Math.max(a[3] - a[1], b[3] - b[1]);
  return width + height;
}

function alongCurve(boxes: readonly BoxEdges[]): BoxEdges[] {
  const [west, south, east, north] = unionOf(boxes);
  const scale = (curveSide - 1) / (Math.max(east - west, north - south) || 1);
  return boxes
    .map((box) => {
      const [x, y] = middle(box);
      return { box, place: hilbert(Math.floor((x - west) * scale), Math.floor((y - south) * scale)) };
    })
    .sort((a, b) => a.place - b.place)
    .map(({ box }) => box);
}

/** Distance of a cell along the Hilbert curve (https://en.wikipedia.org/wiki/Hilbert_curve, coordinates to distance). */
function hilbert(column: number, row: number): number {
  let [x, y, place] = [column, row, 0];
  for (let half = curveSide / 2; half >= 1; half /= 2) {
    const [right, upper] = [(x & half) > 0 ? 1 : 0, (y & half) > 0 ? 1 : 0];
    place += half * half * ((3 * right) ^ upper);
    if (upper) continue;
    if (right) [x, y] = [curveSide - 1 - x, curveSide - 1 - y];
    [x, y] = [y, x];
  }
  return place;
}
