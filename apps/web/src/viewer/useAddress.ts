import { useEffect, useRef } from 'react';
import { readAddress, readView, writeAddress } from './addressState.js';
import type { FilterState } from './filters/useFilters.js';
import type { MapView } from './map/mapView.js';
import type { Layers } from './useLayers.js';
import type { Pointing } from './usePointing.js';

interface AddressContext {
  view: MapView | null;
  layers: Layers;
  pointing: Pointing;
  filters: FilterState;
}

/** Keeps the open object, the visible layers and their filters in the address, and applies the address on back and forward. */
export function useAddress({ view, layers, pointing, filters }: AddressContext): void {
  const { target, state, hits, index } = pointing;
  const hit = hits[index];
  const chosen = target && 'chosen' in target ? target.chosen : null;
  const open = hit ? { layer: hit.layer.code, id: Number(hit.object.id) } : chosen;
  const isWaiting = state === 'asking' || (target !== null && state === 'idle');
  const { on, off } = layers.changes;
  const written = JSON.stringify({ object: open, on, off, filters: filters.filters });
  const isFirst = useRef(true);
  useEffect(() => {
    // The first state comes from the address and is not written back.
    if (isFirst.current || isWaiting) return;
    writeAddress(JSON.parse(written));
  }, [written, isWaiting]);

  const applyAddress = (): void => {
    const stored = readAddress(location.search);
    layers.setChanges(stored);
    filters.setFilters(stored.filters);
    const place = readView(location.hash);
    if (place) view?.jumpTo(place);
    if (!stored.object) pointing.clear();
    else pointing.point({ chosen: stored.object, keepsView: place !== null });
  };
  const latest = useRef(applyAddress);
  latest.current = applyAddress;
  useEffect(() => {
    const stored = readAddress(location.search);
    isFirst.current = false;
    if (stored.object) latest.current();
    const onPopState = (): void => latest.current();
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, []);
}
