import { type RefObject, useEffect, useRef } from 'react';

/** A row of links that is scrolled to the current one: on a phone it is wider than the page. `key` changes with the links. */
export function useCurrentInView(key: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key has another current link
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>('[aria-current]');
    const { offsetLeft = 0, clientWidth = 0 } = row.current ?? {};
    if (link) row.current!.scrollLeft = link.offsetLeft - offsetLeft - (clientWidth - link.clientWidth) / 2;
  }, [key]);
  return row;
}
