import type { ReactNode } from 'react';
import { base } from '../common/base.js';
import { IconLock } from '../common/icons.js';
import { MapPreview } from '../common/MapPreview.js';
import { bestLanguage, shownName, useLanguage } from '../common/texts/language.js';
import type { PublishedMap } from '../common/types.js';
import classes from './home.module.css';

/** A map in the list, with a preview and a link. */
export function MapCard({ map }: { map: PublishedMap }): ReactNode {
  const { texts, wanted } = useLanguage();
  const path = [map.project, map.code].map(encodeURIComponent).join('/');
  return (
    <li className={classes.item}>
      <a className={classes.card} href={`${base}/maps/${path}/`}>
        <MapPreview map={map} language={bestLanguage(wanted, map.languages)} />
        <span className={classes.about}>
          <span className={classes.project}>
            <span>{map.project_name || map.project}</span>
            {!map.is_public && (
              <span className={classes.private}>
                <IconLock size={14} aria-hidden /> {texts.privateMap}
              </span>
            )}
          </span>
          <span className={classes.name}>{shownName(map, wanted)}</span>
          <span className={classes.facts}>
            <span>{texts.layerCount(map.layers)}</span>
            {map.languages.length > 1 && (
              <span className={classes.languages}>{map.languages.join(' · ').toUpperCase()}</span>
            )}
          </span>
        </span>
      </a>
    </li>
  );
}
