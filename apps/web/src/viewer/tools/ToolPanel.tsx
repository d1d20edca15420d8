import { ActionIcon, Loader } from '@mantine/core';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { ErrorBoundary } from '../../common/ErrorBoundary.js';
import { IconX } from '../../common/icons.js';
import { useTexts } from '../../common/texts/language.js';
import panel from '../panels/panel.module.css';
import type { ToolContext } from './context.js';
import { type ToolName, tools } from './tools.js';
import classes from './tools.module.css';
import { useToolTexts } from './useToolTexts.js';

interface ToolPanelProps {
  tool: ToolName;
  context: ToolContext;
  onClose: () => void;
}

/** An open tool: a panel on the right, on a phone a sheet from below. */
export function ToolPanel({ tool, context, onClose }: ToolPanelProps): ReactNode {
  const common = useTexts();
  const texts = useToolTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  // A part that could not be loaded is asked for again when the tool is opened again.
  const Content = useMemo(() => lazy<ComponentType<ToolContext>>(tools[tool].load), [tool]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tool that opens takes the focus
  useEffect(() => heading.current?.focus(), [tool]);
  return (
    <section className={panel.panel} aria-label={texts[tool]} data-testid="tool">
      <header className={classes.head}>
        <h2 ref={heading} tabIndex={-1}>
          {texts[tool]}
        </h2>
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={common.close} onClick={onClose}>
          <IconX size={20} />
        </ActionIcon>
      </header>
      <div className={`${panel.body} ${classes.body}`}>
        <ErrorBoundary key={tool} fallback={<p role="alert">{texts.loadFailed}</p>}>
          <Suspense fallback={<Loader size="sm" />}>
            <Content {...context} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </section>
  );
}
