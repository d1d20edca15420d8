import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useMemo } from 'react';
import { ScrollScale } from './scrollScale.js';

export const rowPx = 36;
export const headerPx = 40;

/** Width of the first column, which stays when the columns are scrolled, in `widths[0]`. */
interface GridSize {
  rows: number;
  widths: readonly number[];
}

type GridElement = RefObject<HTMLDivElement | null>;

/** The rows in view. */
function useVerticalScroll(grid: GridElement, scale: ScrollScale, count: number) {
  return useVirtualizer({
    count,
    getScrollElement: () => grid.current,
    estimateSize: () => rowPx,
    paddingStart: headerPx,
    overscan: 6,
    // Scrolling by the browser stays smooth: rows are drawn in the next frame.
    useFlushSync: false,
    observeElementOffset: (_, report) => {
      const element = grid.current;
      if (!element) return;
      scale.attach(element);
      const onScroll = (): void => report(scale.read(), true);
      const onEnd = (): void => {
        scale.settle();
        report(scale.offset, false);
      };
      element.addEventListener('scroll', onScroll, { passive: true });
      element.addEventListener('scrollend', onEnd, { passive: true });
      return () => {
        element.removeEventListener('scroll', onScroll);
        element.removeEventListener('scrollend', onEnd);
      };
    },
    scrollToFn: (offset) => scale.scrollTo(offset),
  });
}

/** The columns in view; the first always is. */
function useHorizontalScroll(grid: GridElement, widths: readonly number[]) {
  const horizontal = useVirtualizer({
    count: widths.length,
    horizontal: true,
    getScrollElement: () => grid.current,
    estimateSize: (index) => widths[index]!,
    overscan: 2,
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const first = Math.max(1, startIndex - overscan);
      const last = Math.min(count - 1, endIndex + overscan);
      return [0, ...Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)];
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other widths are measured anew
  useEffect(() => horizontal.measure(), [horizontal, widths]);
  return horizontal;
}

/** Which rows and columns are in view, and where they are. */
export function useGridScroll(grid: GridElement, { rows, widths }: GridSize) {
  const scale = useMemo(() => new ScrollScale(), []);
  scale.setTotal(rows * rowPx + headerPx);
  const vertical = useVerticalScroll(grid, scale, rows);
  const horizontal = useHorizontalScroll(grid, widths);
  /** Scrolls as far as is needed for a cell to be seen. */
  const reveal = (row: number, column: number): void => {
    const element = grid.current;
    if (!element) return;
    if (row >= 0) {
      const top = row * rowPx;
      const bottom = top + rowPx + headerPx;
      if (top < scale.offset) scale.scrollTo(top);
      else if (bottom > scale.offset + element.clientHeight) scale.scrollTo(bottom - element.clientHeight);
    }
    if (column > 0) {
      const start = sum(widths.slice(1, column));
      const room = element.clientWidth - widths[0]!;
      if (start < element.scrollLeft) element.scrollLeft = start;
      else if (start + widths[column]! > element.scrollLeft + room)
        element.scrollLeft = Math.min(start, start + widths[column]! - room);
    }
  };
  /** Scrolls a row to the middle. */
  const center = (row: number): void => {
    const height = grid.current?.clientHeight ?? 0;
    scale.scrollTo(row * rowPx + headerPx - height / 2);
  };
  return { scale, rows: vertical, columns: horizontal, reveal, center, widthPx: sum(widths) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
