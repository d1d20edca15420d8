import { useEffect, useState } from 'react';
import type { MapView } from './mapView.js';
import type { MapAddress } from './objects.js';
import type { TreeItem } from './tree.js';
import { describeLayers, isVector, type VectorLayer } from './vectorLayers.js';

interface VectorContext {
  view: MapView | null;
  map: MapAddress;
  items: readonly TreeItem[];
  /** The layers that are on, the topmost first. */
  visible: readonly TreeItem[];
  language: string;
}

/** Has the layers that this page draws itself drawn: those of the visible ones. */
export function useVectors({ view, map, items, visible, language }: VectorContext): void {
  const [known, setKnown] = useState<readonly VectorLayer[]>([]);
  const codes = [...new Set(items.filter(isVector).map(({ code }) => code))].join(',');
  useEffect(() => {
    const controller = new AbortController();
    if (codes) describeLayers(map, codes.split(','), controller.signal).then(setKnown, () => {});
    return () => controller.abort();
  }, [map, codes]);
  const shown = visible
    .filter(isVector)
    .map(({ code }) => code)
    .reverse()
    .join(',');
  useEffect(() => {
    const layers = shown.split(',').flatMap((code) => known.find((layer) => layer.code === code) ?? []);
    view?.setVectors({ ...map, language, layers });
  }, [view, map, shown, known, language]);
}
