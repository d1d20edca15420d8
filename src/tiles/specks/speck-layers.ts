import { LRUCache } from 'lru-cache';
import type { Config } from '../../config.js';
import type { Queryable } from '../../db/pool.js';
import { sql } from '../../db/sql.js';
import { toMercator } from '../../geo/bbox.js';
import { tileExtent, tilesAt } from '../../geo/tile.js';
import type { Indexer } from '../../layers/indexer.js';
import { deepest, isSpeckIndex, speckIndex } from './speck-level.js';

/** Says of layers whether specks are worth being drawn apart. */
export interface SpeckLayers {
  /** Never waits: of a layer that nothing is known of, no. */
  areWorth(layerId: number, level: number): boolean;
}

export interface SpeckLayersParts {
  db: Queryable;
  indexer: Pick<Indexer, 'make'>;
  config: Pick<Config, 'specksFrom'>;
}

/** What the statistics of the database say of a layer. */
export interface SpeckStatistics {
  objects: number;
  /** Levels and how many of the objects are specks down to it and no deeper, as parts of 1. */
  levels: readonly (readonly [level: number, part: number])[];
  /** Degrees: west, south, east, north. */
  extent: readonly [number, number, number, number];
}

/** How long what is known of a layer is good, ms. */
const lasts = 60_000;
/** Of the objects so many must be specks, else the others would be read in vain beside them. */
const mostly = 0.5;
/** Specks in a tile, on average over the layer's extent, below which they are drawn as quickly as others. */
const crowded = 32;

/** Layers with many objects get an index by which specks are told from others, when one is first asked for at a level where that may help. */
export function createSpeckLayers({ db, indexer, config }: SpeckLayersParts): SpeckLayers {
  const known = new LRUCache<number, { statistics: SpeckStatistics | undefined; at: number }>({
    max: 10_000,
  });
  const reading = new Set<number>();

  async function read(layerId: number): Promise<void> {
    const found = await readStatistics(db, layerId);
    const isLarge = found !== undefined && found.objects >= config.specksFrom;
    if (isLarge && !found.levels) indexer.make([speckIndex(layerId)]);
    const { levels, extent } = found ?? {};
    const statistics = isLarge && levels && extent ? { objects: found.objects, levels, extent } : undefined;
    // An index that is being made is there soon.
    const at = isLarge && !levels ? Date.now() - lasts + 1_000 : Date.now();
    known.set(layerId, { statistics, at });
  }

  return {
    areWorth(layerId, level) {
      if (!config.specksFrom || level > deepest) return false;
      const found = known.get(layerId);
      if ((!found || Date.now() - found.at > lasts) && !reading.has(layerId)) {
        reading.add(layerId);
        // Whoever draws goes on without.
        read(layerId)
          .catch(() => known.set(layerId, { statistics: undefined, at: Date.now() }))
          .finally(() => reading.delete(layerId));
      }
      return found?.statistics !== undefined && areManyAt(found.statistics, level);
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

interface Found {
  objects: number;
  levels: [number, number][] | null;
  extent: [number, number, number, number] | null;
}

/** undefined: there is no such table. `levels` null: it has no index of them, or no statistics yet. */
async function readStatistics(db: Queryable, layerId: number): Promise<Found | undefined> {
  const table = `layer_${layerId}`;
  const [found] = await db.query<Found>(sql`
    select t.reltuples as objects,
      (select jsonb_agg(jsonb_build_array(l.level, l.part))
        from pg_index i join pg_class c on c.oid = i.indexrelid
        join pg_stats s on s.schemaname = 'cartulary_data' and s.tablename = c.relname
        cross join lateral unnest(s.most_common_vals::text::integer[], s.most_common_freqs) l(level, part)
        where i.indrelid = t.oid and ${isSpeckIndex}) as levels,
      (select jsonb_build_array(st_xmin(e), st_ymin(e), st_xmax(e), st_ymax(e))
        from (select st_estimatedextent('cartulary_data', ${table}, 'geom') as e) box where e is not null) as extent
    from pg_class t where t.oid = to_regclass(${`cartulary_data.${table}`}) and t.relkind = 'r'`);
  return found;
}
