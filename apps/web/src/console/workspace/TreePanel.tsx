import { Button, Menu } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { address } from '../../common/base.js';
import {
  IconArrowLeft,
  IconFolderPlus,
  IconPhoto,
  IconPlus,
  IconShare,
  IconSql,
  IconStack2,
  IconUpload,
} from '../../common/icons.js';
import type { TreeNode } from '../../viewer/tree.js';
import { PlaceLink } from '../router.js';
import { useExternalTexts } from './external/useExternalTexts.js';
import { useQueryTexts } from './queries/useQueryTexts.js';
import { useWorkspaceTexts } from './texts/useWorkspaceTexts.js';
import { WorkspaceTree, type WorkspaceTreeProps } from './tree/WorkspaceTree.js';
import type { Changes } from './useChanges.js';
import type { Visible } from './useVisible.js';
import { rights, type Workspace, type WorkspaceItem } from './useWorkspace.js';
import type { NewItem } from './WorkspaceDialogs.js';
import classes from './workspace.module.css';

interface TreePanelProps extends Pick<WorkspaceTreeProps, 'onChoose' | 'onAction'> {
  workspace: Workspace;
  visible: Visible;
  chosen: WorkspaceItem | null;
  changes: Changes;
  onAdd: (kind: NewItem) => void;
  onFiles: (files: File[]) => void;
  onShare: () => void;
  /** Chooses nothing: the inspector shows the map. */
  onMap: () => void;
}

/** The map's name, its folders and layers, and what can be added. */
export function TreePanel(props: TreePanelProps): ReactNode {
  const { workspace, visible, chosen, changes, onAdd, onShare, onMap } = props;
  const texts = useWorkspaceTexts();
  const { project, map, access, items, roots, published, version } = workspace;
  const canEdit = access >= rights.edit;
  const iconOf = ({ code, type }: WorkspaceItem): string | null =>
    type === 'folder' || type === 'raster' || type === 'external'
      ? null
      : address(['api', '2.8', project, map.code, 'layers', code, 'icon'], { size: 40, v: version });
  return (
    <>
      <div className={classes.head}>
        <PlaceLink project={project} className={classes.back}>
          <IconArrowLeft size={18} aria-hidden /> {texts.allMaps(project)}
        </PlaceLink>
        <h1 className={classes.name}>
          <button type="button" onClick={onMap} aria-current={chosen === null || undefined}>
            <span title={map.name || map.code}>{map.name || map.code}</span>
          </button>
        </h1>
        <div className={classes.actions}>
          {canEdit && <AddMenu onAdd={onAdd} onFiles={props.onFiles} />}
          <Button variant="default" leftSection={<IconShare size={18} aria-hidden />} onClick={onShare}>
            {texts.share}
          </Button>
        </div>
      </div>
      {items.length ? (
        <WorkspaceTree
          roots={roots}
          checked={visible.checked}
          chosen={chosen?.id ?? null}
          canEdit={canEdit}
          listed={new Set(published.map(({ map_layer_id }) => map_layer_id))}
          iconOf={iconOf}
          onChoose={props.onChoose}
          onToggle={visible.toggle}
          onMove={(node: TreeNode, move) => void changes.move(node.item.name || node.item.code, move)}
          onAction={props.onAction}
        />
      ) : (
        <div className={classes.none}>
          <IconStack2 size={40} stroke={1.3} aria-hidden />
          <h2>{texts.emptyTree}</h2>
          <p>{canEdit ? texts.emptyTreeHint : texts.emptyTreeViewer}</p>
        </div>
      )}
      {items.length > 0 && canEdit && <p className={classes.keys}>{texts.treeHelp}</p>}
    </>
  );
}

function AddMenu({ onAdd, onFiles }: Pick<TreePanelProps, 'onAdd' | 'onFiles'>): ReactNode {
  const queryTexts = useQueryTexts();
  const externalTexts = useExternalTexts();
  const texts = useWorkspaceTexts();
  const input = useRef<HTMLInputElement>(null);
  const items = [
    ['layer', IconStack2, texts.addLayer],
    ['query', IconSql, queryTexts.addQuery],
    ['external', IconPhoto, externalTexts.add],
    ['folder', IconFolderPlus, texts.addFolder],
  ] as const;
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="files"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = ''; // so that the same file can be chosen again
        }}
      />
      <Menu position="bottom-start" width={260} shadow="md" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button leftSection={<IconPlus size={18} aria-hidden />}>{texts.add}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            mih={44}
            leftSection={<IconUpload size={18} aria-hidden />}
            onClick={() => input.current?.click()}
          >
            {texts.addFile}
          </Menu.Item>
          {items.map(([kind, Icon, label]) => (
            <Menu.Item
              key={kind}
              mih={44}
              leftSection={<Icon size={18} aria-hidden />}
              onClick={() => onAdd(kind)}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
