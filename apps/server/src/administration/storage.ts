import type { Queryable } from '@cartulary/database';
import { type Sql, sql } from '@cartulary/sql';
import { type Caller, mainLanguage } from '../access/caller.js';
import { selectMaps } from '../containers/containers.js';
import { shownName } from '../containers/names.js';
import { countByMap } from '../containers/object-counts.js';

/** A number of things and their bytes. */
interface Amount {
  count: number;
  bytes: number;
}

/** What a map takes. */
interface MapUsage {
  code: string;
  name: string;
  layers: number;
  objects: number;
  /** Bytes of tables with their indexes. */
  tables: number;
  files: Amount;
  /** Images of raster layers, as they came and as they are drawn. */
  images: Amount;
  bytes: number;
}

export interface StorageUsage {
  bytes: number;
  maps: MapUsage[];
  icons: Amount;
  /** Resumable uploads. */
  uploads: Amount;
  /** Kept files of exports. */
  exports: Amount;
}

/** The tables of layers over the alias `l`, as a join: alias `t`. */
const tableOf = sql`
  left join pg_class t on t.relnamespace = 'cartulary_data'::regnamespace and t.relkind in ('r', 'm')
    and t.relname = 'layer_' || l.id`;

interface MapRow {
  id: number;
  layers: number;
  tables: number;
  images: number;
  image_bytes: number;
  files: number;
  file_bytes: number;
}

/** What is stored of a project: by map, the largest first, and beside the maps. */
export async function storageOf(
  db: Queryable,
  caller: Caller,
  signal: AbortSignal,
  lng?: string,
): Promise<StorageUsage> {
  const projectId = caller.project.id;
  const maps = await db.query<{
    id: number;
    code: string;
    name: string;
    names: Record<string, string>;
    localized_name: boolean;
  }>(selectMaps(caller, sql`true`), signal);
  const rows = new Map((await db.query<MapRow>(mapRowsSql(projectId), signal)).map((row) => [row.id, row]));
  const layers = await db.query<{ id: number; map_id: number }>(
    sql`select id, map_id from cartulary.container where project_id = ${projectId} and type in ('layer', 'material')`,
    signal,
  );
  const objects = await countByMap(db, layers, signal);
  const [beside] = await db.query<Pick<StorageUsage, 'icons' | 'uploads' | 'exports'>>(
    besideSql(projectId),
    signal,
  );
  const usages = maps.flatMap((map): MapUsage[] => {
    const row = rows.get(map.id);
    if (!row) return [];
    return [
      {
        code: map.code,
        name: shownName(map, [lng, mainLanguage(caller)]),
        layers: row.layers,
        objects: objects.get(map.id) ?? 0,
        tables: row.tables,
        files: { count: row.files, bytes: row.file_bytes },
        images: { count: row.images, bytes: row.image_bytes },
        bytes: row.tables + row.file_bytes + row.image_bytes,
      },
    ];
  });
  usages.sort((a, b) => b.bytes - a.bytes);
  const parts = [...usages, beside!.icons, beside!.uploads, beside!.exports];
  return { bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), maps: usages, ...beside! };
}

/** Objects that were copied share the bytes of their files, which count once in a map. */
const filesSql = (of: Sql): Sql => sql`
  select l.map_id, count(*) as files, coalesce(sum(f.size) filter (where f.is_first), 0)::bigint as bytes
  from (
    select f.layer_id, f.size, row_number() over (partition by c.map_id, f.content order by f.id) = 1 as is_first
    from cartulary.file f join cartulary.container c on c.id = f.layer_id where ${of}
  ) f join cartulary.container l on l.id = f.layer_id group by l.map_id`;

const mapRowsSql = (projectId: number): Sql => sql`
  select m.id, own.*, coalesce(stored.files, 0) as files, coalesce(stored.bytes, 0)::bigint as file_bytes
  from cartulary.container m
  cross join lateral (
    select count(*) filter (where l.type <> 'folder')::integer as layers,
      coalesce(sum(pg_total_relation_size(t.oid)), 0)::bigint as tables,
      count(r.layer_id)::integer as images, coalesce(sum(r.size + r.processed_size), 0)::bigint as image_bytes
    from cartulary.container l left join cartulary.raster r on r.layer_id = l.id ${tableOf}
    where l.map_id = m.id and l.type <> 'map'
  ) own
  left join (${filesSql(sql`c.project_id = ${projectId}`)}) stored on stored.map_id = m.id
  where m.project_id = ${projectId} and m.type = 'map'`;

const amount = (from: Sql, size: Sql): Sql =>
  sql`(select json_build_object('count', count(*), 'bytes', coalesce(sum(${size}), 0)) from ${from})`;

const besideSql = (projectId: number): Sql => sql`
  select ${amount(sql`cartulary.icon where project_id = ${projectId}`, sql`size`)} as icons,
    ${amount(sql`cartulary.upload where project_id = ${projectId} and expires_at > clock_timestamp()`, sql`size`)} as uploads,
    ${amount(sql`cartulary.job where project_id = ${projectId} and file is not null and file_until > clock_timestamp()`, sql`(file->>'size')::bigint`)} as exports`;

/** What each project of the installation takes: its maps, users, and the bytes that `storageOf` adds up. */
export const projectUsages = (
  db: Queryable,
  signal: AbortSignal,
): Promise<{ id: number; maps: number; users: number; bytes: number }[]> =>
  db.query(
    sql`
    select p.id,
      (select count(*)::integer from cartulary.container where project_id = p.id and type = 'map') as maps,
      (select count(*)::integer from cartulary.account where project_id = p.id) as users,
      (
        (select coalesce(sum(pg_total_relation_size(t.oid)), 0) from cartulary.container l ${tableOf}
          where l.project_id = p.id and l.type in ('layer', 'material'))
        + (select coalesce(sum(stored.bytes), 0) from (${filesSql(sql`c.project_id = p.id`)}) stored)
        + (select coalesce(sum(r.size + r.processed_size), 0) from cartulary.raster r
          join cartulary.container l on l.id = r.layer_id where l.project_id = p.id)
        + (select coalesce(sum(i.size), 0) from cartulary.icon i where i.project_id = p.id)
        + (select coalesce(sum(u.size), 0) from cartulary.upload u
          where u.project_id = p.id and u.expires_at > clock_timestamp())
        + (select coalesce(sum((j.file->>'size')::bigint), 0) from cartulary.job j
          where j.project_id = p.id and j.file_until > clock_timestamp())
      )::bigint as bytes
    from cartulary.project p`,
    signal,
  );
