import { Type } from 'typebox';
import type { App } from '../http/app-type.js';
import { demandTag, IfMatch, ifMatchOf, withPresent } from '../http/headers/precondition.js';
import { answers, Path, Query } from '../http/params.js';
import { findMap, lockTree, withinMapLimits } from './containers.js';
import { containerTag } from './etags.js';
import { changeFolder, createFolder, deleteFolder, findFolder, folderView } from './folders.js';
import type { ContainerServices } from './routes.js';
import { FolderAnswer, FolderBody } from './schemas.js';

const withToken = { token: 'required' } as const;
const tags = ['folders'];

/** The routes of the folders of a map. */
export function folderRoutes(app: App, services: ContainerServices): void {
  createFolderRoute(app, services); // POST /:map/folders
  readFolderRoute(app, services); // GET /:map/folders/:folder
  changeFolderRoute(app, services); // PUT, PATCH /:map/folders/:folder
  deleteFolderRoute(app, services); // DELETE /:map/folders/:folder
}

function createFolderRoute(app: App, { db, config }: ContainerServices): void {
  app.post(
    '/:map/folders',
    {
      config: withToken,
      schema: {
        tags,
        summary: 'Make a folder',
        params: Path('map'),
        querystring: Query({}),
        body: FolderBody,
        response: answers(FolderAnswer),
      },
    },
    async ({ caller, owner, params, query, body }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      const folder = await db
        .for(owner)
        .transaction((tx) =>
          withinMapLimits(tx, { mapId: map.id, limits: config }, () =>
            createFolder(tx, caller, map, body, query.lng),
          ),
        );
      return folderView(folder, caller, query.lng);
    },
  );
}

function readFolderRoute(app: App, { db }: ContainerServices): void {
  app.get(
    '/:map/folders/:folder',
    {
      config: withToken,
      schema: {
        tags,
        summary: 'A folder',
        params: Path('map', 'folder'),
        querystring: Query({}),
        response: answers(FolderAnswer),
      },
    },
    async ({ caller, params, query }, reply) => {
      const map = await findMap(db, caller, params.map, 'view');
      const folder = await findFolder(db, map, params.folder);
      reply.header('etag', containerTag(folder));
      return folderView(folder, caller, query.lng);
    },
  );
}

function changeFolderRoute(app: App, { db, config }: ContainerServices): void {
  app.route({
    method: ['PUT', 'PATCH'],
    url: '/:map/folders/:folder',
    config: withToken,
    schema: {
      tags,
      summary: 'Change code, name, sort or json of a folder',
      description: 'What is absent keeps its value, but for `parent_id`, which must be present.',
      params: Path('map', 'folder'),
      headers: IfMatch,
      querystring: Query({}),
      body: FolderBody,
      response: answers(FolderAnswer),
    },
    handler: async (request, reply) => {
      const { caller, params, query, body } = request;
      const map = await findMap(db, caller, params.map, 'edit');
      const work = db.for(request.owner).transaction(async (tx) => {
        const ifMatch = ifMatchOf(request);
        if (ifMatch !== undefined) {
          await lockTree(tx, map.id);
          demandTag(ifMatch, containerTag(await findFolder(tx, map, params.folder)));
        }
        return withinMapLimits(tx, { mapId: map.id, limits: config }, () =>
          changeFolder(tx, caller, { map, folder: params.folder }, body, query.lng),
        );
      });
      const folder = await withPresent(work, async () =>
        folderView(await findFolder(db, map, params.folder), caller, query.lng),
      );
      reply.header('etag', containerTag(folder));
      return folderView(folder, caller, query.lng);
    },
  });
}

function deleteFolderRoute(app: App, { db }: ContainerServices): void {
  app.delete(
    '/:map/folders/:folder',
    {
      config: withToken,
      schema: {
        tags,
        summary: 'Delete a folder with all it holds',
        description: 'Needs the right to edit the map and every layer in the folder.',
        params: Path('map', 'folder'),
        querystring: Query({}),
        response: answers(Type.Literal(true)),
      },
    },
    async ({ caller, owner, params }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      await db.for(owner).transaction((tx) => deleteFolder(tx, caller, map, params.folder));
      return true;
    },
  );
}
