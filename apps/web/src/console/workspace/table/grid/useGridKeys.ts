import type { KeyboardEvent } from 'react';

/** A cell: row -1 is the header, column 0 the id. */
export interface GridPlace {
  row: number;
  column: number;
}

interface GridExtent {
  rows: number;
  columns: number;
  /** Rows that fit into the view. */
  pageRows: number;
}

/** The cell that a key moves to, by the grid pattern of ARIA; null: the key does not move. */
export function moveFor(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: GridPlace,
  { rows, columns, pageRows }: GridExtent,
): GridPlace | null {
  const isWhole = ctrlKey || metaKey;
  const within = (place: GridPlace): GridPlace => ({
    row: Math.min(rows - 1, Math.max(-1, place.row)),
    column: Math.min(columns - 1, Math.max(0, place.column)),
  });
  switch (key) {
    case 'ArrowUp':
      return within({ row: isWhole ? 0 : row - 1, column });
    case 'ArrowDown':
      return within({ row: isWhole ? rows - 1 : row + 1, column });
    case 'ArrowLeft':
      return within({ row, column: isWhole ? 0 : column - 1 });
    case 'ArrowRight':
      return within({ row, column: isWhole ? columns - 1 : column + 1 });
    case 'PageUp':
      return within({ row: Math.max(0, row - pageRows), column });
    case 'PageDown':
      return within({ row: row + pageRows, column });
    case 'Home':
      return within({ row: isWhole ? 0 : row, column: 0 });
    case 'End':
      return within({ row: isWhole ? rows - 1 : row, column: columns - 1 });
    default:
      return null;
  }
}
