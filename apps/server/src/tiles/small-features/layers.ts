import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '@cartulary/database';
import { tileExtent, tilesAt, toMercator } from '@cartulary/geo';
import { type ChunkGrid, depthFor } from '@cartulary/renderer';
import { sql } from '@cartulary/sql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config.js';
import type { Indexer } from '../../layers/indexes/indexer.js';
import {
  isSmallFeatureIndex,
  objectsIn,
  smallFeatureIndex,
  smallFeatureLevel,
} from '../../layers/indexes/small-feature-index.js';
import { layerTable } from '../../layers/layers.js';
import type { LayerVersion } from '../cache/change-log.js';
import { objectsPerSeenTile } from './density.js';

export interface SmallFeatureLayersParts {
  db: Queryable;
  indexer: Pick<Indexer, 'make'>;
  config: Pick<Config, 'smallFeaturesFrom' | 'tilesTogether' | 'renderWaitMs'>;
}

/** A layer as the statistics of the database describe it. */
interface SmallFeatureStatistics {
  objects: number;
  /** Share of the objects (0 to 1) by the deepest level at which they are small; null: no index, or no statistics yet. */
  levels: readonly (readonly [level: number, share: number])[] | null;
  /** Degrees: west, south, east, north. */
  extent: readonly [number, number, number, number] | null;
}

interface KnownStatistics extends Pick<LayerVersion, 'version'> {
  readAt: number;
  found: Promise<SmallFeatureStatistics | undefined>;
  hasLevels: boolean;
  /** Objects per tile where objects are, by level. */
  seen: Map<number, Promise<number>>;
}

/** Deepest level with sprites: at deeper levels no feature is small. */
const deepestLevel = 18;
/** Time for which statistics are used. */
const statisticsMaxAgeMs = 60_000;
/** Below all levels. */
const noLevel = -1;
/** Minimum share of small features for the fast path; below it, reading the others costs more than it saves. */
const minShare = 0.5;
/**
 * Minimum of small features per tile for sprites and for labels in chunks, on average over the layer's extent; below it a query is as
 * fast. Where objects lie together, pictures show more than that: sprites are as good for so many in the tiles around objects.
 */
const minPerTile = { sprites: 32, seen: 128, labels: 2 };
/** Below it no tile has many. */
const leastPerTile = 0.5;
/** Time that Mapnik takes to draw an object. */
const drawMsPerObject = 0.01;

/** The chunks of a layer at a level, and whether they are worth drawing sprites from, not labels alone. */
export interface LayerChunks extends ChunkGrid {
  hasSprites: boolean;
  /** Whether objects may be larger than small features. */
  hasLarger: boolean;
}

/** Decides which layers draw their small features as sprites. Large layers get an index for it, at the latest when one is drawn. */
export class SmallFeatureLayers {
  readonly #parts: SmallFeatureLayersParts;
  readonly #known = new LRUCache<number, KnownStatistics>({ max: 10_000 });
  /** The deepest level at which all objects of a layer are small, by layer and version. */
  readonly #allSmall = new LRUCache<string, Promise<number | null>>({ max: 10_000 });

  constructor(parts: SmallFeatureLayersParts) {
    this.#parts = parts;
  }

