import { badRequest, ServiceError } from '@cartulary/errors';
import { below } from '../../containers/tree.js';
import type { MapContent } from './map-content.js';

/**
 * The layers of a request, bottom to top.
 * `named`: ids in drawing order. An id is a layer of the map, else an item of the publication tree, else a folder. Items
 * and folders without a layer stand for the layers in them; the first in the tree lies on top. undefined: the selected
 * layers of the publication tree. A repeated layer counts once, at its first position. Layers that the caller may not
 * view are left out; a named one throws 403. Throws 400 for an id that is not in the map.
 */
export function visibleLayers(
  named: readonly number[] | undefined,
  viewable: { has(id: number): boolean },
  content: MapContent,
): number[] {
  const ids = named ? [...new Set(named)].flatMap((id) => standsFor(id, content)) : selected(content);
  const drawn: number[] = [];
  for (const { id, isNamed } of ids) {
    if (viewable.has(id)) drawn.push(id);
    else if (isNamed) throw new ServiceError('forbidden', 'A layer of the request may not be viewed');
  }
  return [...new Set(drawn)];
}

/** The layers above the map's base layer; without the base layer when the request excludes it. */
export function withBase(
  ids: readonly number[],
  isAsked: boolean,
  viewable: { has(id: number): boolean },
  { base_layer: base, layers }: Pick<MapContent, 'base_layer' | 'layers'>,
): number[] {
  if (base === undefined || !layers.has(base)) return [...ids];
  const others = ids.filter((id) => id !== base);
  return isAsked && viewable.has(base) ? [base, ...others] : others;
}

interface Standing {
  id: number;
  /** Whether the request names it, rather than its folder. */
  isNamed: boolean;
}

function selected({ published, layers }: MapContent): Standing[] {
  return below(published, 0)
    .filter((node) => node.selected && layers.has(node.container_id))
    .map((node) => ({ id: node.container_id, isNamed: false }))
    .reverse();
}

function standsFor(id: number, { layers, published, whole }: MapContent): Standing[] {
  if (layers.has(id)) return [{ id, isNamed: true }];
  const item = published.nodes.get(id);
  if (item && layers.has(item.container_id)) return [{ id: item.container_id, isNamed: true }];
  const tree = item ? published : whole;
  if (!tree.nodes.has(id))
    throw badRequest(`There is no layer ${id} in this map`, { parameters: ['layers'], layer: id });
  return below(tree, id)
    .filter((node) => layers.has(node.container_id))
    .map((node) => ({ id: node.container_id, isNamed: false }))
    .reverse();
}
