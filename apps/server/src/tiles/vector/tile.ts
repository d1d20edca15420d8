import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { Caller } from '../../access/caller.js';
import type { Database } from '../../db/pool.js';
import { badRequest } from '../../errors.js';
import { holdsObjects } from '../../layers/layers.js';
import type { TileCache } from '../cache/memory.js';
import { drawnLayers } from '../drawn-layers.js';
import { type MapContent, type MapState, mapState, type ReadContent, type SourceLayer } from '../sources.js';
import { createLayerMaker, type MadeLayer } from './features.js';
import type { GroupLimits } from './groups.js';

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
  const state = await mapState(db, caller, map, caller.at);
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

export interface VectorLimits extends GroupLimits {
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

/** Makes vector tiles; what is asked twice at once is made once, and kept in the cache of tiles. `isPacked`: with gzip. */
export type MakeVectorTile = (
  plan: VectorPlan,
  wanted: { request: VectorRequest; place: VectorPlace; isPacked: boolean },
) => Promise<Uint8Array>;

export function createVectorMaker(db: Database, cache: TileCache, limits: VectorLimits): MakeVectorTile {
  const flights = new Map<string, Promise<Uint8Array>>();
  const makeLayer = createLayerMaker(db, {
    atOnce: limits.atOnce,
    waiting: limits.waiting,
    patience: limits.patience,
  });

  /** Of a tile that is too large each layer loses the same part of its features. */
  async function make(
    plan: VectorPlan,
    { lng, main }: VectorRequest,
    place: VectorPlace,
  ): Promise<Uint8Array> {
    const layers = plan.layers.filter(
      ({ minZoom, maxZoom }) => place.z >= Math.floor(minZoom) && place.z <= maxZoom,
    );
    const limitOf = layers.map(() => limits.features);
    for (let part = 1; ; ) {
      const made: MadeLayer[] = [];
      for (const [i, { source, fields }] of layers.entries())
        made.push(await makeLayer({ layer: source, fields, lng, main, limit: limitOf[i]!, ...place }));
      const tile = Buffer.concat(made.map(({ bytes }) => bytes));
      if (tile.length <= limits.bytes || part < 1e-4) return tile;
      const less = Math.min(0.9, (0.9 * limits.bytes) / tile.length);
      part *= less;
      for (const [i, { features }] of made.entries()) limitOf[i] = Math.floor(features * less);
    }
  }

  return (plan, { request, place, isPacked }) => {
    const key = `mvt/${plan.key}/${place.z}/${place.x}/${place.y}/${isPacked ? 'gzip' : ''}`;
    const known = cache.get(key);
    if (known) return Promise.resolve(known);
    const running = flights.get(key);
    if (running) return running;
    const tile = make(plan, request, place);
    const flight = (isPacked ? tile.then(packed) : tile).finally(() => flights.delete(key));
    flights.set(key, flight);
    flight.then(
      (bytes) => cache.set(key, new Uint8Array(bytes)),
      () => {},
    );
    return flight;
  };
}

/** Level of gzip: of tiles 4 takes a third of the time of 6, for 3 % more bytes. */
const packing = { level: 4 };
/** Bytes up to which a tile is packed at once, in less time than another thread would need to begin. */
const packedAtOnce = 16_384;
const packedBeside = promisify(gzip);

const packed = async (bytes: Uint8Array): Promise<Uint8Array> =>
  bytes.length <= packedAtOnce ? gzipSync(bytes, packing) : packedBeside(bytes, packing);
