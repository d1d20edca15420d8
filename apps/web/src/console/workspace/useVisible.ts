import { useMemo, useState } from 'react';
import { type Checked, leavesOf, type TreeItem, type TreeNode, toggled } from '../../viewer/tree.js';
import type { PublishedItem } from './useWorkspace.js';

export interface Visible {
  checked: Checked;
  /** Visible layers, topmost first. */
  layers: readonly TreeItem[];
  toggle: (node: TreeNode) => void;
}

/** The layers that the map shows: at first as its page does, and those that the page does not have. */
export function useVisible(roots: readonly TreeNode[], published: readonly PublishedItem[]): Visible {
  const [switched, setSwitched] = useState<ReadonlyMap<number, boolean>>(new Map());
  const leaves = useMemo(() => leavesOf(roots), [roots]);
  const initial = useMemo(() => {
    const off = new Set(published.filter(({ selected }) => !selected).map((item) => item.map_layer_id));
    return new Set(leaves.map(({ id }) => id).filter((id) => !off.has(id)));
  }, [leaves, published]);
  const layers = useMemo(
    () => leaves.filter(({ id }) => switched.get(id) ?? initial.has(id)),
    [leaves, initial, switched],
  );
  const checked = useMemo(() => new Set(layers.map(({ id }) => id)), [layers]);
  const toggle = (node: TreeNode): void => {
    const next = toggled(node, checked);
    setSwitched((before) => new Map([...before, ...leaves.map(({ id }) => [id, next.has(id)] as const)]));
  };
  return { checked, layers, toggle };
}
