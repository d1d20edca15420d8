import type { Database } from '@cartulary/database';
import { Type } from 'typebox';
import { demandOnProject, levels } from '../access/rights.js';
import type { Config } from '../config.js';
import type { App } from '../http/app-type.js';
import { bodyLimits } from '../http/body/body-limits.js';
import { demandTag, IfMatch, ifMatchOf, withPresent } from '../http/headers/precondition.js';
import { answers, Flag, isOn, Path, Query } from '../http/params.js';
import { findMap, lockTree, withinMapLimits } from './containers.js';
import { containerTag } from './etags.js';
import { limitStyle } from './limits.js';
import { offeredLanguages } from './locales.js';
import { changeMap, createMap, deleteMap, mapView } from './maps.js';
import { listMapsOf, publishedMapView, viewableMaps } from './published-maps.js';
import { ListedMap, MapAnswer, MapBody, PublishedMap } from './schemas.js';

/** The services that these routes use. */
export interface ContainerServices {
  readonly db: Database;
  readonly config: Config;
}

const withToken = { token: 'required' } as const;
const tags = ['maps'];

/** The routes of the maps of a project. */
export function mapRoutes(app: App, services: ContainerServices): void {
  createMapRoute(app, services); // POST /
  readMapRoute(app, services); // GET /:map
  changeMapRoute(app, services); // PATCH /:map
  deleteMapRoute(app, services); // DELETE /:map
  listMapsRoute(app, services); // GET /maps
  availableMapsRoute(app, services); // GET /maps/available
  publicMapsRoute(app, services); // GET /maps/public
}

function createMapRoute(app: App, { db, config }: ContainerServices): void {
  app.post(
    '/',
    {
      config: withToken,
      bodyLimit: bodyLimits(config).medium,
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
    async ({ caller, owner, body, query }) => {
      await demandOnProject(db, caller, 'edit');
      limitStyle(body.css_style, config.styleLimitBytes);
      const map = await db.for(owner).transaction((tx) => createMap(tx, caller, body, query.lng));
      return mapView(map, caller, query.lng);
    },
  );
}

function readMapRoute(app: App, { db }: ContainerServices): void {
  app.get(
    '/:map',
    {
      schema: {
        tags,
        summary: 'A map',
        params: Path('map'),
        querystring: Query({
          returnLanguages: Flag('Adds the languages that the map offers'),
          returnJson: Flag('Adds the settings of the map'),
        }),
        response: answers(MapAnswer),
      },
    },
    async ({ caller, params, query }, reply) => {
      const map = await findMap(db, caller, params.map, 'view');
      reply.header('etag', containerTag(map));
      const view = mapView(map, caller, query.lng);
      return {
        ...view,
        ...(isOn(query.returnLanguages)
          ? { languages: offeredLanguages(map, caller.project.languages) }
          : {}),
        ...(isOn(query.returnJson) ? { json: shownSettings(map) } : {}),
      };
    },
  );
}

/** The settings of a map: all for editors, since some name columns; for others those of what the map page shows below the layers. */
function shownSettings({
  json,
  right,
}: {
  json: Record<string, unknown>;
  right: number;
}): Record<string, unknown> {
  if (right >= levels.edit) return json;
  const shown = ['ground', 'base_layer'].filter((key) => key in json);
  return Object.fromEntries(shown.map((key) => [key, json[key]]));
}

function changeMapRoute(app: App, { db, config }: ContainerServices): void {
  app.patch(
    '/:map',
    {
      config: withToken,
      bodyLimit: bodyLimits(config).medium,
      schema: {
        tags,
        summary: 'Change a map',
        description:
          'Publication (`publish`, `has_publication`) needs the right to administer the map, all else to edit it. What is absent keeps its value.',
        params: Path('map'),
        headers: IfMatch,
        querystring: Query({}),
        body: Type.Object({ code: Type.Optional(Type.String()), ...MapBody }),
        response: answers(MapAnswer),
      },
    },
    async (request, reply) => {
      const { caller, params, query, body } = request;
      const opens = body.publish !== undefined || body.has_publication !== undefined;
      const map = await findMap(db, caller, params.map, opens ? 'administer' : 'edit');
      limitStyle(body.css_style, config.styleLimitBytes);
      const work = db.for(request.owner).transaction(async (tx) => {
        const ifMatch = ifMatchOf(request);
        if (ifMatch !== undefined) demandTag(ifMatch, containerTag(await lockTree(tx, map.id)));
        return withinMapLimits(tx, { mapId: map.id, limits: config }, () =>
          changeMap(tx, caller, map, body, query.lng),
        );
      });
      const changed = await withPresent(work, async () =>
        mapView(await findMap(db, caller, params.map, 'edit'), caller, query.lng),
      );
      reply.header('etag', containerTag(changed));
      return mapView(changed, caller, query.lng);
    },
  );
}

function deleteMapRoute(app: App, { db }: ContainerServices): void {
  app.delete(
    '/:map',
    {
      config: withToken,
      schema: {
        tags,
        summary: 'Delete a map with all it holds',
        description: 'Needs the right to administer the map.',
        params: Path('map'),
        querystring: Query({}),
        response: answers(Type.Literal(true)),
      },
    },
    async ({ caller, owner, params }) => {
      const map = await findMap(db, caller, params.map, 'administer');
      await db.for(owner).transaction((tx) => deleteMap(tx, caller, map));
      return true;
    },
  );
}

function listMapsRoute(app: App, { db }: ContainerServices): void {
  app.get(
    '/maps',
    {
      config: withToken,
      schema: {
        tags,
        summary: 'The maps that the caller may view, with what a list of them shows',
        description: 'With the maps whose publication is closed, where the caller has a grant of their own.',
        params: Path(),
        querystring: Query({
          returnChanged: Flag('Adds `changed` to each map'),
          returnObjects: Flag('Adds `objects` to each map'),
        }),
        response: answers(Type.Array(ListedMap)),
      },
    },
    ({ caller, query }) => {
      const extras = { hasChanged: isOn(query.returnChanged), hasObjects: isOn(query.returnObjects) };
      return listMapsOf(db, caller, extras, query.lng);
    },
  );
}

function availableMapsRoute(app: App, { db }: ContainerServices): void {
  app.get(
    '/maps/available',
    {
      config: withToken,
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
}

function publicMapsRoute(app: App, { db }: ContainerServices): void {
  app.get(
    '/maps/public',
    {
      config: withToken,
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
