import { type Database, isDataError, type Queryable } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import type { BoxEdges, Extent } from '@cartulary/geo';
import { type Sql, sql } from '@cartulary/sql';
import type { PictureCrs } from './frame.js';

/** Longitudes and latitudes of points in rows from the north-west, `count` + 1 in each direction; NaN where the system does not reach. */
export interface PositionGrid {
  /** Cells of a row, and of a column. */
  count: number;
  lon: Float64Array;
  lat: Float64Array;
}

/** The positions of a regular grid over a box. */
export async function positionsIn(
  db: Queryable,
  { srid, box, count }: { srid: number; box: Extent; count: number },
  signal?: AbortSignal,
): Promise<PositionGrid> {
  const [west, south, east, north] = box;
  // A position that is not the same after the way back lies outside of the area of the projection.
  const reach = Math.max(east - west, north - south) * 1e-3;
  const [row] = await db.query<{ lon: number[]; lat: number[] }>(
    sql`
      select array_agg(coalesce(st_x(w.at), 'NaN') order by w.j, w.i) as lon,
        array_agg(coalesce(st_y(w.at), 'NaN') order by w.j, w.i) as lat
      from (
        select i, j, case when st_distance(cartulary.transformed(t.at, ${srid}::integer), t.point) <= ${reach}::float8 then t.at end as at
        from (
          select i, j, p.point, cartulary.transformed(p.point, 4326) as at
          from generate_series(0, ${count}::integer) j cross join generate_series(0, ${count}::integer) i
          cross join lateral (select st_setsrid(st_makepoint(
            ${west}::float8 + i * ${(east - west) / count}::float8,
            ${north}::float8 - j * ${(north - south) / count}::float8), ${srid}::integer) as point) p offset 0) t offset 0) w`,
    signal,
  );
  return { count, lon: Float64Array.from(row!.lon), lat: Float64Array.from(row!.lat) };
}

/** Degrees between the positions by which gaps are found: those of transverse projections, 90 degrees from their meridian, are 16 degrees wide. */
const gapStep = 6;

/** Whether a system knows all positions of a region in degrees, by a grid of them. */
export async function isKnown(
  db: Database,
  srid: number,
  [west, south, east, north]: BoxEdges,
  signal: AbortSignal,
): Promise<boolean> {
  const [columns, rows] = [east - west, north - south].map((side) => Math.ceil(side / gapStep)) as [
    number,
    number,
  ];
  const [row] = await db.query<{ known: boolean }>(
    sql`
      select bool_and(coalesce(st_xmax(p.at) < 'infinity', false)) as known from (
        select cartulary.transformed(st_setsrid(st_makepoint(
          ${west}::float8 + i * ${(east - west) / columns}::float8,
          ${south}::float8 + j * ${(north - south) / rows}::float8), 4326), ${srid}::integer) as at
        from generate_series(0, ${rows}::integer) j cross join generate_series(0, ${columns}::integer) i offset 0) p`,
    signal,
  );
  return row!.known;
}

/** Whether the poles lie in a box of a system. */
export async function polesIn(
  db: Queryable,
  { srid, box }: { srid: number; box: Extent },
  signal?: AbortSignal,
): Promise<{ north: boolean; south: boolean }> {
  const [row] = await db.query<{ north: boolean | null; south: boolean | null }>(
    sql`
      select cartulary.transformed(st_setsrid(st_makepoint(0, 90), 4326), ${srid}::integer) && b.box as north,
        cartulary.transformed(st_setsrid(st_makepoint(0, -90), 4326), ${srid}::integer) && b.box as south
      from (select st_makeenvelope(${box[0]}::float8, ${box[1]}::float8, ${box[2]}::float8, ${box[3]}::float8, ${srid}::integer) as box) b`,
    signal,
  );
  return { north: row?.north === true, south: row?.south === true };
}

/** A box of a system in another one: the box around its edges there. Throws 400 where the other system does not reach it. */
export async function boxOn(
  db: Database,
  { box, crs }: { box: Extent; crs: Pick<PictureCrs, 'srid'> },
  to: Pick<PictureCrs, 'srid'>,
  parameter = 'bbox',
): Promise<Extent> {
  if (crs.srid === to.srid) return box;
  const [found] = await boxesOn(db, { boxes: [box], crs }, to);
  if (found) return found;
  throw badRequest(`${parameter}: the reference system of the picture does not reach the box`, {
    parameters: [parameter],
  });
}

/** Boxes of a system in another one; undefined: the other system does not reach it. */
export async function boxesOn(
  db: Database,
  { boxes, crs }: { boxes: readonly Extent[]; crs: Pick<PictureCrs, 'srid'> },
  to: Pick<PictureCrs, 'srid'>,
): Promise<(Extent | undefined)[]> {
  // EPSG:3857 has no poles.
  const last = to.srid === 3857 && crs.srid === 4326 ? 85.05 : Number.MAX_VALUE;
  const edges = (side: 0 | 1 | 2 | 3): number[] => boxes.map((box) => box[side]);
  const rows = await db.query<{ box: Extent }>(
    sql`
      select array[st_xmin(t.box), st_ymin(t.box), st_xmax(t.box), st_ymax(t.box)] as box from (
        select g.at, cartulary.transformed(st_segmentize(
          st_makeenvelope(g.west, g.low, g.east, g.high, ${crs.srid}::integer),
          -- A point has no sides to divide.
          coalesce(nullif(greatest(g.east - g.west, g.high - g.low) / 32, 0), 1)), ${to.srid}::integer) as box
        from unnest(${edges(0)}::float8[], ${edges(1).map((south) => Math.max(-last, south))}::float8[],
          ${edges(2)}::float8[], ${edges(3).map((north) => Math.min(last, north))}::float8[])
          with ordinality g(west, low, east, high, at)) t order by t.at`,
  );
  return rows.map(({ box }) =>
    box.every((edge) => Number.isFinite(edge) && edge !== null) ? box : undefined,
  );
}

/** Metres on the ground per unit of a system, on the average of both directions at a position; undefined where it does not reach. */
export async function groundMetres(
  db: Database,
  [x, y]: readonly [number, number],
  { srid, step }: { srid: number; step: number },
): Promise<number | undefined> {
  const at = (dx: number, dy: number): Sql =>
    sql`cartulary.transformed(st_setsrid(st_makepoint(${x + dx}::float8, ${y + dy}::float8), ${srid}::integer), 4326)::geography`;
  const [row] = await db
    .query<{ east: number | null; north: number | null }>(
      sql`select st_distance(${at(-step, 0)}, ${at(step, 0)}) as east, st_distance(${at(0, -step)}, ${at(0, step)}) as north`,
    )
    .catch((error) => {
      if (isDataError(error)) return [];
      throw error;
    });
  const metres = Math.sqrt((row?.east ?? 0) * (row?.north ?? 0)) / (2 * step);
  return metres > 0 && Number.isFinite(metres) ? metres : undefined;
}
