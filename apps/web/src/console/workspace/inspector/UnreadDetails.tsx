import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconRefresh } from '../../../common/icons.js';
import { useTexts } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import classes from './inspector.module.css';

/** Why details could not be read, with a button to read them again. */
export function UnreadDetails({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const texts = useTexts();
  const text = explain(error, useConsoleTexts(), texts);
  return (
    <div className={classes.unread}>
      <p role="alert">{text}</p>
      <Button variant="light" leftSection={<IconRefresh size={18} aria-hidden />} onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    </div>
  );
}
