import { valueColumns } from '@cartulary/columns';
import { beginShortRequest } from '@cartulary/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import { checkLanguage } from '../../containers/names.js';
import type { App } from '../../http/app-type.js';
import { bytesAs, orNotModified, Path } from '../../http/params.js';
import { cacheControl, etagOf, sentUnchanged } from '../../http/reply.js';
import type { Layer } from '../../layers/layers.js';
import {
  findObjectText,
  isLight,
  type ObjectQuery,
  objectNotFound,
  openTexts,
  pageBefore,
  sendList,
  withIndex,
} from '../../objects/store.js';
import {
  collectionAt,
  documentAs,
  doorOf,
  type Link,
  mediaTypes,
  selfLinks,
  sendJson,
} from '../common/addresses.js';
import { matchedCount } from '../common/counts.js';
import { type Crs, findCrs } from '../common/crs.js';
import { featureOutput } from '../common/feature-queries.js';
import { sendDoorPage } from '../common/page.js';
import {
  DoorQuery,
  fileFormatOf,
  fileFormats,
  refuseUnknownParameters,
  wantsPage,
  withCollection,
} from '../common/requests.js';
import type { OgcServices } from '../services.js';
import { sendItemFile } from './item-files.js';
import { filterColumns, type ItemParameters, itemParameters, parseItems } from './items-query.js';
import { isAtStart, pageLinks } from './page-links.js';
import { itemPage, itemsPage } from './pages.js';

const tags = ['ogc'];
const forms = ['json', 'geojson', 'html'];
const listForms = [...forms, ...fileFormats.keys()];

export const ItemPath = Type.Object({
  ...Path('map', 'layer').properties,
  object: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Id of the feature',
  }),
});

const ItemsQuery = DoorQuery(
  Object.fromEntries(
    Object.entries(itemParameters).map(([name, description]) => {
      const text = Type.String({ description });
      return [name, Type.Optional(name === 'datetime' ? Type.Union([text, Type.Array(text)]) : text)];
    }),
  ),
  listForms,
);

/** Features of a collection. */
export function itemRoutes(app: App, services: OgcServices): void {
  itemsRoute(app, services); // GET /:map/collections/:layer/items
  itemRoute(app, services); // GET /:map/collections/:layer/items/:object
}

function itemsRoute(app: App, services: OgcServices): void {
  app.get(
    '/:map/collections/:layer/items',
    {
      config: { work: (request) => (fileFormatOf(request) ? 'exports' : 'lists') },
      schema: {
        tags,
        summary: 'Features of a collection',
        description:
          'Parameters with the code of a column filter by its value. As a file it has all features that meet the conditions, without pages.',
        params: Path('map', 'layer'),
        querystring: ItemsQuery,
        response: orNotModified(bytesAs('GeoJSON, a file, or a page', mediaTypes.geojson, '*/*')),
      },
    },
    (request, reply) =>
      withCollection(request, { services, level: 'view' }, (layer) =>
        answerItems(services, { layer, request, reply }),
      ),
  );
}

/** Most features on a page for readers. */
const pageLimit = 50;

interface Answered {
  layer: Layer;
  request: FastifyRequest;
  reply: FastifyReply;
}

async function answerItems(services: OgcServices, answered: Answered): Promise<FastifyReply> {
  const { layer, request, reply } = answered;
  refuseUnknownParameters(
    request,
    filterColumns(layer.columns).map(({ code }) => code),
  );
  const { config } = services;
  const db = services.db.for(request.owner);
  const parameters = itemParametersOf(request);
  const main = mainLanguage(request.caller);
  if (parameters.lng !== undefined) checkLanguage(parameters.lng);
  const { query: parsed, crs, before } = await parseItems(db, parameters, { layer, main, config });
  const self = collectionAt(doorOf(request, config), layer.code);
  const state = [layer.id, layer.data_version, layer.structure, layer.map.version];
  const tag = etagOf(state, [request.url, self, wantsPage(request), fileFormatOf(request)?.code, main]);
  describeAnswer(request, reply, crs);
  if (sentUnchanged(request, reply, tag)) return reply;
  const format = fileFormatOf(request);
  if (format) return sendItemFile(services, { layer, query: parsed, crs, format }, request, reply);
  const query = await placedQuery(services, { layer, query: parsed, before }, request);
  if (isLight(layer, query)) reply.raw.once('close', beginShortRequest());
  const found = await openTexts(db, layer, query, request.gone);
  const links = pageLinks(`${self}/items`, request, { query, found, before });
  if (links.length) reply.header('link', links.map(({ href, rel }) => `<${href}>; rel="${rel}"`).join(', '));
  return wantsPage(request)
    ? sendItemsPage(services, answered, { found, links })
    : sendItems(services, answered, { query, found, links, self });
}

/** Headers of an answer with features. */
function describeAnswer(request: FastifyRequest, reply: FastifyReply, crs: Crs): void {
  reply.header('content-crs', `<${crs.uri}>`).header('vary', 'Accept, Authorization, X-Token');
  reply.header('cache-control', cacheControl(request, false));
}

