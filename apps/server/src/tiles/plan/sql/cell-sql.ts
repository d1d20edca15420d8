import { empty, ident, join, type Sql, sql } from '@cartulary/sql';
import type { CellSource } from '@cartulary/visualizations';
import { cellsSql, inCells } from '../../../layers/visual/visual.js';
import type { LayerSource } from './layer-source.js';
import { onPlane, regionOf } from './plane.js';

/** Minimum width of a cell, pixels of the style. Narrower cells are merged, which bounds the number of cells in a picture. */
const least = 4;

/** Estimated width of a character in parts of the font size, and padding of a label in pixels. */
const character = 0.62;
const room = 6;

/**
 * The source of a visualization with cells: a row for each cell that meets `!bbox!`, made of all objects of the cell. At
 * low zoom levels cells that are 2, 4 … times as wide replace narrow ones: each has the mean value of the cells whose
 * middles it contains. `values`: computed columns that the style reads, over the alias `c`.
 */
export function cellsLayerSql(
  {
    id,
    columns,
    main,
    lng,
    zoom,
    only,
    plane,
  }: Pick<LayerSource, 'id' | 'columns' | 'main' | 'lng' | 'zoom' | 'only' | 'plane'>,
  cells: CellSource,
  values: ReadonlyMap<string, Sql>,
): Sql {
  const own = pixels(cells.widthDegrees, zoom);
  const factor = 2 ** Math.max(0, Math.ceil(Math.log2(least / own)));
  const width = cells.widthDegrees * factor;
  // Objects of a merged cell lie in cells whose middles it contains.
  const reach = 1.2 * width + 0.6 * cells.widthDegrees;
  const wanted = only ? sql` and (${only({ alias: sql`t`, lng, main, robust: true })})` : empty;
  const where = sql`t.geom && ${around(reach, plane ? regionOf(plane) : sql`!bbox!`)}${wanted}`;
  const drawn = cellsSql({ layer: { id, columns, where }, main }, cells);
  const found = factor === 1 ? drawn : merged(drawn, factor);
  const size = pixels(width, zoom);
  const selected = [...values].map(
    ([name, value]) =>
      sql`, ${name === cells.label?.column ? fitting(value, cells.label, size) : value} as ${ident(name)}`,
  );
  const part = 1 - Math.min(cells.gapPx / size, 0.5);
  return sql`(
    select row_number() over (order by c.j, c.i) as svc_id, c.geom${join(selected, '')}
    from (select d.*, ${plane ? onPlane(hexagon(width, part), plane) : hexagon(width, part)} as geom from (${found}) d where d.i is not null and d.value is not null offset 0) c
    where c.geom && !bbox! order by c.j, c.i) as layer`;
}

/** Width in pixels of the style of a width in degrees of longitude. */
const pixels = (width: number, zoom: number): number => (width / 360) * 256 * 2 ** zoom;

/** A box with a margin in degrees of longitude; at the edges of the map it includes everything beyond. */
const around = (margin: number, box: Sql): Sql => {
  const lowest = sql`st_ymin(${box}) - ${margin}`;
  const highest = sql`st_ymax(${box}) + ${margin}`;
  return sql`st_makeenvelope(st_xmin(${box}) - ${margin}, case when ${lowest} < -85 then -90 else ${lowest} end,
    st_xmax(${box}) + ${margin}, case when ${highest} > 85 then 90 else ${highest} end, 4326)`;
};

/** Coordinates of the middle of cell `k`: half widths eastward, rows northward. */
const eastward = (width: number, half: Sql): Sql => sql`((${half}) * ${width / 2}::double precision)`;
const northward = (width: number, row: Sql): Sql =>
  sql`((${row}) * ${(width * Math.sqrt(3)) / 2}::double precision)`;

/** Merges cells into ones `factor` times as wide. Halves are exact, so a middle on an edge always belongs to the same cell. */
const merged = (cells: Sql, factor: number): Sql => sql`
  select m.i, m.j, avg(m.value::numeric)::double precision as value
  from (${inCells(sql`
    select k.i / ${2 * factor}::double precision as u, k.j / ${2 * factor}::double precision as v, k.value
    from (${cells}) k where k.i is not null and k.value is not null`)}) m group by m.i, m.j`;

/** Corners clockwise from the north, in half widths and rows. */
const corners = [
  [0, 2 / 3],
  [1, 1 / 3],
  [1, -1 / 3],
  [0, -2 / 3],
  [-1, -1 / 3],
  [-1, 1 / 3],
  [0, 2 / 3],
] as const;

/** The hexagon of cell `d`; `part`: its width as a share of the cell. */
function hexagon(width: number, part: number): Sql {
  const path = corners.map(([x, y]) => {
    const north = northward(width, sql`d.j + ${y * part}::double precision`);
    return sql`st_makepoint(${eastward(width, sql`d.i + ${x * part}::double precision`)}, degrees(atan(sinh(radians(${north})))))`;
  });
  return sql`st_setsrid(st_makepolygon(st_makeline(array[${join(path)}])), 4326)`;
}

/** A label, if it fits into a cell of `size` pixels. */
const fitting = (label: Sql, { fontSize }: { fontSize: number }, size: number): Sql => {
  const maxCharacters = Math.floor((size - room) / (character * fontSize));
  return maxCharacters < 1
    ? sql`null::text`
    : sql`(select case when length(l.l) <= ${maxCharacters} then l.l end from (select ${label} as l offset 0) l)`;
};
