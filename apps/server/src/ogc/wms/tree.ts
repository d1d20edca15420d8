import { scaleLimits } from '@cartulary/cartocss';
import { legendOf } from '@cartulary/visualizations';
import type { LayerBbox } from '../../layers/bbox.js';
import { holdsObjects } from '../../layers/layers.js';
import { visualOf } from '../../layers/visual/visual.js';
import { type ServedMap, type ShownContainer, shownBox } from '../common/map-layers.js';

/** A folder or layer of a service. */
export interface WmsNode {
  name: string;
  title: string;
  /** Degrees: west, south, east, north. */
  box: readonly [number, number, number, number];
  isQueryable: boolean;
  /** Scale denominators; absent: no limit. */
  scales: { min: number | undefined; max: number | undefined };
  /** Entries of its legend; 0: a folder, which has none. */
  entries: number;
  children: readonly WmsNode[];
}

interface TreeParts extends Pick<ServedMap, 'content' | 'layers'> {
  names: ReadonlyMap<number, ShownContainer>;
  boxes: ReadonlyMap<number, LayerBbox>;
}

/** The deepest zoom level of tiles, from which a layer has no limit. */
const deepest = 24;

/** The nodes of the publication tree with layers that the caller may view. */
export function nodesOf({ content, layers, names, boxes }: TreeParts): WmsNode[] {
  const waiting = new Set(layers);
  const childrenOf = (parent: number, depth: number): WmsNode[] =>
    (content.published.children.get(parent) ?? []).flatMap((node) => {
      const shown = names.get(node.container_id);
      if (!shown) return [];
      if (content.layers.has(node.container_id))
        // A layer that lies in the tree twice has one name.
        return waiting.delete(node.container_id) ? [layerNode(node.container_id, shown)] : [];
      const children = depth < 50 ? childrenOf(node.id, depth + 1) : [];
      return children.length ? [folderNode(shown, children)] : [];
    });
  return childrenOf(0, 0);

  function layerNode(id: number, { code, title }: ShownContainer): WmsNode {
    const layer = content.layers.get(id)!;
    const { minZoom = 0, maxZoom = deepest } = layer.render_settings;
    const limits = scaleLimits(Math.ceil(minZoom), Math.floor(maxZoom));
    return {
      name: code,
      title,
      box: shownBox([boxes.get(id) ?? null]),
      isQueryable: holdsObjects(layer),
      scales: { max: limits.max, min: maxZoom >= deepest ? undefined : limits.min },
      entries: entriesOf(layer),
      children: [],
    };
  }
}

/** Entries of the legend of a layer. */
function entriesOf(layer: Parameters<typeof visualOf>[0]): number {
  const visual = visualOf(layer);
  return visual ? Math.max(1, legendOf(visual).classes.length) : 1;
}

const folderNode = ({ code, title }: ShownContainer, children: readonly WmsNode[]): WmsNode => ({
  name: code,
  title,
  box: joined(children),
  isQueryable: children.some(({ isQueryable }) => isQueryable),
  scales: { min: undefined, max: undefined },
  entries: 0,
  children,
});

/** The box around all nodes. */
export function joined(nodes: readonly Pick<WmsNode, 'box'>[]): WmsNode['box'] {
  if (!nodes.length) return [-180, -90, 180, 90];
  return nodes
    .map(({ box }) => box)
    .reduce((a, b) => [
      Math.min(a[0], b[0]),
      Math.min(a[1], b[1]),
      Math.max(a[2], b[2]),
      Math.max(a[3], b[3]),
    ]);
}
