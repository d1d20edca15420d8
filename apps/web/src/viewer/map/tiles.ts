import { ClientError } from '@cartulary/client';
import { addProtocol } from 'maplibre-gl';
import { service } from '../../common/api.js';
import { address, base } from '../../common/base.js';
import { truncatedHeader } from './truncations.js';

/** Numbers of tiles. */
export interface TileProgress {
  loading: number;
  /** Tiles among the loading ones that wait for a busy service. */
  waiting: number;
  /** Tiles that failed for good since the last reset. */
  failed: number;
}

export interface TilePlan {
  project: string;
  map: string;
  /** Ids in drawing order: the last is drawn on top. Absent: the layers that the map shows at the start. */
  layers?: readonly number[];
  language: string;
  /** Whether the page's base map replaces the background of the map. */
  hasBaseMap: boolean;
  /** Whether the user's drafts of styles are drawn. */
  isDraft?: boolean;
  /** Whether the tiles have two pixels per CSS pixel on every screen. */
  isDetailed?: boolean;
}

const scheme = 'cartulary';

/** The template of the tile addresses for MapLibre, which fills in z, x and y. */
export function tileTemplate(plan: TilePlan): string {
  const { project, map, layers, language, hasBaseMap, isDraft, isDetailed } = plan;
  const retina = isDetailed || window.devicePixelRatio > 1 ? 2 : undefined;
  const draft = isDraft ? 1 : undefined;
  const query = { layers: layers?.join(','), lng: language, base: hasBaseMap ? 0 : 1, retina, draft };
  const url = address(['tms', project, map], query).slice(base.length + 1);
  return `${scheme}://${url}&z={z}&x={x}&y={y}`;
}

/** The template for vector tiles of layers, with the values of the columns `fields` (separated by commas). */
export function vectorTemplate({
  project,
  map,
  layers,
  language,
  fields,
}: Omit<TilePlan, 'hasBaseMap' | 'isDraft' | 'isDetailed'> & {
  layers: readonly number[];
  fields: string;
}): string {
  const parts = ['mvt', project, map].map(encodeURIComponent).join('/');
  const query = new URLSearchParams({ layers: layers.join(','), fields, lng: language });
  return `${scheme}://${parts}/{z}/{x}/{y}.pbf?${query}`;
}

interface TileListeners {
  onProgress: (progress: TileProgress) => void;
  /** Receives the truncation header of each tile. */
  onTruncated: (url: string, header: string | null) => void;
}

/**
 * Loads tiles in place of MapLibre, which gives up at the first failure: here a request to a busy service is repeated.
 * There is one loader per page; its addresses have a URL scheme of their own.
 */
export class TileLoader {
  readonly #listeners: TileListeners;
  #progress: TileProgress = { loading: 0, waiting: 0, failed: 0 };

  constructor(listeners: TileListeners) {
    this.#listeners = listeners;
    addProtocol(scheme, async ({ url }, { signal }) => ({ data: await this.#load(url, signal) }));
  }

  resetFailures(): void {
    this.#change('failed', -this.#progress.failed);
  }

  async #load(url: string, signal: AbortSignal): Promise<ArrayBuffer> {
    this.#change('loading', 1);
    const onBusy = (isBusy: boolean): void => this.#change('waiting', isBusy ? 1 : -1);
    try {
      const tile = `${base}/${url.slice(scheme.length + 3)}`;
      const init = { headers: { accept: 'image/png,application/json' } };
      const response = await service.open(tile, init, { signal, isRead: true, onBusy });
      const data = await response.arrayBuffer();
      this.#listeners.onTruncated(url, response.headers.get(truncatedHeader));
      return data;
    } catch (error) {
      if (!signal.aborted) this.#change('failed', 1);
      throw error instanceof ClientError ? new Error(`tile: ${error.status} ${error.code}`) : error;
    } finally {
      this.#change('loading', -1);
    }
  }

  #change(name: keyof TileProgress, by: number): void {
    this.#progress = { ...this.#progress, [name]: this.#progress[name] + by };
    this.#listeners.onProgress(this.#progress);
  }
}
