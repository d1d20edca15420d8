import type { Database } from '@cartulary/database';
import { maxZoom } from '@cartulary/geo';
import { Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import type { Config } from '../../config.js';
import type { App } from '../../http/app-type.js';
import { answers, Flag, isOn, Path, Query } from '../../http/params.js';
import { changedMeanwhile } from '../../layers/layers.js';
import { LayersParameter, parseIds } from '../plan/layers-parameter.js';
import type { ReadContent } from '../plan/map-content.js';
import { TileFilterParameter } from '../plan/tile-filter.js';
import type { RendererPool } from '../render/pool.js';
import { createIdentifier, pointFrameOnTiles } from './identify.js';

const IdentifyQuery = Query({
  lon: Type.Number({ minimum: -180, maximum: 180, description: 'Longitude, degrees', examples: [9.0] }),
  lat: Type.Number({ minimum: -85.06, maximum: 85.06, description: 'Latitude, degrees', examples: [53.0] }),
  z: Type.Integer({
    minimum: 0,
    maximum: maxZoom,
    description: 'Zoom level of the tiles that are looked at',
    examples: [12],
  }),
  tolerance: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 32,
      default: 4,
      description: 'Pixels of a tile around the point in which an object is found, too',
    }),
  ),
  layers: LayersParameter,
  filter: TileFilterParameter,
  rules: Flag('1: each object says what drew it, `drawn_by`'),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Most objects' })),
});

const Found = Type.Object({
  layer: Type.String({ description: 'Code of the layer' }),
  layer_id: Type.Integer(),
  svc_id: Type.Integer({ description: 'Id of the object in its layer' }),
  distance: Type.Number({
    description: 'Pixels from the point to the object as it is drawn; 0: it is drawn there',
  }),
  drawn_by: Type.Optional(
    Type.Object(
      {
        class: Type.Optional(
          Type.Integer({
            description: 'Of a visualization: number of the class, from 1; 0: none of the classes',
          }),
        ),
        rules: Type.Optional(
          Type.Array(
            Type.Object({
              attachment: Type.String({ description: 'Empty: the own style of the layer' }),
              symbolizers: Type.Array(Type.String()),
              blocks: Type.Array(
                Type.Object({
                  selector: Type.String({
                    description: 'With those of the blocks around it',
                    examples: ['#gardens [hectares > 20]'],
                  }),
                  line: Type.Integer({ description: 'Where the block begins in css_style, from 1' }),
                  column: Type.Integer(),
                  properties: Type.Array(Type.String(), { description: 'Those that count for the object' }),
                }),
                { description: 'The blocks of the style that the rule joins' },
              ),
            }),
            { description: 'Of a style, from the bottom to the top' },
          ),
        ),
      },
      { description: 'What drew the object; with rules=1' },
    ),
  ),
});

/** The services of these routes. */
export interface IdentifyServices {
  readonly db: Database;
  readonly readContent: ReadContent;
  readonly renderers: RendererPool;
  readonly config: Pick<Config, 'fastLabels'>;
}

/** Registers the route that identifies objects at a point of a map. */
export function identifyRoutes(app: App, { db, readContent, renderers, config }: IdentifyServices): void {
  const identify = createIdentifier({ db, renderers, readContent, fastLabels: config.fastLabels });
  app.get(
    '/:map/identify',
    {
      config: { work: 'lists' },
      schema: {
        tags: ['tiles'],
        summary: 'The objects that are drawn at a point of a map',
        description:
          'Only what the style draws at this zoom level: its filters and zoom levels, and those of layer and map, count; markers, icons and lines have the size with which they are drawn, and those that make way for others are not there. ' +
          'The topmost first; areas beside the point come last. Labels of objects that have a symbol do not count, heat maps and hexagons have no objects. ' +
          'Only the 25 nearest objects of each layer are examined.',
        params: Path('map'),
        querystring: IdentifyQuery,
        response: answers(Type.Array(Found), 'The objects, the topmost first'),
      },
    },
    async ({ caller, params, query, gone }) => {
      const main = mainLanguage(caller);
      const { lon, lat, z } = query;
      const at = {
        frame: pointFrameOnTiles([lon, lat], z, query.tolerance ?? 4),
        z,
        limit: query.limit ?? 10,
        tellsRules: isOn(query.rules),
        layers: query.layers === undefined ? undefined : parseIds(query.layers),
        filter: query.filter,
        lng: query.lng ?? main,
        main,
      };
      return identify(caller, params.map, at, gone).catch((error) => Promise.reject(changedMeanwhile(error)));
    },
  );
}
