import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/caller.js';
import { demand, rightOn } from '../access/rights.js';
import { type Container, publicMayView, rightOnMap } from '../containers/containers.js';
import type { Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import type { Column } from '../layers/layers.js';

/** What may change with every request: versions, and what this caller may view. */
export interface MapState {
  id: number;
  version: number;
  has_publication: boolean;
  /** Data version by layer id, of the layers that the caller may view. */
  viewable: ReadonlyMap<number, number>;
}

/** What changes only with the map's version: tree, styles, columns. */
export interface MapContent {
  map: Container;
  layers: ReadonlyMap<number, Container & { columns: readonly Column[] }>;
  /** Ids of items → ids of folders and layers, in the order of the tree: the first is drawn on top. */
  items: readonly { id: number; parent_id: number; selected: boolean; container_id: number }[];
  containerTypes: ReadonlyMap<number, string>;
}

/**
 * The state of a map for a caller, in one query. Read before anything is drawn: a picture made after it shows at least
 * the data of these versions, and an acknowledged write has raised them before its answer was sent. Throws 404, 403.
 */
export async function mapState(
  db: Queryable,
  caller: Caller,
  code: string,
  signal?: AbortSignal,
): Promise<MapState> {
  const rightOnLayer = rightOn(caller, {
    project: sql`m.project_id`,
    map: { id: sql`m.id`, publish: sql`m.publish` },
    layer: sql`l.id`,
  });
  const [row] = await db.query<{
    id: number;
    version: number;
    right: number;
    has_publication: boolean;
    layers: [number, number, number][];
  }>(
    sql`
      select m.id, m.version, ${rightOnMap(caller)} as "right", ${publicMayView(sql`m`)} as has_publication,
        (select coalesce(jsonb_agg(jsonb_build_array(l.id, s.data_version, ${rightOnLayer})), '[]')
          from cartulary.container l join cartulary.layer_state s on s.layer_id = l.id where l.map_id = m.id) as layers
      from cartulary.container m
      where m.project_id = ${caller.project.id} and m.type = 'map' and m.code = ${code}`,
    signal,
  );
  if (!row) throw new ServiceError('map_not_found', `The map '${code}' does not exist`);
  demand(caller, row.right, 'view');
  const viewable = row.layers
    .filter(([, , right]) => right >= 1)
    .map(([id, version]): [number, number] => [id, version]);
  return {
    id: row.id,
    version: row.version,
    has_publication: row.has_publication,
    viewable: new Map(viewable),
  };
}

/** Contents by map id and version. One that is read while the map changes is newer than its version says, which no one asks for again. */
const contents = new LRUCache<string, MapContent>({ max: 200 });

/** The content of a map in the state that was read. */
export async function mapContent(
  db: Queryable,
  state: Pick<MapState, 'id' | 'version'>,
  signal?: AbortSignal,
): Promise<MapContent> {
  const key = `${state.id}/${state.version}`;
  const known = contents.get(key);
  if (known) return known;
  const containers = await db.query<Container & { columns: Column[] }>(
    sql`
      select c.*, (select coalesce(jsonb_agg(to_jsonb(k) order by k.sort, k.id), '[]')
        from cartulary.layer_column k where k.layer_id = c.id) as columns
      from cartulary.container c where c.map_id = ${state.id} order by c.sort, c.id`,
    signal,
  );
  const map = containers.find(({ type }) => type === 'map');
  if (!map) throw new ServiceError('map_not_found');
  const items = map.tree_saved
    ? await db.query<MapContent['items'][number]>(
        sql`select id, parent_id, selected, map_layer_id as container_id from cartulary.publication_item where map_id = ${state.id} order by sort, id`,
        signal,
      )
    : containers
        .filter(({ type }) => type !== 'map')
        .map(({ id, parent_id }) => ({
          id,
          parent_id: parent_id === map.id ? 0 : parent_id!,
          selected: true,
          container_id: id,
        }));
  const content: MapContent = {
    map,
    layers: new Map(containers.filter(({ type }) => type === 'layer').map((layer) => [layer.id, layer])),
    items: depthFirst(items),
    containerTypes: new Map(containers.map(({ id, type }) => [id, type])),
  };
  contents.set(key, content);
  return content;
}

function depthFirst(items: MapContent['items']): MapContent['items'] {
  const ids = new Set(items.map(({ id }) => id));
  const children = new Map<number, MapContent['items'][number][]>();
  for (const item of items) {
    const parent = ids.has(item.parent_id) ? item.parent_id : 0;
    children.set(parent, [...(children.get(parent) ?? []), item]);
  }
  const walk = (parent: number): MapContent['items'][number][] =>
    (children.get(parent) ?? []).flatMap((item) => [item, ...walk(item.id)]);
  return walk(0);
}
