import { beginShortRequest, cleanName, contentDisposition } from '@cartulary/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import { checkLanguage } from '../containers/names.js';
import type { App } from '../http/app-type.js';
import { parametersOf, yieldForLargeBody } from '../http/body/body.js';
import { bodyLimits } from '../http/body/body-limits.js';
import { tellTruncated } from '../http/headers/truncated.js';
import { originOf } from '../http/origin.js';
import { answers, Flag, isOn, Query } from '../http/params.js';
import type { Layer } from '../layers/layers.js';
import { sendList, sendObject } from './answer.js';
import { countListed, countMatches, countObjects } from './count.js';
import { withIndex } from './find/sort-index.js';
import { nextLink } from './link.js';
import { isLight, openTexts } from './object-texts.js';
import { cursorTooLong } from './query/cursor.js';
import type { Parameters } from './query/parameters.js';
import { type ObjectQuery, parseListQuery } from './query/query.js';
import { type LayerRequest, layerPath, objectPath, readObjectText, tags, withLayerOf } from './request.js';
import * as schemas from './schemas.js';
import type { ObjectServices } from './services.js';
import { statisticsRoutes } from './statistics/routes.js';
import { writeRoutes } from './write/write-routes.js';

/** The routes of a layer's objects. */
export function objectRoutes(app: App, services: ObjectServices): void {
  countRoute(app, services); // GET /:map/layers/:layer/count
  listRoute(app, services); // GET /:map/layers/:layer/objects
  filterRoute(app, services); // POST /:map/layers/:layer/filter
  readRoute(app, services); // GET /:map/layers/:layer/objects/:object
  statisticsRoutes(app, services);
  writeRoutes(app, services);
}

function countRoute(app: App, services: ObjectServices): void {
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
          filter: schemas.FilterParameter,
        }),
        response: answers(Type.Integer({ minimum: 0 }), 'The number'),
      },
    },
    async (request) => {
      const { heavy } = services.db.for(request.owner);
      const { precise, filter } = request.query;
      return withLayerOf(request, { services, level: 'view' }, (layer) => {
        if (filter === undefined) return countObjects(heavy, layer, isOn(precise), request.gone);
        const query = parseListQuery({ filter }, layer, mainLanguage(request.caller), services.config);
        return isOn(precise)
          ? countMatches(heavy, layer, { query }, request.gone)
          : countListed(heavy, layer, query, request.gone);
      });
    },
  );
}

const listAnswer = answers(
  Type.Array(schemas.ObjectAnswer),
  'The objects; a header Link: rel="next" when there are more, and Cartulary-Truncated: <layer code>=<kept>/<of> where it was the service that set the limit',
);

function listRoute(app: App, services: ObjectServices): void {
  app.get(
    `${layerPath}/objects`,
    {
      config: { work: 'lists' },
      schema: {
        tags,
        summary: 'Objects',
        params: schemas.LayerPath,
        querystring: schemas.ListQuery,
        response: listAnswer,
      },
    },
    (request, reply) => answerList(services, request, reply),
  );
}

function filterRoute(app: App, services: ObjectServices): void {
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
        querystring: schemas.FilterQuery,
        body: schemas.FilterBody,
        response: listAnswer,
      },
    },
    (request, reply) => answerList(services, request, reply),
  );
}

/** Sends the list of a request, with headers for its continuation and for the objects that a limit of the service leaves out. */
async function answerList(
  services: ObjectServices,
  request: LayerRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { query, found } = await withLayerOf(request, { services, level: 'view' }, async (layer) => {
    await yieldForLargeBody(request);
    const parameters = request.method === 'POST' ? parametersOf(request) : (request.query as Parameters);
    const asked = parseListQuery(parameters, layer, mainLanguage(request.caller), services.config);
    if (asked.lng !== undefined) checkLanguage(asked.lng);
    const query = await withIndex(services, layer, asked, request.caller.at);
    if (isLight(layer, query)) reply.raw.once('close', beginShortRequest());
    const db = services.db.for(request.owner);
    const found = await openTexts(db, layer, query, request.gone);
    if (found.hasMore && query.isLimited) {
      const of = await countListed(db.heavy, layer, query, request.gone);
      const least = query.offset + query.limit + 1;
      tellTruncated(reply, [{ code: layer.code, kept: query.limit, of: Math.max(of, least) }]);
    }
    return { query, found };
  });
  if (found.hasMore && query.cursor && found.cursor === undefined) throw cursorTooLong();
  if (found.hasMore && query.limit > 0) {
    const origin = originOf(request, services.config);
    reply.header('link', nextLink(origin, request.url, continuationOf(query, found.cursor)));
  }
  return sendList(reply, found, services.lists);
}

/**
 * The parameters that continue a list. Behind the largest offset it continues with a cursor. A body may repeat the offset, which
 * does not go together with a cursor: `offset=0` overrides it.
 */
const continuationOf = (
  { offset, limit }: ObjectQuery,
  cursor: string | undefined,
): { offset?: number; cursor?: string } =>
  cursor === undefined ? { offset: offset + limit } : { cursor, ...(offset ? { offset: 0 } : {}) };

function readRoute(app: App, services: ObjectServices): void {
  app.get(
    objectPath,
    {
      schema: {
        tags,
        summary: 'One object',
        description:
          'An object that does not exist is answered with its id and empty fields; with f=pdf, a feature sheet to read and print, with 404.',
        params: schemas.ObjectPath,
        querystring: schemas.SingleObjectQuery,
        response: schemas.ofObjectOrSheet,
      },
    },
    async (request, reply) => {
      return withLayerOf(request, { services, level: 'view' }, async (layer) => {
        if (request.query.f === 'pdf') return sendFeatureSheet(request, reply, { services, layer });
        const at = { db: services.db, layer, id: request.params.object };
        return sendObject(reply, await readObjectText(request, at, request.gone));
      });
    },
  );
}

/** Sends the PDF sheet of the object. */
async function sendFeatureSheet(
  request: FastifyRequest<{ Params: { object: number }; Querystring: { lng?: string } }>,
  reply: FastifyReply,
  { services, layer }: { services: ObjectServices; layer: Layer },
): Promise<FastifyReply> {
  const { caller, params, query, gone } = request;
  const { name, pdf } = await services.makeFeatureSheet(
    { caller, layer, id: params.object, lng: query.lng, owner: request.owner },
    gone,
  );
  return reply
    .type('application/pdf')
    .header('cache-control', 'private, no-store')
    .header('content-disposition', contentDisposition('inline', `${cleanName(name)}.pdf`))
    .send(pdf);
}
