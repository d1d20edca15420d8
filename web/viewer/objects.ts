import type { Geometry } from 'geojson';
import { call } from '../common/api.js';
import { address, base } from '../common/base.js';
import { squareAround } from './geometry.js';
import type { PointedPlace } from './mapView.js';
import type { TreeItem } from './tree.js';

/** A column as the service's structure tells it. */
export interface ColumnInfo {
  id: number;
  parent_id: number;
  code: string;
  name: string;
  type: 'number' | 'geom' | 'string' | 'text' | 'datetime' | 'bool' | 'file' | 'title' | 'json';
  format?: Record<string, unknown> | null;
}

export interface ObjectInfo {
  id: number | string;
  fields: Record<string, unknown>;
  geom?: Geometry | null;
}

/** An object that lies where the reader pointed. */
export interface Hit {
  layer: TreeItem;
  columns: readonly ColumnInfo[];
  object: ObjectInfo;
}

export interface MapAddress {
  project: string;
  map: string;
}

/** What to ask: the layers that are on, the topmost first. */
export interface Question {
  place: PointedPlace;
  map: MapAddress;
  layers: readonly TreeItem[];
  language: string;
}

export interface Answer {
  hits: Hit[];
  /** Names of layers that gave no answer. */
  failed: string[];
}

export interface AskOptions {
  signal: AbortSignal;
  onBusy: (busy: boolean) => void;
}

const mostPerLayer = 5;
const requestsAtOnce = 4;

/** Whether a layer has objects that can be asked for. */
const hasObjects = ({ type }: TreeItem): boolean => ['layer', 'virtual', 'material'].includes(type);

/** Whether a layer can be asked for its objects, and shows at this zoom. */
function isAsked(item: TreeItem, zoom: number): boolean {
  if (!hasObjects(item)) return false;
  const settings = item.render_settings;
  const tileZoom = Math.round(zoom) + 1; // MapLibre counts its zoom for tiles of 512 pixels
  return tileZoom >= (settings?.minZoom ?? 0) && tileZoom <= (settings?.maxZoom ?? 24);
}

/** The objects at a place, those of the topmost layer first. A layer that is listed twice is asked once. */
export async function objectsAt(question: Question, options: AskOptions): Promise<Answer> {
  const codes = new Set<string>();
  const layers = question.layers.filter((layer) => {
    if (!isAsked(layer, question.place.zoom) || codes.has(layer.code)) return false;
    codes.add(layer.code);
    return true;
  });
  const answers: (Hit[] | undefined)[] = [];
  const waiting = layers.entries();
  const worker = async (): Promise<void> => {
    for (const [i, layer] of waiting) {
      answers[i] = await hitsIn(layer, question, options).catch((error: unknown) => {
        if (options.signal.aborted) throw error;
        return undefined;
      });
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, worker));
  return {
    hits: answers.flatMap((hits) => hits ?? []),
    failed: layers.filter((_, i) => !answers[i]).map((layer) => layer.name || layer.code),
  };
}

async function hitsIn(layer: TreeItem, question: Question, options: AskOptions): Promise<Hit[]> {
  const { place, map, language } = question;
  const body = {
    fields: '*',
    limit: mostPerLayer,
    lng: language,
    returnGeom: 1,
    geomZoom: Math.min(Math.ceil(place.zoom) + 1, 22),
    filter: { op: 's_intersects', args: [{ property: 'geom' }, squareAround(place.at, place.reach)] },
  };
  const url = address([...layerPath(map, layer.code), 'filter']);
  const objects = await call<ObjectInfo[]>(url, { ...options, body });
  if (!objects.length) return [];
  const columns = await columnsOf(map, layer.code, language);
  return objects.map((object) => ({ layer, columns, object }));
}

/** The address of a layer's icon: one of its own, else a sample of its style, 44 pixels wide for sharp screens. */
export function iconAddress(map: MapAddress, item: TreeItem): string | null {
  if (item.icon) return `${base}/${item.icon.replace(/^\/+/, '')}`;
  return hasObjects(item) || item.type === 'raster'
    ? address([...layerPath(map, item.code), 'icon'], { size: 44 })
    : null;
}

export const layerPath = ({ project, map }: MapAddress, layer: string): string[] => [
  'api',
  '2.8',
  project,
  map,
  'layers',
  layer,
];

const structures = new Map<string, Promise<ColumnInfo[]>>();

/** The columns of a layer in a language, asked once in the life of the page. */
export function columnsOf(map: MapAddress, layer: string, language: string): Promise<ColumnInfo[]> {
  const url = address([...layerPath(map, layer), 'structure'], { lng: language });
  const known = structures.get(url);
  if (known) return known;
  const asked = call<ColumnInfo[]>(url);
  asked.catch(() => structures.delete(url));
  structures.set(url, asked);
  return asked;
}

/** Where the files of an object's column are told. */
export const filesAddress = (
  hit: Hit,
  map: MapAddress,
  { field, language }: { field: string; language: string },
): string =>
  address([...layerPath(map, hit.layer.code), 'objects', String(hit.object.id), 'files'], {
    field,
    lng: language,
  });

/** An object's values as the columns' formats show them, for those columns that have one. */
export async function formattedFields(
  hit: Hit,
  map: MapAddress,
  options: { language: string; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const path = [...layerPath(map, hit.layer.code), 'objects', String(hit.object.id)];
  const url = address(path, { lng: options.language, f: 'fjson' });
  return (await call<ObjectInfo>(url, { signal: options.signal })).fields;
}
