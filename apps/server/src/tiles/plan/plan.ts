import type { Database, Snapshot } from '@cartulary/database';
import { digestOf } from '@cartulary/runtime';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../access/caller.js';
import type { ExternalPictures } from '../../external/pictures.js';
import type { DraftFields } from '../../layers/drafts/store.js';
import type { FileStorage } from '../../storage/storage.js';
import type { LayerVersion } from '../cache/change-log.js';
import type { ShapePyramids } from '../shape-pieces/shape-pyramids.js';
import type { LayerChunks, SmallFeatureLayers } from '../small-features/layers.js';
import { compose } from './compose.js';
import type { Composition, SpriteComposition } from './composition.js';
import type { LayerDependency } from './dependencies.js';
import { originsOf } from './layer-origin.js';
import { type MapContent, type ReadContent, type SourceLayer, withDrafts } from './map-content.js';
import { type MapState, mapState } from './map-state.js';
import { filtersFor } from './tile-filter.js';
import type { TileRequest } from './tile-request.js';
import { visibleLayers, withBase } from './visible-layers.js';

export interface TilePlan extends Omit<Composition, 'withSprites'> {
  /** Hash of everything on which the picture depends, except its place and the data. */
  key: string;
  /** The layers of `dependencies` with their data versions, read before the data. */
  sources: readonly (LayerDependency & LayerVersion)[];
  /** Whether the public may view the map. */
  isPublic: boolean;
  /** Whether the picture has a limited palette. */
  palette: boolean;
  /** The same picture with sprites (the fast path), where that is possible. It may wait for statistics and an index. */
  withSprites(signal: AbortSignal): Promise<SpriteComposition | undefined>;
}

export type PlanTile = (
  caller: Caller,
  map: string,
  request: TileRequest,
  how?: { signal?: AbortSignal; at?: Snapshot | undefined; drafts?: DraftsOf | undefined },
) => Promise<TilePlan>;

/** The drafts of a map that a picture shows, and whose they are. */
export interface DraftsOf {
  accountId: number;
  read(mapId: number): Promise<ReadonlyMap<number, DraftFields>>;
}

/** What a composition is made of. */
export interface PlanParts {
  db: Database;
  storage: Pick<FileStorage, 'path'>;
  readContent: ReadContent;
  /** Decides which external layers are drawn; absent: none. */
  pictures?: Pick<ExternalPictures, 'draws'> | undefined;
  /** Decides which layers draw their small features as sprites; absent: none. */
  smallFeatures?: Pick<SmallFeatureLayers, 'worthAt'> | undefined;
  /** Decides which layers have their large shapes in pieces; absent: none. */
  shapePyramids?: Pick<ShapePyramids, 'among'> | undefined;
  /** Whether the renderer may draw plain labels itself. */
  fastLabels: boolean;
}

/** Filters whose tiles may be kept. */
const maxUsedFilters = 1_000;

/** Characters of Mapnik XML that are kept in memory. */
const keptCharacters = 16 * 1024 * 1024;

/**
 * Plans tiles with one query, or none for a map that has not changed. Throws 404, 403, 400 for an unknown layer,
 * `style_invalid`, `query_invalid`.
 */
export function createPlanner(parts: PlanParts): PlanTile {
  return new Planner(parts).plan;
}

