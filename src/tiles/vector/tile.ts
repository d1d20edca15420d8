import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Caller } from '../../access/caller.js';
import type { Database, Queryable } from '../../db/pool.js';
import { badRequest } from '../../errors.js';
import { holdsObjects } from '../../layers/layers.js';
import type { TileCache } from '../cache/memory.js';
import { drawnLayers } from '../drawn-layers.js';
import { type MapContent, type MapState, mapState, type ReadContent, type SourceLayer } from '../sources.js';
import { readFeatures } from './features.js';
import { encodeTile, type TileLayer } from './mvt.js';

/** What of a map is in its vector tiles. */
export interface VectorRequest {
  /** Ids of layers or items in drawing order; undefined: the selected ones of the publication tree. */
  layers: readonly number[] | undefined;
  /** Codes of columns; `*` all; undefined: those that the layers show. */
  fields: readonly string[] | '*' | undefined;
  lng: string;
  main: string;
}

export interface VectorLayer {
  source: SourceLayer;
  /** Codes of the columns whose values come with the features. */
  fields: readonly string[];
  minZoom: number;
  maxZoom: number;
}

export interface VectorPlan {
  state: MapState;
  content: MapContent;
  /** Bottom to top. */
  layers: readonly VectorLayer[];
  /** Hash over all that the tiles depend on but their place. */
  key: string;
}

/** Plans vector tiles: one query for a map that has not changed. Throws 404, 403, 400 for an unknown layer or column. */
export async function planVectors(
  { db, readContent }: { db: Database; readContent: ReadContent },
  { caller, map, request }: { caller: Caller; map: string; request: VectorRequest },
  signal: AbortSignal,
): Promise<VectorPlan> {
  const state = await mapState(db, caller, map, signal);
  const content = await readContent(state, signal);
  const ids = drawnLayers(request.layers, state.viewable, content);
  const layers = ids.flatMap((id) => vectorLayer(content.layers.get(id)!, request) ?? []);
  const { lng, main } = request;
  const unknown = Array.isArray(request.fields)
    ? request.fields.filter((code) => !layers.some(({ fields }) => fields.includes(code)))
    : [];
  if (unknown.length && layers.length)
    throw badRequest(`No layer has the column '${unknown[0]}'`, { columns: unknown });
  const versions = layers.map(({ source, fields }) => [source.id, state.viewable.get(source.id), fields]);
  return {
    state,
    content,
    layers,
    key: hash(JSON.stringify([state.id, state.version, versions, lng, main])),
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** A layer of objects; undefined for one of an image. */
function vectorLayer(source: SourceLayer, { fields }: VectorRequest): VectorLayer | undefined {
  if (!holdsObjects(source)) return undefined;
  const { minZoom = 0, maxZoom = 24 } = source.render_settings as { minZoom?: number; maxZoom?: number };
  return { source, fields: fieldsOf(source, fields), minZoom, maxZoom };
}

const shown = new Set(['number', 'string', 'text', 'datetime', 'bool', 'json', 'file']);

/** Of those asked for, the columns that the layer has; without any asked for the one of its popup and the one that names its objects. */
function fieldsOf({ columns, vector_settings }: SourceLayer, asked: VectorRequest['fields']): string[] {
  const codes = columns
    .filter(({ type, code }) => shown.has(type) && code !== 'svc_id')
    .map(({ code }) => code);
  if (asked === '*') return codes;
  if (asked) return codes.filter((code) => asked.includes(code));
  const popup = columns.find(({ id }) => id === vector_settings?.popupColumn)?.code;
  const name = codes.includes('name') ? 'name' : columns.find(({ type }) => type === 'string')?.code;
  return [...new Set([popup, name].filter((code) => code !== undefined && codes.includes(code)))] as string[];
}

export interface VectorLimits {
  /** Most features of a layer in a tile. */
  features: number;
  /** Most bytes of a tile, before it is packed. */
  bytes: number;
}

export interface VectorPlace {
  z: number;
  x: number;
  /** From the north. */
  y: number;
}

/** Makes vector tiles, packed with gzip; what is asked twice at once is made once, and kept in the cache of tiles. */
export function createVectorMaker(
  db: Queryable,
  cache: TileCache,
  limits: VectorLimits,
): (plan: VectorPlan, request: VectorRequest, place: VectorPlace) => Promise<Uint8Array> {
  const flights = new Map<string, Promise<Uint8Array>>();

  async function make(
    plan: VectorPlan,
    { lng, main }: VectorRequest,
    place: VectorPlace,
  ): Promise<Uint8Array> {
    const layers: TileLayer[] = [];
    for (const { source, fields, minZoom, maxZoom } of plan.layers) {
      if (place.z < Math.floor(minZoom) || place.z > maxZoom) continue;
      const request = { ...place, layer: source, fields, lng, main, limit: limits.features };
      layers.push({
        name: source.code,
        keys: ['svc_id', ...fields],
        features: await readFeatures(db, request),
      });
    }
    return packed(encodeWithin(layers, limits.bytes), { level: 6 });
  }

  return (plan, request, place) => {
    const key = `mvt/${plan.key}/${place.z}/${place.x}/${place.y}`;
    const known = cache.get(key);
    if (known) return Promise.resolve(known);
    const running = flights.get(key);
    if (running) return running;
    const flight = make(plan, request, place).finally(() => flights.delete(key));
    flights.set(key, flight);
    flight.then(
      (tile) => cache.set(key, new Uint8Array(tile)),
      () => {},
    );
    return flight;
  };
}

const packed = promisify(gzip);

/** A tile of at most `most` bytes: of one that is larger each layer loses a part of its features, evenly. */
function encodeWithin(layers: readonly TileLayer[], most: number): Uint8Array {
  let part = 1;
  for (;;) {
    const kept = layers.map((layer) => ({ ...layer, features: thinned(layer.features, part) }));
    const tile = encodeTile(kept);
    if (tile.length <= most || part < 1e-4) return tile;
    part *= Math.min(0.9, (0.9 * most) / tile.length);
  }
}

/** A part of a list, evenly out of all of it. */
const thinned = <T>(list: readonly T[], part: number): readonly T[] =>
  part === 1 ? list : list.filter((_, i) => Math.floor(i * part) !== Math.floor((i - 1) * part));
