import { type DataSet, type Position, shapes } from './data-set.js';
import { roughCircle } from './fractal.js';
import { randomOf, townOf } from './towns.js';

/** A grid of lands over the map. */
const [columns, rows] = [20, 12];
const [west, north, wide, high] = [-178, 74, 356, 132] as const;
/** Positions of an outline: 2^9 to 2^16, as many for each power. */
const [fewest, most] = [9, 16];

/** Few and huge polygons: lands of up to 65,536 positions with fractal coasts. */
export const coasts: DataSet = {
  code: 'coasts',
  geometry: 'POLYGON',
  columns: { name: 'string', color: 'number' },
  *rows(features) {
    // A smaller bench has as many lands with fewer positions.
    const fewer = Math.min(0, Math.round(Math.log2(features / 200_000)));
    for (let i = 0; i < columns * rows; i++) {
      const levels = Math.max(7, fewest + ((i * 5) % (most - fewest + 1)) + fewer);
      const ring = outline(i, levels);
      const at = ring[(i * 7_919) % ring.length]!;
      yield {
        shape: shapes.polygon(ring),
        values: [townOf(i).name, 1 + ((i * 3 + Math.floor(i / columns)) % 6)],
        at,
      };
    }
  },
};

/** Outlines do not cross themselves: they have one radius for each direction. */
function outline(i: number, levels: number): Position[] {
  const next = randomOf(i, 2);
  const radii = roughCircle(levels, { roughness: 0.66, next });
  const middle = [
    west + ((i % columns) + 0.4 + 0.2 * next()) * (wide / columns),
    north - (Math.floor(i / columns) + 0.4 + 0.2 * next()) * (high / rows),
  ] as const;
  const [halfWide, halfHigh] = [(0.4 * wide) / columns, (0.4 * high) / rows];
  const ring = Array.from(radii, (value, k): Position => {
    const angle = (2 * Math.PI * k) / radii.length;
    const far = Math.max(0.15, Math.min(1, 0.7 + 0.6 * value));
    return [middle[0] + halfWide * far * Math.cos(angle), middle[1] + halfHigh * far * Math.sin(angle)];
  });
  return [...ring, ring[0]!];
}
