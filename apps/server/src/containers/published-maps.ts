import type { Queryable } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import { type Caller, mainLanguage } from '../access/caller.js';
import { type MapContainer, selectMaps } from './containers.js';
import { localesView } from './locales.js';
import { extentOf, type MapLayersRow, mapLayersSql } from './map-layers.js';
import { shownName } from './names.js';

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

/** The maps of the project that the caller may view, for a list with pictures, by sort. */
export async function listMapsOf(
  db: Queryable,
  caller: Caller,
  lng?: string,
): Promise<Record<string, unknown>[]> {
  const maps = await db.query<MapContainer & MapLayersRow>(sql`
    select m.*, tree.* from (${selectMaps(caller, sql`true`)}) m cross join lateral (${mapLayersSql(caller)}) tree
    where m."right" >= 1 order by m.sort, m.id`);
  return maps.map((map) => ({
    id: map.id,
    code: map.code,
    name: shownName(map, [lng, mainLanguage(caller)]),
    access: map.right,
    publish: map.publish,
    has_publication: map.has_publication,
    layers: map.layers,
    extent: extentOf(map),
  }));
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
