import type { LocalizedName } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { empty, type Sql, sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import { mainLanguage } from '../access/caller.js';
import { type Container, lockTree, type MapContainer, rightOnLayer, touchMap } from './containers.js';
import { shownName } from './names.js';
import { arrange, type Sibling } from './sort.js';

export { lockTree } from './containers.js';
export { checkPublication, type PublicationItem, savePublicationTree } from './publication.js';

/** An item of a layer tree. It shows a container under an id, parent and check mark of its own. */
export interface TreeItem {
  id: number;
  /** 0: the root of a publication tree. */
  parent_id: number;
  sort: number;
  selected: boolean;
  icon: string;
  container: TreeContainer;
}

/** What trees show of a folder or layer, with the caller's right on it. */
export type TreeContainer = Pick<
  Container,
  | keyof LocalizedName
  | 'id'
  | 'type'
  | 'code'
  | 'parent_id'
  | 'sort'
  | 'selected'
  | 'icon'
  | 'render_type'
  | 'style_mode'
  | 'view_format_type'
> & {
  right: number;
  /** Settings of an external layer. */
  json?: Container['json'];
  /** Where it was asked for. */
  css_style?: string;
};

/** What an answer holds beside the usual fields of a tree. */
interface TreeOptions {
  returnsCss?: boolean;
}

/** The caller's right on the layer `c` of the map `m`. */
const rightOnListed = (caller: Caller): Sql => rightOnLayer(caller, sql`m`, sql`c`);

/** The folders of a map and the layers that the caller may view. */
const viewable = (
  db: Queryable,
  caller: Caller,
  map: MapContainer,
  { returnsCss = false }: TreeOptions = {},
): Promise<TreeContainer[]> =>
  db.query<TreeContainer>(sql`
    with listed as materialized (
      select c.id, c.type, c.code, c.name, c.names, c.localized_name, c.parent_id, c.sort, c.selected, c.icon, c.render_type,
        c.style_mode, c.view_format_type, case when c.type = 'external' then c.json end as json,
        ${returnsCss ? sql`c.css_style, ` : empty}case when c.type = 'folder' then ${map.right} else ${rightOnListed(caller)} end as "right"
      from cartulary.container c join cartulary.container m on m.id = c.map_id
      where c.map_id = ${map.id} and c.type <> 'map')
    select * from listed where "right" >= 1 or type = 'folder' order by sort, id`);

/** All folders and viewable layers of a map, parents before their children. */
export async function fullTree(
  db: Queryable,
  caller: Caller,
  map: MapContainer,
  options?: TreeOptions,
): Promise<TreeItem[]> {
  const containers = await viewable(db, caller, map, options);
  const items = containers.map((container) => ({
    id: container.id,
    parent_id: container.parent_id!,
    sort: container.sort,
    selected: container.selected,
    icon: container.icon,
    container,
  }));
  return below(makeTree(items, map.id), map.id);
}

/** The saved publication tree; before the first save, the whole tree with every layer selected. */
export async function publicationTree(
  db: Queryable,
  caller: Caller,
  map: MapContainer,
  options?: TreeOptions,
): Promise<TreeItem[]> {
  if (!map.tree_saved) {
    const whole = await fullTree(db, caller, map, options);
    return whole.map((item) => ({
      ...item,
      selected: true,
      parent_id: item.parent_id === map.id ? 0 : item.parent_id,
    }));
  }
  const viewed = await viewable(db, caller, map, options);
  const containers = new Map(viewed.map((container) => [container.id, container]));
  const rows = await db.query<Omit<TreeItem, 'container'> & { map_layer_id: number }>(sql`
    select id, parent_id, sort, selected, map_layer_id, icon from cartulary.publication_item where map_id = ${map.id} order by sort, id`);
  const parents = new Map(rows.map((row) => [row.id, row.parent_id]));
  const shown = new Set(rows.filter((row) => containers.has(row.map_layer_id)).map(({ id }) => id));
  /** The nearest ancestor that the caller may view: children of a hidden item move up to it. */
  const shownParent = (id: number): number => {
    let at = parents.get(id) ?? 0;
    while (at !== 0 && !shown.has(at)) at = parents.get(at) ?? 0;
    return at;
  };
  const items = rows.flatMap(({ map_layer_id, ...item }) => {
    const container = containers.get(map_layer_id);
    if (!container) return [];
    return [{ ...item, parent_id: shownParent(item.id), icon: item.icon || container.icon, container }];
  });
  return below(makeTree(items), 0);
}

/** A tree in list order: the first node lies on top. */
export interface LayerTree<Node> {
  nodes: ReadonlyMap<number, Node>;
  children: ReadonlyMap<number, readonly Node[]>;
}

/** Builds a tree of nodes in order; nodes without their parent become children of the root. */
export function makeTree<Node extends { id: number; parent_id: number }>(
  list: readonly Node[],
  root = 0,
): LayerTree<Node> {
  const nodes = new Map(list.map((node) => [node.id, node]));
  const children = new Map<number, Node[]>();
  for (const node of list) {
    const parent = nodes.has(node.parent_id) ? node.parent_id : root;
    const siblings = children.get(parent);
    if (siblings) siblings.push(node);
    else children.set(parent, [node]);
  }
  return { nodes, children };
}

/** The nodes below a node or the root, parents before their children, from the top of the list down. */
export function below<Node extends { id: number }>({ children }: LayerTree<Node>, id: number): Node[] {
  const ordered: Node[] = [];
  const ahead = (children.get(id) ?? []).toReversed();
  for (let node = ahead.pop(); node; node = ahead.pop()) {
    ordered.push(node);
    for (const child of (children.get(node.id) ?? []).toReversed()) ahead.push(child);
  }
  return ordered;
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
    ...(container.type === 'folder' ? { view_format_type: container.view_format_type } : {}),
    ...(container.style_mode >= 3 ? { style_mode: container.style_mode } : {}),
  };
}

