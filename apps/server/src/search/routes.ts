import { type Column, displayValue } from '@cartulary/columns';
import type { Database } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import { type Box, cornersOf } from '@cartulary/geo';
import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import type { Config } from '../config.js';
import { shownName } from '../containers/names.js';
import type { App } from '../http/app-type.js';
import { tellTruncated } from '../http/headers/truncated.js';
import { answers, basePath, common, Flag, isOn, Path, Query } from '../http/params.js';
import type { Indexer } from '../layers/indexes/indexer.js';
import { readHitBoxes } from './boxes.js';
import { type LayerHit, type ObjectHit, search, searchLimits } from './search.js';

/** The services that these routes use. */
export interface SearchServices {
  readonly db: Database;
  readonly config: Config;
  readonly indexer: Indexer;
}

const Priority = Type.Union([Type.Literal(30), Type.Literal(20), Type.Literal(10)], {
  description: '30: phrase and data are the same; 20: all words of the phrase are present; 10: some are',
});

const LayerResult = Type.Object({
  type: Type.Literal('layer'),
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String({ description: 'The name that took part in the search' }),
  priority: Priority,
  icon: Type.String({ description: 'Path of the icon' }),
});

/** Longest text in `values`, in characters. */
const valueLength = 200;

const Corner = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });

const ObjectResult = Type.Object({
  type: Type.Literal('object'),
  svc_id: Type.Integer({ description: 'Id of the object in its layer' }),
  priority: Priority,
  layer: Type.String({ description: 'Code of the layer' }),
  layer_name: Type.String(),
  layer_icon: Type.String({ description: 'Path of the icon of the layer' }),
  name: Type.Unknown({ description: 'Value of the name column; null where it has none' }),
  name_column: Type.String({ description: 'Code of the name column' }),
  search_column: Type.String({ description: 'Code of the column that was searched' }),
  value: Type.String({ description: 'Value that took part in the search' }),
  values: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: `Searched column → its value, at most ${valueLength} characters; with returnValues`,
    }),
  ),
  bbox: Type.Optional(
    Type.Unsafe<unknown>({
      anyOf: [Type.Object({ sw: Corner, ne: Corner }), Type.Null()],
      description: 'Corners as [lat, lon], null without a geometry; with returnBbox',
    }),
  ),
});

const SearchQuery = Query({
  phrase: Type.String({ description: 'Text to search for', examples: ['new york'] }),
  lang: Type.Optional({
    ...common.lng,
    description: 'Language of localized names and values, else the main one of the project',
    default: 'ru',
  }),
  limit: Type.Optional(Type.Integer({ minimum: 0, default: 3, description: 'Most results' })),
  returnValues: Flag('Adds the values of all searched columns, which tell results of one name apart'),
  returnBbox: Flag('Adds the extent of each object in EPSG:4326'),
});

/** The route of the search in a map. */
export function searchRoutes(app: App, { db, config, indexer }: SearchServices): void {
  const limits = searchLimits(config, db.engine);

  app.get(
    '/:map/search',
    {
      config: { work: 'lists' },
      schema: {
        tags: ['search'],
        summary: 'Search the layers and objects of a map',
        description:
          'Finds whole words and parts of them; capitals and diacritics do not count. What is searched is set by `json.search` of the map when its publication tree is saved.',
        params: Path('map'),
        querystring: SearchQuery,
        response: answers(
          Type.Array(Type.Union([LayerResult, ObjectResult])),
          'The results, the best first; a header Cartulary-Truncated: <layer code>=<kept>/<of> where it was the service that left some out',
        ),
      },
    },
    async ({ caller, owner, params, query, gone }, reply) => {
      if ([...query.phrase].length > config.searchPhrase)
        throw badRequest(`phrase has at most ${config.searchPhrase} characters`, { parameters: ['phrase'] });
      const lang = query.lang ?? query.lng ?? 'ru';
      const limit = Math.min(query.limit ?? 3, config.searchLimit);
      const isLimited = query.limit === undefined || query.limit >= config.searchLimit;
      const request = { caller, map: params.map, phrase: query.phrase, lang, limit, isLimited };
      const { hits, truncated } = await search({ db: db.for(owner), indexer, limits }, request, gone);
      tellTruncated(reply, truncated);
      const languages = [lang, mainLanguage(caller)];
      const iconOf = (code: string): string =>
        `${basePath(config.baseUrl)}/api/2.8/${caller.project.code}/${params.map}/layers/${code}/icon/`;
      const display = query.f === 'fjson' ? lang : undefined;
      const boxOf = isOn(query.returnBbox) ? await readHitBoxes(db.for(owner).heavy, hits, gone) : undefined;
      const shown = { iconOf, languages, display, hasValues: isOn(query.returnValues), boxOf };
      return hits.map((hit) => (hit.type === 'layer' ? layerResult(hit, iconOf) : objectResult(hit, shown)));
    },
  );
}

interface Shown {
  iconOf: (layerCode: string) => string;
  languages: readonly string[];
  /** The language of display strings (f=fjson); undefined: values as stored. */
  display: string | undefined;
  hasValues: boolean;
  boxOf: ((hit: ObjectHit) => Box | null) | undefined;
}

const layerResult = ({ layer, name, priority }: LayerHit, iconOf: Shown['iconOf']) => ({
  type: 'layer',
  id: layer.id,
  code: layer.code,
  name,
  priority,
  icon: iconOf(layer.code),
});

function objectResult(hit: ObjectHit, { iconOf, languages, display, hasValues, boxOf }: Shown) {
  const shown = (column: ObjectHit['column'], value: unknown): unknown =>
    display === undefined ? value : displayValue(column, value, display);
  return {
    type: 'object',
    svc_id: hit.id,
    priority: hit.priority,
    layer: hit.layer.code,
    layer_name: shownName(hit.layer, languages),
    layer_icon: iconOf(hit.layer.code),
    name: shown(hit.nameColumn, hit.name),
    name_column: hit.nameColumn.code,
    search_column: hit.column.code,
    value: shown(hit.column, hit.value),
    ...(hasValues ? { values: valuesOf(hit, shown) } : {}),
    ...(boxOf ? { bbox: cornersOrNull(boxOf(hit)) } : {}),
  };
}

const valuesOf = ({ searched }: ObjectHit, shown: (column: Column, value: unknown) => unknown) =>
  Object.fromEntries(
    searched.flatMap(({ column, value }) =>
      value === null || value === ''
        ? []
        : [[column.code, shown(column, [...value].slice(0, valueLength).join(''))]],
    ),
  );

const cornersOrNull = (box: Box | null) => box && cornersOf(box, '4326');
