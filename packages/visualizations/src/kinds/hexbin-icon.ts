import type { IconShape } from './chart-icon.js';

const around = Array.from({ length: 6 }, (_, i) => (i * Math.PI) / 3);

/** One hexagon in the colour of a class. `middle` and `radius` in parts of the picture's width. */
export const hexagon = (part: number, [x, y] = [0.5, 0.5], radius = 0.46): IconShape => ({
  part,
  type: 'Polygon',
  path: [...around, 0].map((angle) => [x! + radius * Math.sin(angle), y! + radius * Math.cos(angle)]),
});

/** A hexagon and its six neighbours as an icon shows them, in the colours of `classes` classes: dark in the middle. */
export function hexagonIcon(classes: number): IconShape[] {
  const radius = 0.9 / (3 * Math.sqrt(3));
  const width = Math.sqrt(3) * radius;
  const middles = [[0, 0], ...around.map((angle) => [width * Math.cos(angle), width * Math.sin(angle)])];
  const parts = [1, 0.6, 0.3, 0, 0.2, 0.4, 0.8];
  return middles.map(([x, y], i) =>
    hexagon(1 + Math.round(parts[i]! * (classes - 1)), [0.5 + x!, 0.5 + y!], radius),
  );
}
