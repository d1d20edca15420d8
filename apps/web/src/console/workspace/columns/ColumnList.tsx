import { type DragEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ColumnMenu } from './ColumnMenu.js';
import { isSystem, moveBeside, nameOf, type StoredColumn, step } from './columns.js';
import classes from './columns.module.css';
import { canHaveRules } from './rules/rules.js';
import type { Columns } from './useColumnList.js';
import { useColumnTexts } from './useColumnTexts.js';

interface ColumnListProps {
  columns: Columns;
  canEdit: boolean;
  /** Whether columns can be deleted. */
  isOwn: boolean;
  /** What marks a column beside its type. */
  marksOf: (column: StoredColumn) => readonly string[];
  onChange: (column: StoredColumn) => void;
  onRules: (column: StoredColumn) => void;
  onRemove: (column: StoredColumn) => void;
}

/** The columns in their order, to drag or to move by keyboard. */
export function ColumnList(props: ColumnListProps): ReactNode {
  const { columns, canEdit } = props;
  const texts = useColumnTexts();
  const drag = useDrag(columns);
  const list = useRef<HTMLUListElement>(null);
  const moved = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row that is put elsewhere loses the focus
  useEffect(() => {
    if (moved.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-column="${moved.current}"]`)?.focus();
    moved.current = null;
  }, [columns.list]);
  const move = (column: StoredColumn, by: -1 | 1): void => {
    moved.current = column.id;
    columns.move(column, step(columns.list, column, by));
  };
  return (
    <ul ref={list} className={classes.list} aria-label={texts.list}>
      {columns.list.map((column) => (
        <li
          key={column.id}
          className={classes.row}
          data-child={column.parent_id !== 0 || undefined}
          data-heading={column.type === 'title' || undefined}
          {...(canEdit ? drag(column) : {})}
        >
          <Row column={column} {...props} onMove={(by) => move(column, by)} />
        </li>
      ))}
    </ul>
  );
}

interface RowProps extends ColumnListProps {
  column: StoredColumn;
  onMove: (by: -1 | 1) => void;
}

function Row({
  column,
  columns,
  canEdit,
  isOwn,
  marksOf,
  onChange,
  onRules,
  onRemove,
  onMove,
}: RowProps): ReactNode {
  const texts = useColumnTexts();
  const canRemove = isOwn && !isSystem(column);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown'))
      onMove(event.key === 'ArrowUp' ? -1 : 1);
    else if (event.key === 'Delete' && canRemove) onRemove(column);
    else return;
    event.preventDefault();
  };
  if (!canEdit)
    return (
      <span className={classes.main}>
        <Facts column={column} marks={marksOf(column)} />
      </span>
    );
  return (
    <>
      <button
        type="button"
        className={classes.main}
        data-column={column.id}
        onClick={() => onChange(column)}
        onKeyDown={onKeyDown}
      >
        <Facts column={column} marks={marksOf(column)} />
      </button>
      <ColumnMenu
        label={texts.actionsOf(nameOf(column))}
        onChange={() => onChange(column)}
        onRules={isOwn && canHaveRules(column) ? () => onRules(column) : null}
        onUp={step(columns.list, column, -1) && (() => onMove(-1))}
        onDown={step(columns.list, column, 1) && (() => onMove(1))}
        onRemove={canRemove ? () => onRemove(column) : null}
      />
    </>
  );
}

/** Title, code and type of a column, and what its values must be. */
function Facts({ column, marks: others }: { column: StoredColumn; marks: readonly string[] }): ReactNode {
  const texts = useColumnTexts();
  const { code, type, required, localized_value } = column;
  const marks = [
    texts.types[type] ?? type,
    ...(required ? [texts.required] : []),
    ...(localized_value ? [texts.localized] : []),
    ...(isSystem(column) ? [texts.ofService] : []),
    ...others,
  ];
  return (
    <>
      <span className={classes.name}>
        {nameOf(column)} {nameOf(column) !== code && <code>{code}</code>}
      </span>
      <span className={classes.marks}>{marks.join(' · ')}</span>
    </>
  );
}

type Side = 'before' | 'after';

/** Dragging rows with the mouse. Returns what a row needs for it. */
function useDrag({ move }: Columns) {
  const [dragged, setDragged] = useState<StoredColumn | null>(null);
  const [over, setOver] = useState<{ id: number; side: Side } | null>(null);
  const end = (): void => {
    setDragged(null);
    setOver(null);
  };
  return (column: StoredColumn) => ({
    draggable: true,
    'data-over': over?.id === column.id ? over.side : undefined,
    onDragStart: (event: DragEvent<HTMLElement>) => {
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', column.code);
      setDragged(column);
    },
    onDragOver: (event: DragEvent<HTMLElement>) => {
      const side = sideOf(event);
      if (!dragged || !moveBeside(dragged, column, side)) return;
      event.preventDefault(); // it may be dropped here
      if (over?.id !== column.id || over.side !== side) setOver({ id: column.id, side });
    },
    onDrop: (event: DragEvent<HTMLElement>) => {
      if (!dragged) return;
      event.preventDefault();
      move(dragged, moveBeside(dragged, column, sideOf(event)));
      end();
    },
    onDragEnd: end,
  });
}

function sideOf({ clientY, currentTarget }: DragEvent<HTMLElement>): Side {
  const { top, height } = currentTarget.getBoundingClientRect();
  return clientY < top + height / 2 ? 'before' : 'after';
}
