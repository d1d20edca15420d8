import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/caller.js';
import { onceSeen } from '../access/once-seen.js';
import { demand } from '../access/rights.js';
import {
  type Container,
  dataVersion,
  isCode,
  mapNotFound,
  publicMayView,
  rightOnLayer,
  rightOnMap,
} from '../containers/containers.js';
import type { Database, Queryable, Snapshot } from '../db/pool.js';
import { sql } from '../db/sql.js';
import type { IconFiles } from '../icons/icons.js';
import { type Column, holdsObjects, isExternal, isRaster, type QueryProblem } from '../layers/layers.js';
import { freshenClasses, hasStaleClasses } from '../layers/visual/visual.js';
import type { DrawnRaster } from './raster-source.js';

/** What may change with every request: versions, and what this caller may view. */
export interface MapState {
  id: number;
  version: number;
  project_id: number;
  /** Of the project's icons. */
  icons_version: number;
  has_publication: boolean;
  /** Data version by layer id, of the layers that the caller may view. */
  viewable: ReadonlyMap<number, number>;
}

/** A layer as far as it decides what is drawn. */
export interface SourceLayer
  extends Pick<Container, 'id' | 'type' | 'code' | 'css_style' | 'render_settings'>,
    Partial<Pick<Container, 'visual_settings' | 'visual_custom_settings' | 'visual_classes'>> {
  columns: readonly Pick<Column, 'id' | 'code' | 'type' | 'localized_value'>[];
  /** 1: the client draws it as vectors. */
  render_type?: number;
  vector_settings?: { popupColumn?: number } | null;
  /** The image of a raster layer; null before its first import. */
  raster?: DrawnRaster | null;
  /** The settings of an external layer. */
  json?: Record<string, unknown> | null;
  /** Why the query of a virtual layer cannot be run. */
  problem?: QueryProblem | null;
}

/** A folder or layer in a tree. */
export interface TreeNode {
  id: number;
  /** 0: the root. */
  parent_id: number;
  selected: boolean;
  container_id: number;
}

/** What changes only with the map's version: trees, styles, columns. */
export interface MapContent {
  css_style: string;
  /** Of the map as a whole. */
  render_settings?: Record<string, unknown>;
  /** The layer that lies under all others, `json.base_layer` of the map. */
  base_layer?: number | undefined;
  /** Layers in folders of `tiles_quality` 1: drawn with a limited palette where nothing else is asked for. */
  limited?: ReadonlySet<number>;
  /** Icon name → file, of all that a style can name. */
  icons: ReadonlyMap<string, string>;
  layers: ReadonlyMap<number, SourceLayer>;
  /** The map's own tree: ids are those of containers. */
  whole: Tree;
  /** The publication tree; the whole one before it was saved. */
  published: Tree;
}

/** A tree in the order of its list: the first lies on top. */
export interface Tree {
  nodes: ReadonlyMap<number, TreeNode>;
  children: ReadonlyMap<number, readonly TreeNode[]>;
}

/**
 * The state of a map for a caller, in one query, with the classes of its visualizations made. Read before anything is drawn: a picture made after it shows at least
 * the data of these versions, and an acknowledged write has raised them before its answer was sent. `at`: it may be as old as
 * this. Throws 404, 403.
 */
export const mapState = (db: Database, caller: Caller, code: string, at?: Snapshot): Promise<MapState> =>
  seen(caller, at, code, () => freshState(db, caller, code, at));

const seen = onceSeen<MapState>();

async function freshState(db: Database, caller: Caller, code: string, at?: Snapshot): Promise<MapState> {
  const { state, stale } = await readState(db, caller, code, at);
  if (!stale.length) return state;
  await freshenClasses(db, stale);
  return (await readState(db, caller, code)).state;
}

/** `stale`: layers whose classes must be made anew before they are drawn. */
async function readState(
  db: Queryable,
  caller: Caller,
  code: string,
  at?: Snapshot,
): Promise<{ state: MapState; stale: number[] }> {
  if (!isCode(code)) throw mapNotFound(code);
  const [row] = await db.recall<{
    id: number;
    version: number;
    project_id: number;
    icons_version: number;
    right: number;
    has_publication: boolean;
    layers: [id: number, version: number, right: number, isStale: boolean][];
  }>(
    sql`
      select m.id, m.version, m.project_id,
        (select p.icons_version from cartulary.project p where p.id = m.project_id) as icons_version,
        ${rightOnMap(caller)} as "right", ${publicMayView(sql`m`)} as has_publication,
        (select coalesce(jsonb_agg(jsonb_build_array(
            l.id, ${dataVersion(sql`l`)}, ${rightOnLayer(caller, sql`m`, sql`l`)}, ${hasStaleClasses(sql`l`, sql`s`)})), '[]')
          from cartulary.container l left join cartulary.layer_state s on s.layer_id = l.id
          where l.map_id = m.id and l.type not in ('map', 'folder')) as layers
      from cartulary.container m
      where m.project_id = ${caller.project.id} and m.type = 'map' and m.code = ${code}`,
    at,
  );
  if (!row) throw mapNotFound(code);
  demand(caller, row.right, 'view');
  const viewable = row.layers.filter(([, , right]) => right >= 1);
  const state = {
    id: row.id,
    version: row.version,
    project_id: row.project_id,
    icons_version: row.icons_version,
    has_publication: row.has_publication,
    viewable: new Map(viewable.map(([id, version]): [number, number] => [id, version])),
  };
  return { state, stale: viewable.filter(([, , , isStale]) => isStale).map(([id]) => id) };
}