/** The range of the database type integer. */
const isId = (id: number): boolean => Number.isInteger(id) && Math.abs(id) < 2 ** 31;

/** The id of the parent of a folder or layer: the map itself or one of its folders. Throws 404 `container_not_found`. */
export async function findParent(
  db: Queryable,
  map: Pick<MapContainer, 'id'>,
  parentId: number | undefined,
): Promise<number> {
  if (parentId === undefined || parentId === map.id) return map.id;
  const [parent] = isId(parentId)
    ? await db.query(sql`
        select from cartulary.container where id = ${parentId} and map_id = ${map.id} and type = 'folder'`)
    : [];
  if (!parent)
    throw new ServiceError('container_not_found', `parent_id ${parentId} is no map or folder of this map`, {
      parent_id: parentId,
    });
  return parentId;
}

/**
 * Gives a container its place among the children of its parent, last without `sort`, and numbers them 1, 2, 3 … `before` is
 * its old sort in this same parent.
 */
export async function placeInParent(
  tx: Queryable,
  own: { id: number; parentId: number; before?: number | undefined },
  sort: number | undefined,
): Promise<void> {
  const siblings = await tx.query<Sibling>(sql`
    select id, sort from cartulary.container where parent_id = ${own.parentId} and id <> ${own.id} order by sort, id`);
  const ids = arrange(siblings, own, sort);
  await tx.query(sql`
    update cartulary.container c set sort = place.sort
    from unnest(${ids}::integer[]) with ordinality as place (id, sort) where c.id = place.id and c.sort <> place.sort`);
}

/** A place in the tree of a map. */
export interface TreePlace {
  /** The folder or layer that is moved. */
  id: number;
  /** The map or a folder of it. */
  parent_id: number;
  sort?: number;
}

/**
 * Moves a folder or layer within the tree of its map, last in its parent without `sort`. Throws 404 for one that is not in the
 * map, 403 for a layer that the caller may not edit, 400 for a folder that would lie in itself.
 */
export async function moveContainer(
  tx: Queryable,
  caller: Caller,
  map: MapContainer,
  { id, parent_id, sort }: TreePlace,
): Promise<void> {
  await lockTree(tx, map.id);
  const own = (await viewable(tx, caller, map)).find((one) => one.id === id);
  if (!own) throw new ServiceError('container_not_found', `${id} is no folder or layer of this map`, { id });
  if (own.right < 2) throw new ServiceError('forbidden', 'You may not edit the layer');
  const parentId = await findParent(tx, map, parent_id);
  if (await liesIn(tx, parentId, id))
    throw badRequest('A folder cannot be moved into itself', { parameters: ['parent_id'] });
  const isMoving = parentId !== own.parent_id;
  if (isMoving) await tx.query(sql`update cartulary.container set parent_id = ${parentId} where id = ${id}`);
  await placeInParent(tx, { id, parentId, before: isMoving ? undefined : own.sort }, sort);
  await touchMap(tx, map.id);
}

/** Whether a container is `ancestorId` or lies in it. */
async function liesIn(tx: Queryable, id: number, ancestorId: number): Promise<boolean> {
  const [found] = await tx.query(sql`
    with recursive above as (
      select id, parent_id from cartulary.container where id = ${id}
      union all select c.id, c.parent_id from cartulary.container c join above a on c.id = a.parent_id
    )
    select from above where id = ${ancestorId}`);
  return found !== undefined;
}

/** Whether a folder holds a layer that the caller may not edit. */
export async function holdsForbidden(tx: Queryable, caller: Caller, folderId: number): Promise<boolean> {
  const [forbidden] = await tx.query(sql`
    with recursive inside as (
      select id, type, map_id from cartulary.container where parent_id = ${folderId}
      union all select c.id, c.type, c.map_id from cartulary.container c join inside i on c.parent_id = i.id
    )
    select from inside c join cartulary.container m on m.id = c.map_id
    where c.type <> 'folder' and ${rightOnListed(caller)} < 2 limit 1`);
  return forbidden !== undefined;
}
