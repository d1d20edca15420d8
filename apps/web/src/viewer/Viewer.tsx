import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTexts } from '../common/language.js';
import type { Extent, PublishedMap } from '../common/types.js';
import { extentOf } from './geometry.js';
import { MapCanvas } from './MapCanvas.js';
import type { MapView, PointedPlace, ViewState } from './mapView.js';
import { ObjectPanel } from './ObjectPanel.js';
import { isNarrow, paddingNow } from './padding.js';
import { SearchField } from './SearchField.js';
import { SidePanel } from './SidePanel.js';
import { extentOfLayer, type SearchResult } from './search.js';
import type { TileProgress } from './tiles.js';
import type { TreeItem } from './tree.js';
import { useLayers } from './useLayers.js';
import { type Pointing, type Target, usePointing } from './usePointing.js';
import { useVectors } from './useVectors.js';
import { isVector } from './vectorLayers.js';
import classes from './viewer.module.css';

interface ViewerProps {
  map: PublishedMap;
  items: readonly TreeItem[];
  /** Of the data. */
  language: string;
}

/** The map with its panels. */
export function Viewer({ map, items, language }: ViewerProps): ReactNode {
  const texts = useTexts();
  const layers = useLayers(items, map.group_layers === 1 ? map.name || map.code : null);
  const { visible } = layers;
  const address = useMemo(() => ({ project: map.project, map: map.code }), [map.project, map.code]);
  const pointing = usePointing({ map: address, items, layers: visible, language });
  const [view, setView] = useState<MapView | null>(null);
  const [state, setState] = useState<ViewState | null>(null);
  const [tiles, setTiles] = useState<TileProgress>({ loading: 0, waiting: 0, failed: 0 });
  const [isOpen, setOpen] = useState(() => !isNarrow());
  const toggle = useRef<HTMLButtonElement>(null);

  useVectors({ view, map: address, items, visible, language });
  const drawn = visible
    .filter((item) => !isVector(item))
    .map(({ id }) => id)
    .reverse()
    .join(',');
  useEffect(() => {
    if (!view) return;
    const ids = drawn ? drawn.split(',').map(Number) : [];
    view.setTiles({ ...address, layers: ids, language });
  }, [view, address, drawn, language]);
  const hit = pointing.hits[pointing.index];
  useEffect(() => view?.mark(hit?.object.geom ?? null), [view, hit]);
  useEffect(() => view?.setLabel(texts.mapHelp), [view, texts]);

  const point = (place: PointedPlace): void => {
    if (isNarrow()) setOpen(false);
    pointing.point({ place });
  };
  const moveTo = useMoving(view, pointing);
  const choose = (result: SearchResult): void => {
    if (isNarrow()) setOpen(false);
    layers.show(result.type === 'layer' ? result.code : result.layer);
    if (result.type === 'object') {
      pointing.point({ chosen: { layer: result.layer, id: result.svc_id } });
      return;
    }
    pointing.clear();
    view?.focus();
    extentOfLayer(address, result.code).then(moveTo, () => {}); // the layer is on all the same
  };
  const closeObject = useCallback((): void => {
    pointing.clear();
    view?.focus();
  }, [pointing.clear, view]);
  const closeLayers = (): void => {
    setOpen(false);
    toggle.current?.focus();
  };
  useEscape(pointing.target ? closeObject : isOpen ? closeLayers : null);

  return (
    <div className={classes.viewer} data-object={pointing.target ? true : undefined}>
      <button type="button" className={classes.skip} onClick={() => view?.focus()}>
        {texts.skipToMap}
      </button>
      <SidePanel
        map={map}
        layers={layers}
        language={language}
        isOpen={isOpen}
        toggle={toggle}
        onOpen={(open) => {
          if (open && isNarrow()) pointing.clear();
          setOpen(open);
        }}
        search={
          layers.roots.length > 0 && (
            <SearchField map={address} items={items} language={language} onChoose={choose} />
          )
        }
      />
      <MapCanvas
        map={map}
        view={view}
        state={state}
        tiles={tiles}
        onReady={setView}
        onPoint={point}
        onView={setState}
        onTiles={setTiles}
      />
      {pointing.target && (
        <aside className={classes.object}>
          <ObjectPanel
            pointing={pointing}
            map={address}
            language={language}
            onZoom={({ object }) => moveTo(object.geom ? extentOf(object.geom) : null)}
            onClose={closeObject}
          />
        </aside>
      )}
    </div>
  );
}

/** Moves the map to what was chosen from the results of a search, once it is known; the function moves it elsewhere. */
function useMoving(view: MapView | null, { target, hits }: Pointing): (extent: Extent | null) => void {
  const moved = useRef<Target | null>(null);
  const [hit] = hits;
  useEffect(() => {
    if (!target || !('chosen' in target) || !hit || !view || moved.current === target) return;
    moved.current = target;
    const extent = hit.object.geom ? extentOf(hit.object.geom) : null;
    if (extent) view.zoomTo(extent, paddingNow(true));
  }, [target, hit, view]);
  return (extent) => {
    if (extent) view?.zoomTo(extent, paddingNow(target !== null));
  };
}

/** Calls `close` when Escape is pressed and no open menu takes it; null hears nothing. */
function useEscape(close: (() => void) | null): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('[role="menu"]')) return;
      latest.current?.();
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);
}
