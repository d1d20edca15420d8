import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { ColumnsTab } from '../columns/ColumnsTab.js';
import { hasColumns } from '../columns/columns.js';
import { StyleTab } from '../style/StyleTab.js';
import type { DrawnBy } from '../style/useDrawnBy.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Tab } from '../useAddress.js';
import type { Changes } from '../useChanges.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';
import { FolderAbout } from './FolderAbout.js';
import classes from './inspector.module.css';
import { LayerAbout } from './LayerAbout.js';
import { MapAbout } from './MapAbout.js';

interface InspectorProps {
  workspace: Workspace;
  /** The chosen layer or folder; null: the map. */
  item: WorkspaceItem | null;
  tab: Tab;
  onTab: (tab: Tab) => void;
  changes: Changes;
  /** Whether the title is to be renamed: it gets the focus, and then `onRenaming` is called. */
  isRenaming: boolean;
  onRenaming: () => void;
  onZoom: (item: WorkspaceItem) => void;
  onCode: (code: string) => void;
  /** Called when another draft of the style is stored. */
  onDrawn: () => void;
  drawnBy: DrawnBy | null;
}

/** Whether the layer has a style. */
export const hasStyle = ({ type }: WorkspaceItem): boolean => type !== 'folder';

/** What is chosen, with a tab for each part of it. */
export function Inspector({
  workspace,
  item,
  tab,
  onTab,
  changes,
  onDrawn,
  drawnBy,
  ...rest
}: InspectorProps): ReactNode {
  const texts = useWorkspaceTexts();
  const name = item ? item.name || item.code : workspace.map.name || workspace.map.code;
  const label = !item ? texts.tabMap : item.type === 'folder' ? texts.tabFolder : texts.tabLayer;
  const styled = item && hasStyle(item) ? item : null;
  const tabular = item && hasColumns(item) ? item : null;
  const shown = { about: true, columns: tabular !== null, style: styled !== null };
  const About = item?.type === 'folder' ? FolderAbout : LayerAbout;
  return (
    <div className={classes.inspector}>
      <h2 className={classes.heading}>{name}</h2>
      <Tabs
        value={shown[tab] ? tab : 'about'}
        onChange={(value) => value && onTab(value as Tab)}
        keepMounted={false}
      >
        <Tabs.List aria-label={name}>
          <Tabs.Tab value="about">{label}</Tabs.Tab>
          {tabular && <Tabs.Tab value="columns">{texts.columns}</Tabs.Tab>}
          {styled && <Tabs.Tab value="style">{texts.tabStyle}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="about" className={classes.about}>
          {item ? (
            <About key={item.id} workspace={workspace} item={item} changes={changes} {...rest} />
          ) : (
            <MapAbout workspace={workspace} changes={changes} />
          )}
        </Tabs.Panel>
        {tabular && (
          <Tabs.Panel value="columns" className={classes.about}>
            <ColumnsTab key={tabular.id} workspace={workspace} item={tabular} changes={changes} />
          </Tabs.Panel>
        )}
        {styled && (
          <Tabs.Panel value="style" className={classes.about}>
            <StyleTab
              key={styled.id}
              workspace={workspace}
              item={styled}
              changes={changes}
              onDrawn={onDrawn}
              drawnBy={drawnBy}
              onLayer={rest.onCode}
            />
          </Tabs.Panel>
        )}
      </Tabs>
    </div>
  );
}
