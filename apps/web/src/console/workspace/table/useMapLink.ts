import type { Geometry } from 'geojson';
import { useEffect, useRef, useState } from 'react';
import type { Extent } from '../../../common/types.js';
import { extentOf } from '../../../viewer/map/geometry.js';
import type { PointedPlace } from '../../../viewer/types.js';
import type { TableContext } from './context.js';
import type { ShapeEditing } from './edit/useShape.js';
import type { GridPlace } from './grid/useGridKeys.js';
import type { RowStore } from './rows/RowStore.js';
import { zoomForWidth } from './rows/sketches.js';
import { type RowSource, rankOf, readGeometries, readRow } from './rows/source.js';
import type { Selection } from './useSelection.js';
import { useTableTexts } from './useTableTexts.js';

interface MapLinkContext extends TableContext {
  store: RowStore;
  selection: Selection;
  /** While a geometry is drawn, the map belongs to the drawing. */
  shape: Pick<ShapeEditing, 'isOpen' | 'stored'>;
  onActive: (place: GridPlace) => void;
}

/** Most objects that are marked on the map. */
const markedLimit = 200;
/** Width of the marked objects for which geometries are simplified, pixels: that of a large screen. */
const markedPx = 2000;
const margin = { left: 32, top: 32, right: 64, bottom: 40 };

/** Selected rows are marked on the map; a click on the map selects the row of the object there. */
export function useMapLink(context: MapLinkContext) {
  const { view, pointed, store, selection, changes, onActive } = context;
  const texts = useTableTexts();
  const [shown, setShown] = useState({ row: 0, token: 0 });
  const marked = useMarked(context);
  const latest = useRef(context);
  latest.current = context;
  const reveal = async (id: number): Promise<void> => {
    const row = await rowOf(latest.current.store, id);
    if (row === null) return changes.tell(texts.filteredOut);
    onActive({ row, column: 0 });
    setShown(({ token }) => ({ row, token: token + 1 }));
  };
  const first = useRef(pointed);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another place is looked for
  useEffect(() => {
    if (!pointed || pointed === first.current || latest.current.shape.isOpen) return;
    let isOutdated = false;
    objectAt(latest.current, pointed)
      .then((id) => {
        if (isOutdated) return;
        if (id === null) return changes.tell(texts.notFound);
        selection.setIds(new Set([id]));
        return reveal(id);
      })
      .catch((error: unknown) => !isOutdated && changes.tellProblem(error));
    return () => {
      isOutdated = true;
    };
  }, [pointed]);
  const zoom = (): void => {
    if (marked) view?.zoomTo(marked, margin);
  };
  const zoomToRow = (row: number): void => {
    const bbox = store.row(row)?.bbox;
    if (bbox) view?.zoomTo(bbox, margin);
  };
  return { zoom, zoomToRow, shown, reveal };
}

/** Marks the selected objects on the map. Returns their extent. */
function useMarked({ view, store, selection, changes, workspace, shape }: MapLinkContext): Extent | null {
  const [extent, setExtent] = useState<Extent | null>(null);
  const { ids } = selection;
  const { source } = store;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is selected is marked anew after a change
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const show = (geometry: Geometry | null): void => {
      view?.mark(geometry);
      setExtent(geometry && extentOf(geometry));
    };
    if (!ids.size || shape.isOpen) show(null);
    else {
      geometryOfAll(store, [...ids].slice(0, markedLimit), signal).then(
        (geometry) => !signal.aborted && show(geometry),
        (error: unknown) => !signal.aborted && changes.tellProblem(error),
      );
    }
    return () => controller.abort();
  }, [ids, source, view, workspace.version, shape.isOpen, shape.stored]);
  useEffect(() => () => view?.mark(null), [view]);
  return extent;
}

async function geometryOfAll(
  store: RowStore,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<Geometry | null> {
  const [only] = ids.length === 1 ? ids : [];
  const bbox = only === undefined ? null : store.row(store.find(only))?.bbox;
  const zoom = bbox ? zoomForWidth(bbox, markedPx) : undefined;
  const found = await readGeometries(store.source, ids, zoom, signal);
  const geometries = [...found.values()].filter((one) => one !== null);
  if (!geometries.length) return null;
  return geometries.length === 1 ? geometries[0]! : { type: 'GeometryCollection', geometries };
}

/** The row of an object; null: the table leaves it out. */
async function rowOf(store: RowStore, id: number): Promise<number | null> {
  const known = store.find(id);
  if (known >= 0) return known;
  const row = await readRow(store.source, id);
  return row ? rankOf(store.source, row) : null;
}

/** The object of the layer at a place of the map; null: there is none. */
async function objectAt(
  { workspace, item, store }: MapLinkContext,
  place: PointedPlace,
): Promise<number | null> {
  const drawn = place.vectorObjects.find(({ layer }) => layer === item.code);
  return drawn?.id ?? identify(store.source, workspace.map.code, item.id, place);
}

async function identify(
  { client, lng }: RowSource,
  map: string,
  layer: number,
  { at, z, tolerancePx }: PointedPlace,
): Promise<number | null> {
  const query = { lon: at[0], lat: at[1], z, tolerance: tolerancePx, layers: String(layer), limit: 1, lng };
  const [found] = await client.get('/api/2.8/{project}/{map}/identify/', {
    params: { path: { map }, query },
  });
  return found?.svc_id ?? null;
}