export type ReadContent = (
  state: Pick<MapState, 'id' | 'version' | 'project_id' | 'icons_version'>,
  signal?: AbortSignal,
) => Promise<MapContent>;

/** Characters of styles that are kept in memory. */
const keptCharacters = 32 * 1024 * 1024;

/**
 * Reads contents, kept by map id and versions. One that is read while the map changes is newer than its version says;
 * it does no harm, since nobody reads the old version once the new one is there.
 */
export function createContentReader(db: Queryable, icons: Pick<IconFiles, 'of'>): ReadContent {
  const contents = new LRUCache<string, MapContent>({ maxSize: keptCharacters, sizeCalculation: sizeOf });
  return async (state, signal) => {
    const key = `${state.id}/${state.version}/${state.icons_version}`;
    const known = contents.get(key);
    if (known) return known;
    const content = {
      ...(await readContent(db, state.id, signal)),
      icons: await icons.of(state.project_id, state.icons_version),
    };
    contents.set(key, content);
    return content;
  };
}

function sizeOf({ css_style, layers, published }: MapContent): number {
  let size = 1000 + css_style.length + 200 * published.nodes.size;
  for (const layer of layers.values()) size += 500 + layer.css_style.length + 200 * layer.columns.length;
  return size;
}

type ContainerRow = SourceLayer &
  Pick<Container, 'type' | 'parent_id' | 'tree_saved' | 'tiles_quality' | 'json'>;

async function readContent(
  db: Queryable,
  mapId: number,
  signal?: AbortSignal,
): Promise<Omit<MapContent, 'icons'>> {
  const containers = await db.query<ContainerRow>(
    sql`
      select c.id, c.parent_id, c.type, c.code, c.css_style, c.render_settings, c.render_type, c.vector_settings,
        c.visual_settings, c.visual_custom_settings, c.visual_classes,
        c.tree_saved, c.tiles_quality, case when c.type in ('map', 'external') then c.json else '{}' end as json,
        (select coalesce(jsonb_agg(jsonb_build_object(
            'id', k.id, 'code', k.code, 'type', k.type, 'localized_value', k.localized_value) order by k.id), '[]')
          from cartulary.layer_column k where k.layer_id = c.id) as columns,
        (select jsonb_build_object('processed', r.processed, 'kind', r.kind, 'bands', r.bands)
          from cartulary.raster r where r.layer_id = c.id) as raster,
        (select q.problem from cartulary.layer_query q where q.layer_id = c.id) as problem
      from cartulary.container c where c.map_id = ${mapId} order by c.sort, c.id`,
    signal,
  );
  const map = containers.find(({ type }) => type === 'map');
  if (!map) throw mapNotFound('');
  const own = containers.filter(({ type }) => type !== 'map');
  const whole = makeTree(
    own.map(({ id, parent_id }) => ({
      id,
      parent_id: parent_id === mapId ? 0 : parent_id!,
      selected: true,
      container_id: id,
    })),
  );
  const published = map.tree_saved
    ? makeTree(
        await db.query<TreeNode>(
          sql`select id, parent_id, selected, map_layer_id as container_id from cartulary.publication_item where map_id = ${mapId} order by sort, id`,
          signal,
        ),
      )
    : whole;
  const layers = own.filter(
    (container) => holdsObjects(container) || isRaster(container) || isExternal(container),
  );
  const base = map.json.base_layer;
  return {
    css_style: map.css_style,
    render_settings: map.render_settings,
    base_layer: typeof base === 'number' ? base : undefined,
    limited: limitedIn(own, whole),
    layers: new Map(layers.map((layer) => [layer.id, layer])),
    whole,
    published,
  };
}

/** What lies in folders of `tiles_quality` 1, at any depth. */
const limitedIn = (own: readonly ContainerRow[], whole: Tree): ReadonlySet<number> =>
  new Set(
    own
      .filter(({ type, tiles_quality }) => type === 'folder' && tiles_quality === 1)
      .flatMap(({ id }) => below(whole, id).map((node) => node.container_id)),
  );

/** A tree of nodes that come in order; those whose parent is missing stand at the root. */
export function makeTree(list: readonly TreeNode[]): Tree {
  const nodes = new Map(list.map((node) => [node.id, node]));
  const children = new Map<number, TreeNode[]>();
  for (const node of list) {
    const parent = nodes.has(node.parent_id) ? node.parent_id : 0;
    const siblings = children.get(parent);
    if (siblings) siblings.push(node);
    else children.set(parent, [node]);
  }
  return { nodes, children };
}

/** What lies below a node (0: the root), from the top of the list down. */
export function below({ children }: Tree, id: number): TreeNode[] {
  const ordered: TreeNode[] = [];
  const ahead = (children.get(id) ?? []).toReversed();
  for (let node = ahead.pop(); node; node = ahead.pop()) {
    ordered.push(node);
    for (const child of (children.get(node.id) ?? []).toReversed()) ahead.push(child);
  }
  return ordered;
}
