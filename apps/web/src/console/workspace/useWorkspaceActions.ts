import { type Action, useActions } from '../palette/actions.js';
import { useExternalTexts } from './external/useExternalTexts.js';
import { useQueryTexts } from './queries/useQueryTexts.js';
import { useWorkspaceTexts } from './texts/useWorkspaceTexts.js';
import { hasTable, rights, type Workspace, type WorkspaceItem } from './useWorkspace.js';
import type { NewItem, OpenDialog } from './WorkspaceDialogs.js';

interface WorkspaceDoings {
  choose: (item: WorkspaceItem | null) => void;
  openTable: (item: WorkspaceItem) => void;
  chosen: WorkspaceItem | null;
  zoom: (items: readonly WorkspaceItem[]) => void;
  setDialog: (dialog: OpenDialog) => void;
  /** The folder that something new is put in. */
  parent: number | null;
}

/** Offers the layers of the map, and what can be done with it, in the command palette. */
export function useWorkspaceActions(workspace: Workspace, doings: WorkspaceDoings): void {
  const texts = useWorkspaceTexts();
  const queryTexts = useQueryTexts();
  const externalTexts = useExternalTexts();
  const { items, map, access } = workspace;
  useActions(() => ({
    label: map.name || map.code,
    actions: [...whole(), ...ofChosen(), ...items.map(listed)],
  }));

  const whole = (): Action[] => {
    const { choose, zoom, setDialog, parent } = doings;
    const add = (kind: NewItem, label: string): Action => ({
      id: `add ${kind}`,
      label: `${texts.add}: ${label}`,
      run: () => setDialog({ kind, parent }),
    });
    return [
      { id: 'extent', label: texts.zoomToAll, run: () => zoom(items) },
      { id: 'map', label: texts.tabMap, run: () => choose(null) },
      { id: 'share', label: texts.share, run: () => setDialog({ kind: 'share' }) },
      ...(access >= rights.edit
        ? [
            add('layer', texts.addLayer),
            add('query', queryTexts.addQuery),
            add('external', externalTexts.add),
            add('folder', texts.addFolder),
          ]
        : []),
    ];
  };
  const ofChosen = (): Action[] => {
    const { chosen, openTable, setDialog } = doings;
    if (!chosen || !hasTable(chosen)) return [];
    const hint = chosen.name || chosen.code;
    return [
      { id: 'table', label: texts.openTable, hint, run: () => openTable(chosen) },
      {
        id: 'export',
        label: texts.exportObjects,
        hint,
        run: () => setDialog({ kind: 'export', item: chosen }),
      },
    ];
  };
  const listed = (item: WorkspaceItem): Action => ({
    id: `item ${item.id}`,
    label: item.name || item.code,
    hint: texts.kinds[item.type] ?? '',
    run: () => doings.choose(item),
  });
}
