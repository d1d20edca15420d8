import type { LocalizedName } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { prepared, type Sql, sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import { demand, type Level, rightOn } from '../access/rights.js';
import { isPossibleCode } from './codes.js';

export { checkCode, claimCode, codeTaken, generateCode, isPossibleCode } from './codes.js';
export { checkRenderSettings, checkStorable, limitStyle, type MapLimits, withinMapLimits } from './limits.js';
export { arrange, type Sibling } from './sort.js';

export type ContainerType = 'map' | 'folder' | 'layer' | 'virtual' | 'material' | 'raster' | 'external';

/** A row of `cartulary.container`: a map, folder or layer. */
export interface Container extends LocalizedName {
  id: number;
  project_id: number;
  map_id: number;
  parent_id: number | null;
  type: ContainerType;
  code: string;
  sort: number;
  css_style: string;
  style_mode: number;
  render_type: number;
  render_settings: Record<string, unknown>;
  json: Record<string, unknown>;
  icon: string;
  comment: string;
  selected: boolean;
  version: number;
  publish: boolean;
  group_layers: number;
  show_pub: boolean;
  locales: unknown[] | null;
  tree_saved: boolean;
  /** The search settings in use: `json.search` at the last save of the tree. */
  search: unknown;
  tiles_quality: number;
  view_format_type: number;
  owner_id: number | null;
  meta: Record<string, unknown>;
  visual_settings: unknown;
  /** The classes that the service made from the data for the visualization. */
  visual_classes: unknown;
  visual_custom_settings: unknown;
  vector_settings: unknown;
  /** With style_mode 1: the settings that css_style was made from. */
  simple_style: unknown;
}

/** A map with the caller's right on it (0 to 3) and whether the public may view it. */
export interface MapContainer extends Container {
  right: number;
  has_publication: boolean;
}

/** Whether the public user may view a map, as SQL over the alias of its row. */
export const publicMayView = (map: Sql): Sql => sql`(${map}.publish and exists (
    select from cartulary.access_grant g
    where g.project_id = ${map}.project_id and g.account_id is null and g.group_id is null
      and (g.container_id = ${map}.id or g.container_id is null)
    having (array_agg(g.level order by g.container_id nulls last))[1] >= 1))`;

const m = sql`m`;

/** The right on the map in the alias `m`. */
export const rightOnMap = (caller: Caller): Sql =>
  rightOn(caller, { project: sql`m.project_id`, map: { id: sql`m.id`, publish: sql`m.publish` } });

/**
 * The right on a layer, as SQL over the aliases of its map and of the layer. A virtual layer shows data of others: without the right to view each of its
 * sources, a caller has no right on it. After a source was deleted, it is visible only with the right to edit it.
 */
export function rightOnLayer(caller: Caller, map: Sql, layer: Sql): Sql {
  const right = (of: { map: Sql; layer: Sql }): Sql =>
    rightOn(caller, {
      project: sql`${of.map}.project_id`,
      map: { id: sql`${of.map}.id`, publish: sql`${of.map}.publish` },
      layer: sql`${of.layer}.id`,
    });
  const own = right({ map, layer });
  return sql`(case when ${layer}.type <> 'virtual' then ${own}
    when exists (select from cartulary.layer_query q where q.layer_id = ${layer}.id and q.problem is not null)
      then (select case when broken.own < 2 then 0 else broken.own end from (select ${own} as own) broken)
    when exists (
      select from cartulary.layer_source read_layer
      join cartulary.container source on source.id = read_layer.source_id
      join cartulary.container source_map on source_map.id = source.map_id
      where read_layer.layer_id = ${layer}.id and ${right({ map: sql`source_map`, layer: sql`source` })} < 1)
    then 0 else ${own} end)`;
}

/**
 * The version of a layer's data, as SQL over the alias of its row; of a virtual layer it includes the versions of its
 * sources. Equal to the function `cartulary.data_version`, but without a call for each layer of a list.
 */
export const dataVersion = (layer: Sql): Sql => sql`(
    select state.data_version + case when ${layer}.type = 'virtual' then coalesce((
        select sum(source.data_version) from cartulary.layer_source read_layer
        join cartulary.layer_state source on source.layer_id = read_layer.source_id
        where read_layer.layer_id = ${layer}.id), 0)::bigint else 0 end
    from cartulary.layer_state state where state.layer_id = ${layer}.id)`;

/** Maps of the caller's project that meet a condition over the alias `m`, with the caller's right on each. */
export const selectMaps = (caller: Caller, condition: Sql): Sql => sql`
    select m.*, ${rightOnMap(caller)} as "right", ${publicMayView(m)} as has_publication
    from cartulary.container m
    where m.project_id = ${caller.project.id} and m.type = 'map' and ${condition}`;

export const mapNotFound = (code: string): ServiceError =>
  new ServiceError('map_not_found', `The map '${code}' does not exist`);

/** Finds a map by its code, when the caller has `level` on it, in one query. Throws 404 `map_not_found`, 403, 401. */
export async function findMap(
  db: Queryable,
  caller: Caller,
  code: string,
  level: Level,
): Promise<MapContainer> {
  if (!isPossibleCode(code)) throw mapNotFound(code);
  const [map] = await db.query<MapContainer>(prepared(selectMaps(caller, sql`m.code = ${code}`)));
  if (!map) throw mapNotFound(code);
  demand(caller, map.right, level);
  return map;
}

/**
 * Locks the map against other changes of its tree until the transaction ends, and returns it as it is now. Throws 404 when it
 * was deleted.
 */
export async function lockTree(tx: Queryable, mapId: number): Promise<Container> {
  const [map] = await tx.query<Container>(
    sql`select * from cartulary.container where id = ${mapId} and type = 'map' for update`,
  );
  if (!map) throw new ServiceError('map_not_found');
  return map;
}

/** A folder or layer as it is now; undefined when it was deleted. */
export async function readContainer(tx: Queryable, id: number): Promise<Container | undefined> {
  const [container] = await tx.query<Container>(sql`select * from cartulary.container where id = ${id}`);
  return container;
}

/**
 * Raises the map's version in the transaction of a write that changes its tree, styles, columns or rights. Tiles and plans of
 * the old version become stale.
 */
export async function touchMap(tx: Queryable, mapId: number): Promise<void> {
  await tx.query(
    sql`update cartulary.container set version = version + 1, changed_at = clock_timestamp() where id = ${mapId}`,
  );
}
