import { ident, join, type Sql, sql } from '@cartulary/sql';
import type { PartSource } from '@cartulary/visualizations';
import { onePoint, readById } from '../../../layers/visual/visual.js';
import { objectsTable } from '../tile-filter.js';
import type { LayerSource } from './layer-source.js';
import { stylePixel } from './read-box.js';

/** Mercator ordinate of a point; points beyond the edge of EPSG:3857 (85.06°) lie at the edge. */
const ordinate = (point: Sql): Sql =>
  sql`asinh(tan(radians(greatest(-85.06, least(85.06, st_y(${point}))))))`;

/**
 * The source of a visualization that draws several shapes per object: a row for each shape, the largest objects first.
 * `values`: columns that the style reads, over the table alias `t`.
 */
export function partsSql(
  source: Pick<LayerSource, 'id' | 'columns' | 'main' | 'lng' | 'only' | 'plane'>,
  parts: PartSource,
  values: ReadonlyMap<string, Sql>,
): Sql {
  const { columns, main } = source;
  const read = readById(columns, { alias: sql`t`, main });
  const numbers = parts.values(read);
  // Named by position, since columns may have any name.
  const kept = [...values]
    .filter(([name]) => name !== parts.part)
    .map(([name, value], i) => ({ name, value, own: ident(`k${i}`) }));
  const placed = sql`
    select t.svc_id, st_x(p.point) as x, ${ordinate(sql`p.point`)} as m, ${stylePixel} as px,
      ${parts.sizePx(read)} as size, ${parts.class(read)} as class, array[${join(numbers)}] as parts,
      coalesce(${parts.scale}, ${greatestOf(numbers)}, 1) as scale${join(
        kept.map(({ value, own }) => sql`, ${value} as ${own}`),
        '',
      )}
    from ${objectsTable(source)} t cross join lateral (select ${onePoint} as point offset 0) p
    where t.geom && ${parts.minSpacingPx === null ? sql`!bbox!` : sql`st_expand(!bbox!, ${3 * parts.minSpacingPx} * ${stylePixel})`}`;
  return sql`(
    select o.svc_id, shapes.geom, shapes.part as ${ident(parts.part)}${join(
      kept.map(({ name, own }) => sql`, o.${own} as ${ident(name)}`),
      '',
    )}
    from (${parts.minSpacingPx === null ? placed : largestApart(placed, parts.minSpacingPx, parts.lift)}) o
    cross join lateral (${parts.shapes}) shapes
    order by o.size desc, o.svc_id, shapes.part desc) as layer`;
}

const greatestOf = (numbers: readonly Sql[]): Sql =>
  sql`nullif(greatest(${join(numbers.map((number) => sql`abs(${number})`))}), 0)`;

/**
 * The placed objects that no larger one covers: the largest of each grid cell, unless a larger neighbour overlaps it.
 * All pictures of a zoom level share the grid, so neighbouring tiles agree.
 */
const largestApart = (placed: Sql, apart: number, lift: number): Sql => sql`
  with placed as (${placed}), cells as (
    select distinct on (cx, cy) * from (
      select *, floor(x / (${apart} * px)) as cx, floor(y / (${apart} * px)) as cy
      from (select *, degrees(m) + ${lift} * size * px as y from placed) lifted) gridded
    order by cx, cy, size desc, svc_id
  )
  select * from cells where svc_id not in (
    select c.svc_id from cells c cross join (values (-1), (0), (1)) dx(step) cross join (values (-1), (0), (1)) dy(step)
    join cells n on n.cx = c.cx + dx.step and n.cy = c.cy + dy.step
    where (n.size, -n.svc_id) > (c.size, -c.svc_id)
      and greatest(abs(n.x - c.x), abs(n.y - c.y)) < (n.size + c.size) / 2 * c.px)`;
