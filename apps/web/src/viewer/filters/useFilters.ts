import { useCallback, useState } from 'react';
import { readAddress } from '../addressState.js';
import type { ColumnFilter, Filters } from './filters.js';

export interface FilterState {
  filters: Filters;
  /** Changes the filter of a layer; null shows all of its objects. */
  setFilter: (layer: string, filter: ColumnFilter | null) => void;
  setFilters: (filters: Filters) => void;
}

/** The filters of the layers, at first those of the address. */
export function useFilters(): FilterState {
  const [filters, setFilters] = useState<Filters>(() => readAddress(location.search).filters);
  const setFilter = useCallback((layer: string, filter: ColumnFilter | null): void => {
    setFilters(({ [layer]: _, ...others }) => (filter ? { ...others, [layer]: filter } : others));
  }, []);
  return { filters, setFilter, setFilters };
}
