import {
  between,
  type ChunkGrid,
  type ChunkPlace,
  chunkSide,
  positionsPerPixel,
  within,
} from '@cartulary/renderer';
import { type Sql, sql } from '@cartulary/sql';
import { layerTable } from '../../../layers/layers.js';
import {
  type ChosenLabel,
  hasClaims,
  type LabelSource,
  labelOrder,
  labelText,
  thinnedRowsSql,
} from './label-sql.js';
import { chunksSql } from './small-feature-sql.js';

/** The query of the labels of a pass, without filters of a request and pieces of shapes. */
export interface LabelChunkQuery extends ChunkGrid {
  source: LabelSource;
  chosen: readonly ChosenLabel[];
}

/** The labels of chunks: `col`, `row` and `labels` (for `LabelRows`, with their order). Chunks without labels have no row. */
export function labelChunksSql(
  { source, chosen, depth }: LabelChunkQuery,
  chunks: readonly ChunkPlace[],
): Sql {
  const from = sql`from ${chunksSql(chunks)}
    join ${layerTable(source.id)} t on t.geom && st_makeenvelope(c.west, c.south, c.east, c.north, 4326)`;
  const positions = chunkSide({ depth }) * positionsPerPixel;
  const isIn = (position: Sql, place: Sql): Sql =>
    sql`${position} between ${place}::bigint * ${positions} and ${place}::bigint * ${positions} + ${positions - 1}`;
  const where = sql` where ${isIn(sql`r.x`, sql`r.col`)} and ${isIn(sql`r.y`, sql`r."row"`)}`;
  const rows = thinnedRowsSql(source, chosen, { from, where, isInChunks: true })!;
  const claims = hasClaims(chosen) ? sql`coalesce(st_astext(l.parts), '')` : sql`''`;
  return sql`
    select l.col, l."row", string_agg(
      concat_ws(${within}::text, l.x || ' ' || l.y, l.kind, ${labelText(chosen)}, ${claims}, l.svc_id), ${between}::text order by ${labelOrder(source)}) as labels
    from (${rows}) l group by l.col, l."row"`;
}
