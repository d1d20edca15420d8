import type { ColumnDetails } from '@cartulary/client';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
} from 'react';
import { isCommandKey } from '../../../isCommandKey.js';
import type { RowStore } from '../rows/RowStore.js';
import type { SketchStore } from '../rows/sketches.js';
import type { TableRow, TableSort } from '../rows/source.js';
import { GridHeader } from './GridHeader.js';
import { GridRow } from './GridRow.js';
import classes from './grid.module.css';
import { useColumns } from './useColumns.js';
import { type GridPlace, moveFor } from './useGridKeys.js';
import { headerPx, rowPx, useGridScroll } from './useGridScroll.js';

/** How a row is pointed at: alone, added to the selection, or all from the last one to it. */
export type SelectHow = 'one' | 'toggle' | 'range';

export interface GridProps {
  label: string;
  store: RowStore;
  sketches: SketchStore;
  columns: readonly ColumnDetails[];
  sort: TableSort | null;
  onSort: (sort: TableSort | null) => void;
  active: GridPlace;
  onActive: (place: GridPlace) => void;
  selected: ReadonlySet<number>;
  onSelect: (row: number, how: SelectHow) => void;
  onSelectAll: () => void;
  /** Called for Enter, F2 and a double click. */
  onOpen: (place: GridPlace) => void;
  /** Called for other keys; a key that is handled is prevented. */
  onKey?: (event: KeyboardEvent, place: GridPlace) => void;
  /** A row that is scrolled to the middle when `token` changes. */
  shown: { row: number; token: number };
  /** What a cell shows in place of its value, such as an editor. */
  renderCell?: (row: TableRow, column: ColumnDetails) => ReactNode;
}

/** What the grid shows: its columns with their widths, and the rows and columns in view. */
function useGridView(props: GridProps) {
  const { store, columns, sort, onSort, active, shown } = props;
  const element = useRef<HTMLDivElement>(null);
  const headers = useColumns(columns, sort, onSort).getFlatHeaders();
  const sizes = headers.map((header) => header.getSize()).join(' ');
  const widths = useMemo(() => sizes.split(' ').map(Number), [sizes]);
  const count = store.total ?? 0;
  const scroll = useGridScroll(element, { rows: count, widths });
  const rows = scroll.rows.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  useEffect(() => store.show(first, last), [store, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another active cell scrolls
  useEffect(() => scroll.reveal(active.row, active.column), [active]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another wish scrolls
  useEffect(() => {
    if (shown.token) scroll.center(shown.row);
  }, [shown.token]);
  const shownColumns = scroll.columns.getVirtualItems();
  const isDrawn = ({ row, column }: GridPlace): boolean =>
    (row < 0 || (row >= first && row <= last && rows.length > 0)) &&
    shownColumns.some(({ index }) => index === column);
  return { element, headers, count, scroll, rows, shownColumns, isDrawn };
}

/** The cell that the pointer is at. */
function cellAt(event: MouseEvent): GridPlace | null {
  const cell = (event.target as Element).closest<HTMLElement>('[data-row]');
  return cell ? { row: Number(cell.dataset.row), column: Number(cell.dataset.column) } : null;
}

/** What keys and pointer do in the grid. */
function gridEvents(props: GridProps, { element, headers, count }: ReturnType<typeof useGridView>) {
  const { active, onActive, onSelect, onOpen } = props;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== element.current) return;
    const pageRows = Math.max(1, Math.floor((element.current.clientHeight - headerPx) / rowPx) - 1);
    const next = moveFor(event, active, { rows: count, columns: headers.length, pageRows });
    if (next && !event.altKey && !(event.shiftKey && active.row < 0)) {
      event.preventDefault();
      onActive(next);
      if (event.shiftKey) onSelect(next.row, 'range');
    } else handleKey(event, { ...props, headers });
  };
  const onClick = (event: MouseEvent): void => {
    const place = cellAt(event);
    if (!place) return;
    onActive(place);
    onSelect(place.row, howOf(event));
  };
  const onDoubleClick = (event: MouseEvent): void => {
    const place = cellAt(event);
    if (place) onOpen(place);
  };
  return { onKeyDown, onClick, onDoubleClick };
}

/** The rows of a table as a grid of ARIA. The focus is on the grid, which names its active cell. */
export function Grid(props: GridProps): ReactNode {
  const { store, columns, active, selected } = props;
  const id = useId();
  const view = useGridView(props);
  const { scroll, headers, shownColumns } = view;
  return (
    <div
      ref={view.element}
      className={classes.grid}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={view.count + 1}
      aria-colcount={headers.length}
      aria-multiselectable="true"
      aria-activedescendant={view.isDrawn(active) ? `${id}${active.row}-${active.column}` : undefined}
      {...gridEvents(props, view)}
    >
      <div
        className={classes.sizer}
        role="presentation"
        style={{ height: scroll.scale.heightPx, width: scroll.widthPx }}
      >
        <GridHeader
          id={id}
          headers={headers}
          columns={columns}
          shown={shownColumns}
          active={active}
          onActive={props.onActive}
        />
        <div role="rowgroup">
          {view.rows.map(({ index, start }) => {
            const row = store.row(index);
            return (
              <GridRow
                key={index}
                id={id}
                index={index}
                topPx={start - scroll.scale.shiftPx}
                row={row}
                columns={columns}
                shown={shownColumns}
                activeColumn={active.row === index ? active.column : -1}
                isSelected={row !== undefined && selected.has(row.id)}
                sketches={props.sketches}
                renderCell={props.renderCell}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

const howOf = (event: MouseEvent): SelectHow => {
  if (event.shiftKey) return 'range';
  const isBox = (event.target as Element).closest('[data-box]') !== null;
  return isBox || event.ctrlKey || event.metaKey ? 'toggle' : 'one';
};

interface KeyContext extends GridProps {
  headers: ReturnType<ReturnType<typeof useColumns>['getFlatHeaders']>;
}

/** Step of a width that is changed by a key, pixels. */
const widthStepPx = 20;

function handleKey(event: KeyboardEvent, context: KeyContext): void {
  const { active, headers, onSelect, onSelectAll, onOpen, onKey } = context;
  const header = headers[active.column];
  const isHeader = active.row < 0;
  if (isHeader && header && event.shiftKey && /^Arrow(Left|Right)$/.test(event.key)) {
    const by = event.key === 'ArrowLeft' ? -widthStepPx : widthStepPx;
    const table = header.column.table;
    table.setColumnSizing((before) => ({ ...before, [header.id]: Math.max(60, header.getSize() + by) }));
  } else if (isHeader && header && (event.key === 'Enter' || event.key === ' ')) {
    if (header.column.getCanSort()) header.column.toggleSorting();
  } else if (isHeader) return;
  else if (event.key === ' ') onSelect(active.row, 'toggle');
  else if (isCommandKey(event, 'a')) onSelectAll();
  else if (event.key === 'Enter' || event.key === 'F2') onOpen(active);
  else {
    onKey?.(event, active);
    return;
  }
  event.preventDefault();
}
