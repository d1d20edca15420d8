import type { Position } from './data-set.js';

/**
 * A rough line between two positions by midpoint displacement: 2^levels segments, the first and the last position included.
 * `roughness`: the largest shift of a middle, relative to the length of its segment.
 */
export function roughLine(
  from: Position,
  to: Position,
  { levels, roughness, next }: { levels: number; roughness: number; next: () => number },
): Position[] {
  const count = 2 ** levels;
  const line: Position[] = new Array(count + 1);
  line[0] = from;
  line[count] = to;
  for (let step = count; step > 1; step /= 2)
    for (let i = 0; i < count; i += step) {
      const [a, b] = [line[i]!, line[i + step]!];
      const shift = (next() - 0.5) * 2 * roughness;
      line[i + step / 2] = [
        (a[0] + b[0]) / 2 - shift * (b[1] - a[1]),
        (a[1] + b[1]) / 2 + shift * (b[0] - a[0]),
      ];
    }
  return line;
}

/** Numbers around 0 for the directions of a closed outline, rough on all scales: 2^levels of them. */
export function roughCircle(
  levels: number,
  { roughness, next }: { roughness: number; next: () => number },
): Float64Array {
  const count = 2 ** levels;
  const values = new Float64Array(count);
  let size = 1;
  for (let step = count; step >= 1; step /= 2) {
    // Each finer level halves the distance and shrinks the shifts.
    if (step === count) values[0] = 0;
    else
      for (let i = step; i < count; i += 2 * step)
        values[i] = (values[i - step]! + values[(i + step) % count]!) / 2 + (next() - 0.5) * size;
    size *= roughness;
  }
  return values;
}
