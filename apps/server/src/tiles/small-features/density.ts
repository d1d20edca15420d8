import type { Queryable } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import { layerTable } from '../../layers/layers.js';

/** Objects around which others are counted, and rows among which they are chosen: those of some pages of the table. */
const [sampledObjects, sampledRows] = [20, 2_000] as const;
/** Where more objects are counted, the number does not matter. */
const mostCounted = 256;

/**
 * The mean number of objects in a box as large as a tile of a level, around some of the objects: what a viewer sees, who looks where objects
 * are. The mean over the extent of a layer is lower the more its objects lie together. `objects`: those of the layer, estimated.
 */
export async function objectsPerSeenTile(
  db: Queryable,
  { id, objects }: { id: number; objects: number },
  level: number,
): Promise<number> {
  const table = layerTable(id);
  const half = 180 / 2 ** level;
  const [row] = await db.query<{ mean: number | null }>(sql`
    select avg(n.count)::double precision as mean
    from (
      select st_centroid(st_envelope(t.geom)) as at from ${table} t
      tablesample system (${Math.min(100, (100 * sampledRows) / objects)}::real) repeatable (1)
      where t.geom is not null order by hashint8(t.svc_id) limit ${sampledObjects}::integer) s
    cross join lateral (select cos(radians(greatest(-85, least(85, st_y(s.at))))) * ${half}::double precision as high) h
    cross join lateral (
      select count(*) as count from (
        select from ${table} t
        where t.geom && st_makeenvelope(st_x(s.at) - ${half}::double precision, st_y(s.at) - h.high,
          st_x(s.at) + ${half}::double precision, st_y(s.at) + h.high, 4326)
        limit ${mostCounted}::integer) q) n`);
  return row?.mean ?? 0;
}
