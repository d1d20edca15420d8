import '@mantine/core/styles/Tabs.css';
import { Button, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { IconListDetails, IconStack2 } from '../../common/icons.js';
import { ErrorMessage } from '../../common/Message.js';
import { useLanguage } from '../../common/texts/language.js';
import type { TreeNode } from '../../viewer/tree.js';
import shell from '../console.module.css';
import { hasMoved } from '../router.js';
import { focusContent, useTitle } from '../Titled.js';
import { extentOfItems } from './extents.js';
import { DropZone } from './import/DropZone.js';
import { ImportDialog } from './import/ImportDialog.js';
import { useFileQueue } from './import/useFileQueue.js';
import { Inspector } from './inspector/Inspector.js';
import { LiveMap } from './LiveMap.js';
import { NewsBar } from './NewsBar.js';
import { OthersBar } from './others/OthersBar.js';
import { useOthers } from './others/useOthers.js';
import { SidePanel } from './SidePanel.js';
import { useDrawnBy } from './style/useDrawnBy.js';
import { TreePanel } from './TreePanel.js';
import type { TableSort } from './table/rows/source.js';
import { TableDock } from './table/TableDock.js';
import { useWorkspaceTexts } from './texts/useWorkspaceTexts.js';
import type { PlacedAction } from './tree/ItemMenu.js';
import { type Changes, useChanges } from './useChanges.js';
import { useImported } from './useImported.js';
import { useLiveMap } from './useLiveMap.js';
import { type Drawer, type Selection, useSelection } from './useSelection.js';
import { hasTable, rights, useWorkspace, type Workspace, type WorkspaceItem } from './useWorkspace.js';
import { useWorkspaceActions } from './useWorkspaceActions.js';
import { type OpenDialog, WorkspaceDialogs } from './WorkspaceDialogs.js';
import classes from './workspace.module.css';

/** The workspace of a map: tree, live map, inspector. */
export default function MapWorkspace({ project, code }: { project: string; code: string }): ReactNode {
  const { ui, texts: common } = useLanguage();
  const { workspace, error, reload } = useWorkspace(project, code, ui);
  useTitle(workspace?.map.name || code);
  useEffect(() => {
    if (hasMoved()) focusContent();
  }, []);
  if (error) return <ErrorMessage error={error} project={project} onRetry={() => void reload()} />;
  if (!workspace) {
    return (
      <p className={shell.waiting} role="status">
        <Loader size="sm" /> {common.loading}
      </p>
    );
  }
  return <LoadedWorkspace workspace={workspace} />;
}

/** The parts of the page. On a narrow page, tree and inspector are drawers above the map. */
function LoadedWorkspace({ workspace }: { workspace: Workspace }): ReactNode {
  const texts = useWorkspaceTexts();
  const state = useWorkspaceState(workspace);
  const { selection, map, changes, queue, setDialog } = state;
  const { address, setAddress, chosen, choose, openTable, drawer, setDrawer } = selection;
  const parent = parentFor(chosen);
  useWorkspaceActions(workspace, { choose, openTable, chosen, zoom: map.zoom, setDialog, parent });
  const closeDrawer = (): void => setDrawer(null);
  return (
    <DropZone
      className={classes.workspace}
      onFiles={workspace.access >= rights.edit ? queue.addFiles : null}
      onFailure={changes.tellProblem}
    >
      <SidePanel label={texts.layers} side="left" isOpen={drawer === 'layers'} onClose={closeDrawer}>
        <TreePanel
          workspace={workspace}
          visible={map.visible}
          chosen={chosen}
          changes={changes}
          onChoose={(node) => choose(node.item as WorkspaceItem)}
          onAction={state.act}
          onFiles={queue.addFiles}
          onAdd={(kind) => setDialog({ kind, parent })}
          onShare={() => setDialog({ kind: 'share' })}
          onMap={() => choose(null)}
        />
      </SidePanel>
      <Middle workspace={workspace} state={state} />
      <SidePanel label={texts.details} side="right" isOpen={drawer === 'details'} onClose={closeDrawer}>
        <Inspector
          workspace={workspace}
          item={chosen}
          tab={address.tab}
          onTab={(tab) => setAddress({ tab })}
          changes={changes}
          isRenaming={state.isRenaming}
          onRenaming={state.endRenaming}
          onZoom={(item) => map.zoom([item])}
          onCode={(code) => setAddress({ item: code })}
          drawnBy={state.drawnBy}
          onDrawn={map.countDraft}
        />
      </SidePanel>
      <WorkspaceDialogs
        workspace={workspace}
        dialog={state.dialog}
        onClose={() => setDialog(null)}
        onChosen={(code) => setAddress({ item: code })}
        changes={changes}
      />
      {queue.files[0] && <QueuedImport workspace={workspace} state={state} />}
    </DropZone>
  );
}

interface StateProps {
  workspace: Workspace;
  state: WorkspaceState;
}

/** The live map, and the table of the chosen layer below it. */
function Middle({ workspace, state }: StateProps): ReactNode {
  const { ui } = useLanguage();
  const { selection, map, changes, others } = state;
  const { address, chosen, drawer, setDrawer } = selection;
  const hasOpenTable = address.table && chosen !== null && hasTable(chosen);
  return (
    <div className={classes.middle}>
      {/* The table tells of its rows itself. */}
      <OthersBar
        parts={others.parts.filter((part) => part !== 'data' || !hasOpenTable)}
        onShow={() => void state.showOthers()}
      />
      <div className={classes.map}>
        <LiveMap
          workspace={workspace}
          extent={extentOfItems(workspace.items)}
          visible={map.visible.layers}
          language={ui}
          view={map.view}
          onReady={map.setView}
          onPoint={map.setPointed}
          stored={map.stored}
          draft={address.tab === 'style' && chosen && chosen.access >= rights.edit ? map.drafts : null}
        />
        <DrawerButtons drawer={drawer} onOpen={setDrawer} />
        <NewsBar news={changes.news} onClose={() => changes.tell('')} />
      </div>
      {chosen && hasTable(chosen) && <Table workspace={workspace} item={chosen} state={state} />}
    </div>
  );
}

interface TableProps extends StateProps {
  item: WorkspaceItem;
}

/** The table of the chosen layer, as the address has it. */
function Table({ workspace, item, state }: TableProps): ReactNode {
  const { selection, map, changes, others } = state;
  const { address, setAddress } = selection;
  const sort = useMemo(() => sortOf(address.sort), [address.sort]);
  const filter = useMemo(() => filterOf(address.filter), [address.filter]);
  return (
    <TableDock
      workspace={workspace}
      item={item}
      view={map.view}
      // With the style open, a click on the map looks for the layer that drew it.
      pointed={address.tab === 'style' ? null : map.pointed}
      changes={changes}
      onStored={map.countStored}
      dataVersion={others.data}
      isOpen={address.table}
      onToggle={(table) => setAddress({ table })}
      sort={sort}
      onSort={(next) => setAddress({ sort: next ? `${next.code},${next.descending ? 'd' : 'a'}` : '' })}
      filter={filter}
      onFilter={(next) => setAddress({ filter: next ? JSON.stringify(next) : '' })}
    />
  );
}

/** The order that an address names; null: none. */
function sortOf(text: string): TableSort | null {
  const [code, direction] = text.split(',');
  return code ? { code, descending: direction === 'd' } : null;
}

/** The filter that an address has; null: none. What is wrong with it the service says. */
function filterOf(text: string): object | null {
  try {
    const filter: unknown = JSON.parse(text || 'null');
    return typeof filter === 'object' ? filter : null;
  } catch {
    return null;
  }
}

/** The import of the first of the files that wait. */
function QueuedImport({ workspace, state }: StateProps): ReactNode {
  const { queue, selection, showImported } = state;
  const { files, dropFile, dropFiles } = queue;
  const { file, id } = files[0]!;
  const [isAll, setAll] = useState(false);
  return (
    <ImportDialog
      key={id}
      workspace={workspace}
      file={file}
      waiting={files.length - 1}
      parent={parentFor(selection.chosen) ?? workspace.map.id}
      isAll={isAll}
      onAll={() => setAll(true)}
      onClose={dropFile}
      onCloseAll={dropFiles}
      onStored={async (layer) => {
        await workspace.reload();
        showImported(layer);
        if (!isAll || files.length === 1) selection.setAddress({ item: layer });
        dropFile();
      }}
    />
  );
}

type WorkspaceState = ReturnType<typeof useWorkspaceState>;

/** What the user has chosen and opened in a workspace, and what changes it. The parts of the page share it. */
function useWorkspaceState(workspace: Workspace) {
  const selection = useSelection(workspace);
  const { address, setAddress, chosen, choose, openTable, setDrawer } = selection;
  const map = useLiveMap(workspace, () => setDrawer(null));
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [renaming, setRenaming] = useState<WorkspaceItem | null>(null);
  const queue = useFileQueue();
  const changes = useChanges(workspace);
  useAbsent(selection, changes);
  const others = useOthers(workspace, chosen);
  const showImported = useImported(workspace.items, map.zoom);
  const drawnBy = useDrawnBy({
    workspace,
    visible: map.visible.layers,
    pointed: map.pointed,
    isOn: address.tab === 'style',
    changes,
    onFound: choose,
  });
  const act = (node: TreeNode, action: PlacedAction): void => {
    const item = node.item as WorkspaceItem;
    if (action === 'zoom') map.zoom(node.leaves as WorkspaceItem[]);
    else if (action === 'remove') setDialog({ kind: 'delete', item });
    else if (action === 'export') setDialog({ kind: 'export', item });
    else if (action === 'table') openTable(item);
    else {
      setAddress({ item: item.code, tab: 'about' });
      choose(item);
      setRenaming(item);
    }
  };
  return {
    ...{ selection, map, queue, changes, others, dialog, setDialog, showImported, drawnBy, act },
    isRenaming: renaming !== null && renaming.id === chosen?.id,
    endRenaming: () => setRenaming(null),
    showOthers: async (): Promise<void> => {
      await workspace.reload();
      map.countStored();
    },
  };
}

/** Tells that the link that has opened the page names what is not there. */
function useAbsent({ address, chosen }: Selection, { tell }: Changes): void {
  const texts = useWorkspaceTexts();
  const isAbsent = address.item !== null && !chosen;
  // biome-ignore lint/correctness/useExhaustiveDependencies: later choices are of what is there
  useEffect(() => {
    if (isAbsent) tell(texts.noItem(address.item!));
  }, []);
}

/** The folder that something new is put in: the chosen one, or that of the chosen layer. */
const parentFor = (chosen: WorkspaceItem | null): number | null =>
  chosen && (chosen.type === 'folder' ? chosen.id : chosen.parent_id);

interface DrawerButtonsProps {
  drawer: Drawer | null;
  onOpen: (drawer: Drawer) => void;
}

/** The buttons of a narrow page that open tree and inspector. */
function DrawerButtons({ drawer, onOpen }: DrawerButtonsProps): ReactNode {
  const texts = useWorkspaceTexts();
  return (
    <div className={classes.drawers}>
      <Button
        variant="default"
        size="md"
        leftSection={<IconStack2 size={18} aria-hidden />}
        aria-expanded={drawer === 'layers'}
        onClick={() => onOpen('layers')}
      >
        {texts.layers}
      </Button>
      <Button
        variant="default"
        size="md"
        leftSection={<IconListDetails size={18} aria-hidden />}
        aria-expanded={drawer === 'details'}
        onClick={() => onOpen('details')}
      >
        {texts.details}
      </Button>
    </div>
  );
}
