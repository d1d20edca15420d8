import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTexts } from '../common/texts/language.js';
import type { Extent, PublishedMap } from '../common/types.js';
import { extentOf } from './map/geometry.js';
import { MapCanvas } from './map/MapCanvas.js';
import type { MapView, ViewState } from './map/mapView.js';
import { currentPadding, isNarrow } from './map/padding.js';
import type { TileProgress } from './map/tiles.js';
import { isVector } from './map/vectorLayers.js';
import { extentOfLayer } from './objects.js';
import { ObjectPanel } from './panels/ObjectPanel.js';
import { SearchField } from './panels/SearchField.js';
import { SidePanel } from './panels/SidePanel.js';
import type { SearchResult } from './search.js';
import type { TreeItem } from './tree.js';
import type { Hit, MapAddress, PointedPlace } from './types.js';
import { useAddress } from './useAddress.js';
import { type Layers, useLayers } from './useLayers.js';
import { type Pointing, type Target, usePointing } from './usePointing.js';
import { useVectors } from './useVectors.js';
import classes from './viewer.module.css';

interface ViewerProps {
  map: PublishedMap;
  items: readonly TreeItem[];
  /** Language of the data. */
  language: string;
}

/** The map with its panels. */
export function Viewer({ map, items, language }: ViewerProps): ReactNode {
  const texts = useTexts();
  const layers = useLayers(items, map.group_layers === 1 ? map.name || map.code : null);
  const address = useMemo(() => ({ project: map.project, map: map.code }), [map.project, map.code]);
  const pointing = usePointing({ map: address, items, layers: layers.visible, language });
  const canvas = useCanvas();
  const { view } = canvas;
  const sheet = useLayerSheet();
  useMapContent({ view, map, address, items, visible: layers.visible, language, pointing });
  useAddress({ view, layers, pointing });
  const moveTo = useMoving(view, pointing);
  const choose = choiceHandler({ view, address, layers, pointing, moveTo });
  const closeObject = useCallback((): void => {
    pointing.clear();
    view?.focus();
  }, [pointing.clear, view]);
  useEscape(pointing.target ? closeObject : sheet.isOpen ? sheet.close : null);
  const onChoose = (result: SearchResult): void => {
    sheet.closeOnPhone();
    choose(result);
  };
  const onPoint = (place: PointedPlace): void => {
    sheet.closeOnPhone();
    pointing.point({ place });
  };
  const onOpen = (open: boolean): void => {
    if (open && isNarrow()) pointing.clear();
    sheet.setOpen(open);
  };
  const onZoom = ({ object }: Hit): void => moveTo(object.geom ? extentOf(object.geom) : null);
  const search = <SearchField map={address} items={items} language={language} onChoose={onChoose} />;
  return (
    <div className={classes.viewer} data-object={pointing.target ? true : undefined}>
      <button type="button" className={classes.skip} onClick={() => view?.focus()}>
        {texts.skipToMap}
      </button>
      <SidePanel
        map={map}
        layers={layers}
        language={language}
        isOpen={sheet.isOpen}
        toggle={sheet.toggle}
        onOpen={onOpen}
        search={layers.roots.length > 0 && search}
      />
      <MapCanvas map={map} label={texts.mapHelp} {...canvas} onPoint={onPoint} />
      {pointing.target && (
        <aside className={classes.object}>
          <ObjectPanel
            pointing={pointing}
            map={address}
            language={language}
            onZoom={onZoom}
            onClose={closeObject}
          />
        </aside>
      )}
    </div>
  );
}

/** The map library's view once it is loaded, and what it reports: the visible area and the progress of tiles. */
function useCanvas() {
  const [view, onReady] = useState<MapView | null>(null);
  const [state, onView] = useState<ViewState | null>(null);
  const [tiles, onTiles] = useState<TileProgress>({ loading: 0, waiting: 0, failed: 0 });
  return { view, state, tiles, onReady, onView, onTiles };
}

/** Whether the layers are shown. On a phone they are a sheet over the map. */
function useLayerSheet() {
  const [isOpen, setOpen] = useState(() => !isNarrow());
  const toggle = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    toggle.current?.focus();
  };
  const closeOnPhone = (): void => {
    if (isNarrow()) setOpen(false);
  };
  return { isOpen, setOpen, toggle, close, closeOnPhone };
}

interface MapContent {
  view: MapView | null;
  map: PublishedMap;
  address: MapAddress;
  items: readonly TreeItem[];
  visible: readonly TreeItem[];
  language: string;
  pointing: Pointing;
}

/** Keeps the map in step with the visible layers, the selected object and the language. */
function useMapContent({ view, map, address, items, visible, language, pointing }: MapContent): void {
  useVectors({ view, map: address, items, visible, language });
  const rasterIds = visible
    .filter((item) => !isVector(item))
    .map(({ id }) => id)
    .reverse()
    .join(',');
  useEffect(() => {
    if (!view) return;
    const ids = rasterIds ? rasterIds.split(',').map(Number) : [];
    view.setTiles({ ...address, layers: ids, language, hasBaseMap: map.ground });
  }, [view, address, rasterIds, language, map.ground]);
  const hit = pointing.hits[pointing.index];
  useEffect(() => view?.mark(hit?.object.geom ?? null), [view, hit]);
}

interface ChoiceContext {
  view: MapView | null;
  address: MapAddress;
  layers: Layers;
  pointing: Pointing;
  moveTo: (extent: Extent | null) => void;
}

/** Returns a function that shows a search result: an object in its panel, or the extent of a layer. */
function choiceHandler({ view, address, layers, pointing, moveTo }: ChoiceContext) {
  return (result: SearchResult): void => {
    layers.show(result.type === 'layer' ? result.code : result.layer);
    if (result.type === 'object') {
      pointing.point({ chosen: { layer: result.layer, id: result.svc_id } });
      return;
    }
    pointing.clear();
    view?.focus();
    extentOfLayer(address, result.code).then(moveTo, () => {}); // without the extent the layer is still switched on
  };
}

/** Moves the map once to an object chosen from search results. The returned function moves it to an extent. */
function useMoving(view: MapView | null, { target, hits }: Pointing): (extent: Extent | null) => void {
  const moved = useRef<Target | null>(null);
  const [hit] = hits;
  useEffect(() => {
    if (!target || !('chosen' in target) || target.keepsView || !hit || !view || moved.current === target)
      return;
    moved.current = target;
    const extent = hit.object.geom ? extentOf(hit.object.geom) : null;
    if (extent) view.showWithSurroundings(extent, currentPadding(true));
  }, [target, hit, view]);
  return (extent) => {
    if (extent) view?.zoomTo(extent, currentPadding(target !== null));
  };
}

/** Calls `close` when Escape is pressed and no open menu handles it. */
function useEscape(close: (() => void) | null): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('[role="menu"]')) return;
      latest.current?.();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
