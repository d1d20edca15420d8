import { type MouseEvent, type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { base } from '../common/base.js';

/** The parts of a console address, `/console/<project>/`. */
export interface Place {
  project: string | null;
  /** Whether the address has parts that the console does not know. */
  isUnknown: boolean;
}

const root = `${new URL(base).pathname.replace(/\/$/, '')}/console`;
const changed = 'cartulary-navigate';

/** Parses a path; parts that cannot be decoded count as unknown. */
export function placeOf(path: string): Place {
  try {
    const parts = path.slice(root.length).split('/').filter(Boolean).map(decodeURIComponent);
    return { project: parts[0] ?? null, isUnknown: parts.length > 1 };
  } catch {
    return { project: null, isUnknown: true };
  }
}

export const pathOf = (project: string | null): string =>
  project === null ? `${root}/` : `${root}/${encodeURIComponent(project)}/`;

/** Navigates without loading the page. */
export function navigate(project: string | null): void {
  history.pushState(null, '', pathOf(project) + location.search);
  dispatchEvent(new Event(changed));
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

interface PlaceLinkProps {
  project: string | null;
  className?: string | undefined;
  isCurrent?: boolean;
  children: ReactNode;
}

/** A link within the console, which opens in this page unless the user asks for another tab. */
export function PlaceLink({ project, className, isCurrent = false, children }: PlaceLinkProps): ReactNode {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(project);
  };
  return (
    <a
      className={className}
      href={pathOf(project)}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}
