import { ident, join, type Sql, sql } from '../db/sql.js';
import { cellsSql, inCells } from '../layers/visual/visual.js';
import type { CellSource } from '../visualizations/visualization.js';
import type { LayerSource } from './layer-sql.js';

/** Pixels of the style that a cell is wide at least: narrower ones are drawn as wider ones, so that a picture has no end of them. */
const least = 4;

/** Parts of the font size that a character is wide, nearly, and the room around a label, pixels. */
const character = 0.62;
const room = 6;

/**
 * The source of a visualization that draws cells: a row per cell that meets `!bbox!`, made of all its objects, wherever they are. Where the
 * zoom level is so low that they would be too narrow, cells twice, four times … as wide stand for those whose middles lie in
 * them, with the mean of their values. `values` are the made columns that the style reads, over the alias `c`.
 */
export function cellsLayerSql(
  { id, columns, main, zoom }: Pick<LayerSource, 'id' | 'columns' | 'main' | 'zoom'>,
  cells: CellSource,
  values: ReadonlyMap<string, Sql>,
): Sql {
  const own = pixels(cells.width, zoom);
  const factor = 2 ** Math.max(0, Math.ceil(Math.log2(least / own)));
  const width = cells.width * factor;
  // What is in a wider cell lies in a cell whose middle is in it.
  const reach = 1.2 * width + 0.6 * cells.width;
  const drawn = cellsSql({ layer: { id, columns, where: sql`t.geom && ${around(reach)}` }, main }, cells);
  const found = factor === 1 ? drawn : merged(drawn, factor);
  const size = pixels(width, zoom);
  const selected = [...values].map(
    ([name, value]) =>
      sql`, ${name === cells.label?.column ? fitting(value, cells.label, size) : value} as ${ident(name)}`,
  );
  const part = 1 - Math.min(cells.gap / size, 0.5);
  return sql`(
    select row_number() over (order by c.j, c.i) as svc_id, c.geom${join(selected, '')}
    from (select d.*, ${hexagon(width, part)} as geom from (${found}) d where d.i is not null and d.value is not null offset 0) c
    where c.geom && !bbox! order by c.j, c.i) as layer`;
}

/** Pixels of the style in so many degrees of longitude. */
const pixels = (width: number, zoom: number): number => (width / 360) * 256 * 2 ** zoom;

/** `!bbox!` and so many degrees on the map around it; at the edges of the map all that lies beyond, too. */
const around = (margin: number): Sql => {
  const lowest = sql`st_ymin(!bbox!) - ${margin}`;
  const highest = sql`st_ymax(!bbox!) + ${margin}`;
  return sql`st_makeenvelope(st_xmin(!bbox!) - ${margin}, case when ${lowest} < -85 then -90 else ${lowest} end,
    st_xmax(!bbox!) + ${margin}, case when ${highest} > 85 then 90 else ${highest} end, 4326)`;
};

/** A row `k` is the middle of a cell: half widths east, rows north. */
const eastward = (width: number, half: Sql): Sql => sql`((${half}) * ${width / 2}::double precision)`;
const northward = (width: number, row: Sql): Sql =>
  sql`((${row}) * ${(width * Math.sqrt(3)) / 2}::double precision)`;

/** Cells that are `factor` times as wide. Halves are exact, so that it is always the same one in which a middle on an edge lies. */
const merged = (cells: Sql, factor: number): Sql => sql`
  select m.i, m.j, avg(m.value::numeric)::double precision as value
  from (${inCells(sql`
    select k.i / ${2 * factor}::double precision as u, k.j / ${2 * factor}::double precision as v, k.value
    from (${cells}) k where k.i is not null and k.value is not null`)}) m group by m.i, m.j`;

/** Corners clockwise from the northern one, in half widths and rows. */
const corners = [
  [0, 2 / 3],
  [1, 1 / 3],
  [1, -1 / 3],
  [0, -2 / 3],
  [-1, -1 / 3],
  [-1, 1 / 3],
  [0, 2 / 3],
] as const;

/** The hexagon of the cell `d`, `part` of it wide. */
function hexagon(width: number, part: number): Sql {
  const path = corners.map(([x, y]) => {
    const north = northward(width, sql`d.j + ${y * part}::double precision`);
    return sql`st_makepoint(${eastward(width, sql`d.i + ${x * part}::double precision`)}, degrees(atan(sinh(radians(${north})))))`;
  });
  return sql`st_setsrid(st_makepolygon(st_makeline(array[${join(path)}])), 4326)`;
}

/** A label where there is room for it in a cell that is `size` pixels wide. */
const fitting = (label: Sql, { fontSize }: { fontSize: number }, size: number): Sql => {
  const longest = Math.floor((size - room) / (character * fontSize));
  return longest < 1
    ? sql`null::text`
    : sql`(select case when length(l.l) <= ${longest} then l.l end from (select ${label} as l offset 0) l)`;
};
