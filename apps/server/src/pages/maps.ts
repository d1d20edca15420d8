import type { Caller } from '../access/caller.js';
import { rightOnLayer, rightOnMap } from '../containers/containers.js';
import { type StoredName, shownName } from '../containers/names.js';
import type { Queryable } from '../db/pool.js';
import { empty, type Sql, sql } from '../db/sql.js';

/** A map that the public may view. */
export interface PublishedMap {
  project: string;
  project_name: string;
  code: string;
  name: string;
  /** Language codes, the main one first. */
  languages: string[];
  /** How many layers of its tree the public may view. */
  layers: number;
  group_layers: number;
  /** Who made the data: the text `attribution` of the map's `json`. */
  attribution: string;
  /** Corners as [latitude, longitude], degrees; null where nothing is known. */
  extent: { sw: [number, number]; ne: [number, number] } | null;
}

/** The public user, of whatever project: `rightOn` takes the project from the statement. */
const publicUser: Caller = {
  project: { id: 0, code: '', languages: ['en'] },
  account: null,
  groupIds: [],
  isPublic: true,
  isInstaller: false,
  session: null,
};

interface MapRow extends StoredName {
  project: string;
  project_name: string;
  project_languages: string[];
  code: string;
  locales: { code?: unknown }[] | null;
  group_layers: number;
  attribution: unknown;
  layers: number;
  west: number | null;
  south: number | null;
  east: number | null;
  north: number | null;
}

export interface MapQuestion {
  lng?: string | undefined;
  /** Codes that narrow the list; a map that is named is listed even if it is not shown in lists. */
  project?: string | undefined;
  map?: string | undefined;
}

/** The maps that the public may view, over all projects. Extents are those of the spatial indexes: quick, and never too small. */
export async function listMaps(db: Queryable, question: MapQuestion): Promise<PublishedMap[]> {
  const rows = await db.query<MapRow>(mapsSql(question));
  return rows.map((row) => {
    const own = row.locales?.map(({ code }) => code).filter((code) => typeof code === 'string') ?? [];
    const languages = own.length ? own : row.project_languages;
    return {
      project: row.project,
      project_name: row.project_name,
      code: row.code,
      name: shownName(row, [question.lng, languages[0]]),
      languages,
      layers: row.layers,
      group_layers: row.group_layers,
      attribution: typeof row.attribution === 'string' ? row.attribution : '',
      extent: extentOf(row),
    };
  });
}

function mapsSql({ project, map }: MapQuestion): Sql {
  const layerRight = rightOnLayer(publicUser, sql`m`, sql`l`);
  return sql`
    with m as (
      select m.*, p.code as project, p.name as project_name, p.languages as project_languages
      from cartulary.container m join cartulary.project p on p.id = m.project_id
      where m.type = 'map' and ${rightOnMap(publicUser)} >= 1
        ${project === undefined ? empty : sql`and p.code = ${project}`}
        ${map === undefined ? sql`and m.show_pub` : sql`and m.code = ${map}`}
    )
    select m.project, m.project_name, m.project_languages, m.code, m.name, m.names, m.localized_name, m.locales,
      m.group_layers, m.json -> 'attribution' as attribution, tree.layers,
      st_xmin(tree.box) as west, st_ymin(tree.box) as south, st_xmax(tree.box) as east, st_ymax(tree.box) as north
    from m cross join lateral (
      select count(*)::integer as layers, st_extent(
        case when t.oid is not null then st_estimatedextent('cartulary_data', t.relname, 'geom')::geometry
          when r.layer_id is not null then st_makeenvelope(r.west, r.south, r.east, r.north) end) as box
      from cartulary.container l
      left join pg_class t on t.relnamespace = 'cartulary_data'::regnamespace and t.relkind = 'r'
        and t.relname = 'layer_' || l.id
      left join cartulary.raster r on r.layer_id = l.id
      where l.map_id = m.id and l.type not in ('map', 'folder') and ${layerRight} >= 1
        and (not m.tree_saved or exists (
          select from cartulary.publication_item i where i.map_id = m.id and i.map_layer_id = l.id))
    ) tree
    order by lower(m.project_name), m.project, m.sort, m.id`;
}

/** The box of a row within the world; null for none. */
function extentOf({ west, south, east, north }: MapRow): PublishedMap['extent'] {
  if (west === null || south === null || east === null || north === null) return null;
  const within = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));
  return {
    sw: [within(south, 90), within(west, 180)],
    ne: [within(north, 90), within(east, 180)],
  };
}

/** What the public sees at the address of a map's page: its name, or that it is closed (403) or not there (404). */
export async function findPage(
  db: Queryable,
  at: { project: string; map: string },
): Promise<{ status: 200 | 403 | 404; title: string }> {
  const [map] = await db.query<StoredName & { code: string; languages: string[]; right: number }>(sql`
    select m.code, m.name, m.names, m.localized_name, p.languages, ${rightOnMap(publicUser)} as "right"
    from cartulary.container m join cartulary.project p on p.id = m.project_id
    where p.code = ${at.project} and m.type = 'map' and m.code = ${at.map}`);
  if (!map) return { status: 404, title: 'Cartulary' };
  if (map.right < 1) return { status: 403, title: 'Cartulary' };
  return { status: 200, title: `${shownName(map, map.languages) || map.code} · Cartulary` };
}
