import { type Caller, mainLanguage } from '../access/caller.js';
import type { Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { requiredMissing, ServiceError } from '../errors.js';
import { checkCode, codeTaken, generateCode } from './codes.js';
import { type Container, type MapContainer, touchMap } from './containers.js';
import { dropLayerTables } from './maps.js';
import { changedName, type NameInput, shownName } from './names.js';
import { findParent, lockTree, placeInParent } from './tree.js';

/** What can be said of a folder; what is absent keeps its value. */
export interface FolderInput {
  code?: string;
  name?: NameInput;
  localized_name?: boolean;
  parent_id?: number;
  sort?: number;
  json?: Record<string, unknown>;
}

/** A folder in the structure of the interface. Its localized name is the object of all languages unless one is asked for. */
export const folderView = (folder: Container, caller: Caller, lng?: string): Record<string, unknown> => ({
  id: folder.id,
  type: folder.type,
  code: folder.code,
  name:
    folder.localized_name && lng === undefined
      ? folder.names
      : shownName(folder, [lng, mainLanguage(caller)]),
  sort: folder.sort,
  icon: folder.icon,
  selected: folder.selected,
  parent_id: folder.parent_id,
  render_type: folder.render_type,
  map_layer_id: folder.id,
  style_mode: folder.style_mode,
  tiles_quality: folder.tiles_quality,
  json: folder.json,
  view_format_type: folder.view_format_type,
});

/** A folder of a map by its code. Throws 404 `container_not_found`. */
export async function findFolder(db: Queryable, map: MapContainer, code: string): Promise<Container> {
  const [folder] = await db.query<Container>(sql`
    select * from cartulary.container where map_id = ${map.id} and type = 'folder' and code = ${code}`);
  if (!folder) throw new ServiceError('container_not_found', `The folder '${code}' does not exist`);
  return folder;
}

/** Makes a folder: its code. Throws 404 for a parent that is no container of the map, `code_taken`. */
export async function createFolder(
  tx: Queryable,
  caller: Caller,
  map: MapContainer,
  input: FolderInput,
  lng?: string,
): Promise<string> {
  await lockTree(tx, map.id);
  const parentId = await findParent(tx, map, input.parent_id);
  const code = input.code === undefined ? generateCode('folder') : checkCode(input.code, 'folder');
  const name = changedName(
    { name: '', names: {}, localized_name: false },
    input,
    lng ?? mainLanguage(caller),
  );
  const [folder] = await tx.query<{ id: number }>(sql`
    insert into cartulary.container (project_id, map_id, parent_id, type, code, name, names, localized_name, json)
    values (${map.project_id}, ${map.id}, ${parentId}, 'folder', ${code}, ${name.name}, ${JSON.stringify(name.names)}::jsonb,
      ${name.localized_name}, ${JSON.stringify(input.json ?? {})}::jsonb)
    on conflict do nothing returning id`);
  if (!folder) throw codeTaken(code);
  await placeInParent(tx, folder.id, parentId, input.sort);
  await touchMap(tx, map.id);
  return code;
}

/** Changes code, name, sort or json of a folder: its code. `parent_id` must name the container where it lies. */
export async function changeFolder(
  tx: Queryable,
  caller: Caller,
  at: { map: MapContainer; folder: string },
  input: FolderInput,
  lng?: string,
): Promise<string> {
  const { map } = at;
  await lockTree(tx, map.id);
  const folder = await findFolder(tx, map, at.folder);
  if (input.parent_id === undefined) throw missingParent();
  if ((await findParent(tx, map, input.parent_id)) !== folder.parent_id) {
    throw new ServiceError(
      'container_not_found',
      `The folder does not lie in the container ${input.parent_id}`,
      { parent_id: input.parent_id },
    );
  }
  const code = input.code === undefined ? folder.code : checkCode(input.code, 'folder');
  if (code !== folder.code) {
    const [taken] = await tx.query(
      sql`select from cartulary.container where map_id = ${map.id} and type <> 'map' and code = ${code}`,
    );
    if (taken) throw codeTaken(code);
  }
  const name = changedName(folder, input, lng ?? mainLanguage(caller));
  await tx.query(sql`
    update cartulary.container set code = ${code}, name = ${name.name}, names = ${JSON.stringify(name.names)}::jsonb,
      localized_name = ${name.localized_name}, json = ${JSON.stringify(input.json ?? folder.json)}::jsonb, version = version + 1
    where id = ${folder.id}`);
  if (input.sort !== undefined) await placeInParent(tx, folder.id, folder.parent_id!, input.sort);
  await touchMap(tx, map.id);
  return code;
}

/** The interface answers 404 where the parent is not named. */
function missingParent(): ServiceError {
  const { message, data } = requiredMissing('parent_id');
  return new ServiceError('container_not_found', message, data);
}

/** Deletes a folder and all that lies in it. */
export async function deleteFolder(tx: Queryable, map: MapContainer, code: string): Promise<void> {
  await lockTree(tx, map.id);
  const folder = await findFolder(tx, map, code);
  await dropLayerTables(tx, map.id, folder.id);
  await tx.query(sql`delete from cartulary.container where id = ${folder.id}`);
  await touchMap(tx, map.id);
}
