import type { Caller } from '../access/caller.js';
import { demand, type Level, rightOn } from '../access/rights.js';
import { type Container, type MapContainer, publicMayView, rightOnMap } from '../containers/containers.js';
import type { StoredName } from '../containers/names.js';
import type { Queryable } from '../db/pool.js';
import { ident, type Sql, sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';

export type ColumnType =
  | 'number'
  | 'geom'
  | 'string'
  | 'text'
  | 'datetime'
  | 'bool'
  | 'file'
  | 'title'
  | 'json';

/** A column of a layer as it is stored; `svc_id` (number) and `geom` are always among them. */
export interface Column extends StoredName {
  id: number;
  parent_id: number | null;
  code: string;
  required: boolean;
  localized_value: boolean;
  type: ColumnType;
  format: Record<string, unknown> | null;
  sort: number;
}

/** A layer with its map, columns in order, versions and the caller's right on it (0 to 3). */
export interface Layer extends Container {
  map: MapContainer;
  columns: readonly Column[];
  data_version: number;
  right: number;
}

/** Layer types that hold objects of their own. */
export const holdsObjects = (layer: Pick<Container, 'type'>): boolean => layer.type === 'layer';

/** The table of a layer's objects: `svc_id bigint` (primary key), `geom geometry` (SRID 4326), and `c<id>` per column. */
export const layerTable = (layerId: number): Sql => ident('cartulary_data', `layer_${layerId}`);

/** Where the values of a column lie in the layer's table. */
export const columnName = (column: Pick<Column, 'id' | 'code'>): string =>
  column.code === 'svc_id' || column.code === 'geom' ? column.code : `c${column.id}`;

/**
 * The layer by the codes of map and layer, when the caller has `level` on it, with its columns: one query.
 * Throws 404 `map_not_found` or `layer_not_found` (a folder is no layer), 403, 401.
 */
export async function findLayer(
  db: Queryable,
  caller: Caller,
  at: { map: string; layer: string },
  level: Level,
): Promise<Layer> {
  const rightOnLayer = rightOn(caller, {
    project: sql`m.project_id`,
    map: { id: sql`m.id`, publish: sql`m.publish` },
    layer: sql`l.id`,
  });
  const [row] = await db.query<{
    map: MapContainer;
    layer: Container | null;
    columns: Column[];
    right: number;
    data_version: number;
  }>(sql`
    select to_jsonb(m) || jsonb_build_object('right', ${rightOnMap(caller)}, 'has_publication', ${publicMayView(sql`m`)}) as map,
      to_jsonb(l) as layer, ${rightOnLayer} as "right", s.data_version,
      (select coalesce(jsonb_agg(to_jsonb(c) order by c.sort, c.id), '[]') from cartulary.layer_column c where c.layer_id = l.id) as columns
    from cartulary.container m
    left join cartulary.container l on l.map_id = m.id and l.code = ${at.layer} and l.type not in ('map', 'folder')
    left join cartulary.layer_state s on s.layer_id = l.id
    where m.project_id = ${caller.project.id} and m.type = 'map' and m.code = ${at.map}`);
  if (!row) throw new ServiceError('map_not_found', `The map '${at.map}' does not exist`);
  if (!row.layer) {
    demand(caller, row.map.right, 'view');
    throw new ServiceError('layer_not_found', `The layer '${at.layer}' does not exist`);
  }
  demand(caller, row.right, level);
  return {
    ...row.layer,
    map: row.map,
    columns: row.columns,
    right: row.right,
    data_version: row.data_version,
  };
}

/** Raises the layer's data version in the transaction of a write of its objects: what was drawn from the old data is stale then. */
export async function touchData(tx: Queryable, layerId: number): Promise<void> {
  await tx.query(
    sql`update cartulary.layer_state set data_version = data_version + 1 where layer_id = ${layerId}`,
  );
}
