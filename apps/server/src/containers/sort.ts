/** One of the children of a parent. */
export interface Sibling {
  id: number;
  sort: number;
}

/**
 * The ids of a parent's children after `own` was given the place `sort`; their new sorts count from 1. A whole number takes
 * the place of that number, a fraction lies between two, and no number is the last place. `siblings` are the other children
 * in their order; `before` is the old sort of `own` among them.
 */
export function arrange(
  siblings: readonly Sibling[],
  own: { id: number; before?: number | undefined },
  sort: number | undefined,
): number[] {
  const ids = siblings.map(({ id }) => id);
  if (sort === undefined) return [...ids, own.id];
  // A child that moves down leaves a gap, so the one at the wanted place moves up.
  const isMovingDown = own.before !== undefined && sort > own.before;
  const at = siblings.findIndex((sibling) => (isMovingDown ? sibling.sort > sort : sibling.sort >= sort));
  ids.splice(at < 0 ? ids.length : at, 0, own.id);
  return ids;
}
