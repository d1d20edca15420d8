import { useRef, useState } from 'react';
import type { SelectHow } from './grid/Grid.js';
import type { RowStore } from './rows/RowStore.js';
import { readIds } from './rows/source.js';

/** Most selected objects: as many as one request may change. */
export const selectionLimit = 10_000;

export interface Selection {
  ids: ReadonlySet<number>;
  select: (row: number, how: SelectHow) => Promise<void>;
  selectAll: () => Promise<void>;
  setIds: (ids: ReadonlySet<number>) => void;
}

interface SelectionOptions {
  store: RowStore;
  onTooMany: () => void;
  onError: (error: unknown) => void;
}

/** The selected objects. A range may have rows that were never read: their ids are asked for. */
export function useSelection({ store, onTooMany, onError }: SelectionOptions): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const anchor = useRef(0);
  const selectSlice = async (first: number, length: number): Promise<void> => {
    if (length > selectionLimit) return onTooMany();
    const rows = Array.from({ length }, (_, i) => store.row(first + i)?.id);
    try {
      const known = rows.every((id) => id !== undefined)
        ? (rows as number[])
        : await readIds(store.source, { offset: first, limit: length });
      setIds(new Set(known));
    } catch (error) {
      onError(error);
    }
  };
  const select = async (row: number, how: SelectHow): Promise<void> => {
    if (how === 'range') {
      const from = Math.max(0, Math.min(anchor.current, row));
      return selectSlice(from, Math.abs(Math.max(0, row) - anchor.current) + 1);
    }
    anchor.current = row;
    const id = store.row(row)?.id;
    if (id === undefined) return;
    if (how === 'one') return setIds(new Set([id]));
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  };
  return { ids, select, selectAll: () => selectSlice(0, store.total ?? 0), setIds };
}
