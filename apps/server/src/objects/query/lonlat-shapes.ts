import { type Sql, sql } from '@cartulary/sql';

/** Extent in degrees from which the edges of a shape are divided, since they are curves in longitude and latitude; and the number of the parts. */
const divideFrom = 4;
const parts = 64;

/** Shapes of a request in a reference system of the database. */
export interface GivenShapes {
  /** EWKB in hexadecimal digits. */
  shapes: readonly string[];
  srid: number;
  /** Whether edges that are straight in the system are straight in longitude and latitude, too. */
  isDegrees: boolean;
}

/**
 * Rows `n`, `shape` of shapes in longitude and latitude, within 180 degrees. The edges of large ones follow the lines of their system,
 * what goes on beyond 180 degrees comes from the other side, and a ring around a pole is closed at the pole.
 */
export const lonLatShapes = ({ shapes, srid, isDegrees }: GivenShapes): Sql => sql`
  with given as materialized (
    select n, shape, ST_Transform(shape, 4326) as moved from (
      select n, ST_SetSRID(g.shape::geometry, ${srid}::integer) as shape
      from unnest(${[...shapes]}::text[]) with ordinality g(shape, n)) s),
  ${wideShapes(srid, isDegrees)}
  select given.n, coalesce(wide.shape, given.moved) as shape from given left join wide using (n)`;

/**
 * The common table expression `wide`: shapes whose corners alone do not say what they are. What crosses itself keeps its corners: no time limit
 * ends the overlays of such shapes, and lines are neither noded nor united.
 */
const wideShapes = (srid: number, isDegrees: boolean): Sql => sql`
  large as (
    select n, ST_Force2D(shape) as shape,
      greatest(ST_XMax(shape) - ST_XMin(shape), ST_YMax(shape) - ST_YMin(shape)) / ${parts}::float8 as step
    from given where not ${isDegrees}::boolean and ST_Dimension(shape) > 0
      and ST_XMax(moved) - ST_XMin(moved) + ST_YMax(moved) - ST_YMin(moved) between ${divideFrom}::float8 and 1000
      and GeometryType(shape) <> 'GEOMETRYCOLLECTION' and ST_IsValid(shape)),
  rings as materialized (
    select n, part, ring, area, ST_Dimension(area) as dimension,
      case when ST_Dimension(line) = 0 then line else ST_Segmentize(line, step) end as line
    from (
      select large.n, step, d.path as part, r.path[1] as ring, r.geom as area, ST_ExteriorRing(r.geom) as line
      from large, ST_Dump(shape) d, ST_DumpRings(d.geom) r where ST_Dimension(d.geom) = 2
      union all
      select large.n, step, d.path, 0, d.geom, d.geom from large, ST_Dump(shape) d where ST_Dimension(d.geom) < 2) r),
  lines as materialized (
    select *, cartulary.transformed(line, 4326) as moved, area && pole as is_north from rings,
      (select cartulary.transformed(ST_SetSRID(ST_MakePoint(0, 90), 4326), ${srid}::integer) as pole) p),
  reached as (
    select n from lines group by n
    having bool_and(coalesce(ST_XMax(moved) - ST_XMin(moved) + ST_YMax(moved) - ST_YMin(moved) < 1000, false))),
  ${unwound},
  cut as (
    select n, part, ring, dimension, case when dimension = 2 then ST_UnaryUnion(ST_Collect(shape)) else ST_Collect(shape) end as shape
    from (
      select n, part, ring, dimension, case when dimension = 2
        then ST_CollectionExtract(ST_Intersection(cartulary_queries.st_makevalid(ST_Translate(shape, turn, 0)), world), 3)
        else ST_ClipByBox2D(ST_Translate(shape, turn, 0), world) end as shape
      from whole, generate_series(-360, 360, 360) turn, (select ST_MakeEnvelope(-180, -90, 180, 90, 4326) as world) w
      where ST_Translate(shape, turn, 0) && world) c
    where not ST_IsEmpty(shape) group by n, part, ring, dimension),
  wide as (
    select n, case when max(dimension) = 2 then ST_Union(shape) else ST_CollectionExtract(ST_Collect(shape)) end as shape from (
      select n, part, max(dimension) as dimension, case when bool_or(ring > 0)
        then ST_Difference(ST_Union(shape) filter (where ring = 0), ST_Union(shape) filter (where ring > 0))
        else ST_Collect(shape) end as shape
      from cut group by n, part) p group by n)`;

/** The common table expression `whole`: rings and lines without jumps of longitude, as areas and lines. */
const unwound = sql`
  steps as (
    select n, part, ring, dimension, is_north, p.path[1] as at, ST_X(p.geom) as x, ST_Y(p.geom) as y,
      round((ST_X(p.geom) - lag(ST_X(p.geom)) over (partition by n, part, ring order by p.path[1])) / 360) as turn
    from lines join reached using (n), ST_DumpPoints(moved) p),
  positions as (
    select n, part, ring, dimension, is_north, at, y,
      x - 360 * sum(coalesce(turn, 0)) over (partition by n, part, ring order by at) as x
    from steps),
  paths as (
    select n, part, ring, min(dimension) as dimension, coalesce(bool_or(is_north), avg(y) > 0) as is_north,
      array_agg(ST_MakePoint(x, y) order by at) as points
    from positions group by n, part, ring),
  whole as (
    select n, part, ring, dimension, ST_SetSRID(case
      when dimension = 0 then points[1]
      when dimension = 1 then ST_MakeLine(points)
      when abs(ST_X(points[1]) - ST_X(points[array_length(points, 1)])) < 180 then ST_MakePolygon(ST_MakeLine(points))
      else ST_MakePolygon(ST_MakeLine(points
        || ST_MakePoint(ST_X(points[array_length(points, 1)]), pole) || ST_MakePoint(ST_X(points[1]), pole) || points[1]))
      end, 4326) as shape
    from paths, lateral (select case when is_north then 90 else -90 end as pole) l)`;
