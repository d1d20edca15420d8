import { type ReactNode, Suspense } from 'react';
import { clientOf } from '../client.js';
import { DeleteDialog, type Losses } from '../deletion/DeleteDialog.js';
import { lazyDialog } from '../lazyPart.js';
import { AddItem } from './dialogs/AddItem.js';
import { useWorkspaceTexts } from './texts/useWorkspaceTexts.js';
import type { Changes } from './useChanges.js';
import type { Workspace, WorkspaceItem } from './useWorkspace.js';

const AddExternal = lazyDialog(() => import('./external/AddExternal.js'));
const ExportDialog = lazyDialog(() => import('./table/export/ExportDialog.js'));
const AddQuery = lazyDialog(() => import('./queries/AddQuery.js'));
const ShareDialog = lazyDialog(() => import('../rights/ShareDialog.js'));

/** What a dialog adds. */
export type NewItem = 'layer' | 'folder' | 'query' | 'external';

/** The dialog that is open. */
export type OpenDialog =
  | { kind: NewItem; parent: number | null }
  | { kind: 'delete'; item: WorkspaceItem }
  | { kind: 'export'; item: WorkspaceItem }
  | { kind: 'share' };

interface WorkspaceDialogsProps {
  workspace: Workspace;
  dialog: OpenDialog | null;
  changes: Changes;
  onClose: () => void;
  /** Receives the code of what has been added; null after a deletion. */
  onChosen: (code: string | null) => void;
}

/** The dialogs of the tree. */
export function WorkspaceDialogs(props: WorkspaceDialogsProps): ReactNode {
  const { workspace, dialog, changes, onClose, onChosen } = props;
  const texts = useWorkspaceTexts();
  if (!dialog) return null;
  const done = async (text: string, code: string | null): Promise<void> => {
    onClose();
    await workspace.reload();
    onChosen(code);
    changes.tell(text);
  };
  if (dialog.kind === 'share')
    return (
      <Suspense>
        <ShareDialog workspace={workspace} onClose={onClose} />
      </Suspense>
    );
  if (dialog.kind === 'query' || dialog.kind === 'external') {
    const Add = dialog.kind === 'query' ? AddQuery : AddExternal;
    return (
      <Suspense>
        <Add
          workspace={workspace}
          parent={dialog.parent}
          onClose={onClose}
          onDone={({ name, code }) => void done(texts.added(name), code)}
        />
      </Suspense>
    );
  }
  if (dialog.kind === 'export')
    return (
      <Suspense>
        <ExportDialog
          source={exportSource(workspace, dialog.item)}
          selected={none}
          total={null}
          onClose={onClose}
        />
      </Suspense>
    );
  if (dialog.kind !== 'delete') {
    return (
      <AddItem
        workspace={workspace}
        kind={dialog.kind}
        parent={dialog.parent}
        onClose={onClose}
        onDone={({ name, code }) => void done(texts.added(name), code)}
      />
    );
  }
  return (
    <DeleteItem
      workspace={workspace}
      item={dialog.item}
      onClose={onClose}
      onDone={(name) => void done(texts.deleted(name), null)}
    />
  );
}

interface DeleteItemProps {
  workspace: Workspace;
  item: WorkspaceItem;
  onClose: () => void;
  /** Receives the name of what has been deleted. */
  onDone: (name: string) => void;
}

function DeleteItem({ workspace, item, onClose, onDone }: DeleteItemProps): ReactNode {
  const texts = useWorkspaceTexts();
  const isFolder = item.type === 'folder';
  const name = item.name || item.code;
  return (
    <DeleteDialog
      project={workspace.project}
      doomed={{ map: workspace.map.code, [isFolder ? 'folder' : 'layer']: item.code }}
      title={isFolder ? texts.deleteFolder : texts.deleteLayer}
      name={name}
      remove={(losses) => remove(workspace, item, losses)}
      onClose={onClose}
      onDone={() => onDone(name)}
    />
  );
}

const none: ReadonlySet<number> = new Set();

const exportSource = ({ project, map }: Workspace, { code }: WorkspaceItem) => ({
  client: clientOf(project),
  path: { map: map.code, layer: code },
  filter: null,
});

/** Deletes a folder or layer; layers that read from it are broken only where the user has been told of them. */
function remove(
  { project, map }: Workspace,
  { type, code }: WorkspaceItem,
  losses: Losses,
): Promise<unknown> {
  const client = clientOf(project);
  if (type === 'folder') {
    const path = { map: map.code, folder: code };
    return client.delete('/api/2.8/{project}/{map}/folders/{folder}/', { params: { path } });
  }
  const isRead = Boolean(losses.readers?.length || losses.other_readers || losses.dictionary_links);
  return client.delete('/api/2.8/{project}/{map}/layers/{layer}/', {
    params: { path: { map: map.code, layer: code }, query: isRead ? { force: '1' } : {} },
  });
}
