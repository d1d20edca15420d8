import type { ColumnDetails } from '@cartulary/client';
import { useEffect, useState } from 'react';
import { clientOf } from '../../client.js';
import { geometryColumn, idColumn } from './grid/useColumns.js';

const structurePath = '/api/2.8/{project}/{map}/layers/{layer}/structure/';

interface LayerKey {
  project: string;
  map: string;
  layer: string;
  lng: string;
  /** Another version is read anew. */
  version: number;
}

/** The columns of a layer that have values; null until they are read. */
export function useTableLayer({ project, map, layer, lng, version }: LayerKey): {
  columns: readonly ColumnDetails[] | null;
  error: unknown;
} {
  const [state, setState] = useState<{ columns: readonly ColumnDetails[] | null; error: unknown }>({
    columns: null,
    error: null,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is read anew
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const params = { path: { map, layer }, query: { lng } };
    clientOf(project)
      .get(structurePath, { params, signal })
      .then(
        (all) =>
          setState((before) => {
            const columns = all.filter(hasValues);
            // The same columns stay the same object, so that the rows need not be read anew for them.
            const isSame = JSON.stringify(columns) === JSON.stringify(before.columns);
            return { columns: isSame ? before.columns : columns, error: null };
          }),
        (error: unknown) => !signal.aborted && setState((before) => ({ ...before, error })),
      );
    return () => controller.abort();
  }, [project, map, layer, lng, version]);
  return state;
}

const hasValues = ({ code, type }: ColumnDetails): boolean =>
  type !== 'title' && code !== idColumn && code !== geometryColumn;
