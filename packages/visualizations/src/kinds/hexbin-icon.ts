import type { IconShape } from './chart-icon.js';

const angles = Array.from({ length: 6 }, (_, i) => (i * Math.PI) / 3);

/** A hexagon in the colour of a class. Centre and `radius` are fractions of the image's width. */
export const hexagon = (part: number, [x, y] = [0.5, 0.5], radius = 0.46): IconShape => ({
  part,
  type: 'Polygon',
  path: [...angles, 0].map((angle) => [x! + radius * Math.sin(angle), y! + radius * Math.cos(angle)]),
});

/** The icon: a hexagon and its six neighbours in the colours of `classes` classes, the last class in the centre. */
export function hexagonIcon(classes: number): IconShape[] {
  const radius = 0.9 / (3 * Math.sqrt(3));
  const width = Math.sqrt(3) * radius;
  const centres = [[0, 0], ...angles.map((angle) => [width * Math.cos(angle), width * Math.sin(angle)])];
  const shares = [1, 0.6, 0.3, 0, 0.2, 0.4, 0.8];
  return centres.map(([x, y], i) =>
    hexagon(1 + Math.round(shares[i]! * (classes - 1)), [0.5 + x!, 0.5 + y!], radius),
  );
}
