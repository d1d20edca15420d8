import { isUnder, type TreeNode } from '../../../viewer/tree.js';

/** A place in the tree, as the service takes it. */
export interface Move {
  id: number;
  parent_id: number;
  /** Halves lie between two siblings; the last place when absent. */
  sort?: number;
}

/** Where an item is dropped on a row. */
export type Zone = 'before' | 'into' | 'after';

export const directions = ['up', 'down', 'in', 'out'] as const;
export type Direction = (typeof directions)[number];

export const isDirection = (action: string): action is Direction =>
  (directions as readonly string[]).includes(action);

const beside = (node: TreeNode, sibling: TreeNode, by: number): Move => ({
  id: node.item.id,
  parent_id: sibling.item.parent_id,
  sort: sibling.item.sort + by,
});

/** The move of an item by one step; null where there is none. */
export function stepMove(node: TreeNode, roots: readonly TreeNode[], direction: Direction): Move | null {
  const siblings = node.parent?.children ?? roots;
  const at = siblings.indexOf(node);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  if (direction === 'up') return before ? beside(node, before, -0.5) : null;
  if (direction === 'down') return after ? beside(node, after, 0.5) : null;
  if (direction === 'out') return node.parent ? beside(node, node.parent, 0.5) : null;
  return before?.item.type === 'folder' ? { id: node.item.id, parent_id: before.item.id } : null;
}

/** The move of an item that is dropped on a row; null where it cannot lie there. */
export function dropMove(node: TreeNode, target: TreeNode, zone: Zone): Move | null {
  if (isUnder(target, node)) return null;
  if (zone === 'into') return { id: node.item.id, parent_id: target.item.id };
  return beside(node, target, zone === 'before' ? -0.5 : 0.5);
}

/** The part of a row at `share` of its height, 0 at the top. The middle of a folder is its inside. */
export function zoneAt(share: number, isFolder: boolean): Zone {
  if (isFolder && share > 0.28 && share < 0.72) return 'into';
  return share < 0.5 ? 'before' : 'after';
}
