import type { Queryable } from '@cartulary/database';
import { badRequest, requiredMissing, ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { type Caller, mainLanguage } from '../access/caller.js';
import { checkIconPaths } from '../icons/icons.js';
import { checkCode, claimCode, generateCode, isPossibleCode } from './codes.js';
import { type Container, lockTree, type MapContainer, readContainer, touchMap } from './containers.js';
import { checkStorable } from './limits.js';
import { dropLayerTables } from './maps.js';
import { changedName, type NameInput, shownName } from './names.js';
import { findParent, holdsForbidden, placeInParent } from './tree.js';

/** The input of a folder; an absent key keeps its value. */
export interface FolderInput {
  code?: string;
  name?: NameInput;
  localized_name?: boolean;
  parent_id?: number;
  sort?: number;
  json?: Record<string, unknown>;
}

/** A folder in the structure of the interface. Without `lng`, a localized name is the object of all languages. */
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
export async function findFolder(
  db: Queryable,
  map: Pick<MapContainer, 'id'>,
  code: string,
): Promise<Container> {
  const [folder] = isPossibleCode(code)
    ? await db.query<Container>(sql`
        select * from cartulary.container where map_id = ${map.id} and type = 'folder' and code = ${code}`)
    : [];
  if (!folder) throw new ServiceError('container_not_found', `The folder '${code}' does not exist`);
  return folder;
}

/** Creates a folder. Throws 404 for a parent that is no container of the map, `code_taken`, 400. */
export async function createFolder(
  tx: Queryable,
  caller: Caller,
  map: MapContainer,
  input: FolderInput,
  lng?: string,
): Promise<Container> {
  checkStorable(input);
  await lockTree(tx, map.id);
  const parentId = await findParent(tx, map, input.parent_id);
  const code = input.code === undefined ? generateCode('folder') : checkCode(input.code, 'folder');
  const blank = { name: '', names: {}, localized_name: false };
  const name = changedName(blank, input, lng ?? mainLanguage(caller));
  const settings = await folderSettings(tx, caller, input.json ?? {});
  const insert = tx.query<{ id: number }>(sql`
    insert into cartulary.container (project_id, map_id, parent_id, type, code, name, names, localized_name, json, icon,
      tiles_quality, view_format_type)
    values (${map.project_id}, ${map.id}, ${parentId}, 'folder', ${code}, ${name.name}, ${JSON.stringify(name.names)}::jsonb,
      ${name.localized_name}, ${JSON.stringify(input.json ?? {})}::jsonb, ${settings.icon}, ${settings.tiles_quality},
      ${settings.view_format_type})
    returning id`);
  const [made] = await claimCode(code, insert);
  await placeInParent(tx, { id: made!.id, parentId }, input.sort);
  await touchMap(tx, map.id);
  return (await readContainer(tx, made!.id))!;
}

/** Changes code, name, sort or json of a folder. Throws 404 where `parent_id` is not its parent. */
export async function changeFolder(
  tx: Queryable,
  caller: Caller,
  at: { map: MapContainer; folder: string },
  input: FolderInput,
  lng?: string,
): Promise<Container> {
  const { map } = at;
  checkStorable(input);
  await lockTree(tx, map.id);
  const folder = await findFolder(tx, map, at.folder);
  if (input.parent_id === undefined) throw missingParent();
  const parentId = await findParent(tx, map, input.parent_id);
  if (parentId !== folder.parent_id) {
    throw new ServiceError('container_not_found', `The folder does not lie in the container ${parentId}`, {
      parent_id: parentId,
    });
  }
  const code = input.code === undefined ? folder.code : checkCode(input.code, 'folder');
  const name = changedName(folder, input, lng ?? mainLanguage(caller));
  const json = input.json ?? folder.json;
  const settings = input.json ? await folderSettings(tx, caller, json) : folder;
  const update = tx.query(sql`
    update cartulary.container set code = ${code}, name = ${name.name}, names = ${JSON.stringify(name.names)}::jsonb,
      localized_name = ${name.localized_name}, json = ${JSON.stringify(json)}::jsonb, icon = ${settings.icon},
      tiles_quality = ${settings.tiles_quality}, view_format_type = ${settings.view_format_type}
    where id = ${folder.id}`);
  await claimCode(code, update);
  if (input.sort !== undefined)
    await placeInParent(tx, { id: folder.id, parentId, before: folder.sort }, input.sort);
  await touchMap(tx, map.id);
  return (await readContainer(tx, folder.id))!;
}

type FolderSettings = Pick<Container, 'icon' | 'tiles_quality' | 'view_format_type'>;

/**
 * The settings in a folder's `json` that the interface may change: `icon`, `tiles_quality`, `view_format_type`. Throws 400
 * with the key.
 */
async function folderSettings(
  tx: Queryable,
  caller: Caller,
  json: Record<string, unknown>,
): Promise<FolderSettings> {
  const wrong = (key: string, expected: string): ServiceError =>
    badRequest(`json.${key} of a folder is ${expected}`, { parameters: [`json.${key}`] });
  const { icon = '', tiles_quality = 0, view_format_type = 0 } = json;
  if (typeof icon !== 'string' || icon.length > 1000) throw wrong('icon', 'the path of an icon, or empty');
  if (tiles_quality !== 0 && tiles_quality !== 1) throw wrong('tiles_quality', '0 or 1');
  if (view_format_type !== 0 && view_format_type !== 1 && view_format_type !== 2)
    throw wrong('view_format_type', '0, 1 or 2');
  await checkIconPaths(tx, caller.project, [icon]);
  return { icon, tiles_quality, view_format_type };
}

/** The interface answers 404 to a missing `parent_id`. */
function missingParent(): ServiceError {
  const { message, data } = requiredMissing('parent_id');
  return new ServiceError('container_not_found', message, data);
}

/** Deletes a folder and everything in it. Throws 403 when the caller may not edit a layer in it. */
export async function deleteFolder(
  tx: Queryable,
  caller: Caller,
  map: MapContainer,
  code: string,
): Promise<void> {
  await lockTree(tx, map.id);
  const folder = await findFolder(tx, map, code);
  if (await holdsForbidden(tx, caller, folder.id))
    throw new ServiceError('forbidden', 'The folder holds layers that you may not delete');
  await dropLayerTables(tx, caller, folder.id);
  await tx.query(sql`delete from cartulary.container where id = ${folder.id}`);
  await touchMap(tx, map.id);
}
