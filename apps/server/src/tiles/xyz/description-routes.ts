import { badRequest } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import type { Config } from '../../config.js';
import type { App } from '../../http/app-type.js';
import { answers, isOn, ofContent, orNotModified, Path } from '../../http/params.js';
import { cacheControl, etagOf, sentUnchanged } from '../../http/reply.js';
import { pictureFormats } from '../pictures/picture-formats.js';
import { parseIds } from '../plan/layers-parameter.js';
import { pictureParameters, Retina } from '../tile-parameters.js';
import { VectorQuery } from '../vector/routes.js';
import { type PlanVectorParts, planVectors, vectorRequest } from '../vector/tile.js';
import { tileJson } from '../vector/tilejson.js';
import { centreOf, tileTemplate } from './addresses.js';
import { type DescribedMap, type Description, mapStyle, rasterTileJson } from './map-style.js';

/** The services of these routes. */
export interface DescriptionServices extends PlanVectorParts {
  readonly config: Config;
}

const { layers, base, q, filter } = pictureParameters;

const described = { layers, base, q, filter, retina: Retina, ...ofContent };

const StyleQuery = Type.Object({
  ...described,
  format: Type.Optional(
    Type.Enum(pictureFormats, { default: 'png', description: 'Format of the raster tiles' }),
  ),
});

const TileJsonQuery = Type.Object({
  ...described,
  format: Type.Optional(
    Type.Enum([...pictureFormats, 'mvt'], {
      default: 'png',
      description: 'Format of the tiles; mvt: vector tiles',
    }),
  ),
  fields: VectorQuery.properties.fields,
});

const AnyObject = Type.Record(Type.String(), Type.Unknown());

/** Registers the descriptions of a map's tiles, beside their addresses. */
export function descriptionRoutes(app: App, services: DescriptionServices): void {
  app.get(
    '/:map/tilejson.json',
    {
      schema: {
        tags: ['tiles'],
        summary: 'The tiles of a map, as TileJSON 3.0',
        description:
          'The address of the raster tiles, or with `format=mvt` of the vector tiles, with zoom levels, bounds, a centre and the attribution. Other parameters go into the address of the tiles.',
        params: Path('map'),
        querystring: TileJsonQuery,
        response: orNotModified(answers(AnyObject, 'TileJSON')),
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const found = await (query.format === 'mvt'
        ? vectorTileJson(request, { map: params.map, query }, services)
        : rasterTileJson(services, describedMap(request, params.map, query, services), request.gone));
      return sendDescription(request, reply, found);
    },
  );
  app.get(
    '/:map/style.json',
    {
      schema: {
        tags: ['tiles'],
        summary: 'The style of a map for MapLibre',
        description:
          'Layers over vector tiles where the CartoCSS or the visualization can be said in MapLibre, and raster tiles of the others; `metadata` tells which, and why.',
        params: Path('map'),
        querystring: StyleQuery,
        response: orNotModified(answers(AnyObject, 'A MapLibre style')),
      },
    },
    async (request, reply) => {
      const wanted = describedMap(request, request.params.map, request.query, services);
      return sendDescription(request, reply, await mapStyle(services, wanted, request.gone));
    },
  );
}

/** The description has an ETag of its content: it is small, and depends on more than the map. */
function sendDescription(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, isPublic }: Description,
): FastifyReply {
  reply.header('cache-control', cacheControl(request, isPublic));
  if (sentUnchanged(request, reply, etagOf(json))) return reply;
  return reply.send(json);
}

/** What a request for a description asks for. */
export function describedMap(
  request: FastifyRequest,
  map: string,
  query: Partial<Static<typeof StyleQuery> | Static<typeof TileJsonQuery>>,
  { config }: DescriptionServices,
): DescribedMap {
  const { retina, format = 'png', layers, base, lng, q, filter, token } = query;
  return {
    ...{ request, config, map, caller: request.caller },
    layers: layers === undefined ? undefined : parseIds(layers),
    base: base === undefined || isOn(base),
    lng: lng ?? mainLanguage(request.caller),
    filter,
    query: { layers, base, q, filter, lng, token },
    end: `${retina === undefined || retina === 1 ? '' : `@${retina}x`}.${format}`,
  };
}

async function vectorTileJson(
  request: FastifyRequest,
  { map, query }: { map: string; query: Static<typeof TileJsonQuery> },
  services: DescriptionServices,
): Promise<Description> {
  const { db, config } = services;
  const { caller, gone } = request;
  for (const name of ['base', 'q', 'retina'] as const)
    if (query[name] !== undefined) throw badRequest(`Vector tiles have no ${name}`, { parameters: [name] });
  const wanted = vectorRequest(query, mainLanguage(caller));
  const plan = await planVectors(services, { caller, map, request: wanted }, gone);
  const { layers, fields, filter, lng, token } = query;
  const template = tileTemplate({ request, config, map }, '.mvt', { layers, fields, filter, lng, token });
  const json = await tileJson(db, { caller, map, plan, template, lng: wanted.lng }, gone);
  const { bounds, minzoom, maxzoom } = json;
  const center = centreOf(bounds, { minzoom, maxzoom });
  return { json: { ...json, center }, isPublic: plan.state.has_publication };
}
