import type { Extent } from '../../common/types.js';
import type { WorkspaceItem } from './useWorkspace.js';

/** The extent of layers together; null: none has a geometry. */
export function extentOfItems(items: readonly WorkspaceItem[]): Extent | null {
  const boxes = items.flatMap(({ bbox }) => (bbox ? [bbox] : []));
  if (!boxes.length) return null;
  const least = (corner: 'sw' | 'ne', axis: 0 | 1): number[] => boxes.map((box) => box[corner][axis]!);
  return {
    sw: [Math.min(...least('sw', 0)), Math.min(...least('sw', 1))],
    ne: [Math.max(...least('ne', 0)), Math.max(...least('ne', 1))],
  };
}
