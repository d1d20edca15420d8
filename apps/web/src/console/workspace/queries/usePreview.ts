import type { AnswerOf } from '@cartulary/client';
import { useState } from 'react';
import { clientOf } from '../../client.js';
import type { Workspace } from '../useWorkspace.js';
import type { Run } from './useRun.js';

const queryPath = '/api/2.8/{project}/{map}/query/';

type QueryPreview = AnswerOf<typeof queryPath, 'post'>;

/** What a query is meant for: a new layer of a type, or a layer that exists. */
interface QueryTarget {
  type: 'virtual' | 'material';
  layer?: string;
}

/** The first rows of a query that is not stored, and a function that reads them. They are forgotten with another text. */
export function usePreview(
  { project, map }: Workspace,
  { text, run, ...target }: QueryTarget & { text: string; run: Run },
): { preview: QueryPreview | null; look: () => Promise<void> } {
  const [read, setRead] = useState<{ text: string; preview: QueryPreview } | null>(null);
  const look = async (): Promise<void> => {
    const preview = await run.start((signal) =>
      clientOf(project).post(queryPath, {
        params: { path: { map: map.code } },
        body: { query: text, ...target },
        isRead: true,
        signal,
      }),
    );
    if (preview) setRead({ text, preview });
  };
  return { preview: read?.text === text ? read.preview : null, look };
}
