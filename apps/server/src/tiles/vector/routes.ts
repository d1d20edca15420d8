import type { Database } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import { isInMatrix, maxZoom } from '@cartulary/geo';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import { type Config, longStatements } from '../../config.js';
import type { App } from '../../http/app-type.js';
import { tellTruncated, truncatedAnswer } from '../../http/headers/truncated.js';
import { originOf } from '../../http/origin.js';
import { answers, ofContent, Path } from '../../http/params.js';
import { asBuffer, cacheControl, etagOf, isFresh } from '../../http/reply.js';
import type { IconFiles } from '../../icons/icons.js';
import { changedMeanwhile } from '../../layers/layers.js';
import type { TileCache } from '../cache/memory.js';
import { LayersParameter, parseIds } from '../plan/layers-parameter.js';
import { createContentReader } from '../plan/map-content.js';
import { type PlanVectorParts, planVectors, type VectorRequest, VectorTileMaker } from './tile.js';
import { tileJson } from './tilejson.js';

/** The services of these routes. */
export interface VectorTileServices {
  readonly db: Database;
  readonly icons: IconFiles;
  readonly config: Config;
}

const VectorQuery = Type.Object({
  layers: LayersParameter,
  fields: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description:
        'Codes of columns with commas, or * for all. When absent: the column of the popup (vectorSettings) and the one that names the objects',
    }),
  ),
  ...ofContent,
});

/** Schema of a binary answer, which JSON schema types cannot describe. */
const Tile: Record<string, unknown> = {
  200: {
    description: 'A Mapbox vector tile (2.1)',
    headers: truncatedAnswer,
    content: { 'application/vnd.mapbox-vector-tile': { schema: { type: 'string', format: 'binary' } } },
  },
};

const integer = (description: string) => Type.Integer({ description });

/** Registers the vector tiles of maps under `/mvt/<project>/<map>/`, in a scope of their own. */
export function vectorTileRoutes(app: App, services: VectorTileServices, cache: TileCache): void {
  const { db, icons, config } = services;
  const parts = { db, readContent: createContentReader(db, icons) };
  const tiles = new VectorTileMaker(db, cache, {
    features: config.vectorTileFeatures,
    bytes: config.vectorTileBytes,
    atOnce: longStatements(config),
    maxWaiting: config.databaseQueue,
    maxWaitMs: config.databaseWait,
    isEncodedByDatabase: config.fastVectorEncoding,
    isBatched: config.fastVectorTiles,
  });

  app.get(
    '/:map/:z(^\\d{1,2})/:x(^\\d{1,8})/:y(^\\d{1,8}).pbf',
    {
      schema: {
        tags: ['tiles'],
        summary: 'A vector tile of a map',
        description:
          'A layer of the tile for each layer of objects, named by its code; each feature has `svc_id` and the values of `fields`. Rows count from the north (XYZ). Never older than the last acknowledged write.',
        params: Type.Object({
          ...Path('map').properties,
          z: integer(`Zoom level, 0 to ${maxZoom}`),
          x: integer('Column, from the west'),
          y: integer('Row, from the north (XYZ)'),
        }),
        querystring: VectorQuery,
        response: Tile,
      },
    },
    async (request, reply) => {
      const { caller, params, query, gone } = request;
      const { map, z, x, y } = params;
      if (!isInMatrix(z, x, y))
        throw badRequest(`There is no tile ${z}/${x}/${y}`, { parameters: ['z', 'x', 'y'] });
      const wanted = vectorRequest(query, mainLanguage(caller));
      const plan = await planVectors(parts, { caller, map, request: wanted }, gone);
      reply.header('cache-control', cacheControl(request, plan.state.has_publication));
      reply.header('vary', 'accept-encoding');
      if (isFresh(request, reply, etagOf(plan.key, z, x, y))) return reply.code(304).send();
      const isPacked = acceptsGzip(request);
      const tile = await tiles
        .tile(plan, { request: wanted, place: { z, x, y }, isPacked })
        .catch((error) => {
          reply.removeHeader('etag');
          throw changedMeanwhile(error);
        });
      reply.type('application/vnd.mapbox-vector-tile');
      if (isPacked) reply.header('content-encoding', 'gzip');
      tellTruncated(reply, tile.truncated);
      return reply.send(asBuffer(tile.bytes));
    },
  );
  tileJsonRoute(app, services, parts);
}

function tileJsonRoute(app: App, { db, config }: VectorTileServices, parts: PlanVectorParts): void {
  app.get(
    '/:map/tilejson.json',
    {
      schema: {
        tags: ['tiles'],
        summary: 'The content of the vector tiles of a map, as TileJSON 3.0',
        description: 'For MapLibre and others: `{"type": "vector", "url": "…/tilejson.json"}`.',
        params: Path('map'),
        querystring: VectorQuery,
        response: answers(Type.Record(Type.String(), Type.Unknown()), 'TileJSON'),
      },
    },
    async (request, reply) => {
      const { caller, params, query, gone } = request;
      const wanted = vectorRequest(query, mainLanguage(caller));
      const plan = await planVectors(parts, { caller, map: params.map, request: wanted }, gone);
      const origin = originOf(request, config);
      const search = request.url.split('?')[1];
      const template = `${origin}/mvt/${caller.project.code}/${params.map}/{z}/{x}/{y}.pbf${search ? `?${search}` : ''}`;
      reply.header('cache-control', cacheControl(request, plan.state.has_publication));
      return tileJson(db, { caller, map: params.map, plan, template, lng: wanted.lng }, gone);
    },
  );
}

const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  /(?:^|,)\s*(?:x-)?gzip\s*(?:,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|$)/i.test(headers['accept-encoding'] ?? '');

function vectorRequest({ layers, fields, lng }: Static<typeof VectorQuery>, main: string): VectorRequest {
  const codes = fields?.split(',').map((code) => code.trim());
  return {
    layers: layers === undefined ? undefined : parseIds(layers),
    fields: codes === undefined ? undefined : codes.includes('*') ? '*' : codes.filter(Boolean),
    lng: lng ?? main,
    main,
  };
}
