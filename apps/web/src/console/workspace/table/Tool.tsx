import { ActionIcon, Loader } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface ToolProps {
  icon: ReactNode;
  label: string;
  /** The promise of one that takes its time never rejects. Until it is resolved, further clicks do nothing. */
  onClick: () => unknown;
  isDisabled?: boolean;
  /** Whether a tool that stays on is on. */
  isOn?: boolean;
}

/** A button of the table's head. */
export function Tool({ icon, label, onClick, isDisabled = false, isOn }: ToolProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const press = (): void => {
    if (isBusy) return;
    const done = onClick();
    if (!(done instanceof Promise)) return;
    setBusy(true);
    void done.then(() => setBusy(false));
  };
  return (
    <ActionIcon
      variant={isOn ? 'light' : 'subtle'}
      color={isOn ? undefined : 'gray'}
      size={36}
      aria-label={label}
      aria-pressed={isOn}
      title={label}
      aria-busy={isBusy}
      disabled={isDisabled}
      onClick={press}
    >
      {isBusy ? <Loader size={18} /> : icon}
    </ActionIcon>
  );
}
