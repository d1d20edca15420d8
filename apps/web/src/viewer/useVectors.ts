import { useEffect, useState } from 'react';
import type { Filters } from './filters/filters.js';
import type { MapView } from './map/mapView.js';
import { describeLayers, isDrawnHere, type VectorLayer } from './map/vectorLayers.js';
import type { TreeItem } from './tree.js';
import type { MapAddress } from './types.js';

interface VectorContext {
  view: MapView | null;
  map: MapAddress;
  items: readonly TreeItem[];
  /** Visible layers, topmost first. */
  visible: readonly TreeItem[];
  language: string;
  filters?: Filters;
}

const noFilters: Filters = {};

/** Draws the visible layers among those that the client draws from vector data: always, or while they are filtered. */
export function useVectors({
  view,
  map,
  items,
  visible,
  language,
  filters = noFilters,
}: VectorContext): void {
  const [described, setDescribed] = useState<readonly VectorLayer[]>([]);
  const codes = [...new Set(items.filter((item) => isDrawnHere(item, filters)).map(({ code }) => code))].join(
    ',',
  );
  useEffect(() => {
    const controller = new AbortController();
    if (codes) describeLayers(map, codes.split(','), controller.signal).then(setDescribed, () => {});
    return () => controller.abort();
  }, [map, codes]);
  const shown = visible
    .filter((item) => isDrawnHere(item, filters))
    .map(({ code }) => code)
    .reverse()
    .join(',');
  useEffect(() => {
    const layers = shown.split(',').flatMap((code) => {
      const layer = described.find((one) => one.code === code);
      return layer ? [{ ...layer, filter: filters[code] }] : [];
    });
    view?.setVectors({ ...map, language, layers });
  }, [view, map, shown, described, language, filters]);
}
