import { useCallback, useMemo } from 'react';
import { goTo, useQuery } from '../router.js';

/** Tabs of the inspector. */
export const tabs = ['about', 'style'] as const;
export type Tab = (typeof tabs)[number];

/** What the query of the address says; the place of the map is in the fragment. */
export interface WorkspaceAddress {
  /** Code of the chosen layer, or folder with a slash at its end. */
  item: string | null;
  tab: Tab;
}

const isTab = (text: string | null): text is Tab => tabs.some((tab) => tab === text);

/** Reads a query; what it does not know is ignored. */
export function readQuery(search: string): WorkspaceAddress {
  const query = new URLSearchParams(search);
  const tab = query.get('tab');
  return { item: query.get('item') || null, tab: isTab(tab) ? tab : 'about' };
}

/** The query with a new state, and otherwise unchanged. */
export function withState(search: string, { item, tab }: WorkspaceAddress): string {
  const query = new URLSearchParams(search);
  for (const name of ['item', 'tab']) query.delete(name);
  if (item !== null) query.set('item', item);
  if (tab !== 'about') query.set('tab', tab);
  return query.size ? `?${query.toString().replaceAll('%2F', '/')}` : '';
}

/** The state in the address, and a function that changes it: a step of the browser's history. */
export function useAddress(): [WorkspaceAddress, (change: Partial<WorkspaceAddress>) => void] {
  const search = useQuery();
  const state = useMemo(() => readQuery(search), [search]);
  const change = useCallback((changes: Partial<WorkspaceAddress>) => {
    const next = withState(location.search, { ...readQuery(location.search), ...changes });
    if (next !== location.search) goTo(location.pathname + next + location.hash);
  }, []);
  return [state, change];
}
