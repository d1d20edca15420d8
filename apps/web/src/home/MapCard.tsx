import { type ReactNode, useEffect, useState } from 'react';
import { address, base } from '../common/base.js';
import { IconLock } from '../common/icons.js';
import { useLanguage } from '../common/texts/language.js';
import type { PublishedMap } from '../common/types.js';
import classes from './home.module.css';
import { type PreviewTile, previewTiles } from './preview.js';

/** Delays before a tile that failed is requested again; a busy service answers later. */
const retryDelaysMs = [2_000, 5_000, 15_000, 45_000];

const percent = (part: number): string => `${part * 100}%`;

/** A map in the list, with a preview and a link. */
export function MapCard({ map, language }: { map: PublishedMap; language: string | undefined }): ReactNode {
  const { texts } = useLanguage();
  const path = [map.project, map.code].map(encodeURIComponent).join('/');
  const name = map.name || map.code;
  return (
    <li className={classes.item}>
      <a className={classes.card} href={`${base}/maps/${path}/`}>
        <Preview map={map} language={language} />
        <span className={classes.about}>
          <span className={classes.project}>
            <span>{map.project_name || map.project}</span>
            {!map.is_public && (
              <span className={classes.private}>
                <IconLock size={14} aria-hidden /> {texts.privateMap}
              </span>
            )}
          </span>
          <span className={classes.name}>{name}</span>
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

function Preview({ map, language }: { map: PublishedMap; language: string | undefined }): ReactNode {
  return (
    <span className={classes.preview} aria-hidden="true">
      {previewTiles(map.extent).map((tile) => (
        <Tile key={`${tile.z}/${tile.left}/${tile.top}`} tile={tile} map={map} language={language} />
      ))}
    </span>
  );
}

interface TileProps {
  tile: PreviewTile;
  map: PublishedMap;
  language: string | undefined;
}

function Tile({ tile, map, language }: TileProps): ReactNode {
  const [isLoaded, setLoaded] = useState(false);
  const [failures, setFailures] = useState(0);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const delay = retryDelaysMs[failures - 1];
    if (delay === undefined) return;
    const timer = setTimeout(() => setAttempt(failures), delay);
    return () => clearTimeout(timer);
  }, [failures]);
  const { z, x, y } = tile;
  return (
    <img
      key={attempt} // a new element requests the tile again
      className={classes.tile}
      data-shown={isLoaded || undefined}
      src={address(['tms', map.project, map.code], { z, x, y, base: 1, retina: 2, lng: language })}
      alt=""
      loading="lazy"
      decoding="async"
      onLoad={() => setLoaded(true)}
      onError={() => setFailures(attempt + 1)}
      style={{
        left: percent(tile.left),
        top: percent(tile.top),
        width: `calc(${percent(tile.width)} + 0.5px)`,
        height: `calc(${percent(tile.height)} + 0.5px)`,
      }}
    />
  );
}
