import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import type { Level } from '../access/rights.js';
import { checkLanguage } from '../containers/names.js';
import type { Queryable } from '../db/pool.js';
import type { SR } from '../geo/bbox.js';
import { parametersOf } from '../http/body.js';
import { answers, Flag, isOn, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { findLayer, type Layer } from '../layers/layers.js';
import { jsonType, sendList } from './answer.js';
import { parseDeletion } from './deletion.js';
import { demandObjects, demandWritable } from './guard.js';
import { nextLink } from './link.js';
import { type Output, type Parameters, parseListQuery, parseOutput, valueColumns } from './query.js';
import { countObjects, findObject, geometryOf, openList } from './read.js';
import { rowWriter } from './row.js';
import * as schemas from './schemas.js';
import {
  copyObject,
  createObject,
  deleteObjects,
  type ObjectInput,
  setGeometry,
  updateObject,
} from './write.js';

/** The functions of a layer's objects. */
export function objectRoutes(app: App, services: Services): void {
  listRoutes(app, services);
  objectReading(app, services);
  objectWriting(app, services);
  geometryRoutes(app, services);
}

const layerPath = '/:map/layers/:layer';
const objectPath = `${layerPath}/objects/:object`;
const tags = ['objects'];
const ofObject = answers(schemas.ObjectAnswer, 'The object');
const yes = answers(Type.Boolean(), 'true');

type LayerRequest = FastifyRequest<{ Params: { map: string; layer: string } }>;

/** The layer of the request, for reading or for writing its objects. Throws 400 when it is of a type that holds none. */
async function layerOf(request: LayerRequest, services: Services, level: Level): Promise<Layer> {
  const layer = await findLayer(services.db, request.caller, request.params, level);
  if (level === 'view') demandObjects(layer);
  else demandWritable(layer);
  return layer;
}

function listRoutes(app: App, services: Services): void {
  app.get(
    `${layerPath}/count`,
    {
      schema: {
        tags,
        summary: 'Number of objects',
        params: schemas.LayerPath,
        querystring: Query({
          precise: Flag('1: exact; 0: exact up to 10,000 objects, above that a fast estimate'),
        }),
        response: answers(Type.Integer({ minimum: 0 }), 'The number'),
      },
    },
    async (request) => {
      const layer = await layerOf(request, services, 'view');
      return countObjects(services.db, layer, isOn(request.query.precise), request.gone);
    },
  );

  const list = async (request: LayerRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const layer = await layerOf(request, services, 'view');
    const parameters = request.method === 'POST' ? parametersOf(request) : (request.query as Parameters);
    const query = parseListQuery(parameters, layer, mainLanguage(request.caller), services.config);
    if (query.lng !== undefined) checkLanguage(query.lng);
    const found = await openList(services.db, layer, query, request.gone);
    if (found.hasMore && query.limit > 0) {
      const origin = services.config.baseUrl || `${request.protocol}://${request.host}`;
      reply.header('link', nextLink(origin, request.url, query.offset + query.limit));
    }
    return sendList(reply, found, query);
  };
  const response = answers(
    Type.Array(schemas.ObjectAnswer),
    'The objects; a header Link: rel="next" when there are more',
  );
  app.get(
    `${layerPath}/objects`,
    {
      schema: {
        tags,
        summary: 'Objects',
        params: schemas.LayerPath,
        querystring: schemas.ListQuery,
        response,
      },
    },
    list,
  );
  app.post(
    `${layerPath}/filter`,
    {
      schema: {
        tags,
        summary: 'Objects, the parameters in the body',
        description: 'Parameters may also stand in the query, where they win over those of the body.',
        params: schemas.LayerPath,
        querystring: schemas.ListQuery,
        body: schemas.FilterBody,
        response,
      },
    },
    list,
  );
}

/** How the single object is returned: all its columns. */
const outputOf = (request: FastifyRequest, layer: Layer): Output => ({
  ...parseOutput(request.query as Parameters, mainLanguage(request.caller)),
  columns: valueColumns(layer.columns),
});

/** One object as the answer; undefined: it is not there. */
async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, layer, db }: { id: number; layer: Layer; db: Queryable },
): Promise<FastifyReply> {
  const output = outputOf(request, layer);
  const row = await findObject(db, layer, { id, output }, request.gone);
  return reply.type(jsonType).send(row ? rowWriter(output)(row) : JSON.stringify({ id, fields: {} }));
}

function objectReading(app: App, services: Services): void {
  app.get(
    objectPath,
    {
      schema: {
        tags,
        summary: 'One object',
        description: 'An object that does not exist is answered with its id and empty fields.',
        params: schemas.ObjectPath,
        querystring: schemas.OutputQuery,
        response: ofObject,
      },
    },
    async (request, reply) => {
      const layer = await layerOf(request, services, 'view');
      return sendObject(request, reply, { id: request.params.object, layer, db: services.db });
    },
  );
}

/** What a body says of an object. */
const inputOf = (
  request: FastifyRequest,
  body: { fields?: Record<string, unknown>; geom?: unknown },
): ObjectInput => {
  const { lng, geomSR = '4326' } = request.query as { lng?: string; geomSR?: SR };
  const language = lng ?? mainLanguage(request.caller);
  return { fields: body.fields ?? {}, geom: body.geom, sr: geomSR, language };
};

