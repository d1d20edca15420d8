import type { Queryable } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import type { FeatureCollection, Geometry } from 'geojson';
import { boundedSimplify } from '../../objects/store.js';
import type { Staging } from './staging.js';

/** Most positions of a sketch, which a page draws at once. */
const positionLimit = 50_000;

/** Part of the extent by which positions may differ from those of the file: a pixel of a map 1,000 pixels wide. */
const toleranceShare = 1 / 1_000;

/** Digits after the decimal point of a degree: 10 cm. */
const digits = 6;

/**
 * The geometries of the first staged features, simplified for a small map; fewer than `limit` where they have many positions.
 * The ids are the numbers of the features in the file.
 */
export async function sketchOf(
  db: Queryable,
  staging: Staging,
  { extent, limit }: { extent: readonly [number, number, number, number] | null; limit: number },
): Promise<FeatureCollection> {
  const [west, south, east, north] = extent ?? [0, 0, 0, 0];
  const tolerance = Math.max(east - west, north - south) * toleranceShare;
  const rows = await db.query<{ n: number; geometry: Geometry }>(sql`
    select n, st_asgeojson(shape, ${digits}::integer)::json as geometry from (
      select n, shape, sum(st_npoints(shape)) over (order by n) as positions from (
        select s.n, ${boundedSimplify(sql`s.geom`, sql`s.geom`, sql`${tolerance}::double precision`)} as shape
        from ${staging} s where s.geom is not null order by s.n limit ${limit}::bigint
      ) simplified where shape is not null
    ) counted where positions <= ${positionLimit}::bigint order by n`);
  return {
    type: 'FeatureCollection',
    features: rows.map(({ n, geometry }) => ({ type: 'Feature', id: n, properties: {}, geometry })),
  };
}
