import type { Column } from '@cartulary/columns';
import { empty, type Sql, sql } from '@cartulary/sql';
import type { HexagonGrid } from '@cartulary/visualizations';
import { layerTable } from '../layers.js';
import { onePoint } from './point.js';
import { readById } from './values.js';

/**
 * Degrees north on the map (EPSG:3857), where a degree is as high as wide. Latitudes beyond the projection are moved to its
 * edge.
 */
const northward = (point: Sql): Sql =>
  sql`degrees(asinh(tan(radians(greatest(-85.06, least(85.06, st_y(${point})))))))`;

/** Objects as points on the map: `x` and `y` (degrees; null without a geometry) and their `measure`. */
export const placesSql = (
  { layer, main }: CellPlaces,
  measure: HexagonGrid['measure'] = () => sql`null::double precision`,
): Sql => sql`
  select st_x(q.p) as x, ${northward(sql`q.p`)} as y, q.measure from (
    select ${onePoint} as p, ${measure(readById(layer.columns, { alias: sql`t`, main }))} as measure
    from ${layerTable(layer.id)} t${layer.where ? sql` where ${layer.where}` : empty} offset 0) q`;

export interface CellPlaces {
  /** `where`: a condition over the alias `t` that selects objects. */
  layer: {
    id: number;
    columns: readonly Pick<Column, 'id' | 'code' | 'type' | 'localized_value' | 'pack' | 'slot'>[];
    where?: Sql;
  };
  main: string;
}

/**
 * Rows with `u` and `v`, coordinates in units of the cell's width and of √3 of it, and the cell of the point. The cell's
 * centre is `i` half widths east and `j` rows north of 0° 0°, both even or both odd. So the centres are two rectangular
 * lattices, each in the gaps of the other. From the centre of a gap, |u| + 3 |v| = 1 is as far as from the nearest of its
 * corners.
 */
export const inCells = (places: Sql): Sql => sql`
  select f.*, (case when f.is_odd then 2 * floor(f.u) + 1 else 2 * floor(f.u + 0.5) end)::bigint as i,
    (case when f.is_odd then 2 * floor(f.v) + 1 else 2 * floor(f.v + 0.5) end)::bigint as j
  from (
    select g.*, abs(g.u - floor(g.u) - 0.5) + 3 * abs(g.v - floor(g.v) - 0.5) < 1 as is_odd
    from (${places}) g offset 0
  ) f offset 0`;

/** Cells (`i`, `j`; null: no cell) with the number `n` of their objects and their `value`. */
export const cellsSql = (from: CellPlaces, { widthDegrees: width, measure, value }: HexagonGrid): Sql => sql`
  select o.i, o.j, count(*) as n, ${value} as value
  from (${inCells(sql`
    select p.x / ${width}::double precision as u, p.y / ${width * Math.sqrt(3)}::double precision as v, p.measure
    from (${placesSql(from, measure)}) p offset 0`)}) o group by o.i, o.j`;
