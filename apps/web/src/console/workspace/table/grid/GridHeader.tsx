import type { ColumnDetails } from '@cartulary/client';
import type { VirtualItem } from '@tanstack/react-virtual';
import type { ReactNode } from 'react';
import { IconArrowDown, IconArrowUp } from '../../../../common/icons.js';
import { useTableTexts } from '../useTableTexts.js';
import classes from './grid.module.css';
import { type GridTable, geometryColumn, idColumn } from './useColumns.js';
import type { GridPlace } from './useGridKeys.js';

type GridHeaderCell = ReturnType<GridTable['getFlatHeaders']>[number];

interface GridHeaderProps {
  id: string;
  headers: readonly GridHeaderCell[];
  columns: readonly ColumnDetails[];
  shown: readonly VirtualItem[];
  active: GridPlace;
  onActive: (place: GridPlace) => void;
}

/** The titles of the columns; a click sorts by one, its right edge is dragged to another width. */
export function GridHeader({ id, headers, columns, shown, active, onActive }: GridHeaderProps): ReactNode {
  const texts = useTableTexts();
  const titles: Readonly<Record<string, string>> = {
    [idColumn]: texts.idTitle,
    [geometryColumn]: texts.geometryTitle,
  };
  const titleOf = (code: string): string => {
    const column = columns.find((one) => one.code === code);
    return column ? column.name || column.code : titles[code]!;
  };
  return (
    <div className={classes.header} role="rowgroup">
      <div className={classes.headerRow} role="row" aria-rowindex={1}>
        {shown.map(({ index, start, size }) => {
          const header = headers[index];
          if (!header) return null;
          const title = titleOf(header.id);
          const sorted = header.column.getIsSorted();
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus and the keys
            <div
              key={header.id}
              id={`${id}-1-${index}`}
              className={classes.title}
              role="columnheader"
              aria-colindex={index + 1}
              aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined}
              data-active={(active.row < 0 && active.column === index) || undefined}
              data-first={index === 0 || undefined}
              data-sortable={header.column.getCanSort() || undefined}
              style={index === 0 ? { width: size } : { left: start, width: size }}
              title={title === header.id ? title : `${title} (${header.id})`}
              onClick={() => {
                onActive({ row: -1, column: index });
                if (header.column.getCanSort()) header.column.toggleSorting();
              }}
            >
              <span className={classes.titleText}>{title}</span>
              {sorted && (sorted === 'asc' ? <IconArrowUp size={16} /> : <IconArrowDown size={16} />)}
              {header.column.getCanResize() && (
                // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Shift with an arrow key does the same
                <span
                  className={classes.edge}
                  onMouseDown={header.getResizeHandler()}
                  onTouchStart={header.getResizeHandler()}
                  onClick={(event) => event.stopPropagation()}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
