import { type ReactNode, useEffect, useState } from 'react';
import { IconRefresh } from '../common/icons.js';
import { useTexts } from '../common/language.js';
import classes from './map.module.css';
import type { TileProgress } from './tiles.js';

interface NoticesProps {
  tiles: TileProgress;
  onRetry: () => void;
}

/** That the map is being drawn, that the service is busy, that a part failed. */
export function Notices({ tiles, onRetry }: NoticesProps): ReactNode {
  const texts = useTexts();
  const isLoading = useSteady(tiles.loading > 0);
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

/** Follows `value`, true only after it lasted a quarter of a second: what is quick does not flicker. */
function useSteady(value: boolean): boolean {
  const [steady, setSteady] = useState(false);
  useEffect(() => {
    if (!value) {
      setSteady(false);
      return;
    }
    const timer = setTimeout(() => setSteady(true), 250);
    return () => clearTimeout(timer);
  }, [value]);
  return steady && value;
}
