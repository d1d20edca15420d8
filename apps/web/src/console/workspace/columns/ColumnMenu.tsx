import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  IconArrowDown,
  IconArrowUp,
  IconChecklist,
  IconDots,
  IconPencil,
  IconTrash,
} from '../../../common/icons.js';
import { useColumnTexts } from './useColumnTexts.js';

interface ColumnMenuProps {
  label: string;
  onChange: () => void;
  /** Null: it cannot be done. */
  onRules: (() => void) | null;
  onUp: (() => void) | null;
  onDown: (() => void) | null;
  onRemove: (() => void) | null;
}

/** What can be done with a column. */
export function ColumnMenu({ label, onChange, onRules, onUp, onDown, onRemove }: ColumnMenuProps): ReactNode {
  const texts = useColumnTexts();
  const actions = [
    { text: texts.change, Icon: IconPencil, run: onChange },
    { text: texts.rules, Icon: IconChecklist, run: onRules },
    { text: texts.moveUp, Icon: IconArrowUp, run: onUp },
    { text: texts.moveDown, Icon: IconArrowDown, run: onDown },
    { text: texts.remove, Icon: IconTrash, run: onRemove },
  ];
  return (
    <Menu position="bottom-end" width={220} shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={40} aria-label={label}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(
          ({ text, Icon, run }) =>
            run && (
              <Menu.Item
                key={text}
                mih={44}
                leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
                onClick={run}
              >
                {text}
              </Menu.Item>
            ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
