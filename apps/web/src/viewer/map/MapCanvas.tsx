import { type ReactNode, useEffect, useRef, useState } from 'react';
import { KnownMessage } from '../../common/Message.js';
import { useTexts } from '../../common/texts/language.js';
import type { PublishedMap } from '../../common/types.js';
import { Controls } from '../panels/Controls.js';
import { Notices } from '../panels/Notices.js';
import { ScaleBar } from '../panels/ScaleBar.js';
import classes from './map.module.css';
import type { MapView, MapViewOptions, ViewState } from './mapView.js';
import { currentPadding } from './padding.js';
import type { TileProgress } from './tiles.js';
import type { Truncation } from './truncations.js';

/** Where no panel covers the map. */
const evenPadding = { left: 32, top: 32, right: 64, bottom: 40 };

interface MapCanvasProps {
  map: Pick<PublishedMap, 'extent' | 'attribution'>;
  /** Whether it is a part of a page, not its main content. */
  isPart?: boolean;
  /** What a screen reader says of the canvas. */
  label: string;
  /** A button above those of the map. */
  tools?: ReactNode;
  view: MapView | null;
  state: ViewState | null;
  tiles: TileProgress;
  onReady: (view: MapView | null) => void;
  onPoint: MapViewOptions['onPoint'];
  onView: MapViewOptions['onView'];
  onTiles: MapViewOptions['onTiles'];
}

/** The map with its controls. Only this component loads the map library. */
export function MapCanvas(props: MapCanvasProps): ReactNode {
  const { map, isPart = false, label, tools, view, state, tiles } = props;
  const Element = isPart ? 'section' : 'main';
  const texts = useTexts();
  const container = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const [isDrawn, setDrawn] = useState(false);
  const [truncations, setTruncations] = useState<readonly Truncation[]>([]);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    let created: MapView | null = null;
    let isUnmounted = false;
    import('./mapView.js')
      .then(({ MapView }) => {
        if (isUnmounted || !container.current) return;
        created = new MapView({
          container: container.current,
          extent: latest.current.map.extent,
          padding: latest.current.isPart ? evenPadding : currentPadding(false),
          onPoint: (place) => latest.current.onPoint(place),
          onView: (next) => latest.current.onView(next),
          onTiles: (progress) => latest.current.onTiles(progress),
          onDrawn: setDrawn,
          onTruncations: setTruncations,
        });
        created.setLabel(latest.current.label);
        latest.current.onReady(created);
      })
      .catch(() => setFailed(true));
    return () => {
      isUnmounted = true;
      created?.destroy();
      latest.current.onReady(null);
    };
  }, []);
  useEffect(() => view?.setLabel(label), [view, label]);
  return (
    <Element className={classes.map} aria-label={texts.map} aria-busy={!isDrawn}>
      {failed ? (
        <KnownMessage kind="noWebGl" texts={texts} />
      ) : (
        <>
          <div ref={container} className={classes.canvas} data-testid="map" />
          <div className={classes.crosshair} aria-hidden="true" />
          <Controls view={view}>{tools}</Controls>
          <Notices tiles={tiles} truncations={truncations} onRetry={() => view?.retryTiles()} />
          <footer className={classes.foot}>
            {state && <ScaleBar metresPerPixel={state.metresPerPixel} />}
            <Attribution text={map.attribution} />
          </footer>
        </>
      )}
    </Element>
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
