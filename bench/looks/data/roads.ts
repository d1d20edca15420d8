import { type DataSet, type Position, shapes } from './data-set.js';
import { moved, randomOf, townOf } from './towns.js';

interface RoadKind {
  /** Share of the roads, percent. */
  share: number;
  /** Length of a segment, degrees. */
  step: number;
  segments: number;
  /** Largest change of direction at a position, radians. */
  bend: number;
  /** Distance of its beginning from a town, degrees. */
  away: number;
}

/** By class: motorways, main roads, roads, streets. */
const kinds: readonly RoadKind[] = [
  { share: 1, step: 0.03, segments: 100, bend: 0.15, away: 0 },
  { share: 7, step: 0.015, segments: 50, bend: 0.3, away: 0.02 },
  { share: 22, step: 0.006, segments: 24, bend: 0.5, away: 0.05 },
  { share: 70, step: 0.0015, segments: 12, bend: 0.3, away: 0.04 },
];

/** A walk that begins near a town and keeps its direction more or less. */
function walk(i: number, { step, segments, bend, away }: RoadKind): Position[] {
  const next = randomOf(i, 5);
  let at = moved(townOf(i).at, away * (next() - 0.5) * 2, away * (next() - 0.5) * 2);
  // Streets run in two main directions.
  let direction = bend < 0.4 ? (Math.floor(next() * 8) * Math.PI) / 4 : next() * 2 * Math.PI;
  const line = [at];
  for (let k = 0; k < segments; k++) {
    direction += (next() - 0.5) * 2 * bend;
    at = moved(at, step * Math.cos(direction), 0.8 * step * Math.sin(direction));
    line.push(at);
  }
  return line;
}

/** Half as many roads as wanted features, of four classes. */
export const roads: DataSet = {
  code: 'roads',
  geometry: 'LINE',
  columns: { name: 'string', ref: 'string', class: 'number' },
  *rows(features) {
    for (let i = 0; i < features / 2; i++) {
      // Of a hundred, the first ones have the first class.
      let rest = (i * 37) % 100;
      const which = kinds.findIndex(({ share }) => {
        rest -= share;
        return rest < 0;
      });
      const line = walk(i, kinds[which]!);
      const name = `${townOf(i + 1).name} Road`;
      yield {
        shape: shapes.line(line),
        values: [name, `A${i % 900}`, which + 1],
        at: line[line.length >> 1]!,
      };
    }
  },
};
