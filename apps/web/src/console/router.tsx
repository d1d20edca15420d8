import { type MouseEvent, type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { base } from '../common/base.js';

/** The parts of a console address, `/console/<project>/<map>/`. */
export interface Place {
  project: string | null;
  map: string | null;
  /** Whether the address has parts that the console does not know. */
  isUnknown: boolean;
}

const root = `${new URL(base).pathname.replace(/\/$/, '')}/console`;
const changed = 'cartulary-navigate';

/** Parses a path; parts that cannot be decoded count as unknown. */
export function placeOf(path: string): Place {
  try {
    const parts = path.slice(root.length).split('/').filter(Boolean).map(decodeURIComponent);
    return { project: parts[0] ?? null, map: parts[1] ?? null, isUnknown: parts.length > 2 };
  } catch {
    return { project: null, map: null, isUnknown: true };
  }
}

export function pathOf(project: string | null, map: string | null = null): string {
  const parts = [project, map].filter((part) => part !== null);
  return `${[root, ...parts.map(encodeURIComponent)].join('/')}/`;
}

let moved = false;

/** Whether the page has shown another place before. */
export const hasMoved = (): boolean => moved;

/** Navigates without loading the page. `replace`: without a new entry in the browser's history. */
export function goTo(address: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  moved = true;
  dispatchEvent(new Event(changed));
}

/** The query of a page of a project. Every place keeps the language. */
function queryOf(page: string | null): string {
  const language = new URLSearchParams(location.search).get('lng');
  const query = new URLSearchParams(page === null ? {} : { page });
  if (language !== null) query.set('lng', language);
  return query.size ? `?${query}` : '';
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener);
  addEventListener(changed, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(changed, listener);
  };
}

/** The parts of the current address. */
export function usePlace(): Place {
  const path = useSyncExternalStore(subscribe, () => location.pathname);
  return useMemo(() => placeOf(path), [path]);
}

/** The query of the present address. */
export const useQuery = (): string => useSyncExternalStore(subscribe, () => location.search);

interface PlaceLinkProps {
  project: string | null;
  map?: string | null;
  /** A page of the project beside its maps. */
  page?: string | null;
  className?: string | undefined;
  isCurrent?: boolean;
  children: ReactNode;
}

/** A link within the console, which opens in this page unless the user asks for another tab. */
export function PlaceLink(props: PlaceLinkProps): ReactNode {
  const { project, map = null, page = null, className, isCurrent = false, children } = props;
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(pathOf(project, map) + queryOf(page));
  };
  return (
    <a
      className={className}
      href={pathOf(project, map) + (page === null ? '' : `?page=${page}`)}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}
