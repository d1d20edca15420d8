import { badRequest, ServiceError } from '../errors.js';
import { below, type MapContent } from './sources.js';

/**
 * The layers of a request from bottom to top. `named` are ids in drawing order, the first at the bottom, each of a layer
 * of the map, else of an item of the publication tree, else of a folder; an item or folder without a layer of its own
 * stands for the layers in it, of which the first in the tree lies on top. undefined: the selected layers of the
 * publication tree. A layer that is named twice is drawn once, at its first place. Layers that may not be viewed are left
 * out, or 403 where they are named themselves. Throws 400 for an id that is not in the map.
 */
export function drawnLayers(
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

/** The layers with the map's base layer under all of them, or, where the base is not asked for, without it. */
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
  /** Not just within a folder. */
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
