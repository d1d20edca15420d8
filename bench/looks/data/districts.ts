import { type DataRow, type DataSet, type Position, shapes } from './data-set.js';
import { roughLine } from './fractal.js';
import { randomOf, townOf } from './towns.js';

const [west, north, wide, high] = [-170, 72, 340, 126] as const;

/** A nested division of the map: `columns` × `rows` cells of irregular shape, whose borders neighbours share exactly. */
interface Division {
  columns: number;
  rows: number;
}

/** Cells per region and per district, in each direction. */
const [regionSide, districtSide] = [16, 4];

/** A quarter of the wanted features are cells; their number per direction is a multiple of `regionSide`. */
function division(features: number): Division {
  const side = Math.sqrt(features / 4);
  const multiple = (count: number): number => Math.max(1, Math.round(count / regionSide)) * regionSide;
  return { columns: multiple(side * 1.6), rows: multiple(side / 1.6) };
}

/** The corner of four cells. */
function corner({ columns, rows }: Division, x: number, y: number): Position {
  const next = randomOf(y * (columns + 1) + x, 3);
  const shift = (): number => 0.7 * (next() - 0.5);
  return [west + ((x + shift()) * wide) / columns, north - ((y + shift()) * high) / rows];
}

/** The border from a corner to the next one in the east or south: the same for the cells on both sides. */
function border(cells: Division, x: number, y: number, way: 'east' | 'south'): Position[] {
  const [from, to] = [
    corner(cells, x, y),
    way === 'east' ? corner(cells, x + 1, y) : corner(cells, x, y + 1),
  ];
  const next = randomOf(2 * (y * (cells.columns + 1) + x) + (way === 'east' ? 0 : 1), 4);
  return roughLine(from, to, { levels: 4, roughness: 0.22, next });
}

/** The outline of a block of cells. */
function blockRing(cells: Division, column: number, row: number, side: number): Position[] {
  const steps = Array.from({ length: side }, (_, i) => i);
  const back = steps.toReversed();
  const sides = [
    ...steps.map((i) => border(cells, column + i, row, 'east')),
    ...steps.map((i) => border(cells, column + side, row + i, 'south')),
    ...back.map((i) => border(cells, column + i, row + side, 'east').reverse()),
    ...back.map((i) => border(cells, column, row + i, 'south').reverse()),
  ];
  return [sides[0]![0]!, ...sides.flatMap((line) => line.slice(1))];
}

function* blocks(features: number, side: number): Generator<DataRow> {
  const cells = division(features);
  let i = 0;
  for (let row = 0; row < cells.rows; row += side)
    for (let column = 0; column < cells.columns; column += side) {
      const ring = blockRing(cells, column, row, side);
      const at = ring[(i * 7) % ring.length]!;
      yield {
        shape: shapes.polygon(ring),
        values: [townOf(i).name, 1 + ((column / side + 2 * (row / side)) % 5)],
        at,
      };
      i += 1;
    }
}

const nested = (code: string, side: number): DataSet => ({
  code,
  geometry: 'POLYGON',
  columns: { name: 'string', class: 'number' },
  rows: (features) => blocks(features, side),
});

/** Regions of 4 × 4 districts. */
export const regions = nested('regions', regionSide);
/** Districts of 4 × 4 municipalities. */
export const districts = nested('districts', districtSide);
export const municipalities = nested('municipalities', 1);
