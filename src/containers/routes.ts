import { Type } from 'typebox';
import { demandOnProject } from '../access/rights.js';
import { answers, Name, Path, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { findMap } from './containers.js';
import { changeFolder, createFolder, deleteFolder, findFolder, folderView } from './folders.js';
import { changeMap, createMap, deleteMap, mapView, publishedMapView, viewableMaps } from './maps.js';

const AnyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const MapAnswer = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  css_style: Type.String({ description: 'CartoCSS of the map: the background under its layers' }),
  group_layers: Type.Integer({ description: '0 = several layers, 1 = a single layer' }),
  has_publication: Type.Boolean({ description: 'Whether the map can be viewed without authorization' }),
});

const MapBody = {
  name: Type.Optional(Name),
  localized_name: Type.Optional(Type.Boolean()),
  css_style: Type.Optional(Type.String({ description: 'CartoCSS: `Map { background-color: … }`' })),
  group_layers: Type.Optional(Type.Integer()),
  publish: Type.Optional(
    Type.Boolean({ description: 'false: only callers with a grant of their own see the map' }),
  ),
  has_publication: Type.Optional(Type.Boolean({ description: 'Whether the public may view the map' })),
  json: Type.Optional(AnyObject('Settings of the map')),
  render_settings: Type.Optional(AnyObject('Extended rendering settings')),
  comment: Type.Optional(Type.String({ maxLength: 100_000 })),
  show_pub: Type.Optional(Type.Boolean()),
  sort: Type.Optional(Type.Number()),
  locales: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 1000 })),
};

/** Maps of a project. */
export function mapRoutes(app: App, { db }: Services): void {
  const tags = ['maps'];
  const token = { token: 'required' } as const;

  app.post(
    '/',
    {
      config: token,
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
    async (request) => {
      const { caller, body, query } = request;
      await demandOnProject(db, caller, 'edit');
      await db.transaction((tx) => createMap(tx, caller, body, query.lng));
      return mapView(await findMap(db, caller, body.code, 'view'), caller, query.lng);
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
      schema: {
        tags,
        summary: 'Change a map',
        description:
          'Publication (`publish`, `has_publication`) needs the right to administer the map, all else to edit it.',
        params: Path('map'),
        querystring: Query({}),
        body: Type.Object({ code: Type.Optional(Type.String()), ...MapBody }),
        response: answers(MapAnswer),
      },
    },
    async ({ caller, params, query, body }) => {
      const opens = body.publish !== undefined || body.has_publication !== undefined;
      const map = await findMap(db, caller, params.map, opens ? 'administer' : 'edit');
      await db.transaction((tx) => changeMap(tx, caller, map, body, query.lng));
      return mapView(await findMap(db, caller, body.code ?? map.code, 'view'), caller, query.lng);
    },
  );

  app.delete(
    '/:map',
    {
      config: token,
      schema: {
        tags,
        summary: 'Delete a map with all it holds',
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
        summary: 'Published maps available to the caller',
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Array(Type.Object({ id: Type.Integer(), code: Type.String() }))),
      },
    },
    async ({ caller }) => (await viewableMaps(db, caller)).map(({ id, code }) => ({ id, code })),
  );

  app.get(
    '/maps/public',
    {
      config: token,
      schema: {
        tags,
        summary: 'Published maps with all their fields (administrator)',
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Array(AnyObject('A map'))),
      },
    },
    async ({ caller, query }) => {
      await demandOnProject(db, caller, 'administer');
      const maps = await viewableMaps(db, caller);
      return maps.filter((map) => map.has_publication).map((map) => publishedMapView(map, caller, query.lng));
    },
  );
}

const FolderAnswer = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  code: Type.String(),
  name: Name,
  sort: Type.Integer(),
  icon: Type.String(),
  selected: Type.Boolean(),
  parent_id: Type.Integer(),
  render_type: Type.Integer(),
  map_layer_id: Type.Integer(),
  style_mode: Type.Integer(),
  tiles_quality: Type.Integer(),
  json: AnyObject('Settings'),
  view_format_type: Type.Integer(),
});

const FolderBody = Type.Object({
  code: Type.Optional(Type.String({ description: 'Made by the service when absent' })),
  localized_name: Type.Optional(Type.Boolean()),
  name: Type.Optional(Name),
  parent_id: Type.Optional(
    Type.Integer({
      description: 'Map or folder; on a change it must be present and name where the folder lies',
    }),
  ),
  sort: Type.Optional(Type.Number({ description: 'Siblings are numbered anew' })),
  json: Type.Optional(AnyObject('Settings')),
});

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
      const code = await db.transaction((tx) => createFolder(tx, caller, map, body, query.lng));
      return folderView(await findFolder(db, map, code), caller, query.lng);
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
      params: Path('map', 'folder'),
      querystring: Query({}),
      body: FolderBody,
      response: answers(FolderAnswer),
    },
    handler: async ({ caller, params, query, body }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      const code = await db.transaction((tx) =>
        changeFolder(tx, caller, { map, folder: params.folder }, body, query.lng),
      );
      return folderView(await findFolder(db, map, code), caller, query.lng);
    },
  });

  app.delete(
    '/:map/folders/:folder',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a folder with all it holds',
        params: Path('map', 'folder'),
        querystring: Query({}),
        response: answers(Type.Literal(true)),
      },
    },
    async ({ caller, params }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      await db.transaction((tx) => deleteFolder(tx, map, params.folder));
      return true;
    },
  );
}
