import type { Queryable } from '@cartulary/database';
import { type Sql, sql } from '@cartulary/sql';
import { type Caller, mainLanguage } from '../access/caller.js';
import { type MapContainer, rightOnLayer, selectMaps } from './containers.js';
import { localesView } from './locales.js';
import { extentOf, type MapLayersRow, mapLayersSql } from './map-layers.js';
import { shownName } from './names.js';
import { countByMap } from './object-counts.js';

/** A map with the ids of the virtual and materialized layers elsewhere that read its layers. */
export interface ViewableMap extends MapContainer {
  depended?: number[];
}

/** Maps of the project that the caller may view, by sort. */
export const viewableMaps = (db: Queryable, caller: Caller): Promise<ViewableMap[]> =>
  db.query<ViewableMap>(sql`
    select m.*, array(
        select distinct reader.id from cartulary.layer_source q
        join cartulary.container source on source.id = q.source_id
        join cartulary.container reader on reader.id = q.layer_id
        where q.direct and source.map_id = m.id and reader.map_id <> m.id order by reader.id) as depended
    from (${selectMaps(caller, sql`true`)}) m where m."right" >= 1 order by m.sort, m.id`);

export interface MapListExtras {
  /** Adds `changed`. */
  hasChanged: boolean;
  /** Adds `objects`. */
  hasObjects: boolean;
}

/** The maps of the project that the caller may view, for a list with pictures, by sort. */
export async function listMapsOf(
  db: Queryable,
  caller: Caller,
  extras: MapListExtras,
  lng?: string,
): Promise<Record<string, unknown>[]> {
  const maps = await db.query<MapContainer & MapLayersRow & ChangedRow>(sql`
    select m.*, tree.*, ${extras.hasChanged ? dataChangedSql(caller) : sql`null`} as data_changed_at
    from (${selectMaps(caller, sql`true`)}) m cross join lateral (${mapLayersSql(caller)}) tree
    where m."right" >= 1 order by m.sort, m.id`);
  const objects = extras.hasObjects ? await objectsOfMaps(db, caller) : undefined;
  return maps.map((map) => ({
    id: map.id,
    code: map.code,
    name: shownName(map, [lng, mainLanguage(caller)]),
    access: map.right,
    publish: map.publish,
    has_publication: map.has_publication,
    layers: map.layers,
    extent: extentOf(map),
    ...(extras.hasChanged ? { changed: changedAt(map) } : {}),
    ...(objects ? { objects: objects.get(map.id) ?? 0 } : {}),
  }));
}

interface ChangedRow {
  /** Of the tree, the styles, columns and rights; null: not known. */
  changed_at: Date | null;
  /** Of the objects. */
  data_changed_at: Date | null;
}

/** When the objects of layers that the caller may view were last changed, over the alias `m` of their map. */
const dataChangedSql = (caller: Caller): Sql => sql`(
    select max(state.changed_at) from cartulary.container l
    join cartulary.layer_state state on state.layer_id = l.id
    where l.map_id = m.id and ${rightOnLayer(caller, sql`m`, sql`l`)} >= 1)`;

/** The later of both times, ISO 8601. */
function changedAt({ changed_at, data_changed_at }: ChangedRow): string | null {
  const times = [changed_at, data_changed_at].flatMap((time) => (time ? [time.getTime()] : []));
  return times.length ? new Date(Math.max(...times)).toISOString() : null;
}

/** The objects in the layers that the caller may view, by the id of the map. */
async function objectsOfMaps(db: Queryable, caller: Caller): Promise<Map<number, number>> {
  const layers = await db.query<{ id: number; map_id: number }>(sql`
    select l.id, l.map_id from (${selectMaps(caller, sql`true`)}) m join cartulary.container l on l.map_id = m.id
    where l.type in ('layer', 'material') and ${rightOnLayer(caller, sql`m`, sql`l`)} >= 1`);
  return countByMap(db, layers);
}

/** An item of the list of published maps, with all keys of the interface. */
export const publishedMapView = (
  map: ViewableMap,
  caller: Caller,
  lng?: string,
): Record<string, unknown> => ({
  id: map.id,
  type: map.type,
  parent: 0,
  code: map.code,
  parent_map: map.code,
  sort: map.sort,
  show_pub: map.show_pub,
  css_style: map.css_style,
  localized_name: map.localized_name,
  name: shownName(map, [lng, mainLanguage(caller)]),
  names: Object.entries(map.names).map(([language, name]) => ({ [language]: name })),
  access: map.right,
  json: map.json,
  comment: map.comment,
  listDepended: map.depended ?? [],
  table_id: 0,
  style_mode: map.style_mode,
  render_settings: map.render_settings,
  publish: map.publish,
  group_layers: map.group_layers,
  has_publication: map.has_publication,
  locales: localesView(map, caller.project.languages),
});
