import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Extent, PublishedMap } from '../common/types.js';
import type { Filters } from './filters/filters.js';
import { useFilters } from './filters/useFilters.js';
import { extentOf } from './map/geometry.js';
import type { MapView, ViewState } from './map/mapView.js';
import { currentPadding, isNarrow } from './map/padding.js';
import type { TileProgress } from './map/tiles.js';
import { isDrawnHere } from './map/vectorLayers.js';
import { extentOfLayer } from './objects.js';
import type { SearchResult } from './search.js';
import type { PlaceTaker, ToolContext } from './tools/context.js';
import type { ToolName } from './tools/tools.js';
import type { TreeItem } from './tree.js';
import type { MapAddress, PointedPlace } from './types.js';
import { useAddress } from './useAddress.js';
import { type Layers, useLayers } from './useLayers.js';
import { type Pointing, type Target, usePointing } from './usePointing.js';
import { useVectors } from './useVectors.js';

export interface ViewerProps {
  map: PublishedMap;
  items: readonly TreeItem[];
  /** Language of the data. */
  language: string;
}

export type ViewerParts = ReturnType<typeof useViewer>;

/** What the map page shows, and what changes it. */
export function useViewer({ map, items, language }: ViewerProps) {
  const layers = useLayers(items, map.group_layers === 1 ? map.name || map.code : null);
  const address = useMemo(() => ({ project: map.project, map: map.code }), [map.project, map.code]);
  const filters = useFilters();
  const visible = layers.visible;
  const pointing = usePointing({
    map: address,
    items,
    layers: visible,
    filters: filters.filters,
    language,
  });
  const canvas = useCanvas();
  const { view } = canvas;
  const sheet = useLayerSheet();
  const tools = useTools(view);
  useMapContent({ view, map, address, items, visible, filters: filters.filters, language, pointing });
  useAddress({ view, layers, pointing, filters });
  const moveTo = useMoving(view, pointing);
  const choose = choiceHandler({ view, address, layers, pointing, moveTo });
  const closeObject = useCallback((): void => {
    pointing.clear();
    view?.focus();
  }, [pointing.clear, view]);
  const { tool, setTool, takePlaces, closeTool } = tools;
  useEscape(pointing.target ? closeObject : tool ? closeTool : sheet.isOpen ? sheet.close : null);
  const onPoint = (place: PointedPlace): void => {
    sheet.closeOnPhone();
    if (tools.taker.current) tools.taker.current(place);
    else pointing.point({ place });
  };
  const openTool = (name: ToolName): void => {
    sheet.closeOnPhone();
    pointing.clear();
    setTool(name);
  };
  const toolContext: ToolContext = {
    ...{ map, address, view, language, takePlaces, filters, layers: visible },
    openObject: (chosen) => pointing.point({ chosen }),
  };
  return {
    ...{
      map,
      items,
      language,
      layers,
      filters,
      address,
      pointing,
      canvas,
      sheet,
      moveTo,
      choose,
      closeObject,
    },
    ...{ tool, setTool, openTool, closeTool, toolContext, onPoint },
  };
}

/** The open tool, which may take the places that the user points at. */
function useTools(view: MapView | null) {
  const [tool, setTool] = useState<ToolName | null>(null);
  const taker = useRef<PlaceTaker | null>(null);
  const takePlaces = useCallback(
    (next: PlaceTaker | null): void => {
      taker.current = next;
      view?.setPopups(next === null);
    },
    [view],
  );
  const closeTool = useCallback((): void => {
    setTool(null);
    view?.focus();
  }, [view]);
  return { tool, setTool, taker, takePlaces, closeTool };
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
  filters: Filters;
  language: string;
  pointing: Pointing;
}

/** Keeps the map in step with the visible layers, the selected object and the language. */
function useMapContent(content: MapContent): void {
  const { view, map, address, items, visible, filters, language, pointing } = content;
  useVectors({ view, map: address, items, visible, language, filters });
  const rasterIds = visible
    .filter((item) => !isDrawnHere(item, filters))
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
