/** A folder or layer in a tree. */
export interface TreeNode {
  id: number;
  /** 0: child of the root. */
  parent_id: number;
  selected: boolean;
  container_id: number;
}

/** A tree in list order: the first node lies on top. */
export interface LayerTree {
  nodes: ReadonlyMap<number, TreeNode>;
  children: ReadonlyMap<number, readonly TreeNode[]>;
}

/** Builds a tree of nodes in order; nodes without a parent become children of the root. */
export function makeTree(list: readonly TreeNode[]): LayerTree {
  const nodes = new Map(list.map((node) => [node.id, node]));
  const children = new Map<number, TreeNode[]>();
  for (const node of list) {
    const parent = nodes.has(node.parent_id) ? node.parent_id : 0;
    const siblings = children.get(parent);
    if (siblings) siblings.push(node);
    else children.set(parent, [node]);
  }
  return { nodes, children };
}

/** The nodes below a node (0: the root), from the top of the list down. */
export function below({ children }: LayerTree, id: number): TreeNode[] {
  const ordered: TreeNode[] = [];
  const ahead = (children.get(id) ?? []).toReversed();
  for (let node = ahead.pop(); node; node = ahead.pop()) {
    ordered.push(node);
    for (const child of (children.get(node.id) ?? []).toReversed()) ahead.push(child);
  }
  return ordered;
}
