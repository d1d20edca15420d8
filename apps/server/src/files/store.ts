import { type Column, valueSql } from '@cartulary/columns';
import type { Database, Queryable, Transaction } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import type { BoxEdges } from '@cartulary/geo';
import { sql } from '@cartulary/sql';
import { type Caller, publicUser } from '../access/caller.js';
import { demand, type RightTarget, rightOn } from '../access/rights.js';
import { boxOf, logChanges } from '../layers/changes.js';
import { type Layer, layerTable, StructureChanged, stored, target, touchObjects } from '../layers/layers.js';
import { guarded, objectNotFound } from '../objects/store.js';

/** A file of an object. */
export interface StoredFile {
  id: number;
  uuid: string;
  /** Key of its bytes in the storage. */
  content: string;
  name: string;
  /** Media type of its content, with the charset of a text. */
  mime: string;
  /** Bytes. */
  size: number;
}

/** The object and column of a file. */
export interface FilePlace {
  layer: Layer;
  objectId: number;
  column: Column;
  /** null when the column is not localized by value. */
  language: string | null;
}

const fileNotFound = (which: string | number): ServiceError =>
  new ServiceError('file_not_found', `The file ${which} does not exist`);

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The file column of a layer. Throws 404 for an unknown code, 400 for a column of another type. */
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
 * A file by its uuid, when the caller may view its layer. `isPublic`: the public may, too. Throws 404
 * `file_not_found`, 403.
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
  const statement = sql`
    select f.id, f.uuid, f.content, f.name, f.mime, f.size,
      ${rightOn(caller, target)} as "right", ${rightOn(publicUser(caller.project), target)} >= 1 as "isPublic"
    from cartulary.file f
    join cartulary.container l on l.id = f.layer_id join cartulary.container m on m.id = l.map_id
    where f.uuid = ${uuid.toLowerCase()}::uuid and m.project_id = ${caller.project.id}`;
  const [row] = await db.cachedQuery<StoredFile & { right: number; isPublic: boolean }>(statement, caller.at);
  if (!row) throw fileNotFound(uuid);
  const { right, ...file } = row;
  demand(caller, right, 'view');
  return file;
}

/** The uuid of a file by its id, which version 1.0 uses. The called function checks the right. Throws 404. */
export async function uuidOfFile(db: Queryable, caller: Caller, id: string): Promise<string> {
  const [file] = /^\d{1,9}$/.test(id)
    ? await db.query<{ uuid: string }>(sql`
        select f.uuid from cartulary.file f join cartulary.container l on l.id = f.layer_id
        where f.id = ${Number(id)} and l.project_id = ${caller.project.id}`)
    : [];
  if (!file) throw fileNotFound(id);
  return file.uuid;
}

/**
 * The files of an object in the order of their lists, with the code of their column. For a localized column:
 * those of the shown language.
 */
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

/** The language of a list: the requested one, else the main one, else any. */
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
 * Adds a file with stored bytes to an object, at the end of the list in its column. Throws 404 when the
 * object does not exist.
 */
export async function addFile(
  tx: Transaction,
  { layer, objectId, column, language }: FilePlace,
  file: Omit<StoredFile, 'id' | 'uuid'> & { accountId: number },
): Promise<StoredFile> {
  const own = stored(column, sql`t`);
  const added = (list: ReturnType<typeof sql>): ReturnType<typeof sql> =>
    sql`concat_ws(',', nullif(${list}, ''), made.id)`;
  const value = column.localized_value
    ? sql`coalesce(${own}, '{}'::jsonb) || jsonb_build_object(${language}::text, ${added(sql`${own} ->> ${language}::text`)})`
    : added(sql`${own}`);
  return guarded(async () => {
    await touchObjects(tx, layer);
    const [row] = await tx.query<{ id: number; uuid: string; box: BoxEdges | null }>(sql`
      with made as (
        insert into cartulary.file (content, name, mime, size, layer_id, column_id, object_id, language, account_id)
        select ${file.content}::uuid, ${file.name}::text, ${file.mime}::text, ${file.size}::bigint, c.layer_id, c.id,
          ${objectId}::bigint, ${language}::text, ${file.accountId}::integer
        from cartulary.layer_column c
        where c.id = ${column.id} and c.type = 'file' and c.localized_value = ${column.localized_value}
        returning id, uuid
      ) update ${layerTable(layer.id)} t set ${target(column)} = ${value} from made where t.svc_id = ${objectId}::bigint
      returning made.id, made.uuid, ${boxOf(sql`t.geom`)} as box`);
    if (!row) throw await whyNot(tx, { layer, objectId });
    const { id, uuid, box } = row;
    // Logged as a change of the map, since a style may read the list of files.
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

/**
 * Removes a file from the list of its object and from the catalog. Returns the key of its bytes. Throws 404
 * `file_not_found`.
 */
export async function removeFile(
  tx: Transaction,
  { layer, objectId, column, language }: FilePlace,
  fileId: number,
): Promise<string> {
  const own = stored(column, sql`t`);
  const without = (list: ReturnType<typeof sql>): ReturnType<typeof sql> =>
    sql`nullif(array_to_string(array_remove(string_to_array(${list}, ','), ${fileId}::text), ','), '')`;
  const value = column.localized_value
    ? sql`nullif(jsonb_strip_nulls(${own} || jsonb_build_object(${language}::text, ${without(sql`${own} ->> ${language}::text`)})), '{}'::jsonb)`
    : without(sql`${own}`);
  return guarded(async () => {
    await touchObjects(tx, layer);
    const [row] = await tx.query<{ box: BoxEdges | null }>(sql`
      update ${layerTable(layer.id)} t set ${target(column)} = ${value} where t.svc_id = ${objectId}::bigint
      returning ${boxOf(sql`t.geom`)} as box`);
    logChanges(tx, layer.id, row?.box ? [row.box] : []);
    const [gone] = await tx.query<{ content: string }>(sql`
      delete from cartulary.file where id = ${fileId} and layer_id = ${layer.id} and column_id = ${column.id}
        and object_id = ${objectId}::bigint and language is not distinct from ${language}::text returning content`);
    if (!gone) throw fileNotFound(fileId);
    return gone.content;
  });
}

/** Whether a file or an image names these bytes. */
export async function isNamed(db: Database, content: string): Promise<boolean> {
  const [row] = await db.query(
    sql`select from cartulary.named_content where content = ${content}::uuid limit 1`,
  );
  return row !== undefined;
}
