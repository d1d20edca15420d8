import { ClientError } from '@cartulary/client';
import { useCallback, useState } from 'react';
import { useLanguage } from '../../common/texts/language.js';
import { explain } from '../catalog/explain.js';
import { clientOf } from '../client.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import { useWorkspaceTexts } from './texts/useWorkspaceTexts.js';
import type { Move } from './tree/moves.js';
import { treeQuery, type Workspace, type WorkspaceItem } from './useWorkspace.js';

export interface News {
  text: string;
  isProblem: boolean;
}

export interface Changes {
  news: News;
  /** Tells the user what has been done. */
  tell: (text: string) => void;
  /** Tells the user what has failed. */
  tellProblem: (error: unknown) => void;
  move: (name: string, move: Move | null) => Promise<void>;
  /** Whether a change is on its way. */
  isBusy: boolean;
}

/** Changes of the tree, and what the user is told of all changes. */
export function useChanges(workspace: Workspace | null): Changes {
  const texts = useWorkspaceTexts();
  const consoleTexts = useConsoleTexts();
  const { ui, texts: common } = useLanguage();
  const [news, setNews] = useState<News>({ text: '', isProblem: false });
  const [isBusy, setBusy] = useState(false);
  const tell = useCallback((text: string) => setNews({ text, isProblem: false }), []);
  const tellProblem = useCallback(
    (error: unknown) => setNews({ text: explain(error, consoleTexts, common), isProblem: true }),
    [consoleTexts, common],
  );
  const move = async (name: string, to: Move | null): Promise<void> => {
    if (!workspace || isBusy) return;
    if (!to) return setNews({ text: texts.cannotMove(name), isProblem: true });
    setBusy(true);
    try {
      const { items, etag } = await sendMove(workspace, to, ui);
      workspace.setTree(items, etag);
      tell(texts.moved(name));
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== 'changed_meanwhile') tellProblem(error);
      else setNews({ text: texts.treeChanged, isProblem: true });
      // Reading is repeated for a while where no answer comes; the user may try again at once.
      if (!(error instanceof ClientError) || error.status !== 0) await workspace.reload();
    } finally {
      setBusy(false);
    }
  };
  return { news, tell, tellProblem, move, isBusy };
}

/** Moves an item within the tree that the user sees: where it is another by now nothing is moved. */
async function sendMove(
  { project, map, etag }: Workspace,
  body: Move,
  lng: string,
): Promise<{ items: WorkspaceItem[]; etag: string }> {
  let next = '';
  const items = await clientOf(project).post('/api/2.8/{project}/{map}/move/', {
    params: { path: { map: map.code }, query: treeQuery(lng), header: { 'if-match': etag } },
    body,
    onResponse: ({ headers }) => {
      next = headers.get('etag') ?? '';
    },
  });
  return { items: items as WorkspaceItem[], etag: next };
}
