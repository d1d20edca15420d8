import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import { checkLanguage } from '../containers/names.js';
import { badRequest } from '../errors.js';
import { inOwnTurn, parametersOf } from '../http/body.js';
import { bodyLimits } from '../http/body-limits.js';
import { cleanName, contentDisposition } from '../http/file-names.js';
import { originOf } from '../http/origin.js';
import { ownerOf } from '../http/owner.js';
import { answers, Flag, isOn, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import type { Layer } from '../layers/layers.js';
import { jsonType, sendList } from './answer.js';
import { countObjects } from './count.js';
import { nextLink } from './link.js';
import { type Parameters, parseListQuery } from './query.js';
import { openTexts } from './read.js';
import { type LayerRequest, layerPath, objectPath, objectText, tags, withLayerOf } from './request.js';
import * as schemas from './schemas.js';
import { withIndex } from './sort-index.js';
import { geometryRoutes, objectWriting } from './write-routes.js';

/** The functions of a layer's objects. */
export function objectRoutes(app: App, services: Services): void {
  listRoutes(app, services);
  objectReading(app, services);
  objectWriting(app, services);
  geometryRoutes(app, services);
}

function listRoutes(app: App, services: Services): void {
  app.get(
    `${layerPath}/count`,
    {
      config: { work: 'lists' },
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
      return withLayerOf(request, { services, level: 'view' }, (layer) =>
        countObjects(services.db.heavy, layer, isOn(request.query.precise), request.gone),
      );
    },
  );

  const list = async (request: LayerRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { query, found } = await withLayerOf(request, { services, level: 'view' }, async (layer) => {
      await inOwnTurn(request);
      const parameters = request.method === 'POST' ? parametersOf(request) : (request.query as Parameters);
      const asked = parseListQuery(parameters, layer, mainLanguage(request.caller), services.config);
      if (asked.lng !== undefined) checkLanguage(asked.lng);
      const query = await withIndex(services, layer, asked, request.caller.at);
      return { query, found: await openTexts(services.db, layer, query, request.gone) };
    });
    if (found.hasMore && query.cursor && found.cursor === undefined)
      throw badRequest('cursor: the values that the list is sorted by are too long for it', {
        parameters: ['cursor'],
      });
    if (found.hasMore && query.limit > 0) {
      const origin = originOf(request, services.config);
      const { cursor } = found;
      // Where an offset has led to the largest one, a cursor goes on; it does not go together with the offset that a body repeats.
      const next =
        cursor === undefined
          ? { offset: query.offset + query.limit }
          : { cursor, ...(query.offset ? { offset: 0 } : {}) };
      reply.header('link', nextLink(origin, request.url, next));
    }
    return sendList(reply, found, services.lists);
  };
  const response = answers(
    Type.Array(schemas.ObjectAnswer),
    'The objects; a header Link: rel="next" when there are more',
  );
  app.get(
    `${layerPath}/objects`,
    {
      config: { work: 'lists' },
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
      config: { work: 'lists' },
      bodyLimit: bodyLimits(services.config).medium,
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

function objectReading(app: App, services: Services): void {
  app.get(
    objectPath,
    {
      schema: {
        tags,
        summary: 'One object',
        description:
          'An object that does not exist is answered with its id and empty fields; with f=pdf, a card to read and print, with 404.',
        params: schemas.ObjectPath,
        querystring: schemas.ObjectQuery,
        response: schemas.ofObjectOrCard,
      },
    },
    async (request, reply) => {
      return withLayerOf(request, { services, level: 'view' }, async (layer) => {
        if (request.query.f === 'pdf') return sendCard(request, reply, { services, layer });
        const at = { db: services.db, layer, id: request.params.object };
        return reply.type(jsonType).send(await objectText(request, at, request.gone));
      });
    },
  );
}

/** The PDF card of the object of the request. */
async function sendCard(
  request: FastifyRequest<{ Params: { object: number }; Querystring: { lng?: string } }>,
  reply: FastifyReply,
  { services, layer }: { services: Services; layer: Layer },
): Promise<FastifyReply> {
  const { caller, params, query, gone } = request;
  const { name, pdf } = await services.makeCard(
    { caller, layer, id: params.object, lng: query.lng, owner: ownerOf(caller, request.ip) },
    gone,
  );
  return reply
    .type('application/pdf')
    .header('cache-control', 'private, no-store')
    .header('content-disposition', contentDisposition('inline', `${cleanName(name)}.pdf`))
    .send(pdf);
}
