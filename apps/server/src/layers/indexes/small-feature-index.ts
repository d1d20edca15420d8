import { type Sql, sql } from '../db/sql.js';
import type { WantedIndex } from './indexer.js';
import { layerTable } from './layers.js';

/*
 * Objects that are no larger than a pixel and a half at a level are specks there: of their shape nothing is seen that a box of the same area does not
 * show. A level is a zoom level at scale 1: the world is 256 × 2^level pixels wide. How they are drawn: tiles/specks/.
 */

/** What says how large a shape is: the edges of its box, degrees, and its type. */
export interface Size {
  type: Sql;
  west: Sql;
  south: Sql;
  east: Sql;
  north: Sql;
}

/**
 * The deepest level at which a shape is a speck, from -1 (none) to 24: one whose box is at most 1.5 pixels of EPSG:3857 wide and high
 * (a degree of latitude is as much higher as its parallel is shorter). Collections, whose parts are drawn in different ways, are none.
 * Without bound values, since an index is made of it, and without a number at which it fails, since nothing could be written then.
 */
export const levelOf = ({
  type,
  west,
  south,
  east,
  north,
}: Size): Sql => sql`(case when ${type} = 'GEOMETRYCOLLECTION' then -1
  else least(24, greatest(-1, floor(ln(2.109375::double precision / least(1e9, greatest(1e-9,
    least(1e3, ${east}) - greatest(-1e3, ${west}),
    (least(1e3, ${north}) - greatest(-1e3, ${south})) / cos(radians(least(85.06::double precision, greatest(abs(${south}), abs(${north}))))))
  )) / ln(2::double precision))))::integer end)`;

/** The same of a geometry. */
export const speckLevel = (geom: Sql): Sql =>
  levelOf({
    type: sql`geometrytype(${geom})`,
    west: sql`st_xmin(${geom})`,
    south: sql`st_ymin(${geom})`,
    east: sql`st_xmax(${geom})`,
    north: sql`st_ymax(${geom})`,
  });

/** By which the objects that are no specks are found among many: made once there are so many (`from`). */
export const speckIndex = (layerId: number, from: number): WantedIndex => ({
  name: `layer_${layerId}_specks`,
  table: layerTable(layerId),
  definition: () => sql`on ${layerTable(layerId)} ((${speckLevel(sql`geom`)}))`,
  isAnalyzed: true,
  isWanted: async (db) => {
    const [table] = await db.query<{ objects: number }>(sql`
      select ${objectsIn} as objects from pg_class t where t.oid = to_regclass(${`cartulary_data.layer_${layerId}`})`);
    return table !== undefined && table.objects >= from;
  },
});

/**
 * How many objects a table has, about, over `t`, its row of pg_class: as many to a page as when it was last analyzed, so that those of a moment ago
 * count; where it never was, as many as points with a few columns.
 */
export const objectsIn = sql`(case when t.relpages > 0 and t.reltuples >= 0 then t.reltuples / t.relpages else 60 end
  * pg_relation_size(t.oid) / current_setting('block_size')::double precision)`;

/** Tells the index, whatever its name is: a table that was written anew has it under another. Over `i`, a row of pg_index. */
export const isSpeckIndex = sql`(i.indisvalid and i.indexprs is not null and pg_get_expr(i.indexprs, i.indrelid) like '%GEOMETRYCOLLECTION%')`;
