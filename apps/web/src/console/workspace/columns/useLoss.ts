import type { AnswerOf } from '@cartulary/client';
import { useEffect, useState } from 'react';
import { clientOf } from '../../client.js';
import { useLoaded } from '../../useLoaded.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';
import type { ColumnDraft, StoredColumn } from './columns.js';

const conversionPath = '/api/2.8/{project}/{map}/layers/{layer}/structure/{field}/conversion/';

export type Loss = AnswerOf<typeof conversionPath, 'get'>;

interface LossContext {
  workspace: Workspace;
  item: WorkspaceItem;
  column: StoredColumn | null;
  draft: ColumnDraft;
  stored: ColumnDraft | null;
}

/** What a change of type would lose, counted before it is done. Null: the values stay as they are. */
export function useLoss({ workspace, item, column, draft, stored }: LossContext): Loss | 'counting' | null {
  const { project, map } = workspace;
  const { type, localized_value } = draft;
  const isChanged = stored !== null && (type !== stored.type || localized_value !== stored.localized_value);
  const [loss, setLoss] = useState<{ of: string; value: Loss | null } | null>(null);
  const of = `${type} ${localized_value}`;
  const id = column?.id;
  useEffect(() => {
    if (!isChanged || id === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    const path = { map: map.code, layer: item.code, field: String(id) };
    clientOf(project)
      .get(conversionPath, { params: { path, query: { type, localized_value, examples: 5 } }, signal })
      .then(
        (value) => setLoss({ of, value }),
        // Saving tells what is wrong.
        () => !signal.aborted && setLoss({ of, value: null }),
      );
    return () => controller.abort();
  }, [project, map.code, item.code, id, isChanged, type, localized_value, of]);
  if (!isChanged) return null;
  return loss?.of === of ? loss.value : 'counting';
}

/** Number of objects without a value, where the draft demands one and the stored column does not; null: it does not matter. */
export function useEmptyCount({ workspace, item, column, draft, stored }: LossContext): number | null {
  const { project, map } = workspace;
  const isDemanded = column !== null && stored !== null && draft.required && !stored.required;
  const code = isDemanded ? stored.code : null;
  const { value } = useLoaded(`${map.code} ${item.code} ${code}`, async (signal) => {
    if (code === null) return null;
    const { nulls } = await clientOf(project).post('/api/2.8/{project}/{map}/layers/{layer}/statistics/', {
      params: { path: { map: map.code, layer: item.code } },
      body: { column: code, percentiles: [], frequent: 0 },
      isRead: true,
      signal,
    });
    return nulls;
  });
  return value ?? null;
}
