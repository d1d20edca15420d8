import type { ColumnDetails } from '@cartulary/client';
import {
  columnResizingFeature,
  columnSizingFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { TableRow, TableSort } from '../rows/source.js';

const features = tableFeatures({ columnSizingFeature, columnResizingFeature, rowSortingFeature });
// The service sorts and slices: the rows are in `RowStore`.
const noRows: TableRow[] = [];

/** Widths of new columns by type, pixels. */
const widths: Readonly<Record<string, number>> = {
  number: 120,
  datetime: 150,
  bool: 100,
  text: 260,
  file: 160,
};
const usualWidth = 180;

/** Codes of the columns that every table begins with. */
export const idColumn = 'svc_id';
export const geometryColumn = 'geom';

/** Whether lists can be sorted by a column. */
const isSortable = ({ type }: ColumnDetails): boolean => type !== 'json';

/** The columns of a table with their widths and the order of the rows. */
export function useColumns(
  columns: readonly ColumnDetails[],
  sort: TableSort | null,
  onSort: (sort: TableSort | null) => void,
) {
  const definitions = useMemo(
    () => [
      { id: idColumn, size: 110, minSize: 70, enableSorting: true },
      { id: geometryColumn, size: 78, minSize: 78, enableSorting: false, enableResizing: false },
      ...columns.map((column) => ({
        id: column.code,
        size: widths[column.type] ?? usualWidth,
        minSize: 60,
        maxSize: 900,
        enableSorting: isSortable(column),
      })),
    ],
    [columns],
  );
  const sorting = useMemo<SortingState>(
    () => (sort ? [{ id: sort.code, desc: sort.descending }] : []),
    [sort],
  );
  return useTable({
    features,
    columns: definitions.map((one) => ({ ...one, accessorFn: ({ id }: TableRow) => id })),
    data: noRows,
    columnResizeMode: 'onChange',
    manualSorting: true,
    enableMultiSort: false,
    sortDescFirst: false,
    state: { sorting },
    onSortingChange: (update) => {
      const [first] = typeof update === 'function' ? update(sorting) : update;
      onSort(first ? { code: first.id, descending: first.desc } : null);
    },
  });
}

export type GridTable = ReturnType<typeof useColumns>;
