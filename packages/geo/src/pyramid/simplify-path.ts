import type { PositionPath, PyramidShape } from './shapes.js';

/** A shape without the positions that lie nearer to it than `tolerance`. Parts keep a triangle or a line. */
export const simplifyShape = ({ dimension, parts }: PyramidShape, tolerance: number): PyramidShape => ({
  dimension,
  parts: parts.map((paths) => paths.map((path) => simplifyPath(path, tolerance, dimension === 2 ? 4 : 2))),
});

/**
 * Positions that are looked at, for each position of a path, before it is halved in the middle instead of where it is farthest away. Coasts take 12
 * to 25; a path from side to side, as of hatching, would take as many as it has positions.
 */
const mostLooks = 100;

/** Ramer (1972), Douglas and Peucker (1973). Keeps at least `least` positions, those farthest away. */
function simplifyPath(path: PositionPath, tolerance: number, least: number): PositionPath {
  const last = path.length / 2 - 1;
  if (last + 1 <= least) return path;
  const isKept = new Uint8Array(last + 1);
  isKept[0] = isKept[last] = 1;
  let kept = 2;
  let looks = 0;
  const waiting: number[] = [0, last];
  while (waiting.length) {
    const to = waiting.pop()!;
    const from = waiting.pop()!;
    const far = farthest(path, from, to);
    if (far.index < 0 || (far.distance <= tolerance && kept >= least)) continue;
    looks += to - from;
    const index = looks > mostLooks * last ? (from + to) >> 1 : far.index;
    isKept[index] = 1;
    kept++;
    waiting.push(from, index, index, to);
  }
  const found = new Float64Array(2 * kept);
  let at = 0;
  for (let i = 0; i <= last; i++)
    if (isKept[i]) {
      found[at++] = path[2 * i]!;
      found[at++] = path[2 * i + 1]!;
    }
  return found;
}

/** The position between two others that is farthest from the line between them; index -1: there is none. */
function farthest(path: PositionPath, from: number, to: number): { index: number; distance: number } {
  const [x, y] = [path[2 * from]!, path[2 * from + 1]!];
  const [dx, dy] = [path[2 * to]! - x, path[2 * to + 1]! - y];
  const squared = dx * dx + dy * dy;
  let [index, largest] = [-1, -1];
  for (let i = from + 1; i < to; i++) {
    const [px, py] = [path[2 * i]! - x, path[2 * i + 1]! - y];
    const share = squared === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / squared));
    const [ex, ey] = [px - share * dx, py - share * dy];
    const away = ex * ex + ey * ey;
    if (away > largest) [index, largest] = [i, away];
  }
  return { index, distance: Math.sqrt(largest) };
}
