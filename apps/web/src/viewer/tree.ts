/** An item of the publication tree, as the service sends it. */
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
  /** 1: the client draws the layer from vector data. */
  render_type?: number;
  /** 3 and above: a visualization, which has a legend. */
  style_mode?: number;
  /** Folders: 0 expanded, 1 collapsed, 2 radio buttons. */
  view_format_type?: number;
  render_settings?: { minZoom?: number; maxZoom?: number };
}

export interface TreeNode {
  item: TreeItem;
  parent: TreeNode | null;
  children: TreeNode[];
  /** The layers at and below this node, in the order of the tree. */
  leaves: TreeItem[];
}

export type CheckState = boolean | 'mixed';

/** Ids of the layer items that are switched on. */
export type Checked = ReadonlySet<number>;

/** Builds the tree. An item whose parent is not in the list becomes a root. */
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

/** Whether a node is `ancestor` or lies in it. */
export function isUnder(node: TreeNode | null, ancestor: TreeNode): boolean {
  for (let at = node; at; at = at.parent) if (at === ancestor) return true;
  return false;
}

function collectLeaves(node: TreeNode): TreeItem[] {
  node.leaves = node.item.type === 'folder' ? node.children.flatMap(collectLeaves) : [node.item];
  return node.leaves;
}

/** The tree of a map that is shown as one layer: a root that switches all layers. */
export function asSingleLayer(roots: readonly TreeNode[], name: string): TreeNode[] {
  const leaves = roots.flatMap((root) => root.leaves).filter((leaf) => leaf.selected);
  if (!leaves.length) return [];
  const item: TreeItem = { ...leaves[0]!, id: -1, type: 'folder', code: '', name, icon: '' };
  return [{ item, parent: null, children: [], leaves }];
}

/** The layers in the order of the tree, topmost first. */
export const leavesOf = (roots: readonly TreeNode[]): TreeItem[] => roots.flatMap((root) => root.leaves);

/** Ids of the layers that the map shows at the start. */
export const initiallyChecked = (roots: readonly TreeNode[]): Checked =>
  new Set(
    leavesOf(roots)
      .filter((leaf) => leaf.selected)
      .map((leaf) => leaf.id),
  );

/** Whether a folder allows one visible child at a time. */
const isRadioFolder = (item: TreeItem): boolean => item.type === 'folder' && item.view_format_type === 2;

/** Whether the node is a radio button: its folder allows one visible child. */
export const isRadio = (node: TreeNode): boolean => node.parent !== null && isRadioFolder(node.parent.item);

/**
 * The state of a node: true when all of its layers are on (in a radio folder: one child), 'mixed' when only some are.
 */
export function checkState(node: TreeNode, checked: Checked): CheckState {
  const states: CheckState[] = node.children.length
    ? node.children.map((child) => checkState(child, checked))
    : node.leaves.map((leaf) => checked.has(leaf.id));
  if (states.every((state) => state === false)) return false;
  if (isRadioFolder(node.item)) return states.includes(true) || 'mixed';
  return states.every((state) => state === true) || 'mixed';
}

/** The layers that are switched on with a node; of a radio folder only the first child. */
function switchedOn(node: TreeNode): TreeItem[] {
  if (!node.children.length) return node.leaves;
  const children = isRadioFolder(node.item) ? node.children.slice(0, 1) : node.children;
  return children.flatMap(switchedOn);
}

/** The state after a click: a node that is not fully on is switched on. A radio button switches its siblings off. */
export function toggled(node: TreeNode, checked: Checked): Checked {
  const next = new Set(checked);
  const switchOff = (leaves: readonly TreeItem[]): void => {
    for (const leaf of leaves) next.delete(leaf.id);
  };
  if (checkState(node, checked) === true) {
    switchOff(node.leaves);
    return next;
  }
  for (let at: TreeNode | null = node; at; at = at.parent) {
    if (!isRadio(at)) continue;
    for (const other of at.parent!.children) if (other !== at) switchOff(other.leaves);
  }
  if (isRadioFolder(node.item)) switchOff(node.leaves);
  for (const leaf of switchedOn(node)) next.add(leaf.id);
  return next;
}

/** Switches a layer on by its code. Returns `checked` if the layer is on or not in the tree. */
export function withLayer(roots: readonly TreeNode[], code: string, checked: Checked): Checked {
  const isIt = (leaf: TreeItem): boolean => leaf.code === code;
  if (leavesOf(roots).some((leaf) => isIt(leaf) && checked.has(leaf.id))) return checked;
  // The lowest node that contains the layer. In a map shown as one layer this is the root.
  let found = roots.find(({ leaves }) => leaves.some(isIt));
  for (let next = found; next; next = found?.children.find(({ leaves }) => leaves.some(isIt))) found = next;
  return found ? toggled(found, checked) : checked;
}

/** Ids of folders that are collapsed at the start. */
export const initiallyFolded = (items: readonly TreeItem[]): ReadonlySet<number> =>
  new Set(items.filter((item) => item.view_format_type === 1).map((item) => item.id));

export interface TreeRow {
  node: TreeNode;
  /** 1 at the root. */
  level: number;
  position: number;
  siblings: number;
}

/** The visible rows when the folders in `folded` are collapsed. */
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
