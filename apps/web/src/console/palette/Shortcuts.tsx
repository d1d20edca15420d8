import { ActionIcon } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { IconCommand } from '../../common/icons.js';
import { isCommandKey } from '../isCommandKey.js';
import { lazyDialog } from '../lazyPart.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import { useActions } from './actions.js';

const Palette = lazyDialog(() => import('./Palette.js'));
const KeyboardHelp = lazyDialog(() => import('./KeyboardHelp.js'));

/** The button of the command palette, and the keys that open it and the keyboard help. */
export function Shortcuts(): ReactNode {
  const texts = useConsoleTexts();
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const wanted = wantedBy(event);
      if (!wanted || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen(wanted);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  useActions(() => ({
    label: texts.console,
    actions: [{ id: 'keys', label: texts.keyboardHelp, hint: '?', run: () => setOpen('help') }],
  }));
  const close = (): void => setOpen(null);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        aria-label={texts.palette}
        aria-keyshortcuts="Control+K"
        title={`${texts.palette} (Ctrl K)`}
        onClick={() => setOpen('palette')}
      >
        <IconCommand size={20} stroke={1.7} />
      </ActionIcon>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'help' && <KeyboardHelp onClose={close} />}
      </Suspense>
    </>
  );
}

/** What a key opens. A question mark is typed into fields. */
function wantedBy(event: KeyboardEvent): 'palette' | 'help' | null {
  if (isCommandKey(event, 'k')) return 'palette';
  const { key, ctrlKey, metaKey, target } = event;
  const isField =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role=textbox]'));
  return key === '?' && !ctrlKey && !metaKey && !isField ? 'help' : null;
}
