import type { AnswerOf } from '@cartulary/client';
import { useEffect, useState } from 'react';
import { clientOf } from '../../client.js';
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
