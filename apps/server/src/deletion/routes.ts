import type { Database } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { Type } from 'typebox';
import type { Caller } from '../access/caller.js';
import { demandOnProject } from '../access/rights.js';
import { isStorable } from '../access/storable-texts.js';
import { findMap } from '../containers/containers.js';
import { findFolder } from '../containers/folders.js';
import type { App } from '../http/app-type.js';
import { answers, Path, Query } from '../http/params.js';
import { findColumn } from '../layers/columns/columns.js';
import { findLayer, holdsObjects } from '../layers/layers.js';
import { guarded } from '../objects/store.js';
import { parseDeletion } from '../objects/write/deletion.js';
import * as counts from './counts.js';

/** Services that this file uses. */
export interface DeletionServices {
  readonly db: Database;
}

const text = (description: string) => Type.Optional(Type.String({ description }));
const number = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

/** Numbers of what a deletion takes, in an answer. */
export const DeletionCounts = Type.Object({
  maps: number('Maps'),
  folders: number('Folders'),
  layers: number('Layers'),
  objects: number('Objects of layers; those of virtual layers belong to their sources'),
  columns: number('Columns, without svc_id and geom'),
  values: number('Objects with a value in the column'),
  files: number('Files of objects'),
  bytes: number('Their size'),
  users: number('Users'),
  groups: number('Groups of the project; those that a user is in'),
  members: number('Users in the group'),
  sessions: number('Sessions of the user'),
  grants: number('Grants of rights on it, or to the user or group'),
  constraints: number('Constraints of the column'),
  dictionary_links: number('Columns elsewhere that take their values from it'),
  readers: Type.Optional(
    Type.Array(Type.String(), { description: 'Layers elsewhere whose queries read it: map.layer' }),
  ),
  other_readers: number('More of them, which the caller may not view'),
});

interface Named {
  map?: string;
  folder?: string;
  layer?: string;
  column?: string;
  objects?: string;
  user?: string;
  group?: string;
}

/** The route that counts what a deletion would take. */
export function deletionRoutes(app: App, { db }: DeletionServices): void {
  app.get(
    '/deletion',
    {
      config: { token: 'required', work: 'lists' },
      schema: {
        tags: ['projects'],
        summary: 'What a deletion would take, counted before it is done',
        description:
          'Of the project, or of what the parameters name. Needs the right to delete it. An answer has the numbers that its kind has. An extension of the interface.',
        params: Path(),
        querystring: Query({
          map: text('Code of a map'),
          folder: text('Code of a folder of the map'),
          layer: text('Code of a layer of the map'),
          column: text('Code of a column of the layer'),
          objects: text('Objects of the layer: ids separated by semicolons, or first-last'),
          user: text('Login of a user'),
          group: text('Name of a group'),
        }),
        response: answers(DeletionCounts, 'The numbers'),
      },
    },
    ({ caller, owner, query, gone }) => {
      checkNamed(query);
      const own = db.for(owner);
      if (query.map === undefined) return countPeople(own, caller, query, gone);
      return countInMap(own, caller, { ...query, map: query.map }, gone);
    },
  );
}

/** Parameters that name one thing stand alone; others need the thing that they are in. */
function checkNamed(named: Named): void {
  const wrong = (parameter: string, why: string) =>
    badRequest(`${parameter}: ${why}`, { parameters: [parameter] });
  const { map, folder, layer, column, objects, user, group } = named;
  if ([map, user, group].filter((one) => one !== undefined).length > 1)
    throw wrong(user === undefined ? 'group' : 'user', 'stands alone');
  if (map === undefined && (folder ?? layer) !== undefined)
    throw wrong(folder === undefined ? 'layer' : 'folder', 'needs map beside it');
  if (folder !== undefined && layer !== undefined) throw wrong('folder', 'does not go together with layer');
  if (layer === undefined && (column ?? objects) !== undefined)
    throw wrong(column === undefined ? 'objects' : 'column', 'needs layer beside it');
  if (column !== undefined && objects !== undefined)
    throw wrong('column', 'does not go together with objects');
}

async function countPeople(
  db: Database,
  caller: Caller,
  { user, group }: Named,
  signal: AbortSignal,
): Promise<counts.Counts> {
  await demandOnProject(db, caller, 'administer');
  if (user !== undefined) return counts.countUser(db, caller.project.id, user);
  if (group === undefined) return counts.countProject(db.heavy, caller, signal);
  const found = isStorable(group) ? await counts.countGroup(db, caller.project.id, group) : undefined;
  if (!found) throw new ServiceError('container_not_found', 'The group does not exist');
  return found;
}

async function countInMap(
  db: Database,
  caller: Caller,
  { map: code, folder, layer, column, objects }: Named & { map: string },
  signal: AbortSignal,
): Promise<counts.Counts> {
  if (layer !== undefined) {
    const found = await findLayer(db, caller, { map: code, layer }, 'edit');
    if (column !== undefined)
      return guarded(() => counts.countColumn(db.heavy, found, findColumn(found, column), signal));
    if (objects === undefined) return counts.countLayer(db.heavy, caller, found.id, signal);
    if (!holdsObjects(found)) throw badRequest(`The layer '${layer}' holds no objects`);
    return guarded(() => counts.countSomeObjects(db.heavy, found, parseDeletion(objects), signal));
  }
  const map = await findMap(db, caller, code, folder === undefined ? 'administer' : 'edit');
  if (folder === undefined) return counts.countMap(db.heavy, caller, map.id, signal);
  const { id } = await findFolder(db, map, folder);
  return counts.countFolder(db.heavy, caller, id, signal);
}