  /**
   * The layers whose small features or labels are worth drawing from chunks at a level, with their grids. It waits for unknown
   * statistics, and for a missing index about as long as Mapnik would draw without it.
   */
  async worthAt(
    level: number,
    layers: readonly LayerVersion[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, LayerChunks>> {
    if (!this.#parts.config.smallFeaturesFrom || level > deepestLevel) return new Map();
    this.#look(layers);
    const found = await Promise.all(
      layers.map(async (layer) => [layer.id, await this.#chunksOf(layer, level, signal)] as const),
    );
    return new Map(found.flatMap(([id, chunks]) => (chunks ? [[id, chunks]] : [])));
  }

  async #chunksOf(layer: LayerVersion, level: number, signal: AbortSignal): Promise<LayerChunks | undefined> {
    const statistics = await this.#statisticsOf(layer, level, signal);
    const perTile = statistics ? smallFeaturesPerTile(statistics, level) : 0;
    if (!statistics || perTile < leastPerTile) return undefined;
    const hasSprites =
      perTile >= minPerTile.sprites || (await this.#seenPerTile(layer, statistics, level)) >= minPerTile.seen;
    if (!hasSprites && perTile < minPerTile.labels) return undefined;
    const hasLarger = !hasSprites || ((await this.#allSmallAt(layer)) ?? noLevel) < level;
    return { level, depth: depthFor(perTile), hasSprites, hasLarger };
  }

  /** Small features per tile around objects. */
  async #seenPerTile(
    { id }: LayerVersion,
    statistics: SmallFeatureStatistics,
    level: number,
  ): Promise<number> {
    const known = this.#known.get(id);
    const { objects } = statistics;
    const reading =
      known?.seen.get(level) ?? objectsPerSeenTile(this.#parts.db, { id, objects }, level).catch(() => 0);
    known?.seen.set(level, reading);
    return smallShare(statistics, level) * (await reading);
  }

  /** Read for each version, as a single larger object must be drawn; from the index alone, since to read all objects takes long. */
  #allSmallAt({ id, version }: LayerVersion): Promise<number | null> {
    const key = `${id}/${version}`;
    const known = this.#allSmall.get(key);
    if (known) return known;
    const reading = readAllSmall(this.#parts.db, id).catch(() => null);
    this.#allSmall.set(key, reading);
    // An import makes the index after the objects.
    void reading.then((level) => level === null && this.#allSmall.delete(key));
    return reading;
  }

  /** Statistics of a layer after waiting for its index. */
  async #statisticsOf(
    layer: LayerVersion,
    level: number,
    signal: AbortSignal,
  ): Promise<SmallFeatureStatistics | undefined> {
    const { indexer, config } = this.#parts;
    const found = await this.#found(layer);
    if (!found || found.levels) return found;
    const before = this.#known.get(layer.id);
    const made = indexer.make([smallFeatureIndex(layer.id, config.smallFeaturesFrom)]);
    const waited = new AbortController();
    const timeout = sleep(this.#indexTimeoutMs(found, level), undefined, {
      signal: AbortSignal.any([signal, waited.signal]),
    });
    await Promise.race([made, timeout]).finally(() => waited.abort());
    // The first of the waiting requests reads the statistics again.
    if (this.#known.get(layer.id) === before) this.#known.delete(layer.id);
    return this.#found(layer);
  }

  #found(layer: LayerVersion): Promise<SmallFeatureStatistics | undefined> {
    this.#look([layer]);
    return this.#known.get(layer.id)!.found;
  }

  /** Reads statistics that are unknown or old, or of layers without levels that have changed: a map may have thousands of layers. */
  #look(layers: readonly LayerVersion[]): void {
    const unknown = layers.filter((layer) => !this.#isKnown(layer));
    if (!unknown.length) return;
    const { db, config } = this.#parts;
    const ids = unknown.map(({ id }) => id);
    // Without statistics the tile is drawn on the general path.
    const reading = readStatistics(db, ids, config.smallFeaturesFrom).catch(() => noStatistics);
    for (const { id, version } of unknown) {
      const found = reading.then((all) => all.get(id));
      const one: KnownStatistics = {
        version,
        readAt: performance.now(),
        hasLevels: false,
        seen: new Map(),
        found,
      };
      this.#known.set(id, one);
      found.then((statistics) => {
        one.hasLevels = Boolean(statistics?.levels);
      });
    }
  }

  #isKnown({ id, version }: LayerVersion): boolean {
    const known = this.#known.get(id);
    if (!known || performance.now() - known.readAt >= statisticsMaxAgeMs) return false;
    return known.version === version || known.hasLevels;
  }

  /** Limit of the wait for an index: the time that Mapnik takes for one block without it. */
  #indexTimeoutMs({ objects, extent }: SmallFeatureStatistics, level: number): number {
    const { tilesTogether, renderWaitMs } = this.#parts.config;
    const tiles = extent ? tilesIn(extent, level) : 1;
    return Math.min(renderWaitMs, drawMsPerObject * objects * Math.min(1, tilesTogether / tiles));
  }
}

/** The share of the objects that are small at a level, 0 to 1. */
const smallShare = ({ levels }: SmallFeatureStatistics, level: number): number =>
  (levels ?? []).reduce((sum, [of, part]) => (of >= level ? sum + part : sum), 0);

/** Mean number of small features per tile of a level, over the layer's extent; 0 when their share is too small. */
function smallFeaturesPerTile(statistics: SmallFeatureStatistics, level: number): number {
  const { objects, extent } = statistics;
  const share = smallShare(statistics, level);
  return share >= minShare && extent ? (share * objects) / tilesIn(extent, level) : 0;
}

/** Tiles of a level that an extent covers, as a fraction; at least 1. */
function tilesIn(
  [west, south, east, north]: NonNullable<SmallFeatureStatistics['extent']>,
  level: number,
): number {
  const [left, bottom] = toMercator(west, Math.max(-85, south));
  const [right, top] = toMercator(east, Math.min(85, north));
  const [from, , to] = tileExtent(0, 0, 0);
  const side = (to - from) / tilesAt(level);
  return Math.max(1, (right - left) / side) * Math.max(1, (top - bottom) / side);
}

/** The deepest level at which all objects of a layer are small; null without the index. */
async function readAllSmall(db: Queryable, layerId: number): Promise<number | null> {
  const [row] = await db.query<{ level: number | null }>(sql`
    select case when exists (
      select from pg_index i where i.indrelid = to_regclass(${`cartulary_data.layer_${layerId}`}) and ${isSmallFeatureIndex})
      then (select min(${smallFeatureLevel(sql`geom`)}) from ${layerTable(layerId)}) end as level`);
  return row?.level ?? null;
}

type StatisticsOf = ReadonlyMap<number, SmallFeatureStatistics>;

const noStatistics: StatisticsOf = new Map();

/** Statistics of the layers whose tables exist and have at least `from` objects, in one statement. */
async function readStatistics(
  db: Queryable,
  layerIds: readonly number[],
  from: number,
): Promise<StatisticsOf> {
  const found = await db.query<SmallFeatureStatistics & { id: number }>(sql`
    select t.id, t.objects,
      (select coalesce(jsonb_agg(jsonb_build_array(l.level, l.part)) filter (where l.level is not null), '[]')
        from pg_index i join pg_class c on c.oid = i.indexrelid
        join pg_stats s on s.schemaname = 'cartulary_data' and s.tablename = c.relname
        left join lateral unnest(s.most_common_vals::text::integer[], s.most_common_freqs) l(level, part) on true
        where i.indrelid = t.oid and ${isSmallFeatureIndex} group by i.indexrelid limit 1) as levels,
      (select jsonb_build_array(st_xmin(e), st_ymin(e), st_xmax(e), st_ymax(e))
        from (select st_estimatedextent('cartulary_data', 'layer_' || t.id, 'geom') as e) box where e is not null) as extent
    from (
      select l.id, t.oid, ${objectsIn} as objects
      from unnest(${layerIds}::integer[]) l(id)
      join pg_class t on t.oid = to_regclass('cartulary_data.layer_' || l.id) and t.relkind = 'r' offset 0) t
    where t.objects >= ${from}`);
  return new Map(found.map(({ id, ...statistics }) => [id, statistics]));
}
