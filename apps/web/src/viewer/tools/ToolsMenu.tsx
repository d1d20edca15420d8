import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconTools } from '../../common/icons.js';
import { type ToolName, toolNames, tools } from './tools.js';
import classes from './tools.module.css';
import { useToolTexts } from './useToolTexts.js';

/** The menu that opens a tool. */
export function ToolsMenu({ onOpen }: { onOpen: (tool: ToolName) => void }): ReactNode {
  const texts = useToolTexts();
  return (
    <Menu position="left-start" withInitialFocusPlaceholder={false} width={260} shadow="md">
      <Menu.Target>
        <ActionIcon
          className={classes.button}
          variant="default"
          size={46}
          aria-label={texts.tools}
          title={texts.tools}
        >
          <IconTools size={20} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={texts.toolsOf}>
        {toolNames.map((name) => {
          const { Icon } = tools[name];
          return (
            <Menu.Item
              key={name}
              className={classes.item}
              leftSection={<Icon size={18} stroke={1.7} />}
              onClick={() => onOpen(name)}
            >
              {texts[name]}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
