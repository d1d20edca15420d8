import { type ReactNode, useState } from 'react';
import { address, base } from '../common/base.js';
import { useLanguage } from '../common/language.js';
import type { PublishedMap } from '../common/types.js';
import classes from './home.module.css';
import { type PreviewTile, previewTiles } from './preview.js';

const percent = (part: number): string => `${part * 100}%`;

/** A map in the list: what it looks like, and the way to it. */
export function MapCard({ map, language }: { map: PublishedMap; language: string | undefined }): ReactNode {
  const { texts } = useLanguage();
  const way = [map.project, map.code].map(encodeURIComponent).join('/');
  const name = map.name || map.code;
  return (
    <li className={classes.item}>
      <a className={classes.card} href={`${base}/maps/${way}/`}>
        <Preview map={map} language={language} />
        <span className={classes.about}>
          <span className={classes.project}>{map.project_name || map.project}</span>
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
  const [shown, setShown] = useState(false);
  const { z, x, y } = tile;
  return (
    <img
      className={classes.tile}
      data-shown={shown || undefined}
      src={address(['tms', map.project, map.code], { z, x, y, base: 1, retina: 2, lng: language })}
      alt=""
      loading="lazy"
      decoding="async"
      onLoad={() => setShown(true)}
      onError={() => setShown(false)}
      style={{
        left: percent(tile.left),
        top: percent(tile.top),
        width: `calc(${percent(tile.width)} + 0.5px)`,
        height: `calc(${percent(tile.height)} + 0.5px)`,
      }}
    />
  );
}
