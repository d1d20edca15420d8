import { mercatorEdge as edge } from '@cartulary/geo';
import { type Sql, sql } from '@cartulary/sql';
import { smallFeatureLevel } from '../../../layers/indexes/small-feature-index.js';

/** The objects of a layer that are not drawn from chunks. */
export interface OutsideChunks {
  /** Level of the chunks. */
  level: number;
  /** Whether objects beyond the world of EPSG:3857 are among them, instead of in chunks at its edge. */
  isBeyondWorld: boolean;
}

/** Objects of a table `t` that are larger than small features at a level. */
const largerSql = (level: number): Sql => sql`${smallFeatureLevel(sql`t.geom`)} < ${level}`;

/**
 * Objects of a table `t` that no chunk has: larger ones, and those whose middle lies beyond the world of EPSG:3857. Boxes find the latter
 * by the index of places.
 */
export const outsideChunksSql = ({ level, isBeyondWorld }: OutsideChunks): Sql =>
  isBeyondWorld
    ? sql`(${largerSql(level)}
  or t.geom && st_makeenvelope(-1000, ${edge}, 1000, 1000, 4326) and ${middle} >= ${edge}
  or t.geom && st_makeenvelope(-1000, -1000, 1000, ${-edge}, 4326) and ${middle} <= ${-edge})`
    : largerSql(level);

const middle = sql`(st_ymin(t.geom) + st_ymax(t.geom)) / 2`;
