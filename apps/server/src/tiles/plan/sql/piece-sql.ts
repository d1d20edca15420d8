import { empty, type Sql, sql } from '@cartulary/sql';

/** The version of a row of a layer. */
export const rowVersion = (t: Sql): Sql => sql`${t}.xmin::text::bigint`;

/** Joins the complete pyramid of an object `t` as `y`; with `isArea` of polygons alone. */
export const joinPyramid = (layerId: number, isArea = false): Sql => sql`
    left join cartulary.shape_pyramid y on y.layer_id = ${layerId} and y.svc_id = t.svc_id and y.is_complete${isArea ? sql` and y.interior is not null` : empty}
      and y.version = ${rowVersion(sql`t`)}`;

/** Joins the piece of a pyramid `y` for a picture of a box as `p`; its `shape` is null where nothing of the object is in the box. */
export const joinPiece = (layerId: number, box: Sql): Sql => sql`
    left join lateral (
      select st_setsrid(st_geomfromtwkb(f.shape), 4326) as shape from cartulary.piece_cells(${box}) c
        join cartulary.shape_piece f on f.layer_id = ${layerId} and f.svc_id = y.svc_id and f.level = c.level and f.x = c.x and f.y = c.y
          and f.version = y.version and (f.is_leaf or c.has_inner)
      where y.svc_id is not null order by f.level desc limit 1) p on true`;
