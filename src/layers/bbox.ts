import type { Container } from '../containers/containers.js';
import type { Queryable } from '../db/pool.js';
import { join, sql } from '../db/sql.js';
import { type Box, type Corners, cornersOf } from '../geo/bbox.js';
import { holdsObjects, layerTable } from './layers.js';

/** Corners of an extent: [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857; null for a layer without geometry. */
export type LayerBbox = Corners | null;

/** The extents of layers by their ids, in one query. */
export async function layerBboxes(
  db: Queryable,
  layers: readonly Pick<Container, 'id' | 'type'>[],
  sr: '4326' | '3857',
): Promise<Map<number, LayerBbox>> {
  const boxes = new Map<number, LayerBbox>(layers.map(({ id }) => [id, null]));
  const own = layers.filter(holdsObjects);
  if (!own.length) return boxes;
  const parts = own.map(
    ({ id }) => sql`select ${id}::integer as id, st_extent(geom) as box from ${layerTable(id)}`,
  );
  const rows = await db.query<Box & { id: number }>(sql`
    select id, st_xmin(box) as west, st_ymin(box) as south, st_xmax(box) as east, st_ymax(box) as north
    from (${join(parts, ' union all ')}) extents where box is not null`);
  for (const { id, ...box } of rows) {
    boxes.set(id, cornersOf(box, sr));
  }
  return boxes;
}
