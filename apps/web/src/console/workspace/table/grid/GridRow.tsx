import type { ColumnDetails } from '@cartulary/client';
import type { VirtualItem } from '@tanstack/react-virtual';
import { memo, type ReactNode } from 'react';
import { IconCheck } from '../../../../common/icons.js';
import { useLanguage } from '../../../../common/texts/language.js';
import type { SketchStore } from '../rows/sketches.js';
import type { TableRow } from '../rows/source.js';
import { useTableTexts } from '../useTableTexts.js';
import { cellText } from './cellText.js';
import classes from './grid.module.css';
import { Sketch } from './Sketch.js';

interface GridRowProps {
  id: string;
  index: number;
  topPx: number;
  /** undefined: it is not read yet. */
  row: TableRow | undefined;
  columns: readonly ColumnDetails[];
  shown: readonly VirtualItem[];
  /** -1: none. */
  activeColumn: number;
  isSelected: boolean;
  sketches: SketchStore;
  renderCell?: ((row: TableRow, column: ColumnDetails) => ReactNode) | undefined;
}

/** A row of the grid: id, sketch of the geometry, values. */
export const GridRow = memo(function GridRow(props: GridRowProps): ReactNode {
  const { id, index, topPx, row, columns, shown, activeColumn, isSelected } = props;
  return (
    <div
      className={classes.row}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-odd={index % 2 === 1 || undefined}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      {shown.map(({ index: column, start, size }) => {
        const details = columns[column - 2];
        return (
          <div
            key={details?.code ?? column}
            id={`${id}${index}-${column}`}
            className={classes.cell}
            role={column === 0 ? 'rowheader' : 'gridcell'}
            aria-colindex={column + 1}
            data-row={index}
            data-column={column}
            data-active={activeColumn === column || undefined}
            data-first={column === 0 || undefined}
            data-type={details?.type}
            style={column === 0 ? { width: size } : { left: start, width: size }}
          >
            {row && <Content {...props} row={row} column={column} />}
          </div>
        );
      })}
    </div>
  );
});

type ContentProps = GridRowProps & { row: TableRow; column: number };

function Content({ row, column, columns, isSelected, sketches, renderCell }: ContentProps): ReactNode {
  const texts = useTableTexts();
  const { ui, texts: common } = useLanguage();
  if (column === 0) {
    return (
      <>
        <span className={classes.box} data-box data-checked={isSelected || undefined} aria-hidden="true">
          {isSelected && <IconCheck size={14} stroke={3} />}
        </span>
        {row.id}
      </>
    );
  }
  if (column === 1) return <Sketch row={row} sketches={sketches} label={texts.geometryOf(row.id)} />;
  const details = columns[column - 2]!;
  return (
    renderCell?.(row, details) || (
      // Of a text from right to left the beginning is seen, not the end.
      <span className={classes.value} dir="auto">
        {cellText(details, row, ui, common)}
      </span>
    )
  );
}
