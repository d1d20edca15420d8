import { type ReactNode, useEffect, useState } from 'react';
import { IconRefresh } from '../../common/icons.js';
import { useTexts } from '../../common/texts/language.js';
import classes from '../map/map.module.css';
import type { TileProgress } from '../map/tiles.js';
import type { Truncation } from '../map/truncations.js';

interface NoticesProps {
  tiles: TileProgress;
  truncations: readonly Truncation[];
  onRetry: () => void;
}

/** Messages about drawing in progress, a busy service, failed tiles and left-out objects. */
export function Notices({ tiles, truncations, onRetry }: NoticesProps): ReactNode {
  const texts = useTexts();
  const isLoading = useDelayedTrue(tiles.loading > 0);
  return (
    <>
      <div
        className={classes.progress}
        role="progressbar"
        aria-label={texts.drawing}
        aria-valuetext={texts.drawing}
        hidden={!isLoading}
      />
      <div className={classes.notices} role="status">
        {tiles.waiting > 0 && <p className={classes.notice}>{texts.busy}</p>}
        {truncations.map(({ name, shown, total }) => (
          <p className={classes.notice} key={name}>
            {texts.leftOut(name, shown, total)}
          </p>
        ))}
        {tiles.failed > 0 && tiles.loading === 0 && (
          <p className={classes.notice}>
            {texts.tilesFailed}
            <button type="button" onClick={onRetry}>
              <IconRefresh size={16} aria-hidden /> {texts.tryAgain}
            </button>
          </p>
        )}
      </div>
    </>
  );
}

/** Becomes true after `value` was true for 250 ms, so that short changes do not flicker. */
function useDelayedTrue(value: boolean): boolean {
  const [isDelayed, setDelayed] = useState(false);
  useEffect(() => {
    if (!value) {
      setDelayed(false);
      return;
    }
    const timer = setTimeout(() => setDelayed(true), 250);
    return () => clearTimeout(timer);
  }, [value]);
  return isDelayed && value;
}
