import '@mantine/core/styles/Tabs.css';
import { Button, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { IconListDetails, IconStack2 } from '../../common/icons.js';
import { ErrorMessage } from '../../common/Message.js';
import { useLanguage } from '../../common/texts/language.js';
import type { MapView } from '../../viewer/map/mapView.js';
import type { TreeNode } from '../../viewer/tree.js';
import type { PointedPlace } from '../../viewer/types.js';
import shell from '../console.module.css';
import { hasMoved } from '../router.js';
import { focusContent, useTitle } from '../Titled.js';
import { extentOfItems } from './extents.js';
import { DropZone } from './import/DropZone.js';
import { dataSetsOf } from './import/dataSets.js';
import { ImportDialog } from './import/ImportDialog.js';
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
import { useAddress } from './useAddress.js';
import { useChanges } from './useChanges.js';
import { useImported } from './useImported.js';
import { useVisible } from './useVisible.js';
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
  return <Parts workspace={workspace} />;
}

const margin = { left: 32, top: 32, right: 64, bottom: 40 };

/** The parts of the workspace. On a narrow page, tree and inspector are drawers above the map. */
function Parts({ workspace }: { workspace: Workspace }): ReactNode {
  const texts = useWorkspaceTexts();
  const parts = useParts(workspace);
  const { address, setAddress, chosen, choose, zoom, drawer, setDrawer, changes, visible } = parts;
  useWorkspaceActions(workspace, { ...parts, parent: parentFor(chosen) });
  const closeDrawer = (): void => setDrawer(null);
  return (
    <DropZone className={classes.workspace} onFiles={workspace.access >= rights.edit ? parts.addFiles : null}>
      <SidePanel label={texts.layers} side="left" isOpen={drawer === 'layers'} onClose={closeDrawer}>
        <TreePanel
          workspace={workspace}
          visible={visible}
          chosen={chosen}
          changes={changes}
          onChoose={(node) => choose(node.item as WorkspaceItem)}
          onAction={parts.act}
          onFiles={parts.addFiles}
          onAdd={(kind) => parts.setDialog({ kind, parent: parentFor(chosen) })}
          onShare={() => parts.setDialog({ kind: 'share' })}
          onMap={() => choose(null)}
        />
      </SidePanel>
      <Middle workspace={workspace} parts={parts} />
      <SidePanel label={texts.details} side="right" isOpen={drawer === 'details'} onClose={closeDrawer}>
        <Inspector
          workspace={workspace}
          item={chosen}
          tab={address.tab}
          onTab={(tab) => setAddress({ tab })}
          changes={changes}
          isRenaming={parts.isRenaming}
          onRenaming={parts.endRenaming}
          onZoom={(item) => zoom([item])}
          onCode={(code) => setAddress({ item: code })}
          {...parts.styling}
        />
      </SidePanel>
      <WorkspaceDialogs
        workspace={workspace}
        dialog={parts.dialog}
        onClose={() => parts.setDialog(null)}
        onChosen={(code) => setAddress({ item: code })}
        changes={changes}
      />
      {parts.files[0] && <FileQueue workspace={workspace} parts={parts} />}
    </DropZone>
  );
}

interface PartProps {
  workspace: Workspace;
  parts: ReturnType<typeof useParts>;
}

/** The live map, and the table of the chosen layer below it. */
function Middle({ workspace, parts }: PartProps): ReactNode {
  const { ui } = useLanguage();
  const { address, chosen, view, drawer, setDrawer, changes, visible, others } = parts;
  const hasOpenTable = address.table && chosen !== null && hasTable(chosen);
  return (
    <div className={classes.middle}>
      {/* The table tells of its rows itself. */}
      <OthersBar
        parts={others.parts.filter((part) => part !== 'data' || !hasOpenTable)}
        onShow={() => void parts.showOthers()}
      />
      <div className={classes.map}>
        <LiveMap
          workspace={workspace}
          extent={extentOfItems(workspace.items)}
          visible={visible.layers}
          language={ui}
          view={view}
          onReady={parts.setView}
          onPoint={parts.setPointed}
          stored={parts.stored}
          draft={address.tab === 'style' && chosen && chosen.access >= rights.edit ? parts.drawn : null}
        />
        <DrawerButtons drawer={drawer} onOpen={setDrawer} />
        <NewsBar news={changes.news} onClose={() => changes.tell('')} />
      </div>
      {chosen && hasTable(chosen) && <Table workspace={workspace} item={chosen} parts={parts} />}
    </div>
  );
}

interface TableProps extends PartProps {
  item: WorkspaceItem;
}

