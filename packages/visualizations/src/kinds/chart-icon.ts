import { type ChartForm, extraParts } from './chart-shapes.js';

/** A shape of an icon in a unit square with the origin in the south-west corner. The style selects it by `part`. */
export interface IconShape {
  part: number;
  type: 'Polygon' | 'LineString' | 'Point';
  path: readonly (readonly [x: number, y: number])[];
}

const margin = 0.12;
const inner = 1 - 2 * margin;

/** The icon of a chart with `count` parts. */
export function chartIcon(form: ChartForm, count: number): IconShape[] {
  const parts = Array.from({ length: count }, (_, i) => i);
  // Varying heights, none of them small.
  const height = (i: number): number => inner * (0.55 + 0.45 * Math.sin(1.2 + 2.1 * i));
  const middle = (i: number): number => margin + (inner * (i + 0.5)) / count;
  switch (form) {
    case 'pie':
      return parts.map((i) => ({ part: i + 1, type: 'Polygon', path: sector(i / count, (i + 1) / count) }));
    case 'bar':
      return parts.map((i) => {
        const half = (0.42 * inner) / count;
        const [west, east, top] = [middle(i) - half, middle(i) + half, margin + height(i)];
        const ring = [
          [west, margin],
          [east, margin],
          [east, top],
          [west, top],
          [west, margin],
        ] as const;
        return { part: i + 1, type: 'Polygon', path: ring };
      });
    case 'line': {
      const points = parts.map((i) => [middle(i), margin + height(i)] as const);
      const dots = points.map((point, i): IconShape => ({ part: i + 1, type: 'Point', path: [point] }));
      return [{ part: extraParts.path, type: 'LineString', path: points }, ...dots];
    }
  }
}

/** A point in the centre. */
export const dot = (part: number): IconShape => ({ part, type: 'Point', path: [[0.5, 0.5]] });

/** A single part of a chart: a point on a line for a line chart, else a square. */
export function partIcon(form: ChartForm, part: number): IconShape[] {
  const [low, high] = [margin, 1 - margin] as const;
  if (form === 'line') {
    const path = [
      [low, 0.5],
      [high, 0.5],
    ] as const;
    return [{ part: extraParts.path, type: 'LineString', path }, dot(part)];
  }
  const path = [
    [low, low],
    [high, low],
    [high, high],
    [low, high],
    [low, low],
  ] as const;
  return [{ part, type: 'Polygon', path }];
}

/** A sector clockwise from the north. `from` and `to` are fractions of a turn. */
function sector(from: number, to: number): [number, number][] {
  const steps = Math.max(2, Math.ceil(48 * (to - from)));
  const arc = Array.from({ length: steps + 1 }, (_, k): [number, number] => {
    const angle = 2 * Math.PI * (from + ((to - from) * k) / steps);
    return [0.5 + (inner / 2) * Math.sin(angle), 0.5 + (inner / 2) * Math.cos(angle)];
  });
  return [[0.5, 0.5], ...arc, [0.5, 0.5]];
}
