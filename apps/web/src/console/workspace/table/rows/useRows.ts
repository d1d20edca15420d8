import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { RowStore } from './RowStore.js';
import type { RowSource } from './source.js';

/** The rows of a source, which are read anew when `version` changes. */
export function useRows(source: RowSource, version: number): RowStore {
  const store = useMemo(() => new RowStore(source), [source]);
  useSyncExternalStore(store.subscribe, store.readVersion);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is read anew
  useEffect(() => store.reload(), [store, version]);
  useEffect(() => () => store.close(), [store]);
  return store;
}
