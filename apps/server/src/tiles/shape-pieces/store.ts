import type { Queryable } from '@cartulary/database';
import { type Sql, sql } from '@cartulary/sql';
import { layerTable } from '../../layers/layers.js';
import { labelPlaces } from '../plan/sql/label-sql.js';
import { rowVersion } from '../plan/sql/piece-sql.js';
import type { PieceRow, PyramidAnswer } from './pyramid-thread.js';

/** An object whose shape is large, in the version of its row. */
export interface LargeObject {
  id: number;
  version: string;
}

/** Time after which another process may take up a pyramid that is not complete. */
export const abandonedAfterMs = 900_000;
const abandonedAfter = sql`${abandonedAfterMs / 1000} * interval '1 second'`;

/** What is known of a layer without reading its objects. */
export interface LayerPieces {
  /** Whether a pyramid is complete. */
  hasPieces: boolean;
  /** Whether some process makes a pyramid, or has begun to. */
  areBeingMade: boolean;
  /** Whether large shapes are possible: they are stored out of line. */
  mayBeLarge: boolean;
}

/** Looks at layers in one statement. */
export async function lookAt(
  db: Queryable,
  layerIds: readonly number[],
  minBytes: number,
): Promise<ReadonlyMap<number, LayerPieces>> {
  const found = await db.query<LayerPieces & { id: number }>(sql`
    select l.id, exists (select from cartulary.shape_pyramid where layer_id = l.id and is_complete) as "hasPieces",
      exists (select from cartulary.shape_pyramid where layer_id = l.id and not is_complete) as "areBeingMade",
      coalesce((select pg_relation_size(nullif(t.reltoastrelid, 0)) >= ${minBytes} from pg_class t
        where t.oid = to_regclass('cartulary_data.layer_' || l.id) and t.relkind = 'r'), false) as "mayBeLarge"
    from unnest(${layerIds}::integer[]) l(id)`);
  return new Map(found.map(({ id, ...pieces }) => [id, pieces]));
}

/** Objects with large lines and polygons whose pyramids nobody has made or is making. */
export const withoutPyramid = (db: Queryable, layerId: number, minBytes: number): Promise<LargeObject[]> =>
  db.query<LargeObject>(sql`
    select t.svc_id::integer as id, ${rowVersion(sql`t`)}::text as version from ${layerTable(layerId)} t
      left join cartulary.shape_pyramid y on y.layer_id = ${layerId} and y.svc_id = t.svc_id and y.version = ${rowVersion(sql`t`)}
        and (y.is_complete or y.started_at > clock_timestamp() - ${abandonedAfter})
    where pg_column_size(t.geom) >= ${minBytes} and y.svc_id is null
      and geometrytype(t.geom) in ('POLYGON', 'MULTIPOLYGON', 'LINESTRING', 'MULTILINESTRING')
    order by t.svc_id limit 100`);

/** The shape of an object as WKB, for the one process that shall divide it; undefined: another does, or the object has changed. */
export async function claimShape(
  db: Queryable,
  layerId: number,
  { id, version }: LargeObject,
): Promise<Buffer | undefined> {
  const [claimed] = await db.query(sql`
    insert into cartulary.shape_pyramid as y (layer_id, svc_id, version) values (${layerId}, ${id}, ${version})
    on conflict (layer_id, svc_id) do update set version = excluded.version, is_complete = false, started_at = clock_timestamp()
      where y.version <> excluded.version or (not y.is_complete and y.started_at <= clock_timestamp() - ${abandonedAfter})
    returning svc_id`);
  if (!claimed) return undefined;
  const [row] = await db.query<{ wkb: Buffer }>(sql`
    select st_asbinary(st_force2d(t.geom)) as wkb from ${layerTable(layerId)} t
    where t.svc_id = ${id} and ${rowVersion(sql`t`)} = ${version}`);
  return row?.wkb;
}

/** Gives up a claim, so that another process may divide the shape at once. */
export async function releaseShape(
  db: Queryable,
  layerId: number,
  { id, version }: LargeObject,
): Promise<void> {
  await db.query(sql`
    delete from cartulary.shape_pyramid
    where layer_id = ${layerId} and svc_id = ${id} and version = ${version} and not is_complete`);
}

export async function storePieces(
  db: Queryable,
  layerId: number,
  { id, version }: LargeObject,
  pieces: readonly PieceRow[],
): Promise<void> {
  const column = <T>(of: (piece: PieceRow) => T): T[] => pieces.map(of);
  await db.query(sql`
    insert into cartulary.shape_piece (layer_id, svc_id, version, level, x, y, is_leaf, shape)
    select ${layerId}, ${id}, ${version}, level, x, y, is_leaf, shape
    from unnest(${column(({ level }) => level)}::smallint[], ${column(({ x }) => x)}::integer[], ${column(({ y }) => y)}::integer[],
      ${column(({ isLeaf }) => isLeaf)}::boolean[], ${column(({ shape }) => Buffer.from(shape))}::bytea[]) f (level, x, y, is_leaf, shape)
    on conflict do nothing`);
}

/** From now on pictures use the pieces. */
export async function completePyramid(
  db: Queryable,
  layerId: number,
  { id, version }: LargeObject,
  { centroid, interior }: NonNullable<PyramidAnswer['end']>,
): Promise<void> {
  const point = (wkb: Uint8Array | undefined): Sql =>
    sql`st_geomfromewkb(${wkb ? Buffer.from(wkb) : null}::bytea)`;
  await db.query(sql`
    update cartulary.shape_pyramid y set is_complete = true, centroid = ${point(centroid)}, interior = ${point(interior)},
      place = (select ${labelPlaces} from ${layerTable(layerId)} t where t.svc_id = ${id})
    where y.layer_id = ${layerId} and y.svc_id = ${id} and y.version = ${version}`);
}

/** Removes what belongs to no present version of an object. */
export async function removeOutdated(db: Queryable, layerId: number): Promise<void> {
  await db.query(sql`
    delete from cartulary.shape_pyramid y where y.layer_id = ${layerId} and not exists (
      select from ${layerTable(layerId)} t where t.svc_id = y.svc_id and ${rowVersion(sql`t`)} = y.version)`);
  await db.query(sql`
    delete from cartulary.shape_piece p where p.layer_id = ${layerId} and not exists (
      select from cartulary.shape_pyramid y where y.layer_id = p.layer_id and y.svc_id = p.svc_id and y.version = p.version)`);
}
