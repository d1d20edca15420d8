import type { LocalizedName } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { empty, type Sql, sql } from '@cartulary/sql';
import { type Caller, publicUser } from '../access/caller.js';
import { publicMayView, rightOnMap } from '../containers/containers.js';
import { extentOf, type MapExtent, type MapLayersRow, mapLayersSql } from '../containers/map-layers.js';
import { defaultMapStyle } from '../containers/maps.js';
import { shownName } from '../containers/names.js';
import { matchLanguage } from '../http/headers/languages.js';

/** A map that the reader may view. */
export interface ShownMap {
  project: string;
  project_name: string;
  code: string;
  /** In the main language. */
  name: string;
  /** Language code → name, of a localized name. */
  names: Record<string, string>;
  /** Language codes, the main one first. */
  languages: string[];
  /** Number of layers of its tree that the reader may view. */
  layers: number;
  /** Whether the public may view it. */
  is_public: boolean;
  group_layers: number;
  /** Source of the data: the text `attribution` of the map's `json`. */
  attribution: string;
  /**
   * Whether the map page shows its base map below the map: the value of `ground` in the map's `json`.
   * Default: true when the map has neither a background of its own nor a base layer.
   */
  ground: boolean;
  /** Corners as [latitude, longitude], degrees; null when the extent is unknown. */
  extent: MapExtent | null;
}

/** The public user of any project: `rightOn` takes the project from the statement. */
const anybody = publicUser({ id: 0, code: '', languages: ['en'] });

interface MapRow extends LocalizedName, Languages, MapLayersRow {
  project: string;
  project_name: string;
  code: string;
  group_layers: number;
  attribution: unknown;
  ground: boolean;
  is_public: boolean;
}

/** Codes that filter the list. A map that is named is listed even when it is hidden in lists. */
export interface MapQuestion {
  project?: string | undefined;
  map?: string | undefined;
}

/**
 * Lists the maps that the public may view, over all projects, and those that the callers may view in their
 * own projects.
 */
export async function listMaps(
  db: Queryable,
  callers: readonly Caller[],
  question: MapQuestion,
): Promise<ShownMap[]> {
  const own = callers.map(({ project }) => project.id);
  const others = sql`m.project_id <> all(${own}::integer[])`;
  const rows = await Promise.all([
    db.query<MapRow>(mapsSql(anybody, others, question)),
    ...callers.map((caller) =>
      db.query<MapRow>(mapsSql(caller, sql`m.project_id = ${caller.project.id}`, question)),
    ),
  ]);
  return rows.flat().sort(byProject).map(shownMap);
}

/** Stable sort: the order within a project stays. */
const byProject = (a: MapRow, b: MapRow): number =>
  a.project_name.toLowerCase().localeCompare(b.project_name.toLowerCase()) ||
  (a.project < b.project ? -1 : a.project > b.project ? 1 : 0);

interface Languages {
  locales: { code?: unknown }[] | null;
  project_languages: string[];
}

/** The languages of a map, or else of its project. */
function languagesOf({ locales, project_languages }: Languages): string[] {
  const own = locales?.map(({ code }) => code).filter((code) => typeof code === 'string') ?? [];
  return own.length ? own : project_languages;
}

function shownMap(row: MapRow): ShownMap {
  const languages = languagesOf(row);
  return {
    project: row.project,
    project_name: row.project_name,
    code: row.code,
    name: shownName(row, languages),
    names: row.localized_name ? row.names : {},
    languages,
    layers: row.layers,
    is_public: row.is_public,
    group_layers: row.group_layers,
    attribution: typeof row.attribution === 'string' ? row.attribution : '',
    ground: row.ground,
    extent: extentOf(row),
  };
}

function mapsSql(caller: Caller, where: Sql, { project, map }: MapQuestion): Sql {
  return sql`
    with m as (
      select m.*, p.code as project, p.name as project_name, p.languages as project_languages, ${publicMayView(sql`m`)} as is_public
      from cartulary.container m join cartulary.project p on p.id = m.project_id
      where m.type = 'map' and ${where} and ${rightOnMap(caller)} >= 1
        ${project === undefined ? empty : sql`and p.code = ${project}`}
        ${map === undefined ? sql`and m.show_pub` : sql`and m.code = ${map}`}
    )
    select m.project, m.project_name, m.project_languages, m.code, m.name, m.names, m.localized_name, m.locales,
      m.group_layers, m.is_public, m.json -> 'attribution' as attribution, tree.layers,
      case jsonb_typeof(m.json -> 'ground') when 'boolean' then (m.json -> 'ground')::boolean
        else (m.css_style = ${defaultMapStyle} or m.css_style !~ 'background-color') and coalesce(m.json -> 'base_layer', 'null') = 'null' end as ground,
      tree.west, tree.south, tree.east, tree.north
    from m cross join lateral (${mapLayersSql(caller)}) tree
    order by lower(m.project_name), m.project, m.sort, m.id`;
}

/** The status and title of a map page: 200 with the name, 403 for a closed map, 404 for an unknown one. */
export async function findMapPage(
  db: Queryable,
  callers: readonly Caller[],
  at: { project: string; map: string; languages: readonly string[] },
): Promise<{ status: 200 | 403 | 404; title: string }> {
  const caller = callers.find(({ project }) => project.code === at.project) ?? anybody;
  const [map] = await db.query<LocalizedName & Languages & { code: string; right: number }>(sql`
    select m.code, m.name, m.names, m.localized_name, m.locales, p.languages as project_languages,
      ${rightOnMap(caller)} as "right"
    from cartulary.container m join cartulary.project p on p.id = m.project_id
    where p.code = ${at.project} and m.type = 'map' and m.code = ${at.map}`);
  if (!map) return { status: 404, title: 'Cartulary' };
  if (map.right < 1) return { status: 403, title: 'Cartulary' };
  const named = Object.keys(map.names).filter((language) => map.names[language]);
  const name = shownName(map, [matchLanguage(at.languages, named), ...languagesOf(map)]);
  return { status: 200, title: `${name || map.code} · Cartulary` };
}
