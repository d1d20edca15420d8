import { ClientError } from '@cartulary/client';
import { useCallback, useEffect, useState } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import type { Changes } from '../useChanges.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';
import { type ColumnMove, nameOf, readColumns, type StoredColumn } from './columns.js';
import { useColumnTexts } from './useColumnTexts.js';

/** The columns of a layer. */
export interface Columns {
  list: readonly StoredColumn[];
  etag: string;
  move: (column: StoredColumn, to: ColumnMove | null) => void;
  /** Reads the layer and its columns anew, after a change. */
  reload: () => Promise<void>;
}

/** Reads the columns of a layer, and moves them. Null until they are read. */
export function useColumnList(
  workspace: Workspace,
  { code }: WorkspaceItem,
  changes: Changes,
): { columns: Columns | null; error: unknown } {
  const texts = useColumnTexts();
  const { ui } = useLanguage();
  const { project, map, version } = workspace;
  const [state, setState] = useState<{ list: readonly StoredColumn[]; etag: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const read = useCallback(
    async (signal?: AbortSignal): Promise<void> => {
      const options = { lng: ui, ...(signal ? { signal } : {}) };
      try {
        const { columns, etag } = await readColumns(
          clientOf(project),
          { map: map.code, layer: code },
          options,
        );
        setState({ list: columns, etag });
        setError(null);
      } catch (failure) {
        if (!signal?.aborted) setError(failure);
      }
    },
    [project, map.code, code, ui],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version may have other columns
  useEffect(() => {
    const controller = new AbortController();
    void read(controller.signal);
    return () => controller.abort();
  }, [read, version]);
  if (!state) return { columns: null, error };
  const move = async (column: StoredColumn, to: ColumnMove | null): Promise<void> => {
    if (!to) return;
    try {
      await clientOf(project).patch('/api/2.8/{project}/{map}/layers/{layer}/structure/{field}/', {
        params: {
          path: { map: map.code, layer: code, field: String(column.id) },
          header: { 'if-match': state.etag },
        },
        body: { type: column.type, ...to },
      });
      await Promise.all([read(), workspace.reload()]);
      changes.tell(texts.moved(nameOf(column)));
    } catch (failure) {
      if (failure instanceof ClientError && failure.code === 'changed_meanwhile') {
        await Promise.all([read(), workspace.reload()]);
        changes.tell(texts.changedMeanwhile);
      } else changes.tellProblem(failure);
    }
  };
  const columns = {
    ...state,
    move: (...at: Parameters<typeof move>) => void move(...at),
    reload: workspace.reload,
  };
  return { columns, error };
}
