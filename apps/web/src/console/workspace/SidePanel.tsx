import { ActionIcon } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconX } from '../../common/icons.js';
import { useTexts } from '../../common/texts/language.js';
import classes from './workspace.module.css';

interface SidePanelProps {
  label: string;
  side: 'left' | 'right';
  /** Whether the drawer of a narrow page is open. A wide page always shows the panel. */
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A panel beside the map, which on a narrow page is a drawer above it. */
export function SidePanel({ label, side, isOpen, onClose, children }: SidePanelProps): ReactNode {
  const texts = useTexts();
  const panel = useRef<HTMLElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (isOpen && !wasOpen.current)
      panel.current?.querySelector<HTMLElement>('button, [tabindex="0"]')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <section
      ref={panel}
      className={classes.panel}
      data-side={side}
      data-open={isOpen || undefined}
      aria-label={label}
      onKeyDown={(event) => {
        const isInDialog = (event.target as Element).closest('dialog') !== null;
        if (event.key === 'Escape' && isOpen && !isInDialog && !event.defaultPrevented) onClose();
      }}
    >
      <ActionIcon
        className={classes.close}
        variant="subtle"
        color="gray"
        size={44}
        aria-label={texts.close}
        onClick={onClose}
      >
        <IconX size={20} />
      </ActionIcon>
      {children}
    </section>
  );
}
