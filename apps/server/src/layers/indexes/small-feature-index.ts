import { type Sql, sql } from '@cartulary/sql';
import { layerTable } from '../layers.js';
import type { WantedIndex } from './indexer.js';

/*
 * A feature is small at a level when it is no larger than 1.5 pixels: a box of the same area looks the same. A level is a
 * zoom level at scale 1, where the world is 256 × 2^level pixels wide. packages/renderer/src/small-features draws them.
 */

/** The size of a geometry: the edges of its box, degrees, and its type. */
export interface GeometrySize {
  type: Sql;
  west: Sql;
  south: Sql;
  east: Sql;
  north: Sql;
}

/**
 * The deepest level at which a geometry is small, from -1 (none) to 24: its box is at most 1.5 pixels of EPSG:3857 wide and
 * high. EPSG:3857 stretches a degree of latitude by the factor by which its parallel is shorter. Collections are never small,
 * because their parts are drawn in different ways. The expression has no bound values, because an index contains it, and
 * never fails, because a failure would prevent writes.
 */
export const levelOf = ({
  type,
  west,
  south,
  east,
  north,
}: GeometrySize): Sql => sql`(case when ${type} = 'GEOMETRYCOLLECTION' then -1
  else least(24, greatest(-1, floor(ln(2.109375::double precision / least(1e9, greatest(1e-9,
    least(1e3, ${east}) - greatest(-1e3, ${west}),
    (least(1e3, ${north}) - greatest(-1e3, ${south})) / cos(radians(least(85.06::double precision, greatest(abs(${south}), abs(${north}))))))
  )) / ln(2::double precision))))::integer end)`;

/** `levelOf` of a geometry. */
export const smallFeatureLevel = (geom: Sql): Sql =>
  levelOf({
    type: sql`geometrytype(${geom})`,
    west: sql`st_xmin(${geom})`,
    south: sql`st_ymin(${geom})`,
    east: sql`st_xmax(${geom})`,
    north: sql`st_ymax(${geom})`,
  });

/** The index that finds the objects that are not small among many. It is made from `from` objects on; 0: never. */
export const smallFeatureIndex = (layerId: number, from: number): WantedIndex => ({
  name: `layer_${layerId}_small_features`,
  table: layerTable(layerId),
  definition: () => sql`on ${layerTable(layerId)} ((${smallFeatureLevel(sql`geom`)}))`,
  isAnalyzed: true,
  isWanted: async (db) => {
    if (!from) return false;
    const [table] = await db.query<{ objects: number }>(sql`
      select ${objectsIn} as objects from pg_class t where t.oid = to_regclass(${`cartulary_data.layer_${layerId}`})`);
    return table !== undefined && table.objects >= from;
  },
});

/**
 * The estimated number of objects of a table, over `t`, its row of pg_class. It assumes as many rows in a page as at the last
 * analysis, so recent writes count; before any analysis, as many as points with a few columns.
 */
export const objectsIn = sql`(case when t.relpages > 0 and t.reltuples >= 0 then t.reltuples / t.relpages else 60 end
  * pg_relation_size(t.oid) / current_setting('block_size')::double precision)`;

/**
 * Whether an index is the one for small features, by its definition, because a copied table has other index names. Over `i`,
 * a row of pg_index.
 */
export const isSmallFeatureIndex = sql`(i.indisvalid and i.indexprs is not null and pg_get_expr(i.indexprs, i.indrelid) like '%GEOMETRYCOLLECTION%')`;
