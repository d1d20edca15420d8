import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';

interface ToolProps {
  icon: ReactNode;
  label: string;
  onClick: () => void;
  isDisabled?: boolean;
  /** Whether a tool that stays on is on. */
  isOn?: boolean;
}

/** A button of the table's head. */
export function Tool({ icon, label, onClick, isDisabled = false, isOn }: ToolProps): ReactNode {
  return (
    <ActionIcon
      variant={isOn ? 'light' : 'subtle'}
      color={isOn ? undefined : 'gray'}
      size={36}
      aria-label={label}
      aria-pressed={isOn}
      title={label}
      disabled={isDisabled}
      onClick={onClick}
    >
      {icon}
    </ActionIcon>
  );
}
