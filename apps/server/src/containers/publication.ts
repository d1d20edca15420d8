import type { Queryable } from '@cartulary/database';
import { badRequest, type ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { lockTree, type MapContainer, touchMap } from './containers.js';
import { checkStorable } from './limits.js';

/** An item of a publication tree as sent. */
export interface PublicationItem {
  id: number;
  parent_id: number;
  map_layer_id: number;
  sort?: number;
  selected?: boolean;
  icon?: string;
}

/**
 * Replaces the publication tree, and puts the map's search settings (`json.search`) into use. Throws 400 with the wrong item;
 * the old tree then stays.
 */
export async function savePublicationTree(
  tx: Queryable,
  map: Pick<MapContainer, 'id'>,
  items: readonly PublicationItem[],
): Promise<void> {
  await lockTree(tx, map.id);
  const known = await tx.query<{ id: number }>(
    sql`select id from cartulary.container where map_id = ${map.id} and type <> 'map'`,
  );
  checkPublication(items, new Set(known.map((row) => row.id)));
  const rows = items.map((item, i): unknown[] => [
    item.id,
    item.parent_id,
    item.sort ?? i + 1,
    item.selected ?? true,
    item.map_layer_id,
    item.icon ?? '',
  ]);
  const column = (i: number): unknown[] => rows.map((values) => values[i]);
  await tx.query(sql`delete from cartulary.publication_item where map_id = ${map.id}`);
  await tx.query(sql`
    insert into cartulary.publication_item (map_id, id, parent_id, sort, selected, map_layer_id, icon)
    select ${map.id}::integer, * from unnest(${column(0)}::bigint[], ${column(1)}::bigint[], ${column(2)}::double precision[],
      ${column(3)}::boolean[], ${column(4)}::integer[], ${column(5)}::text[])`);
  await tx.query(
    sql`update cartulary.container set tree_saved = true, search = json -> 'search' where id = ${map.id}`,
  );
  await touchMap(tx, map.id);
}

/** Throws 400 for a wrong publication tree: a repeated id, an unknown parent or layer, a cycle. */
export function checkPublication(items: readonly PublicationItem[], layerIds: ReadonlySet<number>): void {
  const parents = new Map<number, number>();
  for (const item of items) {
    const wrong = (why: string): ServiceError => badRequest(`Item ${item.id}: ${why}`, { item: item.id });
    if (!Number.isSafeInteger(item.id) || item.id < 1) throw wrong('id must be a whole number from 1');
    if (parents.has(item.id)) throw wrong('the id is repeated');
    if (!layerIds.has(item.map_layer_id))
      throw wrong(`map_layer_id ${item.map_layer_id} is no folder or layer of this map`);
    checkStorable({ icon: item.icon });
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