/** The table of the chosen layer, as the address has it. */
function Table({ workspace, item, parts }: TableProps): ReactNode {
  const { address, setAddress, view, pointed, changes, others } = parts;
  const sort = useMemo(() => sortOf(address.sort), [address.sort]);
  const filter = useMemo(() => filterOf(address.filter), [address.filter]);
  return (
    <TableDock
      workspace={workspace}
      item={item}
      view={view}
      // With the style open, a click on the map looks for the layer that drew it.
      pointed={address.tab === 'style' ? null : pointed}
      changes={changes}
      onStored={parts.countStored}
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
function FileQueue({ workspace, parts }: PartProps): ReactNode {
  const { files, dropFile, dropFiles, chosen, setAddress, showImported } = parts;
  const { file, id } = files[0]!;
  const [isAll, setAll] = useState(false);
  return (
    <ImportDialog
      key={id}
      workspace={workspace}
      file={file}
      waiting={files.length - 1}
      parent={parentFor(chosen) ?? workspace.map.id}
      isAll={isAll}
      onAll={() => setAll(true)}
      onClose={dropFile}
      onCloseAll={dropFiles}
      onStored={async (layer) => {
        await workspace.reload();
        showImported(layer);
        if (!isAll || files.length === 1) setAddress({ item: layer });
        dropFile();
      }}
    />
  );
}

/** The files that are imported one after the other. The same file may wait twice. */
function useFileQueue() {
  const [files, setFiles] = useState<readonly { id: number; file: File }[]>([]);
  const count = useRef(0);
  const addFiles = async (added: readonly File[]): Promise<void> => {
    const waiting = (await dataSetsOf(added)).map((file) => ({ id: count.current++, file }));
    setFiles((before) => [...before, ...waiting]);
  };
  return {
    files,
    addFiles: (added: readonly File[]): void => void addFiles(added),
    dropFile: (): void => setFiles(([, ...waiting]) => waiting),
    dropFiles: (): void => setFiles([]),
  };
}

/** What is chosen, shown and open in the workspace, and what changes it. */
function useParts(workspace: Workspace) {
  const [address, setAddress] = useAddress();
  const [view, setView] = useState<MapView | null>(null);
  // What to do first with an empty map is told beside its layers.
  const [drawer, setDrawer] = useState<'layers' | 'details' | null>(workspace.items.length ? null : 'layers');
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [drawn, setDrawn] = useState(0);
  const [stored, setStored] = useState(0);
  const [pointed, setPointed] = useState<PointedPlace | null>(null);
  const queue = useFileQueue();
  const [renaming, setRenaming] = useState<WorkspaceItem | null>(null);
  const visible = useVisible(workspace.roots, workspace.published);
  const changes = useChanges(workspace);
  const chosen = useChosen(workspace.items, address.item);
  const others = useOthers(workspace, chosen);
  const countStored = (): void => setStored((before) => before + 1);
  const choose = (item: WorkspaceItem | null): void => {
    setAddress({ item: item?.code ?? null });
    setDrawer('details');
  };
  const openTable = ({ code }: WorkspaceItem): void => {
    setAddress({ item: code, table: true });
    setDrawer(null);
  };
  const isOn = address.tab === 'style';
  const shown = visible.layers;
  const drawnBy = useDrawnBy({ workspace, visible: shown, pointed, isOn, changes, onFound: choose });
  const zoom = (items: readonly WorkspaceItem[]): void => {
    const extent = extentOfItems(items);
    if (extent) view?.zoomTo(extent, margin);
    setDrawer(null);
  };
  const showImported = useImported(workspace.items, zoom);
  const act = (node: TreeNode, action: PlacedAction): void => {
    const item = node.item as WorkspaceItem;
    if (action === 'zoom') zoom(node.leaves as WorkspaceItem[]);
    else if (action === 'remove') setDialog({ kind: 'delete', item });
    else if (action === 'export') setDialog({ kind: 'export', item });
    else if (action === 'table') openTable(item);
    else {
      choose(item);
      setRenaming(item);
    }
  };
  return {
    ...{ pointed, setPointed, address, setAddress, view, setView, drawer, setDrawer, dialog, setDialog },
    ...{ drawn, styling: { drawnBy, onDrawn: () => setDrawn((before) => before + 1) } },
    ...{ stored, countStored, others },
    showOthers: async (): Promise<void> => {
      await workspace.reload();
      countStored();
    },
    ...{ ...queue, showImported, visible, changes, chosen, choose, openTable, zoom, act },
    ...{ isRenaming: renaming !== null && renaming.id === chosen?.id, endRenaming: () => setRenaming(null) },
  };
}

/** The item of a code. One that has got another code meanwhile stays chosen. */
function useChosen(items: readonly WorkspaceItem[], code: string | null): WorkspaceItem | null {
  const last = useRef<{ code: string; id: number } | null>(null);
  const named = items.find((item) => item.code === code);
  if (named) last.current = { code: named.code, id: named.id };
  if (named || last.current?.code !== code) return named ?? null;
  return items.find(({ id }) => id === last.current!.id) ?? null;
}

/** The folder that something new is put in: the chosen one, or that of the chosen layer. */
const parentFor = (chosen: WorkspaceItem | null): number | null =>
  chosen && (chosen.type === 'folder' ? chosen.id : chosen.parent_id);

interface DrawerButtonsProps {
  drawer: 'layers' | 'details' | null;
  onOpen: (drawer: 'layers' | 'details') => void;
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
