import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { hasValues } from '@cartulary/columns';
import type { Database } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import { digestOf } from '@cartulary/runtime';
import type { Caller } from '../../access/caller.js';
import { truncatedText } from '../../http/headers/truncated.js';
import { holdsObjects } from '../../layers/layers.js';
import type { Filter } from '../../objects/query/filter.js';
import type { BytesCache } from '../cache/memory-cache.js';
import { parseIds } from '../plan/layers-parameter.js';
import type { MapContent, ReadContent, SourceLayer } from '../plan/map-content.js';
import { type MapState, mapState } from '../plan/map-state.js';
import { filtersFor, type LayerFilters } from '../plan/tile-filter.js';
import { visibleLayers } from '../plan/visible-layers.js';
import {
  createLayerMaker,
  type LayerMakerOptions,
  type MadeLayer,
  type MakeLayer,
  type VectorPlace,
} from './features.js';

/** The content that a request for vector tiles selects. */
export interface VectorRequest {
  /** Ids of layers or items in drawing order; undefined: the selected layers of the publication tree. */
  layers: readonly number[] | undefined;
  /** Codes of columns; `*`: all; undefined: the columns that each layer shows. */
  fields: readonly string[] | '*' | undefined;
  /** CQL2; absent: all objects. */
  filter: string | undefined;
  lng: string;
  main: string;
}

/** A parsed query. Throws 400 for `layers` that are no ids. */
export function vectorRequest(
  { layers, fields, filter, lng }: { layers?: string; fields?: string; filter?: string; lng?: string },
  main: string,
): VectorRequest {
  const codes = fields?.split(',').map((code) => code.trim());
  return {
    layers: layers === undefined ? undefined : parseIds(layers),
    fields: codes === undefined ? undefined : codes.includes('*') ? '*' : codes.filter(Boolean),
    filter,
    lng: lng ?? main,
    main,
  };
}

export interface VectorLayer {
  source: SourceLayer;
  /** Codes of the columns that features carry. */
  fields: readonly string[];
  minZoom: number;
  maxZoom: number;
  /** Absent: all objects. */
  only: Filter | undefined;
}

export interface VectorPlan {
  state: MapState;
  content: MapContent;
  /** Layers, bottom to top. */
  layers: readonly VectorLayer[];
  /** Hash of everything on which the tiles depend, except their place. */
  key: string;
}

export interface PlanVectorParts {
  db: Database;
  readContent: ReadContent;
}

/** Plans vector tiles, with one query for an unchanged map. Throws 404, 403, 400 for an unknown layer or column. */
export async function planVectors(
  { db, readContent }: PlanVectorParts,
  { caller, map, request }: { caller: Caller; map: string; request: VectorRequest },
  signal: AbortSignal,
): Promise<VectorPlan> {
  const state = await mapState(db, caller, map, caller.at);
  const content = await readContent(state, signal);
  const ids = visibleLayers(request.layers, state.viewable, content);
  const { filter, lng, main } = request;
  const filters = filtersFor(
    filter,
    ids.map((id) => content.layers.get(id)!),
  );
  const layers = ids.flatMap((id) => vectorLayer(content.layers.get(id)!, request, filters) ?? []);
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
    key: digestOf(JSON.stringify([state.id, state.version, versions, filter, lng, main])),
  };
}

/** undefined for layers without objects. */
function vectorLayer(
  source: SourceLayer,
  { fields }: VectorRequest,
  filters: LayerFilters,
): VectorLayer | undefined {
  if (!holdsObjects(source)) return undefined;
  const { minZoom = 0, maxZoom = 24 } = source.render_settings;
  return { source, fields: fieldsOf(source, fields), minZoom, maxZoom, only: filters.get(source.id) };
}

/** Codes of the columns that features can carry, beside `svc_id`. */
export const tileColumns = ({ columns }: Pick<SourceLayer, 'columns'>): string[] =>
  columns.filter((column) => hasValues(column) && column.code !== 'svc_id').map(({ code }) => code);

/** The requested columns that the layer has; by default the columns of its popup and of its objects' names. */
function fieldsOf(source: SourceLayer, asked: VectorRequest['fields']): string[] {
  const { columns, vector_settings } = source;
  const codes = tileColumns(source);
  if (asked === '*') return codes;
  if (asked) return codes.filter((code) => asked.includes(code));
  const popup = columns.find(({ id }) => id === vector_settings?.popupColumn)?.code;
  const name = codes.includes('name') ? 'name' : columns.find(({ type }) => type === 'string')?.code;
  return [...new Set([popup, name].filter((code) => code !== undefined && codes.includes(code)))] as string[];
}

