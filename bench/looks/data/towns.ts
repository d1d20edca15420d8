import { numbers } from '@cartulary/server/support/hexagons.js';
import { places } from '../../data/polygons.js';
import { type DataSet, type Position, shapes } from './data-set.js';

const limit = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

/** A generator of random numbers for the object `i`. */
export function randomOf(i: number, kind: number): () => number {
  const next = numbers(1 + ((i * 7_919 + kind * 104_723) % 2_147_483_000));
  for (let k = 0; k < 3; k++) next();
  return next;
}

/** A place with its name, the same one for the same number. */
export function townOf(i: number): { name: string; at: Position; population: number } {
  const town = places[(i * 104_729) % places.length]!;
  return { name: town.name, at: town.loc.coordinates, population: town.population };
}

/** A position moved by degrees, within the map. */
export const moved = ([lon, lat]: Position, east: number, north: number): Position => [
  limit(lon + east, 179.9),
  limit(lat + north, 84),
];

/** Distance in degrees from a town within which most of its points lie. */
const around = 0.08;

/** Points around towns: shops, stops, trees. */
export const points: DataSet = {
  code: 'points',
  geometry: 'POINT',
  columns: { name: 'string', weight: 'number', class: 'number' },
  *rows(features) {
    for (let i = 0; i < features; i++) {
      const next = randomOf(i, 1);
      const town = townOf(i);
      const direction = 2 * Math.PI * next();
      const away = -around * Math.log(1 - 0.99 * next());
      const at = moved(town.at, away * Math.cos(direction), 0.7 * away * Math.sin(direction));
      yield {
        shape: shapes.point(at),
        values: [`${town.name} ${i}`, Math.round(100 * next() ** 3), 1 + (i % 4)],
        at,
      };
    }
  },
};
