import { ClientError, type LayerDetails } from '@cartulary/client';
import { useState } from 'react';
import { clientOf } from '../../client.js';
import { useDraft, useKept } from '../../drafts.js';
import type { StoredRecord } from '../inspector/useRecord.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';
import type { Run } from './useRun.js';

export interface QueryEditing {
  text: string;
  isChanged: boolean;
  /** The layer as somebody else has saved it meanwhile, with another query. */
  theirs: StoredRecord<LayerDetails> | null;
  /** Closes the question which of both versions to keep; the own one stays, unsaved. */
  settleLater: () => void;
  change: (text: string) => void;
  /** Gives the own changes up. */
  drop: () => void;
  /** Saves the query over a version; the one that it was changed from when absent. Returns whether it is saved. */
  save: (over?: StoredRecord<LayerDetails>) => Promise<boolean>;
}

/** A query that is not saved, with the version that it was changed from. */
interface QueryDraft {
  text: string;
  base: string;
  etag: string;
}

export const queryOf = ({ json }: Pick<LayerDetails, 'json'>): string => String(json.query ?? '');

interface QueryPlace {
  workspace: Workspace;
  item: WorkspaceItem;
  record: StoredRecord<LayerDetails> | null;
}

/** The text of a query that is edited. It is kept in the browser until it is saved. */
export function useQueryText({ workspace, item, record }: QueryPlace, run: Run): QueryEditing {
  const { project, map } = workspace;
  const [draft, setDraft] = useKept(useDraft<QueryDraft>('query', project, map.code, item.code));
  const [theirs, setTheirs] = useState<StoredRecord<LayerDetails> | null>(null);
  const stored = record ? queryOf(record.value) : '';
  const text = draft?.text ?? stored;
  const drop = (): void => {
    setDraft(null);
    setTheirs(null);
  };
  const change = (next: string): void => {
    const from = draft ?? { base: stored, etag: record?.etag ?? '' };
    setDraft(next === stored ? null : { ...from, text: next });
  };
  const send = async ({ value, etag }: StoredRecord<LayerDetails>, signal: AbortSignal): Promise<boolean> => {
    const path = { map: map.code, layer: item.code };
    const { refreshed: _, ...json } = value.json;
    try {
      await clientOf(project).patch('/api/2.8/{project}/{map}/layers/{layer}/', {
        params: { path, header: { 'if-match': etag } },
        body: { json: { ...json, query: text } },
        signal,
      });
      return true;
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== 'changed_meanwhile') throw error;
      const { present, etag: now } = error.data as { present: LayerDetails; etag: string };
      const found = { value: present, etag: now };
      // Something else of the layer has changed: then there is nothing to choose.
      if (queryOf(present) === draft?.base) return send(found, signal);
      setTheirs(found);
      return false;
    }
  };
  const save: QueryEditing['save'] = async (over) => {
    setTheirs(null);
    const from = over ?? { value: record!.value, etag: draft?.etag ?? record!.etag };
    const isSaved = await run.start((signal) => send(from, signal));
    if (isSaved) drop();
    return isSaved ?? false;
  };
  const isChanged = draft !== null && text !== stored;
  return { text, isChanged, theirs, settleLater: () => setTheirs(null), change, drop, save };
}
