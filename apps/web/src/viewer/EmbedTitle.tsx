import type { ReactNode } from 'react';
import { IconExternalLink } from '../common/icons.js';
import type { PublishedMap } from '../common/types.js';
import { useToolTexts } from './tools/useToolTexts.js';
import classes from './viewer.module.css';

/** The name of a map in a frame of another page: a link to the map's own page. */
export function EmbedTitle({ map, language }: { map: PublishedMap; language: string }): ReactNode {
  const texts = useToolTexts();
  const name = map.name || map.code;
  const openWhole = (anchor: HTMLAnchorElement): void => {
    const url = new URL(location.href); // with the place that the map shows now
    url.searchParams.delete('embed');
    anchor.href = url.href;
  };
  return (
    <header className={classes.whole}>
      <a
        href={location.pathname}
        target="_blank"
        rel="noopener"
        lang={language}
        aria-label={texts.openMap(name)}
        onPointerDown={(event) => openWhole(event.currentTarget)}
        onClick={(event) => openWhole(event.currentTarget)}
      >
        {name}
        <IconExternalLink size={16} stroke={1.8} />
      </a>
    </header>
  );
}
