import type { Geometry } from 'geojson';
import { call } from '../common/api.js';
import { address, base } from '../common/base.js';
import type { Extent } from '../common/types.js';
import type { Filters } from './filters/filters.js';
import { isDrawnHere } from './map/vectorLayers.js';
import type { TreeItem } from './tree.js';
import type { ColumnInfo, Hit, HitList, MapAddress, ObjectInfo, ObjectKey, PointedPlace } from './types.js';

export interface RequestOptions {
  signal: AbortSignal;
  onBusy: (busy: boolean) => void;
}

interface PointQuery {
  place: PointedPlace;
  map: MapAddress;
  /** Layers that are switched on, topmost first. */
  layers: readonly TreeItem[];
  filters: Filters;
  language: string;
}

interface ObjectQuery {
  key: ObjectKey;
  map: MapAddress;
  items: readonly TreeItem[];
  language: string;
}

/** Maximum number of objects shown for one position. */
const maxHits = 12;
/** Width of a layer's icon in pixels: 22 CSS pixels on a screen of double density. */
const iconSizePx = 44;

/** Whether the service lists objects of a layer. */
export const hasObjects = ({ type }: TreeItem): boolean => ['layer', 'virtual', 'material'].includes(type);

/** An item of the answer of `identify/`. */
interface IdentifiedObject {
  layer: string;
  svc_id: number;
}

/** Returns the objects drawn at a position, topmost first. Client-drawn layers lie above those of the service. */
export async function objectsAt(query: PointQuery, options: RequestOptions): Promise<HitList> {
  const { place, map, layers, language } = query;
  const own = place.vectorObjects.filter(({ layer }) => layers.some(({ code }) => code === layer));
  const identified = await identify(query, options);
  const keys = [...own, ...identified.keys].slice(0, maxHits);
  const lists = await Promise.all(
    keys.map((key) => objectOf({ key, map, items: layers, language }, options)),
  );
  return {
    hits: lists.flatMap(({ hits }) => hits),
    failed: [...new Set([...identified.failed, ...lists.flatMap(({ failed }) => failed)])],
  };
}

/** Asks the service for the objects that it draws at a position. */
async function identify(
  { place, map, layers, filters, language }: PointQuery,
  options: RequestOptions,
): Promise<{ keys: ObjectKey[]; failed: string[] }> {
  const served = layers.filter((layer) => hasObjects(layer) && !isDrawnHere(layer, filters));
  if (!served.length) return { keys: [], failed: [] };
  const url = address(['api', '2.8', map.project, map.map, 'identify'], {
    lon: place.at[0],
    lat: place.at[1],
    z: place.z,
    tolerance: place.tolerancePx,
    // Bottom to top, the order of the tile address.
    layers: served
      .map(({ id }) => id)
      .reverse()
      .join(','),
    limit: maxHits,
    lng: language,
  });
  try {
    const objects = await call<IdentifiedObject[]>(url, options);
    return { keys: objects.map(({ layer, svc_id }) => ({ layer, id: svc_id })), failed: [] };
  } catch (error) {
    if (options.signal.aborted) throw error;
    return { keys: [], failed: served.map(({ name, code }) => name || code) };
  }
}

/** Returns one object, with a geometry as detailed as the map shows it when the object fills the view. */
export async function objectOf(query: ObjectQuery, options: RequestOptions): Promise<HitList> {
  const { key, map, items, language } = query;
  const layer = items.find(({ code, type }) => type !== 'folder' && code === key.layer);
  if (!layer) return { hits: [], failed: [] };
  const path = objectPath(map, key.layer, key.id);
  try {
    const request = call<ObjectInfo & { bbox?: Extent | null }>(
      address(path, { returnBbox: 1, lng: language }),
      options,
    );
    const [object, columns] = await Promise.all([request, columnsOf(map, key.layer, language)]);
    if (!Object.keys(object.fields).length && !object.bbox) return { hits: [], failed: [] };
    const geom = object.bbox ? await geometryOf(path, object.bbox, options) : null;
    return { hits: [{ layer, columns, object: { ...object, geom } }], failed: [] };
  } catch (error) {
    if (options.signal.aborted) throw error;
    return { hits: [], failed: [layer.name || layer.code] };
  }
}

async function geometryOf(path: string[], bbox: Extent, options: RequestOptions): Promise<Geometry | null> {
  const query = { returnGeom: 1, geomZoom: detailZoom(bbox) };
  return (await call<ObjectInfo>(address(path, query), options)).geom ?? null;
}

/** The zoom level at which an extent is about 2,000 pixels wide or high: twice the detail that a screen shows. */
function detailZoom({ sw, ne }: Extent): number {
  const degrees = Math.max(ne[0] - sw[0], ne[1] - sw[1], 1e-6);
  return Math.min(22, Math.max(0, Math.round(Math.log2((2000 / 256) * (360 / degrees)))));
}

/** The address of a layer's icon: its own one, else a sample of its style; null where neither exists. */
export function iconAddress(map: MapAddress, item: TreeItem): string | null {
  if (item.icon) return `${base}/${item.icon.replace(/^\/+/, '')}`;
  return hasObjects(item) || item.type === 'raster'
    ? address([...layerPath(map, item.code), 'icon'], { size: iconSizePx })
    : null;
}

const layerPath = ({ project, map }: MapAddress, layer: string): string[] => [
  'api',
  '2.8',
  project,
  map,
  'layers',
  layer,
];

const objectPath = (map: MapAddress, layer: string, id: number | string): string[] => [
  ...layerPath(map, layer),
  'objects',
  String(id),
];

const structures = new Map<string, Promise<ColumnInfo[]>>();

/** The columns of a layer in a language, requested once per page load; a failed request is repeated. */
export function columnsOf(map: MapAddress, layer: string, language: string): Promise<ColumnInfo[]> {
  const url = address([...layerPath(map, layer), 'structure'], { lng: language });
  const cached = structures.get(url);
  if (cached) return cached;
  const request = call<ColumnInfo[]>(url);
  request.catch(() => structures.delete(url));
  structures.set(url, request);
  return request;
}

/** The extent of a layer; null for an empty one. */
export const extentOfLayer = (map: MapAddress, layer: string): Promise<Extent | null> =>
  call<Extent | null>(address([...layerPath(map, layer), 'bbox']));

/** The address that lists the files of an object's column. */
export const filesAddress = (
  hit: Hit,
  map: MapAddress,
  { field, language }: { field: string; language: string },
): string =>
  address([...objectPath(map, hit.layer.code, hit.object.id), 'files'], {
    field,
    lng: language,
  });

/** An object's values as the columns' formats display them; columns without a format are left out. */
export async function formattedFields(
  hit: Hit,
  map: MapAddress,
  options: { language: string; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const path = objectPath(map, hit.layer.code, hit.object.id);
  const url = address(path, { lng: options.language, f: 'fjson' });
  return (await call<ObjectInfo>(url, { signal: options.signal })).fields;
}
