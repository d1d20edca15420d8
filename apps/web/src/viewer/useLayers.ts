import { useMemo, useState } from 'react';
import {
  asSingleLayer,
  buildTree,
  type Checked,
  initiallyChecked,
  initiallyFolded,
  leavesOf,
  type TreeItem,
  type TreeNode,
  toggled,
  withLayer,
} from './tree.js';

export interface Layers {
  roots: readonly TreeNode[];
  checked: Checked;
  folded: ReadonlySet<number>;
  /** The layers that are on, the topmost first. */
  visible: readonly TreeItem[];
  toggle: (node: TreeNode) => void;
  fold: (id: number, fold: boolean) => void;
  /** Switches a layer on, by its code. */
  show: (code: string) => void;
}

/** The layers of the map and which are on; `singleName` names the one layer as which a map is shown. Names may change with the language, marks stay. */
export function useLayers(items: readonly TreeItem[], singleName: string | null): Layers {
  const whole = useMemo(() => buildTree(items), [items]);
  const roots = useMemo(
    () => (singleName === null ? whole : asSingleLayer(whole, singleName)),
    [whole, singleName],
  );
  const [checked, setChecked] = useState<Checked>(() => initiallyChecked(roots));
  const [folded, setFolded] = useState<ReadonlySet<number>>(() => initiallyFolded(items));
  const visible = useMemo(() => leavesOf(roots).filter((leaf) => checked.has(leaf.id)), [roots, checked]);
  return {
    roots,
    checked,
    folded,
    visible,
    toggle: (node) => setChecked((before) => toggled(node, before)),
    show: (code) => setChecked((before) => withLayer(roots, code, before)),
    fold: (id, fold) =>
      setFolded((before) => {
        const next = new Set(before);
        if (fold) next.add(id);
        else next.delete(id);
        return next;
      }),
  };
}
