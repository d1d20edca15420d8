import { layerTraits } from '../layers/styles/traits.js';
import type { Services } from '../services.js';
import { layerItem } from './translate.js';

type Item = Record<string, unknown>;

interface ItemOptions {
  isTree: boolean;
  /** The projection of extents. */
  sr?: '4326' | '3857';
  signal: AbortSignal;
}

/**
 * Adds the kind of geometry, the extent and the second icon to layers and tree items. Folders stay unchanged.
 */
export async function layerItems(
  { db }: Services,
  items: readonly Item[],
  { isTree, sr = '4326', signal }: ItemOptions,
): Promise<Item[]> {
  const ids = items.map((item) => item.map_layer_id as number);
  const traits = await layerTraits(db, ids, sr, signal);
  return items.map((item) => {
    const known = traits.get(item.map_layer_id as number);
    return known && item.type !== 'folder' ? layerItem(item, known, isTree) : item;
  });
}
