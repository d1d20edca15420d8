/** One of the things that lie side by side in a parent. */
export interface Sibling {
  id: number;
  sort: number;
}

/**
 * The ids of a parent's children after `own` was given the place `sort`; numbered 1, 2, 3 … they are the new sorts.
 * A whole number takes the place of that number, a fraction lies between, no number is the last place.
 * `siblings` are the others, in their order; `before` is the sort that `own` had among them.
 */
export function arrange(
  siblings: readonly Sibling[],
  own: { id: number; before?: number | undefined },
  sort: number | undefined,
): number[] {
  const ids = siblings.map(({ id }) => id);
  if (sort === undefined) return [...ids, own.id];
  // Whoever moves down leaves a gap behind, so that the one at the place moves up.
  const isMovingDown = own.before !== undefined && sort > own.before;
  const at = siblings.findIndex((sibling) => (isMovingDown ? sibling.sort > sort : sibling.sort >= sort));
  ids.splice(at < 0 ? ids.length : at, 0, own.id);
  return ids;
}
