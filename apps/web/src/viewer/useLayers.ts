import { useCallback, useMemo, useState } from 'react';
import { readAddress } from './addressState.js';
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
  /** Visible layers, topmost first. */
  visible: readonly TreeItem[];
  toggle: (node: TreeNode) => void;
  fold: (id: number, fold: boolean) => void;
  /** Switches a layer on, by its code. */
  show: (code: string) => void;
  /** Differences from the map's initial state. */
  changes: Changes;
  setChanges: (changes: Changes) => void;
}

/** Codes of layers that are switched on or off, other than at the start. */
export interface Changes {
  on: readonly string[];
  off: readonly string[];
}

/**
 * The layer tree and its state. With `singleName` the map is shown as one layer of that name.
 * The state survives a change of the language, which changes the names of `items`.
 */
export function useLayers(items: readonly TreeItem[], singleName: string | null): Layers {
  const whole = useMemo(() => buildTree(items), [items]);
  const roots = useMemo(
    () => (singleName === null ? whole : asSingleLayer(whole, singleName)),
    [whole, singleName],
  );
  const [checked, setChecked] = useState<Checked>(() => withChanges(roots, readAddress(location.search)));
  const [folded, setFolded] = useState<ReadonlySet<number>>(() => initiallyFolded(items));
  const visible = useMemo(() => leavesOf(roots).filter((leaf) => checked.has(leaf.id)), [roots, checked]);
  return {
    roots,
    checked,
    folded,
    visible,
    changes: useMemo(() => changesOf(roots, checked), [roots, checked]),
    setChanges: useCallback((changes: Changes) => setChecked(withChanges(roots, changes)), [roots]),
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

/** The initial state with changes; codes that are not in the tree are ignored. */
function withChanges(roots: readonly TreeNode[], { on, off }: Changes): Checked {
  const initial = initiallyChecked(roots);
  const isOn = ({ id, code }: TreeItem): boolean =>
    initial.has(id) ? !off.includes(code) : on.includes(code);
  return new Set(
    leavesOf(roots)
      .filter(isOn)
      .map(({ id }) => id),
  );
}

function changesOf(roots: readonly TreeNode[], checked: Checked): Changes {
  const initial = initiallyChecked(roots);
  const codes = (isChanged: (leaf: TreeItem) => boolean): string[] => [
    ...new Set(
      leavesOf(roots)
        .filter(isChanged)
        .map(({ code }) => code),
    ),
  ];
  return {
    on: codes(({ id }) => checked.has(id) && !initial.has(id)),
    off: codes(({ id }) => !checked.has(id) && initial.has(id)),
  };
}
