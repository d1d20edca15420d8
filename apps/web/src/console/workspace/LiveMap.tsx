import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { onRefusal } from '../../common/api.js';
import type { Extent } from '../../common/types.js';
import { MapCanvas } from '../../viewer/map/MapCanvas.js';
import type { MapView, ViewState } from '../../viewer/map/mapView.js';
import type { TileProgress } from '../../viewer/map/tiles.js';
import { isVector } from '../../viewer/map/vectorLayers.js';
import type { TreeItem } from '../../viewer/tree.js';
import type { PointedPlace } from '../../viewer/types.js';
import { useVectors } from '../../viewer/useVectors.js';
import { sessionGate } from '../sessionGate.js';
import { isOverBaseMap } from './inspector/baseMap.js';
import { useWorkspaceTexts } from './texts/useWorkspaceTexts.js';
import type { Workspace } from './useWorkspace.js';

interface LiveMapProps {
  workspace: Workspace;
  extent: Extent | null;
  /** Visible layers, topmost first. */
  visible: readonly TreeItem[];
  language: string;
  view: MapView | null;
  onReady: (view: MapView | null) => void;
  /** Counts the drafts that were stored while the user's drafts are shown; null: what is saved is shown. */
  draft: number | null;
  onPoint: (place: PointedPlace) => void;
  /** Counts the changes of objects: each is drawn. */
  stored: number;
}

/** The map as it is stored: it is drawn anew after every change. */
export function LiveMap({
  workspace,
  extent,
  visible,
  language,
  view,
  onReady,
  draft,
  onPoint,
  stored,
}: LiveMapProps): ReactNode {
  const [state, setState] = useState<ViewState | null>(null);
  const [tiles, setTiles] = useState<TileProgress>({ loading: 0, waiting: 0, failed: 0 });
  const { project, map, items, version } = workspace;
  // Another object has its vectors read anew.
  const address = useMemo(() => ({ project, map: map.code, stored }), [project, map.code, stored]);
  useVectors({ view, map: address, items, visible, language });
  useSessionEnd(project, view);
  const { mapHelp } = useWorkspaceTexts();
  const rasterIds = visible
    .filter((item) => !isVector(item))
    .map(({ id }) => id)
    .reverse()
    .join(',');
  const hasBaseMap = isOverBaseMap(map);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version requests the tiles anew
  useEffect(() => {
    const layers = rasterIds ? rasterIds.split(',').map(Number) : [];
    view?.setTiles({
      project: address.project,
      map: address.map,
      layers,
      language,
      hasBaseMap,
      isDraft: draft !== null,
    });
  }, [view, address, rasterIds, language, hasBaseMap, version, stored, draft]);
  return (
    <MapCanvas
      map={{ extent, attribution: '' }}
      isPart
      label={mapHelp}
      view={view}
      state={state}
      tiles={tiles}
      onReady={onReady}
      onPoint={onPoint}
      onView={setState}
      onTiles={setTiles}
    />
  );
}

/** Tiles that are refused because the session has ended are requested again after signing in. */
function useSessionEnd(project: string, view: MapView | null): void {
  useEffect(() => {
    let isAsking = false;
    return onRefusal(() => {
      if (isAsking) return;
      isAsking = true;
      sessionGate
        .renew(project, sessionGate.csrfOf(project))
        .then((isRenewed) => isRenewed && view?.retryTiles())
        .catch(() => {})
        .finally(() => {
          isAsking = false;
        });
    });
  }, [project, view]);
}
