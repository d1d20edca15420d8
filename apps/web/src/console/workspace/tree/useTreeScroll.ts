import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';

/** Height of a row whose name takes one line, pixels. */
const rowPx = 40;

export type TreeScroll = Virtualizer<HTMLElement, HTMLElement>;

interface DrawnRows {
  ids: readonly number[];
  /** Rows that are drawn wherever the panel is scrolled to: one has the focus, one is dragged, one has its menu open. */
  kept: readonly (number | null | undefined)[];
  /** The row that is brought into view when another is chosen, by an address or on the map. */
  chosen: number | null;
}

/** The rows of the tree that are in view of its panel, with some above and below. */
export function useTreeScroll(
  tree: RefObject<HTMLElement | null>,
  { ids, kept, chosen }: DrawnRows,
): { scroll: TreeScroll; topPx: number } {
  const [topPx, setTopPx] = useState(0);
  // What lies above the tree in its panel changes with the name of the map and the language.
  useLayoutEffect(() => setTopPx(tree.current?.offsetTop ?? 0));
  const always = kept.map((id) => (id == null ? -1 : ids.indexOf(id))).filter((index) => index >= 0);
  // Another function has all rows measured anew.
  const getItemKey = useCallback((index: number): number => ids[index]!, [ids]);
  const scroll = useVirtualizer<HTMLElement, HTMLElement>({
    count: ids.length,
    getScrollElement: () => tree.current?.closest<HTMLElement>('[data-side]') ?? null,
    estimateSize: () => rowPx,
    getItemKey,
    scrollMargin: topPx,
    overscan: 8,
    useFlushSync: false,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...always])].sort((a, b) => a - b),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the user scrolls to afterwards stays in view
  useEffect(() => {
    const index = chosen === null ? -1 : ids.indexOf(chosen);
    if (topPx > 0 && index >= 0) scroll.scrollToIndex(index);
  }, [chosen, topPx > 0]);
  return { scroll, topPx };
}
