import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import classes from './others.module.css';
import type { Part } from './useOthers.js';

interface OthersBarProps {
  parts: readonly Part[];
  onShow: () => void;
}

/** Tells what somebody else has changed of what is shown, and shows it on request. */
export function OthersBar({ parts, onShow }: OthersBarProps): ReactNode {
  const texts = useWorkspaceTexts();
  const { ui } = useLanguage();
  const names = new Intl.ListFormat(ui).format(parts.map((part) => texts.parts[part]));
  return (
    <div className={classes.bar} data-empty={!parts.length || undefined}>
      <p role="status">{parts.length ? texts.othersChanged(names) : ''}</p>
      {parts.length > 0 && (
        <Button size="compact-md" variant="light" onClick={onShow}>
          {texts.showChanges}
        </Button>
      )}
    </div>
  );
}
