import type { App } from '../../http/app-type.js';
import { Path } from '../../http/params.js';
import { collectionAt, documentAs, doorOf, mediaTypes, selfLinks, sendJson } from '../common/addresses.js';
import { sendDoorPage } from '../common/page.js';
import {
  DoorQuery,
  refuseUnknownParameters,
  viewableMap,
  wantsPage,
  withCollection,
} from '../common/requests.js';
import type { OgcServices } from '../services.js';
import { listCollections, oneCollection } from './collections.js';
import { collectionPage, collectionsPage, schemaPage } from './pages.js';
import { featureSchema, queryables, returnables, sortables } from './schema.js';

const tags = ['ogc'];

/** The collections of a map and what describes them. */
export function collectionRoutes(app: App, services: OgcServices): void {
  listRoute(app, services); // GET /:map/collections
  oneRoute(app, services); // GET /:map/collections/:layer
  schemaRoutes(app, services); // GET /:map/collections/:layer/queryables, sortables, schema, feature-schema
}

function listRoute(app: App, services: OgcServices): void {
  app.get(
    '/:map/collections',
    {
      schema: {
        tags,
        summary: 'Collections of a map',
        params: Path('map'),
        querystring: DoorQuery({}),
        response: documentAs(),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const { caller, query } = request;
      const map = await viewableMap(services, request);
      const door = doorOf(request, services.config);
      const collections = await listCollections(services.db, { caller, map, lng: query.lng, door });
      if (wantsPage(request))
        return sendDoorPage(reply, collectionsPage(collections, { door, map: map.code }));
      return { links: selfLinks(`${door}/collections`, request), collections };
    },
  );
}

function oneRoute(app: App, services: OgcServices): void {
  app.get(
    '/:map/collections/:layer',
    {
      schema: {
        tags,
        summary: 'A collection',
        params: Path('map', 'layer'),
        querystring: DoorQuery({}),
        response: documentAs(),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const { caller, query } = request;
      return withCollection(request, { services, level: 'view', isDrawn: true }, async (layer) => {
        const door = doorOf(request, services.config);
        const collection = await oneCollection(
          services.db,
          { caller, layer, lng: query.lng, door },
          request.gone,
        );
        return wantsPage(request)
          ? sendDoorPage(reply, collectionPage(collection, { door, layer, project: caller.project.code }))
          : collection;
      });
    },
  );
}

const schemas = [
  ['queryables', 'Properties for filters', queryables],
  ['sortables', 'Properties to sort by', sortables],
  ['schema', 'Properties and their types', returnables],
  ['feature-schema', 'A feature as GeoJSON', featureSchema],
] as const;

function schemaRoutes(app: App, services: OgcServices): void {
  for (const [name, summary, describe] of schemas)
    app.get(
      `/:map/collections/:layer/${name}`,
      {
        schema: {
          tags,
          summary,
          params: Path('map', 'layer'),
          querystring: DoorQuery({}),
          response: documentAs(mediaTypes.schema),
        },
      },
      async (request, reply) => {
        refuseUnknownParameters(request);
        const { caller, query, params } = request;
        return withCollection(request, { services, level: 'view' }, async (layer) => {
          const door = doorOf(request, services.config);
          const address = `${collectionAt(door, params.layer)}/${name}`;
          const schema = await describe(services.db, { layer, caller, lng: query.lng, address });
          return wantsPage(request)
            ? sendDoorPage(reply, schemaPage(schema, { door, layer: layer.code, title: summary }))
            : sendJson(reply, mediaTypes.schema, schema);
        });
      },
    );
}
