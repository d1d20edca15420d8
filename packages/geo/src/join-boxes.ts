/** [west, south, east, north], in the units of its numbers. */
export type Edges = readonly [west: number, south: number, east: number, north: number];

/** Cells of the curve on each side. */
const side = 2 ** 16;

/**
 * Boxes joined to at most `most`: they are taken along a Hilbert curve, on which neighbours lie close, and the row is cut
 * where the next one is farthest. Every box lies in one of those that are given back.
 */
export function joinBoxes(boxes: readonly Edges[], most: number): Edges[] {
  if (boxes.length <= most) return [...boxes];
  const row = alongCurve(boxes);
  const gaps = row.slice(1).map((box, i) => ({ at: i + 1, gap: gapBetween(row[i]!, box) }));
  const cuts = gaps
    .sort((a, b) => b.gap - a.gap)
    .slice(0, most - 1)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  return [0, ...cuts].map((start, i) => unionOf(row.slice(start, cuts[i])));
}

/** The box around all; of none the empty one, which holds no point. */
export function unionOf(boxes: readonly Edges[]): Edges {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    west = Math.min(west, box[0]);
    south = Math.min(south, box[1]);
    east = Math.max(east, box[2]);
    north = Math.max(north, box[3]);
  }
  return [west, south, east, north];
}

const middle = ([west, south, east, north]: Edges): [x: number, y: number] => [
  (west + east) / 2,
  (south + north) / 2,
];

/** How much higher and wider than both a box around both is. */
function gapBetween(a: Edges, b: Edges): number {
  const [west, south, east, north] = unionOf([a, b]);
  const width = east - west - Math.max(a[2] - a[0], b[2] - b[0]);
  const height = north - south - Math.max(a[3] - a[1], b[3] - b[1]);
  return width + height;
}

function alongCurve(boxes: readonly Edges[]): Edges[] {
  const [west, south, east, north] = unionOf(boxes);
  const scale = (side - 1) / (Math.max(east - west, north - south) || 1);
  return boxes
    .map((box) => {
      const [x, y] = middle(box);
      return { box, place: hilbert(Math.floor((x - west) * scale), Math.floor((y - south) * scale)) };
    })
    .sort((a, b) => a.place - b.place)
    .map(({ box }) => box);
}

/** The place of a cell on the Hilbert curve (https://en.wikipedia.org/wiki/Hilbert_curve, from coordinates to distance). */
function hilbert(column: number, row: number): number {
  let [x, y, place] = [column, row, 0];
  for (let half = side / 2; half >= 1; half /= 2) {
    const [right, upper] = [(x & half) > 0 ? 1 : 0, (y & half) > 0 ? 1 : 0];
    place += half * half * ((3 * right) ^ upper);
    if (upper) continue;
    if (right) [x, y] = [side - 1 - x, side - 1 - y];
    [x, y] = [y, x];
  }
  return place;
}
