import { useCallback, useMemo } from 'react';
import { goTo, useQuery } from '../router.js';

/** Tabs of the inspector. */
export const tabs = ['about', 'query', 'columns', 'style'] as const;
export type Tab = (typeof tabs)[number];

/** What the query of the address says; the place of the map is in the fragment. */
export interface WorkspaceAddress {
  /** Code of the chosen layer, or folder with a slash at its end. */
  item: string | null;
  tab: Tab;
  /** Whether the table of the layer is open. */
  table: boolean;
  /** The order of the table: code of a column, comma, a or d; empty: as the objects are stored. */
  sort: string;
  /** The filter of the table: CQL2-JSON; empty: all objects. */
  filter: string;
}

const isTab = (text: string | null): text is Tab => tabs.some((tab) => tab === text);

/** Reads a query; what it does not know is ignored. */
export function readQuery(search: string): WorkspaceAddress {
  const query = new URLSearchParams(search);
  const tab = query.get('tab');
  return {
    item: query.get('item') || null,
    tab: isTab(tab) ? tab : 'about',
    table: query.get('table') === '1',
    sort: query.get('sort') ?? '',
    filter: query.get('filter') ?? '',
  };
}

/** The query with a new state, and otherwise unchanged. */
export function withState(search: string, { item, tab, table, sort, filter }: WorkspaceAddress): string {
  const query = new URLSearchParams(search);
  for (const name of ['item', 'tab', 'table', 'sort', 'filter']) query.delete(name);
  if (item !== null) query.set('item', item);
  if (tab !== 'about') query.set('tab', tab);
  if (table) query.set('table', '1');
  if (sort) query.set('sort', sort);
  if (filter) query.set('filter', filter);
  return query.size ? `?${query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',')}` : '';
}

/** The state in the address, and a function that changes it: a step of the browser's history. */
export function useAddress(): [WorkspaceAddress, (change: Partial<WorkspaceAddress>) => void] {
  const search = useQuery();
  const state = useMemo(() => readQuery(search), [search]);
  const change = useCallback((changes: Partial<WorkspaceAddress>) => {
    const before = readQuery(location.search);
    // Order and filter name columns of a layer.
    const isOther = 'item' in changes && changes.item !== before.item;
    const kept = isOther ? { ...before, sort: '', filter: '' } : before;
    const next = withState(location.search, { ...kept, ...changes });
    if (next !== location.search) goTo(location.pathname + next + location.hash);
  }, []);
  return [state, change];
}
