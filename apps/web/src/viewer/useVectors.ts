import { useEffect, useState } from 'react';
import type { MapView } from './map/mapView.js';
import { describeLayers, isVector, type VectorLayer } from './map/vectorLayers.js';
import type { TreeItem } from './tree.js';
import type { MapAddress } from './types.js';

interface VectorContext {
  view: MapView | null;
  map: MapAddress;
  items: readonly TreeItem[];
  /** Visible layers, topmost first. */
  visible: readonly TreeItem[];
  language: string;
}

/** Draws the visible layers among those that the client draws from vector data. */
export function useVectors({ view, map, items, visible, language }: VectorContext): void {
  const [described, setDescribed] = useState<readonly VectorLayer[]>([]);
  const codes = [...new Set(items.filter(isVector).map(({ code }) => code))].join(',');
  useEffect(() => {
    const controller = new AbortController();
    if (codes) describeLayers(map, codes.split(','), controller.signal).then(setDescribed, () => {});
    return () => controller.abort();
  }, [map, codes]);
  const shown = visible
    .filter(isVector)
    .map(({ code }) => code)
    .reverse()
    .join(',');
  useEffect(() => {
    const layers = shown.split(',').flatMap((code) => described.find((layer) => layer.code === code) ?? []);
    view?.setVectors({ ...map, language, layers });
  }, [view, map, shown, described, language]);
}
