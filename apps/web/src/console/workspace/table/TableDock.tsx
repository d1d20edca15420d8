import { ActionIcon, Loader } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { ErrorBoundary } from '../../../common/ErrorBoundary.js';
import { IconChevronDown, IconTable } from '../../../common/icons.js';
import { ErrorMessage } from '../../../common/Message.js';
import { useTexts } from '../../../common/texts/language.js';
import type { TableContext } from './context.js';
import { Splitter } from './Splitter.js';
import classes from './table.module.css';
import { useTableTexts } from './useTableTexts.js';

const TablePanel = lazy(() => import('./TablePanel.js'));

interface TableDockProps extends TableContext {
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

/** The table of the chosen layer below the map, which is loaded when it is opened. */
export function TableDock({ isOpen, onToggle, ...context }: TableDockProps): ReactNode {
  const texts = useTableTexts();
  const { loading } = useTexts();
  const dock = useRef<HTMLElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [percent, setPercent] = useState(45);
  /** Whether the user has pressed the button that is replaced by the table, or that of the table: the focus goes over. */
  const isPressed = useRef(false);
  useEffect(() => {
    if (isPressed.current) (isOpen ? dock : opener).current?.focus();
    isPressed.current = false;
  }, [isOpen]);
  const toggle = (next: boolean): void => {
    isPressed.current = true;
    onToggle(next);
  };
  const name = context.item.name || context.item.code;
  if (!isOpen) {
    return (
      <button ref={opener} type="button" className={classes.opener} onClick={() => toggle(true)}>
        <IconTable size={18} aria-hidden /> <span>{texts.open(name)}</span>
      </button>
    );
  }
  return (
    <section
      ref={dock}
      tabIndex={-1}
      className={classes.dock}
      style={{ height: `${percent}%` }}
      aria-label={texts.tableOf(name)}
    >
      <Splitter label={texts.resize} percent={percent} onPercent={setPercent} />
      <ActionIcon
        className={classes.close}
        variant="subtle"
        color="gray"
        size={36}
        aria-label={texts.close}
        onClick={() => toggle(false)}
      >
        <IconChevronDown size={20} />
      </ActionIcon>
      <ErrorBoundary fallback={<ErrorMessage error={null} onRetry={() => location.reload()} />}>
        <Suspense
          fallback={
            <p className={classes.waiting} role="status">
              <Loader size="sm" /> {loading}
            </p>
          }
        >
          <TablePanel key={context.item.id} {...context} />
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}
