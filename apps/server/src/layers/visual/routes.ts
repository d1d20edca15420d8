import type { Database } from '@cartulary/database';
import type { Sql } from '@cartulary/sql';
import { Type } from 'typebox';
import { type Caller, mainLanguage } from '../../access/caller.js';
import type { Config } from '../../config.js';
import type { App } from '../../http/app-type.js';
import { answers, basePath, isOn, Path, Query, Flag as Switch } from '../../http/params.js';
import { withDraft } from '../drafts/store.js';
import { findLayer, type Layer } from '../layers.js';
import type { AnswerLanguages } from './counts.js';
import { legendView } from './legend.js';
import { findFreshLayer, remakeClasses } from './stored-classes.js';

/** The services that these routes use. */
export interface LegendServices {
  readonly db: Database;
  readonly config: Config;
  /** Compiles a filter of a request to a condition over the alias `t`. Throws 400. */
  readonly conditionOf: (filter: string, layer: Layer, languages: AnswerLanguages) => Sql;
  /** The error of a filter that fails on the values; undefined for other failures. */
  readonly filterFailure: (error: unknown) => Error | undefined;
}

const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });
const Flag = (description: string) => Type.Boolean({ description });

const Classificator = Type.Object({
  value: Type.Unknown({
    description: 'Category, lower limit of a class, value of a bubble; null: what is in no other class',
  }),
  fill: Type.String({ description: 'Colour, #rrggbb' }),
  isIcon: Flag('Whether an icon is drawn'),
  label: OrNull(
    Type.String(),
    'Text of the class in the language of the request; null: objects in no other class',
  ),
  count: OrNull(
    Type.Integer(),
    'Objects of the class as the data is now; those of all classes are all objects. null: of a part of every object',
  ),
  from: Type.Optional(
    Type.Number({ description: 'The class begins with it; the first takes what is less, too' }),
  ),
  to: Type.Optional(
    Type.Number({ description: 'The class ends before it; the last takes it and what is more' }),
  ),
  size: Type.Optional(Type.Number({ description: 'Width of the marker, pixels' })),
  opacity: Type.Optional(Type.Number()),
  icon: Type.Optional(Type.String()),
  hidden: Type.Optional(Flag('Its objects are not drawn')),
  swatch: Type.Optional(
    Type.String({
      description: 'Path of its picture, a PNG of `size` 16 to 512 pixels in its real style',
      examples: ['/api/2.8/demo/parks/layers/gardens/legend/0/icon/'],
    }),
  ),
});

const LegendAnswer = Type.Object({
  name: Type.String({
    description: 'Title, in the language of the request; the name of the layer where none was set',
  }),
  column: OrNull(Type.String(), 'Code of the column that the values come from'),
  showValues: Flag('Limits of values are shown'),
  showLegend: Flag('The legend is shown'),
  showLegendName: Flag('Its title is shown'),
  minValue: OrNull(Type.Number(), 'Start of the scale'),
  maxValue: OrNull(Type.Number(), 'End of the scale'),
  type: Type.Union([Type.Integer(), Type.String()], {
    description: 'Type of the visualization; the plugin of a custom one',
    examples: [1],
  }),
  count: Type.Integer({ description: 'All objects of the layer' }),
  border: OrNull(
    Type.Record(Type.String(), Type.Unknown()),
    'The border of what is drawn: opacity, pattern, width, color',
  ),
  cell: Type.Optional(
    Type.Object(
      {
        zoom: Type.Number({ description: 'The zoom level at which they are as wide as the settings say' }),
        width: Type.Number({ description: 'Metres at the equator' }),
      },
      { description: 'For a visualization that draws cells' },
    ),
  ),
  swatchSize: Type.Integer({
    description: 'Width at which the pictures of the entries are as large as on the map, pixels',
  }),
  classificators: Type.Array(Classificator),
});

const tags = ['layers'];

/** The routes of the legends of visualizations. */
export function legendRoutes(app: App, services: LegendServices): void {
  readRoute(app, services); // GET /:map/layers/:layer/legend
  refreshRoute(app, services); // POST /:map/layers/:layer/legend/refresh
}

/** The paths of the images of a legend's entries. */
function swatchPaths({ config }: LegendServices, { project }: Caller, { map, code }: Layer, query = '') {
  const path = `${basePath(config.baseUrl)}/api/2.8/${project.code}/${map.code}/layers/${code}/legend`;
  return (entry: number): string => `${path}/${entry}/icon/${query}`;
}

interface AskedLegend {
  caller: Caller;
  layer: Layer;
  query: { lng?: string | undefined; filter?: string | undefined };
}

function legendFor(services: LegendServices, { caller, layer, query }: AskedLegend, signal: AbortSignal) {
  const { lng, filter } = query;
  const languages = { lng, main: mainLanguage(caller) };
  const { conditionOf, filterFailure: failure } = services;
  const only =
    filter === undefined ? undefined : { where: conditionOf(filter, layer, languages), key: filter, failure };
  const swatchPath = swatchPaths(services, caller, layer);
  return legendView(services.db, layer, { ...languages, only, swatchPath }, signal);
}

function readRoute(app: App, services: LegendServices): void {
  const { db } = services;
  app.get(
    '/:map/layers/:layer/legend',
    {
      schema: {
        tags,
        summary: 'The legend of a visualization',
        description: 'Its classes as they are drawn, each with the number of its objects.',
        params: Path('map', 'layer'),
        querystring: Query({
          filter: Type.Optional(
            Type.String({
              maxLength: 20_000,
              description:
                'CQL2, as text or JSON: only objects that meet it are counted. The classes stay those of all',
            }),
          ),
          draft: Switch("1: of the caller's own draft. Needs a token; the answer is not cached"),
        }),
        response: answers(LegendAnswer),
      },
    },
    async ({ caller, params, query, gone }, reply) => {
      const layer = await findFreshLayer(db, caller, params, 'view');
      if (!isOn(query.draft)) return legendFor(services, { caller, layer, query }, gone);
      const drafted = await withDraft(db, caller, layer);
      const swatchPath = swatchPaths(services, caller, layer, '?draft=1');
      reply.header('cache-control', 'private, no-store');
      return legendView(db, drafted, { lng: query.lng, main: mainLanguage(caller), swatchPath }, gone);
    },
  );
}

function refreshRoute(app: App, services: LegendServices): void {
  const { db } = services;
  app.post(
    '/:map/layers/:layer/legend/refresh',
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'Make the classes of a visualization anew from the data as it is now',
        description: 'Limits and values that were given stay. Answers the legend.',
        params: Path('map', 'layer'),
        querystring: Query({}),
        response: answers(LegendAnswer),
      },
    },
    async ({ caller, params, query, gone }) => {
      const { id } = await findLayer(db, caller, params, 'edit');
      await remakeClasses(db, id);
      const layer = await findLayer(db, caller, params, 'edit');
      return legendFor(services, { caller, layer, query }, gone);
    },
  );
}
