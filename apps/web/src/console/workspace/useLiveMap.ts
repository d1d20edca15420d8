import { useState } from 'react';
import type { MapView } from '../../viewer/map/mapView.js';
import type { PointedPlace } from '../../viewer/types.js';
import { extentOfItems } from './extents.js';
import { useVisible, type Visible } from './useVisible.js';
import type { Workspace, WorkspaceItem } from './useWorkspace.js';

const margin = { left: 32, top: 32, right: 64, bottom: 40 };

export interface LiveMapState {
  /** null: it is not loaded. */
  view: MapView | null;
  setView: (view: MapView | null) => void;
  visible: Visible;
  /** Where the user has last clicked. */
  pointed: PointedPlace | null;
  setPointed: (place: PointedPlace) => void;
  /** Shows the extent of items. */
  zoom: (items: readonly WorkspaceItem[]) => void;
  /** Counts the changes of objects, each of which the map must show. */
  stored: number;
  countStored: () => void;
  /** Counts the drafts of styles that were stored. */
  drafts: number;
  countDraft: () => void;
}

/** What the live map shows, and what must be drawn anew. `onZoom`: after the user has asked for an extent. */
export function useLiveMap({ roots, published }: Workspace, onZoom: () => void): LiveMapState {
  const [view, setView] = useState<MapView | null>(null);
  const [pointed, setPointed] = useState<PointedPlace | null>(null);
  const [stored, setStored] = useState(0);
  const [drafts, setDrafts] = useState(0);
  const zoom = (items: readonly WorkspaceItem[]): void => {
    const extent = extentOfItems(items);
    if (extent) view?.zoomTo(extent, margin);
    onZoom();
  };
  return {
    ...{ view, setView, pointed, setPointed, zoom, stored, drafts },
    visible: useVisible(roots, published),
    countStored: () => setStored((before) => before + 1),
    countDraft: () => setDrafts((before) => before + 1),
  };
}
