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

/** Says of layers whether specks are worth being drawn apart. */
export interface SpeckLayers {
  /**
   * Those of layers whose specks are worth being drawn apart at a level. Waits for what is not known of them, and for an index that is lacking
   * about as long as they would be drawn without it.
   */
  worthAt(level: number, layers: readonly LayerVersion[], signal: AbortSignal): Promise<number[]>;
}

export interface SpeckLayersParts {
  db: Queryable;
  indexer: Pick<Indexer, 'make'>;
  config: Pick<Config, 'specksFrom' | 'tilesTogether' | 'renderWait'>;
}

/** What the statistics of the database say of a layer. */
export interface SpeckStatistics {
  objects: number;
  /** Levels and how many of the objects are specks down to it and no deeper, as parts of 1. */
  levels: readonly (readonly [level: number, part: number])[];
  /** Degrees: west, south, east, north. */
  extent: readonly [number, number, number, number];
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
  function look({ id, version }: LayerVersion): Promise<Found | undefined> {
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
  function patienceFor({ objects, extent }: Found, level: number): number {
    const tiles = extent ? tilesIn(extent, level) : 1;
    return Math.min(renderWait, perObject * objects * Math.min(1, tilesTogether / tiles));
  }

  async function statisticsOf(
    layer: LayerVersion,
    level: number,
    signal: AbortSignal,
  ): Promise<Found | undefined> {
    const found = await look(layer);
    if (!found || found.levels) return found;
    const made = indexer.make([speckIndex(layer.id, specksFrom)]);
    await Promise.race([made, sleep(patienceFor(found, level), undefined, { signal, ref: false })]);
    known.delete(layer.id);
    return look(layer);
  }

  return {
    async worthAt(level, layers, signal) {
      if (!specksFrom || level > deepest) return [];
      const worth = await Promise.all(
        layers.map(async (layer) => {
          const { objects, levels, extent } = (await statisticsOf(layer, level, signal)) ?? {};
          return objects && levels && extent && areManyAt({ objects, levels, extent }, level) ? layer.id : [];
        }),
      );
      return worth.flat();
    },
  };
}

/** Whether most objects are specks at a level, and many lie in a tile. */
export function areManyAt({ objects, levels, extent }: SpeckStatistics, level: number): boolean {
  const part = levels.reduce((sum, [of, share]) => (of >= level ? sum + share : sum), 0);
  return part >= mostly && (part * objects) / tilesIn(extent, level) >= crowded;
}

/** Tiles at a level that an extent covers, as a fraction where it is smaller than one. */
function tilesIn([west, south, east, north]: SpeckStatistics['extent'], level: number): number {
  const [left, bottom] = toMercator(west, Math.max(-85, south));
  const [right, top] = toMercator(east, Math.min(85, north));
  const [from, , to] = tileExtent(0, 0, 0);
  const side = (to - from) / tilesAt(level);
  return Math.max(1, (right - left) / side) * Math.max(1, (top - bottom) / side);
}

interface Known extends Pick<LayerVersion, 'version'> {
  at: number;
  found: Promise<Found | undefined>;
  hasLevels: boolean;
}

interface Found {
  objects: number;
  levels: [number, number][] | null;
  extent: [number, number, number, number] | null;
}

/** undefined: there is no such table, or it has fewer objects than `from`. `levels` null: it has no index of them, or no statistics yet. */
async function readStatistics(db: Queryable, layerId: number, from: number): Promise<Found | undefined> {
  const table = `layer_${layerId}`;
  const [found] = await db.query<Found>(sql`
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
