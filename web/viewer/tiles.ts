import { addProtocol } from 'maplibre-gl';
import { ApiError, patientFetch } from '../common/api.js';
import { address, base } from '../common/base.js';

/** How the loading of tiles goes. */
export interface TileProgress {
  /** Tiles on their way. */
  loading: number;
  /** Of these, tiles that wait for a busy service. */
  waiting: number;
  /** Tiles that failed for good since the last change of what is drawn. */
  failed: number;
}

export interface TilePlan {
  project: string;
  map: string;
  /** Ids in drawing order: the last is drawn on top. */
  layers: readonly number[];
  language: string;
}

const scheme = 'cartulary';

/** The template of the tiles' addresses for MapLibre: it fills in z, x and y. */
export function tileTemplate({ project, map, layers, language }: TilePlan): string {
  const retina = window.devicePixelRatio > 1 ? 2 : undefined;
  const query = { layers: layers.join(','), lng: language, base: 1, retina };
  const url = address(['tms', project, map], query).slice(base.length + 1);
  return `${scheme}://${url}&z={z}&x={x}&y={y}`;
}

/** The same for vector tiles: of layers, with the values of columns. */
export function vectorTemplate({
  project,
  map,
  layers,
  language,
  fields,
}: TilePlan & { fields: string }): string {
  const parts = ['mvt', project, map].map(encodeURIComponent).join('/');
  const query = new URLSearchParams({ layers: layers.join(','), fields, lng: language });
  return `${scheme}://${parts}/{z}/{x}/{y}.pbf?${query}`;
}

/**
 * Loads the tiles in place of MapLibre, which gives a tile up at its first failure: a busy service is asked again.
 * The listener hears of every change of the progress; the result forgets the failures.
 */
export function loadTilesPatiently(listener: (progress: TileProgress) => void): () => void {
  let progress: TileProgress = { loading: 0, waiting: 0, failed: 0 };
  const change = (by: Partial<TileProgress>): void => {
    progress = {
      loading: progress.loading + (by.loading ?? 0),
      waiting: progress.waiting + (by.waiting ?? 0),
      failed: progress.failed + (by.failed ?? 0),
    };
    listener(progress);
  };
  addProtocol(scheme, async ({ url }, { signal }) => {
    change({ loading: 1 });
    let isWaiting = false;
    const onBusy = (busy: boolean): void => {
      if (busy !== isWaiting) change({ waiting: busy ? 1 : -1 });
      isWaiting = busy;
    };
    try {
      const tile = `${base}/${url.slice(scheme.length + 3)}`;
      const response = await patientFetch(
        tile,
        { signal, headers: { accept: 'image/png,application/json' } },
        onBusy,
      );
      return { data: await response.arrayBuffer() };
    } catch (error) {
      if (!signal.aborted) change({ failed: 1 });
      throw error instanceof ApiError ? new Error(`tile: ${error.status} ${error.code}`) : error;
    } finally {
      change({ loading: -1 });
    }
  });
  return () => change({ failed: -progress.failed });
}