function objectWriting(app: App, services: Services): void {
  const { db } = services;
  const shared = { tags, querystring: schemas.OutputQuery, response: ofObject };
  app.post(
    `${layerPath}/objects`,
    {
      config: { token: 'required' },
      schema: { ...shared, summary: 'Make an object', params: schemas.LayerPath, body: schemas.CreateBody },
    },
    async (request, reply) => {
      const layer = await layerOf(request, services, 'edit');
      const input = inputOf(request, request.body);
      const output = outputOf(request, layer);
      const row = await db.transaction(async (tx) => {
        const id = await createObject(tx, layer, input);
        return findObject(tx, layer, { id, output });
      });
      return reply.type(jsonType).send(rowWriter(output)(row!));
    },
  );
  app.put(
    objectPath,
    {
      config: { token: 'required' },
      schema: {
        ...shared,
        summary: 'Change an object',
        params: schemas.ObjectPath,
        body: schemas.UpdateBody,
      },
    },
    async (request, reply) => {
      const layer = await layerOf(request, services, 'edit');
      const { object: id } = request.params;
      const input = inputOf(request, request.body ?? {});
      const output = outputOf(request, layer);
      const row = await db.transaction(async (tx) => {
        await updateObject(tx, layer, id, input);
        return findObject(tx, layer, { id, output });
      });
      return reply.type(jsonType).send(rowWriter(output)(row!));
    },
  );
  copying(app, services);
  deleting(app, services);
}

function copying(app: App, services: Services): void {
  app.post(
    `${objectPath}/copy`,
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'Copy an object into a layer',
        description:
          'Under the same id, in place of the object that has it there. Columns are matched by code and converted; one that the target lacks is left out, one that the source lacks is empty.',
        params: schemas.ObjectPath,
        querystring: schemas.OutputQuery,
        body: schemas.CopyBody,
        response: ofObject,
      },
    },
    async (request, reply) => {
      const { object: id } = request.params;
      const source = await layerOf(request, services, 'view');
      const at = { map: request.body.map_code, layer: request.body.layer_code };
      const target = await findLayer(services.db, request.caller, at, 'edit');
      demandWritable(target);
      const output = outputOf(request, target);
      const row = await services.db.transaction(async (tx) => {
        await copyObject(tx, { layer: source, id, main: mainLanguage(request.caller) }, target);
        return findObject(tx, target, { id, output });
      });
      return reply.type(jsonType).send(rowWriter(output)(row!));
    },
  );
}

function deleting(app: App, services: Services): void {
  app.delete(
    objectPath,
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'Delete an object',
        params: schemas.ObjectPath,
        querystring: Query({}),
        response: yes,
      },
    },
    async (request) => {
      const layer = await layerOf(request, services, 'edit');
      await services.db.transaction((tx) => deleteObjects(tx, layer, [request.params.object]));
      return true;
    },
  );
  app.delete(
    `${layerPath}/objects`,
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'Delete objects',
        description:
          'A list is deleted all or nothing: 404 when one is missing. A range deletes what there is in it: 404 when there is nothing.',
        params: schemas.LayerPath,
        querystring: Query({
          delete_params: Type.Optional(Type.String({ description: 'In place of the body' })),
        }),
        body: schemas.DeleteBody,
        response: yes,
      },
    },
    async (request) => {
      const layer = await layerOf(request, services, 'edit');
      const which = parseDeletion(parametersOf(request).delete_params);
      await services.db.transaction((tx) => deleteObjects(tx, layer, which));
      return true;
    },
  );
}

function geometryRoutes(app: App, services: Services): void {
  const path = `${objectPath}/geom`;
  const shared = {
    tags,
    params: schemas.ObjectPath,
    querystring: schemas.GeometryQuery,
    response: answers(schemas.GeometryAnswer, 'The geometry'),
  };
  app.get(
    path,
    { config: { token: 'required' }, schema: { ...shared, summary: 'Geometry of an object' } },
    async (request, reply) => {
      const layer = await layerOf(request, services, 'view');
      const { geomSR: sr = '4326' } = request.query;
      const geom = await geometryOf(services.db, layer, { id: request.params.object, sr }, request.gone);
      return reply.type(jsonType).send(geom ?? 'null');
    },
  );
  app.put(
    path,
    {
      config: { token: 'required' },
      schema: {
        ...shared,
        summary: 'Change the geometry of an object',
        body: Type.Unknown({ description: 'GeoJSON geometry; null removes it' }),
      },
    },
    async (request, reply) => {
      const layer = await layerOf(request, services, 'edit');
      const { object: id } = request.params;
      const { geomSR: sr = '4326' } = request.query;
      const geom = request.body === undefined ? {} : request.body;
      const stored = await services.db.transaction(async (tx) => {
        await setGeometry(tx, layer, id, { geom, sr });
        return geometryOf(tx, layer, { id, sr });
      });
      return reply.type(jsonType).send(stored ?? 'null');
    },
  );
}
