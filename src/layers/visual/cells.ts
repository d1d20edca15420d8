import { empty, type Sql, sql } from '../../db/sql.js';
import type { Cells } from '../../visualizations/visualization.js';
import { type Column, layerTable } from '../layers.js';
import { onePoint } from './point.js';
import { readById } from './values.js';

/** Degrees north on the map (EPSG:3857), where a degree is as high as it is wide; what its world leaves out lies at its edge. */
const northward = (point: Sql): Sql =>
  sql`degrees(asinh(tan(radians(greatest(-85.06, least(85.06, st_y(${point})))))))`;

/** Objects as points on the map: `x` and `y` (degrees; null for one without geometry) and their `measure`. */
export const placesSql = (
  { layer, main }: CellsOf,
  measure: Cells['measure'] = () => sql`null::double precision`,
): Sql => sql`
  select st_x(q.p) as x, ${northward(sql`q.p`)} as y, q.measure from (
    select ${onePoint} as p, ${measure(readById(layer.columns, { alias: sql`t`, main }))} as measure
    from ${layerTable(layer.id)} t${layer.where ? sql` where ${layer.where}` : empty} offset 0) q`;

export interface CellsOf {
  /** `where`: only these of its objects, in the alias `t`. */
  layer: {
    id: number;
    columns: readonly Pick<Column, 'id' | 'code' | 'type' | 'localized_value'>[];
    where?: Sql;
  };
  main: string;
}

/**
 * Rows with `x` and `y`, and the cell in which they lie: its middle is `i` half widths east and `j` rows north of 0° 0°, both
 * even or both odd. So the middles are two lattices of rectangles, each in the gaps of the other, and a place lies in the
 * cell of the nearest.
 */
export const inCells = (places: Sql, width: number): Sql => sql`
  select f.*, (case when f.is_even then 2 * f.a else 2 * f.c + 1 end)::bigint as i,
    (case when f.is_even then 2 * f.b else 2 * f.d + 1 end)::bigint as j
  from (
    select e.*, (e.u - e.a) ^ 2 + 3 * (e.v - e.b) ^ 2 <= (e.u - e.c - 0.5) ^ 2 + 3 * (e.v - e.d - 0.5) ^ 2 as is_even
    from (
      select g.*, floor(g.u + 0.5) as a, floor(g.v + 0.5) as b, floor(g.u) as c, floor(g.v) as d
      from (
        select h.*, h.x / ${width}::double precision as u, h.y / (sqrt(3) * ${width}::double precision) as v
        from (${places}) h offset 0
      ) g
    ) e
  ) f`;

/** Cells (`i`, `j`; null: no cell) with the number `n` of their objects and their `value`. */
export const cellsSql = (from: CellsOf, { width, measure, value }: Cells): Sql => sql`
  select o.i, o.j, count(*) as n, ${value} as value
  from (${inCells(placesSql(from, measure), width)}) o group by o.i, o.j`;
