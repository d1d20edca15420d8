import type { PublishedItem, WorkspaceItem } from '../useWorkspace.js';

/** How the map page has an item: visible at the start, switched off at the start, or not at all. */
export type Publication = 'shown' | 'listed' | 'hidden';

export function publicationOf(published: readonly PublishedItem[], id: number): Publication {
  const item = published.find((one) => one.map_layer_id === id);
  if (!item) return 'hidden';
  return item.selected ? 'shown' : 'listed';
}

/** An item as the service takes it. */
type SentItem = Pick<PublishedItem, 'id' | 'parent_id' | 'map_layer_id' | 'selected' | 'sort'> & {
  icon?: string;
};

/**
 * The publication tree after a change of one folder or layer, which takes what lies in a folder with it. Everything else
 * stays as it is.
 */
export function withPublication(
  tree: { published: readonly PublishedItem[]; items: readonly WorkspaceItem[] },
  id: number,
  publication: Publication,
): SentItem[] {
  const { published, items } = tree;
  const ids = idsUnder(items, id);
  if (publication === 'hidden') {
    const gone = new Set(published.filter((one) => ids.has(one.map_layer_id)).map((one) => one.id));
    return published
      .filter((one) => !gone.has(one.id) && !gone.has(one.parent_id))
      .map((one) => sent(one, items));
  }
  const selected = publication === 'shown';
  const kept = published.map((one) =>
    ids.has(one.map_layer_id) ? { ...sent(one, items), selected } : sent(one, items),
  );
  const missing = items.filter(
    (item) => ids.has(item.id) && !kept.some((one) => one.map_layer_id === item.id),
  );
  for (const item of missing) {
    const parent = kept.find((one) => one.map_layer_id === item.parent_id);
    kept.push({
      id: Math.max(0, ...kept.map((one) => one.id)) + 1,
      parent_id: parent?.id ?? 0,
      map_layer_id: item.id,
      selected,
      sort: Math.max(0, ...kept.map((one) => one.sort)) + 1,
    });
  }
  return kept;
}

/** An item and everything in it: parents come before their children. */
function idsUnder(items: readonly WorkspaceItem[], id: number): ReadonlySet<number> {
  const ids = new Set([id]);
  for (const item of items) if (ids.has(item.parent_id)) ids.add(item.id);
  return ids;
}

/** An icon that is the layer's own is not made the item's. */
function sent(
  { id, parent_id, map_layer_id, selected, sort, icon }: PublishedItem,
  items: readonly WorkspaceItem[],
): SentItem {
  const own = items.find((item) => item.id === map_layer_id)?.icon;
  return { id, parent_id, map_layer_id, selected, sort, ...(icon && icon !== own ? { icon } : {}) };
}
