import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Something that the user can do here, by its name. */
export interface Action {
  id: string;
  label: string;
  /** What it belongs to, such as the folder of a layer. */
  hint?: string;
  run: () => void;
}

/** The actions of one part of the page. */
export interface ActionGroup {
  label: string;
  actions: readonly Action[];
}

/** The actions of the parts that are shown, in the order in which the parts were shown. */
let groups: readonly (() => ActionGroup)[] = [];
const listeners = new Set<() => void>();

function set(next: typeof groups): void {
  groups = next;
  for (const listener of listeners) listener();
}

/** Offers actions while a component is mounted. `read` is called when the palette opens. */
export function useActions(read: () => ActionGroup): void {
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    const own = (): ActionGroup => latest.current();
    set([...groups, own]);
    return () => set(groups.filter((one) => one !== own));
  }, []);
}

/** Reads the actions of all parts. */
export const useActionGroups = (): readonly (() => ActionGroup)[] =>
  useSyncExternalStore(subscribe, () => groups);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
