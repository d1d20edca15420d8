import type { TreeNode, TreeRow } from './tree.js';

export type TreeMove =
  | { kind: 'toggle' }
  | { kind: 'fold'; fold: boolean }
  /** Index of the row that gets the focus. */
  | { kind: 'go'; to: number };

interface TreePlace {
  rows: readonly TreeRow[];
  at: number;
  folded: ReadonlySet<number>;
}

const go = (to: number): TreeMove => ({ kind: 'go', to });

/** The action of a key in the tree (ARIA Authoring Practices, tree view); undefined for other keys. */
export function moveInTree(key: string, { rows, at, folded }: TreePlace): TreeMove | undefined {
  const node = rows[at]?.node;
  if (!node) return undefined;
  const isOpen = node.children.length > 0 && !folded.has(node.item.id);
  switch (key) {
    case ' ':
    case 'Enter':
      return { kind: 'toggle' };
    case 'ArrowDown':
      return go(Math.min(at + 1, rows.length - 1));
    case 'ArrowUp':
      return go(Math.max(at - 1, 0));
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'ArrowRight':
      if (!node.children.length) return undefined;
      return isOpen ? go(at + 1) : { kind: 'fold', fold: false };
    case 'ArrowLeft':
      return isOpen ? { kind: 'fold', fold: true } : goToParent(rows, node.parent);
    default:
      return key.length === 1 ? goToLetter(key, rows, at) : undefined;
  }
}

function goToParent(rows: readonly TreeRow[], parent: TreeNode | null): TreeMove | undefined {
  const to = rows.findIndex((row) => row.node === parent);
  return to < 0 ? undefined : go(to);
}

/** Moves to the next row whose name begins with the letter. */
function goToLetter(letter: string, rows: readonly TreeRow[], at: number): TreeMove | undefined {
  const begins = ({ node }: TreeRow): boolean =>
    (node.item.name || node.item.code).toLocaleLowerCase().startsWith(letter.toLocaleLowerCase());
  for (let i = 1; i <= rows.length; i++) {
    const to = (at + i) % rows.length;
    if (begins(rows[to]!)) return go(to);
  }
  return undefined;
}
