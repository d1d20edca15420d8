import { type ReactNode, useState } from 'react';
import { IconCurrentLocation, IconMaximize, IconMinus, IconPlus } from '../../common/icons.js';
import { useTexts } from '../../common/texts/language.js';
import classes from '../map/map.module.css';
import type { MapView } from '../map/mapView.js';

interface ControlsProps {
  view: MapView | null;
  /** Stands above the buttons. */
  children?: ReactNode;
}

/** The zoom and location buttons of the map. */
export function Controls({ view, children }: ControlsProps): ReactNode {
  const texts = useTexts();
  const { locate, note } = useLocation(view);
  return (
    <div className={classes.controls}>
      {children}
      <div className={classes.group}>
        <Control label={texts.zoomIn} onClick={() => view?.zoomBy(1)}>
          <IconPlus size={20} stroke={1.8} />
        </Control>
        <Control label={texts.zoomOut} onClick={() => view?.zoomBy(-1)}>
          <IconMinus size={20} stroke={1.8} />
        </Control>
      </div>
      <div className={classes.group}>
        <Control label={texts.wholeMap} onClick={() => view?.showExtent()}>
          <IconMaximize size={20} stroke={1.8} />
        </Control>
        {window.isSecureContext && 'geolocation' in navigator && (
          <Control label={texts.myLocation} onClick={locate}>
            <IconCurrentLocation size={20} stroke={1.8} />
          </Control>
        )}
      </div>
      <p className={classes.locationNote} role="status">
        {note}
      </p>
    </div>
  );
}

interface ControlProps {
  label: string;
  onClick: () => void;
  children: ReactNode;
}

function Control({ label, onClick, children }: ControlProps): ReactNode {
  return (
    <button type="button" className={classes.control} aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  );
}

/** Shows the user's location once. The note reports a failure for 5 s. */
function useLocation(view: MapView | null): { locate: () => void; note: string } {
  const texts = useTexts();
  const [hasFailed, setFailed] = useState(false);
  const locate = (): void => {
    setFailed(false);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => view?.showLocation([coords.longitude, coords.latitude], coords.accuracy),
      () => {
        setFailed(true);
        setTimeout(() => setFailed(false), 5000);
      },
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 },
    );
  };
  return { locate, note: hasFailed ? texts.locationFailed : '' };
}
