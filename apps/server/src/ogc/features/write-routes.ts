import { valueColumns } from '@cartulary/columns';
import { badRequest } from '@cartulary/errors';
import { checkGeometry, type SR } from '@cartulary/geo';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { writtenLanguages } from '../../access/languages.js';
import type { App } from '../../http/app-type.js';
import { yieldForLargeBody } from '../../http/body/body.js';
import { bodyLimits } from '../../http/body/body-limits.js';
import { IfMatch, ifMatchOf } from '../../http/headers/precondition.js';
import { Path } from '../../http/params.js';
import { type Layer, ownsObjects } from '../../layers/layers.js';
import {
  createObject,
  deleteObjects,
  demandObjectTags,
  findObjectText,
  type ObjectInput,
  updateObject,
} from '../../objects/store.js';
import { collectionAt, doorOf } from '../common/addresses.js';
import { findCrs, toLonLat } from '../common/crs.js';
import { DoorQuery, refuseUnknownParameters, withCollection } from '../common/requests.js';
import type { OgcServices } from '../services.js';
import { demandMediaType } from './body-types.js';
import { ItemPath } from './item-routes.js';

const itemsPath = '/:map/collections/:layer/items';
const itemPath = `${itemsPath}/:object`;
const tags = ['ogc'];
const Feature = Type.Object(
  {
    type: Type.Optional(Type.Literal('Feature')),
    properties: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        description: 'Values by the codes of columns',
      }),
    ),
    geometry: Type.Optional(Type.Unknown({ description: 'GeoJSON geometry, or null' })),
  },
  { description: 'A GeoJSON feature; its geometry in CRS84, or in the system of the header Content-Crs' },
);
const emptyAnswer = { 204: { type: 'null', description: 'It is done' } };
const written = { tags, querystring: DoorQuery({}) };

/** Writes of features: the same functions as those of the interface. */
export function itemWriteRoutes(app: App, services: OgcServices): void {
  optionsRoutes(app, services); // OPTIONS /:map/collections/:layer/items, items/:object
  createRoute(app, services); // POST /:map/collections/:layer/items
  changeRoute(app, services, 'PUT'); // PUT /:map/collections/:layer/items/:object
  changeRoute(app, services, 'PATCH'); // PATCH /:map/collections/:layer/items/:object
  deleteRoute(app, services); // DELETE /:map/collections/:layer/items/:object
}

/** Tells the methods that the caller may use: programs offer to edit what has them. */
function optionsRoutes(app: App, services: OgcServices): void {
  for (const [path, methods] of [
    [itemsPath, 'POST'],
    [itemPath, 'PUT, PATCH, DELETE'],
  ] as const)
    app.options(path, { schema: { hide: true } }, async (request, reply) =>
      withCollection(request, { services, level: 'view' }, async (layer) => {
        const mayWrite = ownsObjects(layer) && layer.right >= 2;
        return reply
          .code(204)
          .header('allow', `GET, HEAD, ${mayWrite ? `${methods}, ` : ''}OPTIONS`)
          .send();
      }),
    );
}

