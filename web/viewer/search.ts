import type { Geometry } from 'geojson';
import { call } from '../common/api.js';
import { address } from '../common/base.js';
import type { Extent } from '../common/types.js';
import {
  type Answer,
  type AskOptions,
  columnsOf,
  layerPath,
  type MapAddress,
  type ObjectInfo,
} from './objects.js';
import type { TreeItem } from './tree.js';

/** What a search has found, as the service answers it. */
export type SearchResult = LayerResult | ObjectResult;

interface LayerResult {
  type: 'layer';
  id: number;
  code: string;
  name: string;
}

interface ObjectResult {
  type: 'object';
  svc_id: number;
  /** Code of the layer. */
  layer: string;
  layer_name: string;
  /** Value of the name column: of any type, null where the object has none. */
  name: unknown;
  name_column: string;
  search_column: string;
  /** What matched. */
  value: string;
}

const mostResults = 10;

/** Where a search is asked. */
export const searchAddress = ({ project, map }: MapAddress, phrase: string, language: string): string =>
  address(['api', '2.8', project, map, 'search'], {
    phrase,
    lang: language,
    lng: language,
    limit: mostResults,
    f: 'fjson',
  });

/** An object that was chosen from the results. */
export interface FoundObject {
  /** Code of the layer. */
  layer: string;
  id: number;
}

interface FoundQuestion {
  chosen: FoundObject;
  map: MapAddress;
  items: readonly TreeItem[];
  language: string;
}

/** The object that was chosen, with its geometry as fine as it is seen when the map shows the whole of it. */
export async function objectOf(question: FoundQuestion, options: AskOptions): Promise<Answer> {
  const { chosen, map, items, language } = question;
  const layer = items.find(({ code, type }) => type !== 'folder' && code === chosen.layer);
  if (!layer) return { hits: [], failed: [] };
  const path = [...layerPath(map, chosen.layer), 'objects', String(chosen.id)];
  try {
    const asked = call<ObjectInfo & { bbox?: Extent | null }>(
      address(path, { returnBbox: 1, lng: language }),
      options,
    );
    const [object, columns] = await Promise.all([asked, columnsOf(map, chosen.layer, language)]);
    if (!Object.keys(object.fields).length && !object.bbox) return { hits: [], failed: [] };
    const geom = object.bbox ? await geometryOf(path, object.bbox, options) : null;
    return { hits: [{ layer, columns, object: { ...object, geom } }], failed: [] };
  } catch (error) {
    if (options.signal.aborted) throw error;
    return { hits: [], failed: [layer.name || layer.code] };
  }
}

async function geometryOf(path: string[], bbox: Extent, options: AskOptions): Promise<Geometry | null> {
  const query = { returnGeom: 1, geomZoom: zoomOf(bbox) };
  return (await call<ObjectInfo>(address(path, query), options)).geom ?? null;
}

/** A zoom at which an extent is about 2,000 pixels wide or high: twice as fine as it is shown. */
function zoomOf({ sw, ne }: Extent): number {
  const degrees = Math.max(ne[0] - sw[0], ne[1] - sw[1], 1e-6);
  return Math.min(22, Math.max(0, Math.round(Math.log2((2000 / 256) * (360 / degrees)))));
}

/** The extent of a layer; null of an empty one. */
export const extentOfLayer = (map: MapAddress, layer: string): Promise<Extent | null> =>
  call<Extent | null>(address([...layerPath(map, layer), 'bbox']));
