import { type Sql, sql } from '@cartulary/sql';

/**
 * Shapes of charts in SQL over a row `o` of the source. `x` (degrees of longitude) and `m` (Mercator ordinate, radians) are
 * the place. `px` is the width of a pixel of the style in degrees of longitude, `size` the width in pixels. `parts` are the
 * values, and `scale` is the value at the full height. Each query returns rows of `part` (the number of the value, or one of `extraParts`) and `geom`.
 */
export type ChartForm = 'pie' | 'bar' | 'line';

/** Parts without a value: the place of the object, the axes, the line through the values. */
export const extraParts = { place: 0, axes: 101, path: 102 } as const;

/** The point `dx` pixels right of and `dy` pixels above the object, measured in the image. */
const vertex = (dx: Sql, dy: Sql): Sql => sql`st_makepoint(o.x + (${dx}) * o.px, ${latitude(dy)})`;
const latitude = (dy: Sql): Sql => sql`degrees(atan(sinh(o.m + radians((${dy}) * o.px))))`;

/** The point on the edge of a pie at a share of its circumference. */
const onEdge = (share: Sql): Sql =>
  vertex(sql`o.size / 2 * sin(2 * pi() * (${share}))`, sql`o.size / 2 * cos(2 * pi() * (${share}))`);

/**
 * Sectors clockwise from the north. Null and values that are not positive have no sector. What is nearly the whole is a circle,
 * which ends exactly where it begins: other values may come before it.
 */
const pie = sql`
  select s.part, shape.geom from (
    select a.part, a.v / nullif(sum(a.v) over (), 0) as share, (sum(a.v) over (order by a.part) - a.v) / nullif(sum(a.v) over (), 0) as before
    from (select u.part, greatest(coalesce(u.v, 0), 0) as v from unnest(o.parts) with ordinality u(v, part)) a
  ) s cross join lateral (
    select st_makepolygon(st_makeline(array_agg(case
        when arc.k in (-1, arc.n + 1) then ${vertex(sql`0`, sql`0`)}
        when arc.k = arc.n and s.share > 0.999999 then ${onEdge(sql`s.before`)}
        else ${onEdge(sql`s.before + s.share * arc.k / arc.n`)} end
      order by arc.k))) as geom
    from (select k, edges.n from (select greatest(2, ceil(48 * s.share))::integer as n) edges, generate_series(-1, edges.n + 1) k
      where s.share <= 0.999999 or k between 0 and edges.n) arc
  ) shape where s.share > 0`;

/** Horizontal offset in pixels of value `u.part` from the centre. `shift`: position within its slot, 0 to 1. */
const slot = (shift: Sql): Sql => sql`o.size * ((u.part - 1 + ${shift}) / cardinality(o.parts) - 0.5)`;
const height = sql`o.size * u.v / o.scale`;

/** Bars upwards from the place, downwards for a negative value. */
const bar = sql`
  select u.part, st_makeenvelope(o.x + (${slot(sql`0.08`)}) * o.px, least(${latitude(sql`0`)}, ${latitude(height)}),
    o.x + (${slot(sql`0.92`)}) * o.px, greatest(${latitude(sql`0`)}, ${latitude(height)})) as geom
  from unnest(o.parts) with ordinality u(v, part) where u.v <> 0`;

/** A line through the values and a point at each value. Nulls are skipped. */
const line = sql`
  select ${extraParts.path}::bigint as part, st_makeline(array_agg(${vertex(slot(sql`0.5`), height)} order by u.part)) as geom
  from unnest(o.parts) with ordinality u(v, part) where u.v is not null having count(*) > 1
  union all
  select u.part, ${vertex(slot(sql`0.5`), height)} from unnest(o.parts) with ordinality u(v, part) where u.v is not null`;

/** The horizontal and the vertical axis. */
const axes = sql`
  select ${extraParts.axes}::bigint as part, st_makeline(array[${vertex(sql`o.size / -2`, sql`o.size`)},
    ${vertex(sql`o.size / -2`, sql`0`)}, ${vertex(sql`o.size / 2`, sql`0`)}]) as geom`;

const forms: Record<ChartForm, Sql> = { pie, bar, line };

/** The shapes of a chart, above its axes if `hasAxes`. */
export function chartShapes(form: ChartForm, hasAxes: boolean): Sql {
  const place = sql`select ${extraParts.place}::bigint as part, ${vertex(sql`0`, sql`0`)} as geom`;
  const shapes = sql`select part, geom from (${forms[form]}) shapes where o.class > 0`;
  return hasAxes && form !== 'pie'
    ? sql`${place} union all select part, geom from (${axes}) axes where o.class > 0 union all ${shapes}`
    : sql`${place} union all ${shapes}`;
}
