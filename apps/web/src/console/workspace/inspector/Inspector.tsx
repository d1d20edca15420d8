import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { ColumnsTab } from '../columns/ColumnsTab.js';
import { hasColumns, isQuery } from '../columns/columns.js';
import { QueryTab } from '../queries/QueryTab.js';
import { useQueryTexts } from '../queries/useQueryTexts.js';
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
const hasStyle = ({ type }: WorkspaceItem): boolean => type !== 'folder';

/** What is chosen, with a tab for each part of it. */
export function Inspector({ tab, onTab, ...props }: InspectorProps): ReactNode {
  const { workspace, item } = props;
  const texts = useWorkspaceTexts();
  const queryTexts = useQueryTexts();
  const name = item ? item.name || item.code : workspace.map.name || workspace.map.code;
  const about = !item ? texts.tabMap : item.type === 'folder' ? texts.tabFolder : texts.tabLayer;
  const tabs: { value: Tab; label: string }[] = [
    { value: 'about', label: about },
    ...(item && isQuery(item) ? [{ value: 'query' as const, label: queryTexts.tab }] : []),
    ...(item && hasColumns(item) ? [{ value: 'columns' as const, label: texts.columns }] : []),
    ...(item && hasStyle(item) ? [{ value: 'style' as const, label: texts.tabStyle }] : []),
  ];
  return (
    <div className={classes.inspector}>
      <h2 className={classes.heading} title={name}>
        {name}
      </h2>
      <Tabs
        value={tabs.some(({ value }) => value === tab) ? tab : 'about'}
        onChange={(value) => value && onTab(value as Tab)}
        keepMounted={false}
      >
        <Tabs.List aria-label={name}>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value }) => (
          <Tabs.Panel key={value} value={value} className={classes.about}>
            <TabContent tab={value} {...props} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}

/** The part of the layer, folder or map that a tab shows. */
function TabContent(props: Omit<InspectorProps, 'onTab'>): ReactNode {
  const { workspace, item, tab, changes, onDrawn, drawnBy, ...rest } = props;
  if (!item) return <MapAbout workspace={workspace} changes={changes} />;
  const key = item.id;
  const own = { workspace, item, changes };
  switch (tab) {
    case 'query':
      return <QueryTab key={key} {...own} />;
    case 'columns':
      return <ColumnsTab key={key} {...own} />;
    case 'style':
      return <StyleTab key={key} {...own} onDrawn={onDrawn} drawnBy={drawnBy} onLayer={rest.onCode} />;
    default: {
      const About = item.type === 'folder' ? FolderAbout : LayerAbout;
      return <About key={key} {...own} {...rest} />;
    }
  }
}
