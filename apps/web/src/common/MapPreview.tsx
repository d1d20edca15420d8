import { type ReactNode, useEffect, useState } from 'react';
import { address } from './base.js';
import classes from './MapPreview.module.css';
import { type PreviewTile, previewTiles } from './preview.js';
import type { PublishedMap } from './types.js';

/** Delays before a tile that failed is requested again; a busy service answers later. */
const retryDelaysMs = [2_000, 5_000, 15_000, 45_000];

const percent = (part: number): string => `${part * 100}%`;

/** The fields of a map that its picture needs. */
type PicturedMap = Pick<PublishedMap, 'project' | 'code' | 'extent'>;

/** The picture of a map in a list, from its tiles. */
export function MapPreview({ map, language }: { map: PicturedMap; language: string | undefined }): ReactNode {
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
  map: PicturedMap;
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
