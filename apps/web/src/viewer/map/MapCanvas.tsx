import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTexts } from '../common/language.js';
import { KnownMessage } from '../common/Message.js';
import type { PublishedMap } from '../common/types.js';
import { Controls } from './Controls.js';
import classes from './map.module.css';
import type { MapView, MapViewOptions, ViewState } from './mapView.js';
import { Notices } from './Notices.js';
import { paddingNow } from './padding.js';
import { ScaleBar } from './ScaleBar.js';
import type { TileProgress } from './tiles.js';

interface MapCanvasProps {
  map: PublishedMap;
  view: MapView | null;
  state: ViewState | null;
  tiles: TileProgress;
  onReady: (view: MapView | null) => void;
  onPoint: MapViewOptions['onPoint'];
  onView: MapViewOptions['onView'];
  onTiles: MapViewOptions['onTiles'];
}

/** The map itself with what lies on it. The map library is loaded here and nowhere else. */
export function MapCanvas(props: MapCanvasProps): ReactNode {
  const { map, view, state, tiles } = props;
  const texts = useTexts();
  const container = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const [isDrawn, setDrawn] = useState(false);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    let made: MapView | null = null;
    let isGone = false;
    import('./mapView.js')
      .then(({ createMapView }) => {
        if (isGone || !container.current) return;
        made = createMapView({
          container: container.current,
          extent: latest.current.map.extent,
          padding: paddingNow(false),
          onPoint: (place) => latest.current.onPoint(place),
          onView: (next) => latest.current.onView(next),
          onTiles: (progress) => latest.current.onTiles(progress),
          onDrawn: setDrawn,
        });
        latest.current.onReady(made);
      })
      .catch(() => setFailed(true));
    return () => {
      isGone = true;
      made?.destroy();
      latest.current.onReady(null);
    };
  }, []);
  return (
    <main className={classes.map} aria-label={texts.map} aria-busy={!isDrawn}>
      {failed ? (
        <KnownMessage kind="noWebGl" texts={texts} />
      ) : (
        <>
          <div ref={container} className={classes.canvas} data-testid="map" />
          <div className={classes.crosshair} aria-hidden="true" />
          <Controls view={view} />
          <Notices tiles={tiles} onRetry={() => view?.retryTiles()} />
          <footer className={classes.foot}>
            {state && <ScaleBar metresPerPixel={state.metresPerPixel} />}
            <Attribution text={map.attribution} />
          </footer>
        </>
      )}
    </main>
  );
}

function Attribution({ text }: { text: string }): ReactNode {
  return (
    <p className={classes.attribution}>
      {text && <span>{text} · </span>}
      Cartulary · MapLibre
    </p>
  );
}