class Planner {
  readonly #parts: PlanParts;
  readonly #origins: ReturnType<typeof originsOf>;
  readonly #compositions = new LRUCache<string, Composition>({
    maxSize: keptCharacters,
    sizeCalculation: (one) => 500 + lengthOf(one) + (one.withSprites ? lengthOf(one.withSprites) : 0),
  });
  /** Compositions that are being made: the tiles of a view wait for one. */
  readonly #composing = new Map<string, Promise<Composition>>();
  /** Filters that were requested lately. */
  readonly #usedFilters = new LRUCache<string, true>({ max: maxUsedFilters });
  /** The latest plan of each composition: the tiles of a view share it. Plans hold the content of their map, and go with it. */
  readonly #plans = new WeakMap<MapContent, WeakMap<Composition, { state: MapState; plan: TilePlan }>>();

  constructor(parts: PlanParts) {
    this.#parts = parts;
    this.#origins = originsOf(parts.db, parts.storage, parts.pictures);
  }

  readonly plan: PlanTile = async (caller, map, request, { signal, at, drafts } = {}) => {
    const state = await mapState(this.#parts.db, caller, map, at);
    const saved = await this.#parts.readContent(state, signal);
    const content = drafts ? withDrafts(saved, await drafts.read(state.id), state.id) : saved;
    const named = visibleLayers(request.layers, state.viewable, content);
    const ids = withBase(named, request.base, state.viewable, content);
    const palette = request.palette ?? (ids.length > 0 && ids.every((id) => content.limited?.has(id)));
    const pieces = await this.#piecesOf(ids, content, versionsOf(state));
    const view: PlannedView = { state, content, ids, request, palette, pieces };
    if (!drafts) return this.#admitted(view);
    const { accountId } = drafts;
    return draftPlan(await this.#compose(view), {
      accountId,
      scale: request.scale,
      palette,
      versionOf: versionsOf(state),
    });
  };

  async #piecesOf(
    ids: readonly number[],
    { layers }: MapContent,
    versionOf: (id: number) => number,
  ): Promise<ReadonlySet<number>> {
    const { shapePyramids } = this.#parts;
    const own = ids.filter((id) => layers.get(id)!.type === 'layer');
    return (await shapePyramids?.among(own.map((id) => ({ id, version: versionOf(id) })))) ?? noLayers;
  }

  /** A filter's tiles are kept from its second request on, so that filters that are used once push nothing out of the cache. */
  async #admitted(view: PlannedView): Promise<TilePlan> {
    const { filter } = view.request;
    const plan = await this.#planOf(view);
    if (filter === undefined) return plan;
    const key = `${view.state.id}/${digestOf(filter)}`;
    if (this.#usedFilters.has(key)) return plan;
    this.#usedFilters.set(key, true);
    return { ...plan, isKept: false };
  }

  async #planOf(view: PlannedView): Promise<TilePlan> {
    const { state, content, request, palette } = view;
    const composition = await this.#composed(view);
    const plans = this.#plans.get(content) ?? new WeakMap();
    this.#plans.set(content, plans);
    const last = plans.get(composition);
    if (last?.state === state && last.plan.palette === palette) return last.plan;
    const versionOf = versionsOf(state);
    const plan: TilePlan = {
      key: `${composition.cacheKey}/${request.scale}/${palette ? 'palette' : 'full'}`,
      sources: composition.dependencies.map((one) => ({ version: versionOf(one.id), ...one })),
      palette,
      isPublic: state.has_publication,
      ...composition,
      withSprites: (signal) => this.#withSprites(view, signal),
    };
    plans.set(composition, { state, plan });
    return plan;
  }

  async #withSprites(view: PlannedView, signal: AbortSignal): Promise<SpriteComposition | undefined> {
    const { state, content, ids, request } = view;
    const { smallFeatures } = this.#parts;
    const level = levelOf(request);
    if (!smallFeatures || level === undefined) return undefined;
    const versionOf = versionsOf(state);
    // Chunks have all objects of a layer.
    const filtered = filtersFor(request.filter, sourcesOf(ids, content));
    const layers = ids.filter((id) => content.layers.get(id)!.type === 'layer' && !filtered.has(id));
    const versions = layers.map((id): LayerVersion => ({ id, version: versionOf(id) }));
    const grids = await smallFeatures.worthAt(level, versions, signal);
    return grids.size ? (await this.#composed(view, grids)).withSprites : undefined;
  }

  /** The composition of a view, which stays until the map changes. */
  #composed(
    view: PlannedView,
    chunkGrids?: ReadonlyMap<number, LayerChunks>,
  ): Composition | Promise<Composition> {
    const { id, version, icons_version } = view.state;
    const { x, y, layers, palette, plane, ...look } = view.request;
    // A plane is that of one picture.
    if (plane) return this.#compose(view, chunkGrids);
    const key = JSON.stringify([
      [id, version, icons_version, view.ids, look],
      chunkGrids && [...chunkGrids],
      view.pieces.size > 0 && [...view.pieces],
    ]);
    return (
      this.#compositions.get(key) ?? this.#composing.get(key) ?? this.#composeKept(key, view, chunkGrids)
    );
  }

  async #composeKept(
    key: string,
    view: PlannedView,
    chunkGrids: ReadonlyMap<number, LayerChunks> | undefined,
  ): Promise<Composition> {
    const composing = this.#compose(view, chunkGrids);
    this.#composing.set(key, composing);
    try {
      const made = await composing;
      this.#compositions.set(key, made);
      return made;
    } finally {
      this.#composing.delete(key);
    }
  }

  #compose(
    { request, ids, content, pieces }: PlannedView,
    chunkGrids?: ReadonlyMap<number, LayerChunks>,
  ): Promise<Composition> {
    const { fastLabels } = this.#parts;
    const filters = filtersFor(request.filter, sourcesOf(ids, content));
    return compose({ ...request, chunkGrids, fastLabels, filters, pieces }, ids, content, this.#origins);
  }
}

/** What a request shows of a map. */
interface PlannedView {
  state: MapState;
  content: MapContent;
  /** The layers, in drawing order. */
  ids: number[];
  request: TileRequest;
  palette: boolean;
  /** Layers with pieces of large shapes. */
  pieces: ReadonlySet<number>;
}

const noLayers: ReadonlySet<number> = new Set();

const sourcesOf = (ids: readonly number[], { layers }: MapContent): SourceLayer[] =>
  ids.map((id) => layers.get(id)!);

const versionsOf =
  ({ viewable }: MapState) =>
  (id: number): number =>
    viewable.get(id)!;

/** The plan of a picture with drafts. Its key is that of one user, and nothing keeps it. */
function draftPlan(
  composition: Composition,
  {
    accountId,
    scale,
    palette,
    versionOf,
  }: { accountId: number; scale: number; palette: boolean; versionOf: (id: number) => number },
): TilePlan {
  return {
    key: `draft/${accountId}/${composition.cacheKey}/${scale}/${palette ? 'palette' : 'full'}`,
    sources: composition.dependencies.map((one) => ({ version: versionOf(one.id), ...one })),
    palette,
    isPublic: false,
    ...composition,
    isKept: false,
    withSprites: async () => undefined,
  };
}

/** Characters of the XML of a map and its passes; 5,000 stand for a pass without XML. */
const lengthOf = ({ xml, above }: Pick<Composition, 'xml' | 'above'>): number =>
  above.reduce((sum, pass) => sum + ('xml' in pass ? pass.xml.length : 5000), xml.length);

/** The level whose small features the picture shows: its pixels are as large as those of the picture, or smaller where the request says so. */
function levelOf({
  z,
  scale,
  spriteLevel,
}: Pick<TileRequest, 'z' | 'scale' | 'spriteLevel'>): number | undefined {
  const level = spriteLevel ?? z + Math.log2(scale);
  return Number.isInteger(level) ? level : undefined;
}
