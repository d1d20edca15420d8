import type { Caller } from '../access/caller.js';
import { mainLanguage } from '../access/caller.js';
import { rightOn } from '../access/rights.js';
import type { Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import { type Container, type MapContainer, touchMap } from './containers.js';
import { shownName } from './names.js';

/** An item of a layer tree: the container it shows, under its own id, parent and check mark. */
export interface TreeItem {
  id: number;
  /** 0: the root of a publication tree. */
  parent_id: number;
  sort: number;
  selected: boolean;
  icon: string;
  container: Container;
}

/** Locks the map against other changes of its tree until the transaction ends. */
export async function lockTree(tx: Queryable, mapId: number): Promise<void> {
  await tx.query(sql`select from cartulary.container where id = ${mapId} for update`);
}

/** The folders of a map and the layers that the caller may view. */
async function viewable(db: Queryable, caller: Caller, map: MapContainer): Promise<Container[]> {
  const right = rightOn(caller, {
    project: sql`m.project_id`,
    map: { id: sql`m.id`, publish: sql`m.publish` },
    layer: sql`c.id`,
  });
  return db.query<Container>(sql`
    select c.* from cartulary.container c join cartulary.container m on m.id = c.map_id
    where c.map_id = ${map.id} and c.type <> 'map' and (c.type = 'folder' or ${right} >= 1)
    order by c.sort, c.id`);
}

/** All folders and viewable layers of a map, each container before what it holds. */
export async function fullTree(db: Queryable, caller: Caller, map: MapContainer): Promise<TreeItem[]> {
  const containers = await viewable(db, caller, map);
  return depthFirst(
    containers.map((container) => ({
      id: container.id,
      parent_id: container.parent_id!,
      sort: container.sort,
      selected: container.selected,
      icon: container.icon,
      container,
    })),
    map.id,
  );
}

/** The publication tree as it was saved; before that the whole tree, every layer selected. */
export async function publicationTree(db: Queryable, caller: Caller, map: MapContainer): Promise<TreeItem[]> {
  if (!map.tree_saved) {
    const whole = await fullTree(db, caller, map);
    return whole.map((item) => ({
      ...item,
      selected: true,
      parent_id: item.parent_id === map.id ? 0 : item.parent_id,
    }));
  }
  const containers = new Map((await viewable(db, caller, map)).map((container) => [container.id, container]));
  const rows = await db.query<Omit<TreeItem, 'container'> & { map_layer_id: number }>(sql`
    select id, parent_id, sort, selected, map_layer_id, icon from cartulary.publication_item where map_id = ${map.id} order by sort, id`);
  const ids = new Set(rows.map((row) => row.id));
  const items = rows.flatMap(({ map_layer_id, ...item }) => {
    const container = containers.get(map_layer_id);
    const parent_id = ids.has(item.parent_id) ? item.parent_id : 0;
    return container ? [{ ...item, parent_id, icon: item.icon || container.icon, container }] : [];
  });
  return depthFirst(items, 0);
}

/** Items in the order of a table of contents. Items whose parent is missing come as children of the root. */
function depthFirst(items: readonly TreeItem[], root: number): TreeItem[] {
  const ids = new Set(items.map((item) => item.id));
  const children = new Map<number, TreeItem[]>();
  for (const item of items) {
    const parent = ids.has(item.parent_id) ? item.parent_id : root;
    children.set(parent, [...(children.get(parent) ?? []), item]);
  }
  const walk = (parent: number): TreeItem[] =>
    (children.get(parent) ?? []).flatMap((item) => [item, ...walk(item.id)]);
  return walk(root);
}

/** A tree item in the structure of the interface. */
export function itemView(item: TreeItem, caller: Caller, lng: string | undefined): Record<string, unknown> {
  const { container, ...own } = item;
  return {
    id: own.id,
    type: container.type,
    code: container.code,
    name: shownName(container, [lng, mainLanguage(caller)]),
    sort: own.sort,
    parent_id: own.parent_id,
    selected: own.selected,
    map_layer_id: container.id,
    icon: own.icon,
    render_type: container.render_type,
  };
}

/** An item of the publication tree as it is sent. */
export interface PublicationItem {
  id: number;
  parent_id: number;
  map_layer_id: number;
  sort?: number;
  selected?: boolean;
  icon?: string;
}

/** Puts a new publication tree in the place of the old one. Throws 400 that names the item which is wrong; the old tree stays then. */
export async function savePublicationTree(
  tx: Queryable,
  map: MapContainer,
  items: readonly PublicationItem[],
): Promise<void> {
  await lockTree(tx, map.id);
  const known = await tx.query<{ id: number }>(
    sql`select id from cartulary.container where map_id = ${map.id} and type <> 'map'`,
  );
  checkPublication(items, new Set(known.map((row) => row.id)));
  const row = (item: PublicationItem, i: number): unknown[] => [
    item.id,
    item.parent_id,
    item.sort ?? i + 1,
    item.selected ?? true,
    item.map_layer_id,
    item.icon ?? '',
  ];
  const columns = items.map(row);
  const column = (i: number): unknown[] => columns.map((values) => values[i]);
  await tx.query(sql`delete from cartulary.publication_item where map_id = ${map.id}`);
  await tx.query(sql`
    insert into cartulary.publication_item (map_id, id, parent_id, sort, selected, map_layer_id, icon)
    select ${map.id}::integer, * from unnest(${column(0)}::bigint[], ${column(1)}::bigint[], ${column(2)}::integer[],
      ${column(3)}::boolean[], ${column(4)}::integer[], ${column(5)}::text[])`);
  await tx.query(sql`update cartulary.container set tree_saved = true where id = ${map.id}`);
  await touchMap(tx, map.id);
}

/** What is wrong with a publication tree, thrown as 400: a repeated id, an unknown parent or layer, a cycle. */
export function checkPublication(items: readonly PublicationItem[], layerIds: ReadonlySet<number>): void {
  const parents = new Map<number, number>();
  for (const item of items) {
    const wrong = (why: string): ServiceError => badRequest(`Item ${item.id}: ${why}`, { item: item.id });
    if (item.id < 1) throw wrong('id must be 1 or more');
    if (parents.has(item.id)) throw wrong('the id is repeated');
    if (!layerIds.has(item.map_layer_id))
      throw wrong(`map_layer_id ${item.map_layer_id} is no folder or layer of this map`);
    parents.set(item.id, item.parent_id);
  }
  const rooted = new Set<number>([0]);
  for (const { id } of items) {
    const path = new Set<number>();
    let at = id;
    while (!rooted.has(at)) {
      if (path.has(at)) throw badRequest(`Item ${at}: it is its own ancestor`, { item: at });
      path.add(at);
      const parent = parents.get(at)!;
      if (parent !== 0 && !parents.has(parent))
        throw badRequest(`Item ${at}: parent_id ${parent} is no item of the tree`, { item: at });
      at = parent;
    }
    for (const done of path) rooted.add(done);
  }
}

/** The parent for a folder or layer: the map itself, or a folder of it. Throws 404 `container_not_found`. */
export async function findParent(
  db: Queryable,
  map: MapContainer,
  parentId: number | undefined,
): Promise<number> {
  if (parentId === undefined || parentId === map.id) return map.id;
  const [parent] = await db.query(sql`
    select from cartulary.container where id = ${parentId} and map_id = ${map.id} and type = 'folder'`);
  if (!parent)
    throw new ServiceError('container_not_found', `parent_id ${parentId} is no map or folder of this map`, {
      parent_id: parentId,
    });
  return parentId;
}

/** Throws 400 when `folderId` would come to lie in itself. */
export async function refuseCycle(tx: Queryable, folderId: number, parentId: number): Promise<void> {
  const [inside] = await tx.query(sql`
    with recursive up as (
      select id, parent_id from cartulary.container where id = ${parentId}
      union all select c.id, c.parent_id from cartulary.container c join up on c.id = up.parent_id
    ) select from up where id = ${folderId}`);
  if (inside) throw badRequest('A folder cannot lie in itself', { parent_id: parentId });
}

/** Puts a container among its siblings: before the first whose sort is not less, or last; then numbers them 1, 2, 3 … */
export async function placeInParent(
  tx: Queryable,
  id: number,
  parentId: number,
  sort: number | undefined,
): Promise<void> {
  const siblings = await tx.query<{ id: number; sort: number }>(sql`
    select id, sort from cartulary.container where parent_id = ${parentId} and id <> ${id} order by sort, id`);
  const at = sort === undefined ? -1 : siblings.findIndex((sibling) => sibling.sort >= sort);
  const ids = siblings.map((sibling) => sibling.id);
  ids.splice(at < 0 ? ids.length : at, 0, id);
  await tx.query(sql`
    update cartulary.container c set sort = place.sort
    from unnest(${ids}::integer[]) with ordinality as place (id, sort) where c.id = place.id and c.sort <> place.sort`);
}
