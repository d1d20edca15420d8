import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconX } from '../../common/icons.js';
import { useTexts } from '../../common/texts/language.js';
import type { News } from './useChanges.js';
import classes from './workspace.module.css';

/** What has been done or has failed, told to screen readers, too. */
export function NewsBar({ news, onClose }: { news: News; onClose: () => void }): ReactNode {
  const common = useTexts();
  return (
    <div
      className={classes.news}
      data-problem={news.isProblem || undefined}
      data-empty={!news.text || undefined}
    >
      <p role="status">{news.text}</p>
      {news.text && (
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={common.close} onClick={onClose}>
          <IconX size={18} />
        </ActionIcon>
      )}
    </div>
  );
}
