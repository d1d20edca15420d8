import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { base } from '../../common/base.js';
import { IconExternalLink, IconLock, IconTrash } from '../../common/icons.js';
import { MapPreview } from '../../common/MapPreview.js';
import { useLanguage, useTexts } from '../../common/texts/language.js';
import { dateAndTime, timeAgo } from '../../common/times.js';
import type { Extent } from '../../common/types.js';
import { PlaceLink } from '../router.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import classes from './catalog.module.css';
import type { CatalogMap } from './types.js';

/** The right to administer a map. Deleting a map needs it. */
const administers = 3;

interface MapItemProps {
  project: string;
  map: CatalogMap;
  onDelete: () => void;
}

/** A map of the catalog, with its picture and the actions that the user's right allows. */
export function MapItem({ project, map, onDelete }: MapItemProps): ReactNode {
  const texts = useConsoleTexts();
  const common = useTexts();
  const name = map.name || map.code;
  const address = `${base}/maps/${encodeURIComponent(project)}/${encodeURIComponent(map.code)}/`;
  const pictured = { project, code: map.code, extent: map.extent as Extent | null };
  return (
    <li className={classes.card}>
      <MapPreview map={pictured} language={undefined} />
      <div className={classes.about}>
        <h2 className={classes.name}>
          <PlaceLink project={project} map={map.code}>
            {name}
          </PlaceLink>
        </h2>
        <p className={classes.code}>{map.code}</p>
        <Counts map={map} />
        <p className={classes.facts}>
          <span className={classes.badge}>
            {map.has_publication ? (
              texts.public
            ) : (
              <>
                <IconLock size={14} aria-hidden /> {common.privateMap}
              </>
            )}
          </span>
          <ActionIcon
            component="a"
            href={address}
            className={classes.look}
            variant="subtle"
            color="gray"
            size={44}
            aria-label={texts.show(name)}
            title={texts.show(name)}
          >
            <IconExternalLink size={20} stroke={1.7} />
          </ActionIcon>
          {map.access >= administers && (
            <ActionIcon
              className={classes.remove}
              variant="subtle"
              color="gray"
              size={44}
              aria-label={texts.remove(name)}
              onClick={onDelete}
            >
              <IconTrash size={20} stroke={1.7} />
            </ActionIcon>
          )}
        </p>
      </div>
    </li>
  );
}

/** How much the map holds, and when it was last changed. */
function Counts({ map }: { map: CatalogMap }): ReactNode {
  const texts = useConsoleTexts();
  const { ui, texts: common } = useLanguage();
  return (
    <p className={classes.counts}>
      <span>{common.layerCount(map.layers)}</span>
      {map.objects !== undefined && <span>{common.objects(map.objects)}</span>}
      {map.changed && (
        <time dateTime={map.changed} title={dateAndTime(ui).format(new Date(map.changed))}>
          {texts.changed(timeAgo(map.changed, ui))}
        </time>
      )}
    </p>
  );
}
