import type { Caller } from '../access/caller.js';
import { demand, type RightTarget, rightOn } from '../access/rights.js';
import type { Database, Queryable, Transaction } from '../db/pool.js';
import { ident, sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import type { Edges } from '../geo/join-boxes.js';
import { boxOf, logChanges } from '../layers/changes.js';
import {
  type Column,
  columnName,
  type Layer,
  layerTable,
  StructureChanged,
  touchObjects,
} from '../layers/layers.js';
import { valueSql } from '../layers/types.js';
import { guarded, objectNotFound } from '../objects/store.js';

/** A file of an object. */
export interface StoredFile {
  id: number;
  uuid: string;
  /** Key of its bytes in the storage. */
  content: string;
  name: string;
  /** By its content, with the charset of a text. */
  mime: string;
  /** Bytes. */
  size: number;
}

/** Where a file belongs. */
export interface FilePlace {
  layer: Layer;
  objectId: number;
  column: Column;
  /** null where the column is not localized by value. */
  language: string | null;
}

const fileNotFound = (which: string | number): ServiceError =>
  new ServiceError('file_not_found', `The file ${which} does not exist`);

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The file column of a layer. Throws 404 for none of that code, 400 for one of another type. */
export function fileColumn(layer: Pick<Layer, 'columns'>, code: string): Column {
  const column = layer.columns.find((one) => one.code === code);
  if (!column) throw new ServiceError('column_not_found', `The column '${code}' does not exist`);
  if (column.type !== 'file')
    throw badRequest(`The column '${code}' is of type ${column.type}: it takes no files`, {
      columns: [code],
    });
  return column;
}

/** Throws 404 unless the layer has the object. */
export async function demandObject(db: Queryable, layer: Layer, objectId: number): Promise<void> {
  const statement = sql`select from ${layerTable(layer.id)} where svc_id = ${objectId}::bigint`;
  const [row] = await guarded(() => db.query(statement));
  if (!row) throw objectNotFound(objectId);
}

/**
 * A file by its uuid, when the caller may view its layer; `isPublic`: everybody may. Throws 404 `file_not_found`, 403.
 */
export async function findFile(
  db: Queryable,
  caller: Caller,
  uuid: string,
): Promise<StoredFile & { isPublic: boolean }> {
  if (!uuidForm.test(uuid)) throw fileNotFound(uuid);
  const target: RightTarget = {
    project: sql`m.project_id`,
    map: { id: sql`m.id`, publish: sql`m.publish` },
    layer: sql`l.id`,
  };
  const everybody: Caller = { ...caller, account: null, groupIds: [], isPublic: true, isInstaller: false };
  const statement = sql`
    select f.id, f.uuid, f.content, f.name, f.mime, f.size,
      ${rightOn(caller, target)} as "right", ${rightOn(everybody, target)} >= 1 as "isPublic"
    from cartulary.file f
    join cartulary.container l on l.id = f.layer_id join cartulary.container m on m.id = l.map_id
    where f.uuid = ${uuid.toLowerCase()}::uuid and m.project_id = ${caller.project.id}`;
  const [row] = await db.recall<StoredFile & { right: number; isPublic: boolean }>(statement, caller.at);
  if (!row) throw fileNotFound(uuid);
  const { right, ...file } = row;
  demand(caller, right, 'view');
  return file;
}

/** The uuid of a file by its id, which 1.0 names files by: the function that is asked judges who may have it. Throws 404. */
export async function uuidOfFile(db: Queryable, caller: Caller, id: string): Promise<string> {
  const [file] = /^\d{1,9}$/.test(id)
    ? await db.query<{ uuid: string }>(sql`
        select f.uuid from cartulary.file f join cartulary.container l on l.id = f.layer_id
        where f.id = ${Number(id)} and l.project_id = ${caller.project.id}`)
    : [];
  if (!file) throw fileNotFound(id);
  return file.uuid;
}

/** The files of an object in the order of their lists, with the code of their column; of a localized column those of the list that is shown. */
export async function listFiles(
  db: Queryable,
  layer: Layer,
  wanted: Languages & { objectId: number; column?: Column | undefined },
): Promise<(StoredFile & { field: string })[]> {
  const columns = layer.columns.filter(({ type, id }) => type === 'file' && id === (wanted.column?.id ?? id));
  const lists: (StoredFile & { field: string })[][] = [];
  for (const column of columns) lists.push(await listOfColumn(db, layer, { ...wanted, column }));
  return lists.flat();
}

/** In which language a list is read: the asked one, else the main one, else any. */
interface Languages {
  lng?: string | undefined;
  main: string;
}

function listOfColumn(
  db: Queryable,
  layer: Layer,
  { objectId, column, lng, main }: Languages & { objectId: number; column: Column },
): Promise<(StoredFile & { field: string })[]> {
  const list = valueSql(column, { alias: sql`t`, lng, main });
  const statement = sql`
    select f.id, f.uuid, f.content, f.name, f.mime, f.size, ${column.code}::text as field
    from ${layerTable(layer.id)} t cross join lateral (select string_to_array(${list}, ',') as ids) list
    join cartulary.file f on f.layer_id = ${layer.id} and f.object_id = t.svc_id and f.column_id = ${column.id}
    where t.svc_id = ${objectId}::bigint and f.id::text = any(list.ids)
    order by array_position(list.ids, f.id::text)`;
  return guarded(() => db.query(statement));
}

/**
 * Adds a file whose bytes are stored to an object: at the end of the list in its column. Throws 404 when the object is
 * not there (any more).
 */
export async function addFile(
  tx: Transaction,
  { layer, objectId, column, language }: FilePlace,
  file: Omit<StoredFile, 'id' | 'uuid'> & { accountId: number },
): Promise<StoredFile> {
  const own = ident(columnName(column));
  const added = (list: ReturnType<typeof sql>): ReturnType<typeof sql> =>
    sql`concat_ws(',', nullif(${list}, ''), made.id)`;
  const value = column.localized_value
    ? sql`coalesce(t.${own}, '{}'::jsonb) || jsonb_build_object(${language}::text, ${added(sql`t.${own} ->> ${language}::text`)})`
    : added(sql`t.${own}`);
  return guarded(async () => {
    await touchObjects(tx, layer);
    const [row] = await tx.query<{ id: number; uuid: string; box: Edges | null }>(sql`
      with made as (
        insert into cartulary.file (content, name, mime, size, layer_id, column_id, object_id, language, account_id)
        select ${file.content}::uuid, ${file.name}::text, ${file.mime}::text, ${file.size}::bigint, c.layer_id, c.id,
          ${objectId}::bigint, ${language}::text, ${file.accountId}::integer
        from cartulary.layer_column c
        where c.id = ${column.id} and c.type = 'file' and c.localized_value = ${column.localized_value}
        returning id, uuid
      ) update ${layerTable(layer.id)} t set ${own} = ${value} from made where t.svc_id = ${objectId}::bigint
      returning made.id, made.uuid, ${boxOf(sql`t.geom`)} as box`);
    if (!row) throw await whyNot(tx, { layer, objectId });
    const { id, uuid, box } = row;
    // A style may read the list of files.
    logChanges(tx, layer.id, box ? [box] : []);
    return { ...file, id, uuid };
  });
}

async function whyNot(tx: Transaction, at: Pick<FilePlace, 'layer' | 'objectId'>): Promise<ServiceError> {
  const [row] = await tx.query(
    sql`select from ${layerTable(at.layer.id)} where svc_id = ${at.objectId}::bigint`,
  );
  return row ? new StructureChanged() : objectNotFound(at.objectId);
}

/** Takes a file from its object, out of the list and out of the catalog: the key of its bytes. Throws 404 `file_not_found`. */
export async function removeFile(
  tx: Transaction,
  { layer, objectId, column, language }: FilePlace,
  fileId: number,
): Promise<string> {
  const own = ident(columnName(column));
  const without = (list: ReturnType<typeof sql>): ReturnType<typeof sql> =>
    sql`nullif(array_to_string(array_remove(string_to_array(${list}, ','), ${fileId}::text), ','), '')`;
  const value = column.localized_value
    ? sql`nullif(jsonb_strip_nulls(t.${own} || jsonb_build_object(${language}::text, ${without(sql`t.${own} ->> ${language}::text`)})), '{}'::jsonb)`
    : without(sql`t.${own}`);
  return guarded(async () => {
    await touchObjects(tx, layer);
    const [row] = await tx.query<{ box: Edges | null }>(sql`
      update ${layerTable(layer.id)} t set ${own} = ${value} where t.svc_id = ${objectId}::bigint
      returning ${boxOf(sql`t.geom`)} as box`);
    logChanges(tx, layer.id, row?.box ? [row.box] : []);
    const [gone] = await tx.query<{ content: string }>(sql`
      delete from cartulary.file where id = ${fileId} and layer_id = ${layer.id} and column_id = ${column.id}
        and object_id = ${objectId}::bigint and language is not distinct from ${language}::text returning content`);
    if (!gone) throw fileNotFound(fileId);
    return gone.content;
  });
}

/** Whether anything has these bytes: a file, or an image. */
export async function isNamed(db: Database, content: string): Promise<boolean> {
  const [row] = await db.query(
    sql`select from cartulary.named_content where content = ${content}::uuid limit 1`,
  );
  return row !== undefined;
}