/** The parameters of a list; a page for readers has few features. */
function itemParametersOf(request: FastifyRequest): ItemParameters {
  const parameters = request.query as ItemParameters;
  if (!wantsPage(request)) return parameters;
  const { limit = String(pageLimit) } = parameters;
  return { ...parameters, limit: Number(limit) > pageLimit ? String(pageLimit) : limit };
}

type Found = Awaited<ReturnType<typeof openTexts>>;

async function sendItemsPage(
  { config }: OgcServices,
  { layer, request, reply }: Answered,
  { found, links }: { found: Found; links: readonly Link[] },
): Promise<FastifyReply> {
  const slices: Buffer[] = [];
  for await (const slice of found.slices) if (slice.length) slices.push(slice);
  const features = JSON.parse(`[${slices.join(',')}]`);
  const [next, prev] = ['next', 'prev'].map((rel) => links.find((link) => link.rel === rel)?.href);
  return sendDoorPage(reply, itemsPage(features, { door: doorOf(request, config), layer, next, prev }));
}

async function sendItems(
  services: OgcServices,
  { layer, request, reply }: Answered,
  { query, found, links, self }: { query: ObjectQuery; found: Found; links: Link[]; self: string },
): Promise<FastifyReply> {
  const isWhole = !found.hasMore && !query.offset && (!query.cursor || isAtStart(query));
  const selection = selectionOf(request.query as ItemParameters);
  const counted = { query: withoutCursor(query), selection };
  const matched = isWhole ? found.count : await matchedCount(services.db, layer, counted, request.gone);
  const collection = { href: self, rel: 'collection', type: mediaTypes.json, title: layer.code };
  const head = JSON.stringify({
    type: 'FeatureCollection',
    ...(matched === undefined ? {} : { numberMatched: matched }),
    numberReturned: found.count,
    links: [...selfLinks(`${self}/items`, request, mediaTypes.geojson), collection, ...links],
  });
  return sendList(reply, found, services.lists, {
    head: `${head.slice(0, -1)},"features":[`,
    tail: ']}',
    type: mediaTypes.geojson,
    separator: ',',
  });
}

const withoutCursor = ({ cursor: _, ...query }: ObjectQuery): ObjectQuery => ({ ...query, offset: 0 });

/** The query with its index, at the place where its page begins. */
async function placedQuery(
  services: OgcServices,
  { layer, query, before: pages }: { layer: Layer; query: ObjectQuery; before: number },
  request: FastifyRequest,
): Promise<ObjectQuery> {
  const indexed = await withIndex(services, layer, { ...query, tellsNext: true }, request.caller.at);
  if (!pages || !query.cursor) return indexed;
  const db = services.db.for(request.owner).heavy;
  const { start, limit } = await pageBefore(db, layer, { query, pages }, request.gone);
  return { ...indexed, cursor: start, limit };
}

/** The parameters that choose features, as a key. */
const selectionOf = (parameters: ItemParameters): string =>
  JSON.stringify(
    Object.entries(parameters)
      .filter(
        ([name]) =>
          ![
            'limit',
            'cursor',
            'before',
            'skip',
            'offset',
            'crs',
            'f',
            'properties',
            'sortby',
            'token',
          ].includes(name),
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function itemRoute(app: App, services: OgcServices): void {
  const { db, config } = services;
  app.get(
    '/:map/collections/:layer/items/:object',
    {
      schema: {
        tags,
        summary: 'A feature',
        params: ItemPath,
        querystring: DoorQuery(
          { crs: Type.Optional(Type.String({ description: itemParameters.crs })) },
          forms,
        ),
        response: orNotModified(documentAs(mediaTypes.geojson)),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      return withCollection(request, { services, level: 'view' }, async (layer) => {
        const { query, params } = request;
        const crs = await findCrs(db, query.crs, 'crs');
        const output = {
          columns: valueColumns(layer.columns),
          lng: query.lng,
          main: mainLanguage(request.caller),
          display: false,
          ...featureOutput(crs),
        };
        const found = await findObjectText(db, layer, { id: params.object, output }, request.gone);
        if (!found) throw objectNotFound(params.object);
        const door = doorOf(request, config);
        const self = collectionAt(door, layer.code);
        reply.header('content-crs', `<${crs.uri}>`).header('cache-control', cacheControl(request, false));
        reply.header('vary', 'Accept, Authorization, X-Token');
        if (wantsPage(request))
          return sendDoorPage(reply, itemPage(JSON.parse(found.text), { door, layer: layer.code }));
        if (found.etag !== undefined && sentUnchanged(request, reply, found.etag)) return reply;
        const links = [
          ...selfLinks(`${self}/items/${params.object}`, request, mediaTypes.geojson),
          { href: self, rel: 'collection', type: mediaTypes.json, title: layer.code },
        ];
        return sendJson(
          reply,
          mediaTypes.geojson,
          `${found.text.slice(0, -1)},"links":${JSON.stringify(links)}}`,
        );
      });
    },
  );
}
