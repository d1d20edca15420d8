import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  IconArrowDown,
  IconArrowUp,
  IconDots,
  IconDownload,
  IconFolderDown,
  IconFolderUp,
  IconPencil,
  IconTable,
  IconTrash,
  IconZoomScan,
} from '../../../common/icons.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Direction } from './moves.js';

/** What is done with an item where it is, apart from moving it. */
export type PlacedAction = 'zoom' | 'table' | 'export' | 'rename' | 'remove';
export type ItemAction = PlacedAction | Direction;

interface ItemMenuProps {
  name: string;
  isOpen: boolean;
  onOpen: (open: boolean) => void;
  /** The actions that there are for the item. */
  actions: ReadonlySet<ItemAction>;
  onAction: (action: ItemAction) => void;
}

const icons = {
  zoom: IconZoomScan,
  table: IconTable,
  export: IconDownload,
  rename: IconPencil,
  up: IconArrowUp,
  down: IconArrowDown,
  in: IconFolderDown,
  out: IconFolderUp,
  remove: IconTrash,
} as const;

/** The menu of an item of the tree. The tree has the focus, so that the button is no stop of the tab key. */
export function ItemMenu({ name, isOpen, onOpen, actions, onAction }: ItemMenuProps): ReactNode {
  const texts = useWorkspaceTexts();
  const labels = {
    zoom: texts.zoomTo,
    table: texts.openTable,
    export: texts.exportObjects,
    rename: texts.rename,
    up: texts.moveUp,
    down: texts.moveDown,
    in: texts.moveIn,
    out: texts.moveOut,
    remove: texts.remove,
  } as const;
  const shown = (Object.keys(icons) as ItemAction[]).filter((action) => actions.has(action));
  return (
    <Menu
      position="bottom-end"
      width={240}
      shadow="md"
      withInitialFocusPlaceholder={false}
      opened={isOpen}
      onChange={onOpen}
    >
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          tabIndex={-1}
          aria-label={texts.actionsOf(name)}
          onClick={(event) => event.stopPropagation()}
          onDoubleClick={(event) => event.stopPropagation()}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => event.stopPropagation()}
      >
        {shown.map((action) => {
          const Icon = icons[action];
          return (
            <Menu.Item
              key={action}
              mih={40}
              leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
              onClick={() => onAction(action)}
            >
              {labels[action]}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
