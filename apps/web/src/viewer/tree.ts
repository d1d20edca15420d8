/** An item of the publication tree as the service lists it. */
export interface TreeItem {
  id: number;
  type: 'folder' | 'layer' | 'virtual' | 'material' | 'raster' | 'external';
  code: string;
  name: string;
  sort: number;
  parent_id: number;
  selected: boolean;
  map_layer_id: number;
  icon: string;
  /** 1: this page draws the layer itself. */
  render_type?: number;
  /** From 3: a visualization, which has a legend. */
  style_mode?: number;
  /** Folders: 0 a tree, 1 collapsed, 2 one choice at a time. */
  view_format_type?: number;
  render_settings?: { minZoom?: number; maxZoom?: number };
}

export interface TreeNode {
  item: TreeItem;
  parent: TreeNode | null;
  children: TreeNode[];
  /** The layers at and under this node, in the order of the tree. */
  leaves: TreeItem[];
}

export type CheckState = boolean | 'mixed';

/** Ids of the layer items that are switched on. */
export type Checked = ReadonlySet<number>;

/** The items as a tree in their order; an item whose parent is not listed stands at the root. */
export function buildTree(items: readonly TreeItem[]): TreeNode[] {
  const nodes = new Map(items.map((item) => [item.id, nodeOf(item)]));
  const roots: TreeNode[] = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(node.item.parent_id);
    if (parent && parent.item.type === 'folder' && !isUnder(parent, node)) {
      node.parent = parent;
      parent.children.push(node);
    } else {
      roots.push(node);
    }
  }
  for (const node of nodes.values()) node.children.sort(bySort);
  roots.sort(bySort);
  for (const root of roots) collectLeaves(root);
  return roots;
}

const nodeOf = (item: TreeItem): TreeNode => ({ item, parent: null, children: [], leaves: [] });
const bySort = (a: TreeNode, b: TreeNode): number => a.item.sort - b.item.sort;

function isUnder(node: TreeNode | null, ancestor: TreeNode): boolean {
  for (let at = node; at; at = at.parent) if (at === ancestor) return true;
  return false;
}

function collectLeaves(node: TreeNode): TreeItem[] {
  node.leaves = node.item.type === 'folder' ? node.children.flatMap(collectLeaves) : [node.item];
  return node.leaves;
}

/** A map that is shown as a single layer: one mark for all of its layers. */
export function asSingleLayer(roots: readonly TreeNode[], name: string): TreeNode[] {
  const leaves = roots.flatMap((root) => root.leaves).filter((leaf) => leaf.selected);
  if (!leaves.length) return [];
  const item: TreeItem = { ...leaves[0]!, id: -1, type: 'folder', code: '', name, icon: '' };
  return [{ item, parent: null, children: [], leaves }];
}

/** The layers in the order of the tree: the first lies on top. */
export const leavesOf = (roots: readonly TreeNode[]): TreeItem[] => roots.flatMap((root) => root.leaves);

/** What is switched on at the start. */
export const initiallyChecked = (roots: readonly TreeNode[]): Checked =>
  new Set(
    leavesOf(roots)
      .filter((leaf) => leaf.selected)
      .map((leaf) => leaf.id),
  );

/** Whether only one of a folder's children is on at a time. */
const isChoiceFolder = (item: TreeItem): boolean => item.type === 'folder' && item.view_format_type === 2;

/** Whether the node is one of a group in which one choice is made at a time. */
export const isChoice = (node: TreeNode): boolean => node.parent !== null && isChoiceFolder(node.parent.item);

/** Whether a node is on: a folder when all of it is (one of it, where one choice is made), 'mixed' when some is. */
export function checkState(node: TreeNode, checked: Checked): CheckState {
  const states: CheckState[] = node.children.length
    ? node.children.map((child) => checkState(child, checked))
    : node.leaves.map((leaf) => checked.has(leaf.id));
  if (states.every((state) => state === false)) return false;
  if (isChoiceFolder(node.item)) return states.includes(true) || 'mixed';
  return states.every((state) => state === true) || 'mixed';
}

/** The layers that go on with a node: of a choice the first. */
function switchedOn(node: TreeNode): TreeItem[] {
  if (!node.children.length) return node.leaves;
  const children = isChoiceFolder(node.item) ? node.children.slice(0, 1) : node.children;
  return children.flatMap(switchedOn);
}

/** The marks after a node is switched: what is not wholly on goes on; a choice puts the others of its group off. */
export function toggled(node: TreeNode, checked: Checked): Checked {
  const next = new Set(checked);
  const putOff = (leaves: readonly TreeItem[]): void => {
    for (const leaf of leaves) next.delete(leaf.id);
  };
  if (checkState(node, checked) === true) {
    putOff(node.leaves);
    return next;
  }
  for (let at: TreeNode | null = node; at; at = at.parent) {
    if (!isChoice(at)) continue;
    for (const other of at.parent!.children) if (other !== at) putOff(other.leaves);
  }
  if (isChoiceFolder(node.item)) putOff(node.leaves);
  for (const leaf of switchedOn(node)) next.add(leaf.id);
  return next;
}

/** The marks with a layer switched on, by its code; the same where it is on or not in the tree. */
export function withLayer(roots: readonly TreeNode[], code: string, checked: Checked): Checked {
  const isIt = (leaf: TreeItem): boolean => leaf.code === code;
  if (leavesOf(roots).some((leaf) => isIt(leaf) && checked.has(leaf.id))) return checked;
  // The lowest node that holds it: itself, but for a map that is shown as a single layer.
  let found = roots.find(({ leaves }) => leaves.some(isIt));
  for (let next = found; next; next = found?.children.find(({ leaves }) => leaves.some(isIt))) found = next;
  return found ? toggled(found, checked) : checked;
}

/** Folders that start folded. */
export const initiallyFolded = (items: readonly TreeItem[]): ReadonlySet<number> =>
  new Set(items.filter((item) => item.view_format_type === 1).map((item) => item.id));

export interface TreeRow {
  node: TreeNode;
  /** 1 at the root. */
  level: number;
  position: number;
  siblings: number;
}

/** The rows that show while `folded` folders are closed. */
export function visibleRows(
  roots: readonly TreeNode[],
  folded: ReadonlySet<number>,
  level = 1,
): readonly TreeRow[] {
  return roots.flatMap((node, i) => [
    { node, level, position: i + 1, siblings: roots.length },
    ...(folded.has(node.item.id) ? [] : visibleRows(node.children, folded, level + 1)),
  ]);
}