function createRoute(app: App, services: OgcServices): void {
  app.post(
    itemsPath,
    {
      config: { token: 'required' },
      bodyLimit: bodyLimits(services.config).large,
      preParsing: demandMediaType,
      schema: {
        ...written,
        summary: 'Create a feature',
        params: Path('map', 'layer'),
        body: Feature,
        response: { 201: { type: 'null', description: 'It is created; Location has its address' } },
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const { layer, id } = await withCollection(request, { services, level: 'edit' }, async (layer) => {
        const input = await inputOf(services, request);
        const work = services.db.for(request.owner).transaction((tx) => createObject(tx, layer, input));
        return { layer, id: await work };
      });
      const address = `${collectionAt(doorOf(request, services.config), layer.code)}/items/${id}`;
      return reply.code(201).header('location', address).send(null);
    },
  );
}

/** PUT replaces all values, except files; PATCH changes those that are named. */
function changeRoute(app: App, services: OgcServices, method: 'PUT' | 'PATCH'): void {
  app.route({
    method,
    url: itemPath,
    config: { token: 'required' },
    bodyLimit: bodyLimits(services.config).large,
    preParsing: demandMediaType,
    schema: {
      ...written,
      summary: method === 'PUT' ? 'Replace a feature' : 'Change a feature',
      params: ItemPath,
      headers: IfMatch,
      body: Feature,
      response: emptyAnswer,
    },
    handler: async (request, reply) => {
      refuseUnknownParameters(request);
      const id = (request.params as { object: number }).object;
      const etag = await withCollection(request, { services, level: 'edit' }, async (layer) => {
        const sent = await inputOf(services, request);
        const input =
          method === 'PUT'
            ? { ...sent, fields: replacing(layer, sent.fields), geom: sent.geom ?? null }
            : sent;
        const output = { columns: [], main: input.languages.language, display: false };
        return services.db.for(request.owner).transaction(async (tx) => {
          await demandObjectTags(tx, layer, [conditionsOf(request, id)]);
          const now = await updateObject(tx, layer, { id, input }, () =>
            findObjectText(tx, layer, { id, output }),
          );
          return now?.etag;
        });
      });
      if (etag !== undefined) reply.header('etag', etag);
      return reply.code(204).send();
    },
  });
}

function deleteRoute(app: App, services: OgcServices): void {
  app.delete(
    itemPath,
    {
      config: { token: 'required' },
      schema: {
        ...written,
        summary: 'Delete a feature',
        params: ItemPath,
        headers: IfMatch,
        response: emptyAnswer,
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const { object: id } = request.params;
      await withCollection(request, { services, level: 'edit' }, (layer) =>
        services.db.for(request.owner).transaction(async (tx) => {
          await demandObjectTags(tx, layer, [conditionsOf(request, id)]);
          await deleteObjects(tx, layer, [id]);
        }),
      );
      return reply.code(204).send();
    },
  );
}

/** The conditions of a write of a feature. */
const conditionsOf = (request: FastifyRequest, id: number) =>
  [id, ifMatchOf(request), request.headers['if-none-match']] as const;

/** All values, those that are not sent as null. Files stay: they are not part of a feature. */
const replacing = (layer: Layer, sent: ObjectInput['fields']): ObjectInput['fields'] => ({
  ...Object.fromEntries(
    valueColumns(layer.columns)
      .filter(({ type }) => type !== 'file')
      .map(({ code }) => [code, null]),
  ),
  ...sent,
});

/** The feature of a body as an object of the layer. */
async function inputOf(services: OgcServices, request: FastifyRequest): Promise<ObjectInput> {
  await yieldForLargeBody(request);
  const { properties, geometry, type } = request.body as {
    type?: string;
    properties?: ObjectInput['fields'] | null;
    geometry?: unknown;
  };
  if (type === undefined && properties === undefined && geometry === undefined)
    throw badRequest('The body must be a GeoJSON feature', { parameters: ['body'] });
  const { lng } = request.query as { lng?: string };
  const { svc_id: _, ...fields } = properties ?? {};
  return {
    fields,
    languages: writtenLanguages(request.caller, lng),
    ...(await shapeOf(services, request, geometry)),
  };
}

/** The geometry in a projection that is stored. Those of other systems are transformed by the database. */
async function shapeOf(
  { db }: OgcServices,
  request: FastifyRequest,
  geometry: unknown,
): Promise<{ geom: unknown; sr: SR }> {
  const header = request.headers['content-crs'];
  const text = typeof header === 'string' ? header.replace(/^<(.*)>$/, '$1') : undefined;
  const crs = await findCrs(db, text, 'Content-Crs');
  if (geometry === undefined || geometry === null) return { geom: geometry, sr: '4326' };
  if (!crs.isNorthFirst && (crs.srid === 4326 || crs.srid === 3857))
    return { geom: geometry, sr: crs.srid === 3857 ? '3857' : '4326' };
  const geom = await toLonLat(db, checkGeometry(geometry, 'any'), crs, 'geometry');
  return { geom, sr: '4326' };
}
