import type { Corners } from '@cartulary/geo';
import type { Caller } from '../access/caller.js';
import { mainLanguage } from '../access/caller.js';
import { findMap } from '../containers/containers.js';
import { mapView } from '../containers/maps.js';
import { publishedMapView } from '../containers/published-maps.js';
import { itemView, publicationTree } from '../containers/tree.js';
import type { Services } from '../services.js';
import { layerItems } from './layer-items.js';

interface StartRequest {
  caller: Caller;
  map: string;
  lng: string | undefined;
  /** The origin of the service, without a slash at the end. */
  origin: string;
  signal: AbortSignal;
}

/**
 * The initial settings of a map page: the map, its languages and settings, the publication tree, the extent,
 * the tiles. Throws 403, 404.
 */
export async function initialSettings(
  services: Services,
  { caller, map: code, lng, origin, signal }: StartRequest,
): Promise<Record<string, unknown>> {
  const map = await findMap(services.db, caller, code, 'view');
  const items = (await publicationTree(services.db, caller, map)).map((item) => itemView(item, caller, lng));
  const layers = await layerItems(services, items, { isTree: true, signal });
  const { locales, json, render_settings } = publishedMapView(map, caller, lng);
  return {
    map: mapView(map, caller, lng),
    language: lng ?? mainLanguage(caller),
    locales,
    json,
    render_settings,
    bbox: unionOfExtents(layers.map(({ bbox }) => bbox as Corners | null | undefined)),
    tiles: `${origin}/tms/${caller.project.code}/${map.code}/?z={z}&x={x}&y={-y}`,
    layers,
  };
}

/** The union of extents; null when there are none. */
export function unionOfExtents(boxes: readonly (Corners | null | undefined)[]): Corners | null {
  return boxes.reduce<Corners | null>((union, box) => {
    if (!union || !box) return union ?? box ?? null;
    const sw: Corners['sw'] = [Math.min(union.sw[0], box.sw[0]), Math.min(union.sw[1], box.sw[1])];
    const ne: Corners['ne'] = [Math.max(union.ne[0], box.ne[0]), Math.max(union.ne[1], box.ne[1])];
    return { sw, ne };
  }, null);
}