export interface VectorLimits extends LayerMakerOptions {
  /** Limit of the features of a layer in a tile. */
  features: number;
  /** Limit of a tile before compression. */
  bytes: number;
}

export interface VectorTile {
  bytes: Uint8Array;
  /** Value of the header that says which features are missing. */
  truncated: string;
}

interface WantedVectorTile {
  request: VectorRequest;
  place: VectorPlace;
  /** Whether it is compressed with gzip. */
  isPacked: boolean;
}

/** Makes vector tiles and keeps them in the tile cache. Concurrent requests for one tile share one making. */
export class VectorTileMaker {
  readonly #cache: BytesCache;
  readonly #limits: VectorLimits;
  readonly #makeLayer: MakeLayer;
  readonly #pending = new Map<string, Promise<VectorTile>>();

  constructor(db: Database, cache: BytesCache, limits: VectorLimits) {
    this.#cache = cache;
    this.#limits = limits;
    this.#makeLayer = createLayerMaker(db, limits);
  }

  /** Throws what the database throws, and `busy` beyond the limits of waiting. */
  tile(plan: VectorPlan, { request, place, isPacked }: WantedVectorTile): Promise<VectorTile> {
    const { z, x, y, isInDegrees } = place;
    const key = `mvt/${plan.key}/${isInDegrees ? 'degrees/' : ''}${z}/${x}/${y}/${isPacked ? 'gzip' : ''}`;
    const known = this.#cache.get(key);
    if (known) return Promise.resolve(decodeKept(known));
    const running = this.#pending.get(key);
    if (running) return running;
    const made = this.#make(plan, request, place);
    const pending = (isPacked ? made.then(packed) : made).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    pending.then(
      (tile) => this.#cache.set(key, encodeKept(tile)),
      () => {},
    );
    return pending;
  }

  /** Makes a tile. When it is too large, each layer loses the same share of its features. */
  async #make(plan: VectorPlan, { lng, main }: VectorRequest, place: VectorPlace): Promise<VectorTile> {
    const { features: maxFeatures, bytes: maxBytes } = this.#limits;
    // Pixels of WorldCRS84Quad are those of EPSG:3857 one level deeper.
    const level = place.isInDegrees ? place.z + 1 : place.z;
    const layers = plan.layers.filter(
      ({ minZoom, maxZoom }) => level >= Math.floor(minZoom) && level <= maxZoom,
    );
    const limitOf = layers.map(() => maxFeatures);
    for (let share = 1; ; ) {
      const made: MadeLayer[] = [];
      for (const [i, { source, fields, only }] of layers.entries())
        made.push(
          await this.#makeLayer({ layer: source, fields, only, lng, main, limit: limitOf[i]!, ...place }),
        );
      const tile = Buffer.concat(made.map(({ bytes }) => bytes));
      if (tile.length <= maxBytes || share < 1e-4) {
        const cut = made.map(({ kept, of }, i) => ({ code: layers[i]!.source.code, kept, of }));
        return { bytes: tile, truncated: truncatedText(cut.filter(({ kept, of }) => kept < of)) };
      }
      const less = Math.min(0.9, (0.9 * maxBytes) / tile.length);
      share *= less;
      for (const [i, { features }] of made.entries()) limitOf[i] = Math.floor(features * less);
    }
  }
}

/** Level 4 takes a third of the time of level 6, for 3 % more bytes. */
const gzipOptions = { level: 4 };
/** Limit of the bytes that are compressed on the event loop; a thread would take longer to start. */
const syncGzipLimitBytes = 16_384;
const gzipInThread = promisify(gzip);

const packed = async ({ bytes, truncated }: VectorTile): Promise<VectorTile> => ({
  bytes:
    bytes.length <= syncGzipLimitBytes
      ? gzipSync(bytes, gzipOptions)
      : await gzipInThread(bytes, gzipOptions),
  truncated,
});

/** The bytes that the cache keeps: length of the header value, header value, tile. */
function encodeKept({ bytes, truncated }: VectorTile): Uint8Array {
  const head = Buffer.from(truncated, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return new Uint8Array(Buffer.concat([length, head, bytes]));
}

function decodeKept(tile: Uint8Array): VectorTile {
  const { buffer, byteOffset, byteLength } = tile;
  const whole = Buffer.from(buffer, byteOffset, byteLength);
  const begin = 4 + whole.readUInt32BE();
  return { bytes: tile.subarray(begin), truncated: whole.toString('latin1', 4, begin) };
}
