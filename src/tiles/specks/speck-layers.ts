import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config.js';
import type { Queryable } from '../../db/pool.js';
import { sql } from '../../db/sql.js';
import { toMercator } from '../../geo/bbox.js';
import { tileExtent, tilesAt } from '../../geo/tile.js';
import type { Indexer } from '../../layers/indexer.js';
import { isSpeckIndex, objectsIn, speckIndex } from '../../layers/speck-index.js';
import type { LayerVersion } from '../cache/change-log.js';
import { type ChunkGrid, depthFor } from './chunk.js';

/** Says of layers whether specks are worth being drawn apart. */
export interface SpeckLayers {
  /**
   * Those of layers whose specks are worth being drawn apart at a level, and in which chunks they are kept. Waits for what is not known of them, and
   * for an index that is lacking about as long as they would be drawn without it.
   */
  worthAt(
    level: number,
    layers: readonly LayerVersion[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, ChunkGrid>>;
}

export interface SpeckLayersParts {
  db: Queryable;
  indexer: Pick<Indexer, 'make'>;
  config: Pick<Config, 'specksFrom' | 'tilesTogether' | 'renderWait'>;
}

/** What the statistics of the database say of a layer. */
interface SpeckStatistics {
  objects: number;
  /** Levels and how many of the objects are specks down to it and no deeper, as parts of 1; null: it has no index of them, or no statistics yet. */
  levels: readonly (readonly [level: number, part: number])[] | null;
  /** Degrees: west, south, east, north. */
  extent: readonly [number, number, number, number] | null;
}

interface Known extends Pick<LayerVersion, 'version'> {
  at: number;
  found: Promise<SpeckStatistics | undefined>;
  hasLevels: boolean;
}

/** Beyond this level nobody is a speck. */
const deepest = 18;
/** How long what is known of a layer is good, ms. */
const lasts = 60_000;
/** Of the objects so many must be specks, else the others would be read in vain beside them. */
const mostly = 0.5;
/** Specks in a tile, on average over the layer's extent, below which they are drawn as quickly as others. */
const crowded = 32;
/** How long an object takes that is drawn the usual way, ms. */
const perObject = 0.01;

/** Layers with many objects get an index by which specks are told from others, at the latest when one is first drawn. */
export function createSpeckLayers({ db, indexer, config }: SpeckLayersParts): SpeckLayers {
  const known = new LRUCache<number, Known>({ max: 10_000 });
  const { specksFrom, tilesTogether, renderWait } = config;

  /** What is known of a layer, read when it is old, or a layer that had nothing to tell has changed. */
  function look({ id, version }: LayerVersion): Promise<SpeckStatistics | undefined> {
    const before = known.get(id);
    const isGood =
      before && Date.now() - before.at < lasts && (before.version === version || before.hasLevels);
    if (isGood) return before.found;
    const one: Known = {
      version,
      at: Date.now(),
      hasLevels: false,
      // Whoever draws goes on without.
      found: readStatistics(db, id, specksFrom).catch(() => undefined),
    };
    known.set(id, one);
    one.found.then((found) => {
      one.hasLevels = Boolean(found?.levels);
    });
    return one.found;
  }

  /** How long an index is waited for: as long as it takes to draw without it what is drawn at once, ms. */
  function patienceFor({ objects, extent }: SpeckStatistics, level: number): number {
    const tiles = extent ? tilesIn(extent, level) : 1;
    return Math.min(renderWait, perObject * objects * Math.min(1, tilesTogether / tiles));
  }

  async function statisticsOf(
    layer: LayerVersion,
    level: number,
    signal: AbortSignal,
  ): Promise<SpeckStatistics | undefined> {
    const found = await look(layer);
    if (!found || found.levels) return found;
    const before = known.get(layer.id);
    const made = indexer.make([speckIndex(layer.id, specksFrom)]);
    const waited = new AbortController();
    const patience = sleep(patienceFor(found, level), undefined, {
      signal: AbortSignal.any([signal, waited.signal]),
    });
    await Promise.race([made, patience]).finally(() => waited.abort());
    // The first of all who have waited reads anew.
    if (known.get(layer.id) === before) known.delete(layer.id);
    return look(layer);
  }

  return {
    async worthAt(level, layers, signal) {
      if (!specksFrom || level > deepest) return new Map();
      const found = await Promise.all(
        layers.map(async (layer) => [layer.id, await statisticsOf(layer, level, signal)] as const),
      );
      return new Map(
        found.flatMap(([id, statistics]) => {
          const inTile = statistics ? specksInTile(statistics, level) : 0;
          return inTile >= crowded ? [[id, { level, depth: depthFor(inTile) }]] : [];
        }),
      );
    },
  };
}

/** Specks that lie in a tile of a level, on average over the extent of the layer; 0 where most objects are none. */
export function specksInTile({ objects, levels, extent }: SpeckStatistics, level: number): number {
  const part = (levels ?? []).reduce((sum, [of, share]) => (of >= level ? sum + share : sum), 0);
  return part >= mostly && extent ? (part * objects) / tilesIn(extent, level) : 0;
}

/** Tiles at a level that an extent covers, as a fraction where it is smaller than one. */
function tilesIn([west, south, east, north]: NonNullable<SpeckStatistics['extent']>, level: number): number {
  const [left, bottom] = toMercator(west, Math.max(-85, south));
  const [right, top] = toMercator(east, Math.min(85, north));
  const [from, , to] = tileExtent(0, 0, 0);
  const side = (to - from) / tilesAt(level);
  return Math.max(1, (right - left) / side) * Math.max(1, (top - bottom) / side);
}

/** undefined: there is no such table, or it has fewer objects than `from`. */
async function readStatistics(
  db: Queryable,
  layerId: number,
  from: number,
): Promise<SpeckStatistics | undefined> {
  const table = `layer_${layerId}`;
  const [found] = await db.query<SpeckStatistics>(sql`
    select t.objects,
      (select coalesce(jsonb_agg(jsonb_build_array(l.level, l.part)) filter (where l.level is not null), '[]')
        from pg_index i join pg_class c on c.oid = i.indexrelid
        join pg_stats s on s.schemaname = 'cartulary_data' and s.tablename = c.relname
        left join lateral unnest(s.most_common_vals::text::integer[], s.most_common_freqs) l(level, part) on true
        where i.indrelid = t.oid and ${isSpeckIndex} group by i.indexrelid limit 1) as levels,
      (select jsonb_build_array(st_xmin(e), st_ymin(e), st_xmax(e), st_ymax(e))
        from (select st_estimatedextent('cartulary_data', ${table}, 'geom') as e) box where e is not null) as extent
    from (
      select t.oid, ${objectsIn} as objects from pg_class t
      where t.oid = to_regclass(${`cartulary_data.${table}`}) and t.relkind = 'r' offset 0) t
    where t.objects >= ${from}`);
  return found;
}
