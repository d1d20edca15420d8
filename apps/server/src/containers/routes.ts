import { Type } from 'typebox';
import { demandOnProject } from '../access/rights.js';
import { bodyLimits } from '../http/body-limits.js';
import { answers, Path, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { findMap } from './containers.js';
import { changeFolder, createFolder, deleteFolder, findFolder, folderView } from './folders.js';
import { limitStyle } from './limits.js';
import { changeMap, createMap, deleteMap, mapView, publishedMapView, viewableMaps } from './maps.js';
import { FolderAnswer, FolderBody, MapAnswer, MapBody, PublishedMap } from './schemas.js';

/** Maps of a project. */
export function mapRoutes(app: App, { db, config }: Services): void {
  const tags = ['maps'];
  const token = { token: 'required' } as const;
  const { medium: bodyLimit } = bodyLimits(config);

  app.post(
    '/',
    {
      config: token,
      bodyLimit,
      schema: {
        tags,
        summary: 'Make a map',
        description: 'Needs the right to edit the project. The map is published.',
        params: Path(),
        querystring: Query({}),
        body: Type.Object({ code: Type.String(), ...MapBody }),
        response: answers(MapAnswer),
      },
    },
    async ({ caller, body, query }) => {
      await demandOnProject(db, caller, 'edit');
      limitStyle(body.css_style, config.styleLimit);
      const map = await db.transaction((tx) => createMap(tx, caller, body, query.lng));
      return mapView(map, caller, query.lng);
    },
  );

  app.get(
    '/:map',
    {
      schema: {
        tags,
        summary: 'A map',
        params: Path('map'),
        querystring: Query({}),
        response: answers(MapAnswer),
      },
    },
    async ({ caller, params, query }) =>
      mapView(await findMap(db, caller, params.map, 'view'), caller, query.lng),
  );

  app.patch(
    '/:map',
    {
      config: token,
      bodyLimit,
      schema: {
        tags,
        summary: 'Change a map',
        description:
          'Publication (`publish`, `has_publication`) needs the right to administer the map, all else to edit it. What is absent keeps its value.',
        params: Path('map'),
        querystring: Query({}),
        body: Type.Object({ code: Type.Optional(Type.String()), ...MapBody }),
        response: answers(MapAnswer),
      },
    },
    async ({ caller, params, query, body }) => {
      const opens = body.publish !== undefined || body.has_publication !== undefined;
      const map = await findMap(db, caller, params.map, opens ? 'administer' : 'edit');
      limitStyle(body.css_style, config.styleLimit);
      const changed = await db.transaction((tx) => changeMap(tx, caller, map, body, query.lng));
      return mapView(changed, caller, query.lng);
    },
  );

  app.delete(
    '/:map',
    {
      config: token,
      schema: {
        tags,
        summary: 'Delete a map with all it holds',
        description: 'Needs the right to administer the map.',
        params: Path('map'),
        querystring: Query({}),
        response: answers(Type.Literal(true)),
      },
    },
    async ({ caller, params }) => {
      const map = await findMap(db, caller, params.map, 'administer');
      await db.transaction((tx) => deleteMap(tx, map));
      return true;
    },
  );

  app.get(
    '/maps/available',
    {
      config: token,
      schema: {
        tags,
        summary: 'The published maps that the caller may view',
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Array(Type.Object({ id: Type.Integer(), code: Type.String() }))),
      },
    },
    async ({ caller }) =>
      (await viewableMaps(db, caller)).filter(({ publish }) => publish).map(({ id, code }) => ({ id, code })),
  );

  app.get(
    '/maps/public',
    {
      config: token,
      schema: {
        tags,
        summary: 'The maps that the public may view, with all their fields (administrator)',
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Array(PublishedMap)),
      },
    },
    async ({ caller, query }) => {
      await demandOnProject(db, caller, 'administer');
      const maps = await viewableMaps(db, caller);
      return maps.filter((map) => map.has_publication).map((map) => publishedMapView(map, caller, query.lng));
    },
  );
}

/** Folders of a map. */
export function folderRoutes(app: App, { db }: Services): void {
  const tags = ['folders'];
  const config = { token: 'required' } as const;

  app.post(
    '/:map/folders',
    {
      config,
      schema: {
        tags,
        summary: 'Make a folder',
        params: Path('map'),
        querystring: Query({}),
        body: FolderBody,
        response: answers(FolderAnswer),
      },
    },
    async ({ caller, params, query, body }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      const folder = await db.transaction((tx) => createFolder(tx, caller, map, body, query.lng));
      return folderView(folder, caller, query.lng);
    },
  );

  app.get(
    '/:map/folders/:folder',
    {
      config,
      schema: {
        tags,
        summary: 'A folder',
        params: Path('map', 'folder'),
        querystring: Query({}),
        response: answers(FolderAnswer),
      },
    },
    async ({ caller, params, query }) => {
      const map = await findMap(db, caller, params.map, 'view');
      return folderView(await findFolder(db, map, params.folder), caller, query.lng);
    },
  );

  app.route({
    method: ['PUT', 'PATCH'],
    url: '/:map/folders/:folder',
    config,
    schema: {
      tags,
      summary: 'Change code, name, sort or json of a folder',
      description: 'What is absent keeps its value, but for `parent_id`, which must be present.',
      params: Path('map', 'folder'),
      querystring: Query({}),
      body: FolderBody,
      response: answers(FolderAnswer),
    },
    handler: async ({ caller, params, query, body }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      const folder = await db.transaction((tx) =>
        changeFolder(tx, caller, { map, folder: params.folder }, body, query.lng),
      );
      return folderView(folder, caller, query.lng);
    },
  });

  app.delete(
    '/:map/folders/:folder',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a folder with all it holds',
        description: 'Needs the right to edit the map and every layer in the folder.',
        params: Path('map', 'folder'),
        querystring: Query({}),
        response: answers(Type.Literal(true)),
      },
    },
    async ({ caller, params }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      await db.transaction((tx) => deleteFolder(tx, caller, map, params.folder));
      return true;
    },
  );
}
