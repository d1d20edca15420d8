import { maxZoom } from '@cartulary/geo';
import { Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import type { Config } from '../../config.js';
import type { App } from '../../http/app-type.js';
import { truncatedAnswer } from '../../http/headers/truncated.js';
import { originOf, searchOf } from '../../http/origin.js';
import { answers, ofContent, orNotModified, Path } from '../../http/params.js';
import { cacheControl } from '../../http/reply.js';
import { LayersParameter } from '../plan/layers-parameter.js';
import { TileFilterParameter } from '../plan/tile-filter.js';
import type { VectorServing } from './serve-vectors.js';
import { type PlanVectorParts, planVectors, vectorRequest } from './tile.js';
import { tileJson } from './tilejson.js';

export const VectorQuery = Type.Object({
  layers: LayersParameter,
  filter: TileFilterParameter,
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
export const vectorAnswer = orNotModified({
  200: {
    description: 'A Mapbox vector tile (2.1)',
    headers: truncatedAnswer,
    content: { 'application/vnd.mapbox-vector-tile': { schema: { type: 'string', format: 'binary' } } },
  },
});

const integer = (description: string) => Type.Integer({ description });

/** The services of these routes. */
export interface VectorTileServices extends PlanVectorParts {
  readonly config: Config;
}

/** Registers the vector tiles of maps under `/mvt/<project>/<map>/`, in a scope of their own. */
export function vectorTileRoutes(app: App, services: VectorTileServices, vectors: VectorServing): void {
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
        response: vectorAnswer,
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request;
      const { map, z, x, y } = params;
      const content = vectorRequest(query, mainLanguage(caller));
      return vectors.send(request, reply, { map, place: { z, x, y }, content });
    },
  );
  tileJsonRoute(app, services);
}

function tileJsonRoute(app: App, services: VectorTileServices): void {
  const { db, config } = services;
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
      const plan = await planVectors(services, { caller, map: params.map, request: wanted }, gone);
      const origin = originOf(request, config);
      const search = searchOf(request.url);
      const template = `${origin}/mvt/${caller.project.code}/${params.map}/{z}/{x}/{y}.pbf${search ? `?${search}` : ''}`;
      reply.header('cache-control', cacheControl(request, plan.state.has_publication));
      return tileJson(db, { caller, map: params.map, plan, template, lng: wanted.lng }, gone);
    },
  );
}
