import { type Sql, sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import { rightOnLayer } from './containers.js';

/** Corners as [latitude, longitude], degrees. */
export interface MapExtent {
  sw: [number, number];
  ne: [number, number];
}

/** Columns of `mapLayersSql`: the number of layers, and degrees, null when the extent is unknown. */
export interface MapLayersRow {
  layers: number;
  west: number | null;
  south: number | null;
  east: number | null;
  north: number | null;
}

/**
 * A subquery over the map in the alias `m`: how many layers of its tree the caller may view, and their extent. Extents come
 * from the spatial indexes, which is fast and never too small.
 */
export const mapLayersSql = (caller: Caller): Sql => sql`
  select layers, st_xmin(box) as west, st_ymin(box) as south, st_xmax(box) as east, st_ymax(box) as north
  from (
    select count(*)::integer as layers, st_extent(
      case when t.oid is not null then st_estimatedextent('cartulary_data', t.relname, 'geom')::geometry
        when r.layer_id is not null then st_makeenvelope(r.west, r.south, r.east, r.north) end) as box
    from cartulary.container l
    left join pg_class t on t.relnamespace = 'cartulary_data'::regnamespace and t.relkind = 'r'
      and t.relname = 'layer_' || l.id
    left join cartulary.raster r on r.layer_id = l.id
    where l.map_id = m.id and l.type not in ('map', 'folder') and ${rightOnLayer(caller, sql`m`, sql`l`)} >= 1
      and (not m.tree_saved or exists (
        select from cartulary.publication_item i where i.map_id = m.id and i.map_layer_id = l.id))
  ) found`;

/** The extent of a row, clipped to the world; null when it is unknown. */
export function extentOf({ west, south, east, north }: MapLayersRow): MapExtent | null {
  if (west === null || south === null || east === null || north === null) return null;
  const within = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));
  return {
    sw: [within(south, 90), within(west, 180)],
    ne: [within(north, 90), within(east, 180)],
  };
}
