import { mainLanguage } from '../../access/caller.js';
import { checkLanguage } from '../../containers/names.js';
import type { App } from '../../http/app-type.js';
import { yieldForLargeBody } from '../../http/body/body.js';
import { bodyLimits } from '../../http/body/body-limits.js';
import { answers, Query } from '../../http/params.js';
import type { Layer } from '../../layers/layers.js';
import { type LayerRequest, layerPath, tags, withLayerOf } from '../request.js';
import { LayerPath } from '../schemas.js';
import type { ObjectServices } from '../services.js';
import { parseColumnQuery, parseGroupQuery, parseSelection, type Selection } from './request.js';
import * as schemas from './schemas.js';
import { columnStatistics, groupStatistics } from './statistics.js';

/** The routes of statistics: reads, with a body because a filter may be long. */
export function statisticsRoutes(app: App, services: ObjectServices): void {
  columnRoute(app, services); // POST /:map/layers/:layer/statistics
  groupRoute(app, services); // POST /:map/layers/:layer/statistics/groups
}

function columnRoute(app: App, services: ObjectServices): void {
  app.post(
    `${layerPath}/statistics`,
    {
      config: { work: 'lists' },
      bodyLimit: bodyLimits(services.config).medium,
      schema: {
        tags,
        summary: 'Statistics of a column',
        description:
          'An extension of the interface. Of a column whose values do not compare, objects are counted.',
        params: LayerPath,
        querystring: Query({}),
        body: schemas.ColumnStatisticsBody,
        response: answers(schemas.ColumnStatisticsAnswer, 'The statistics'),
      },
    },
    (request) =>
      withSelection(request, services, (layer, selection) => {
        const query = parseColumnQuery(request.body, { layer, selection });
        return columnStatistics(
          services.db.for(request.owner).heavy,
          { layer, selection },
          query,
          request.gone,
        );
      }),
  );
}

function groupRoute(app: App, services: ObjectServices): void {
  app.post(
    `${layerPath}/statistics/groups`,
    {
      config: { work: 'lists' },
      bodyLimit: bodyLimits(services.config).medium,
      schema: {
        tags,
        summary: 'Statistics of groups of objects',
        description: 'An extension of the interface',
        params: LayerPath,
        querystring: Query({}),
        body: schemas.GroupsBody,
        response: answers(schemas.GroupsAnswer, 'The groups'),
      },
    },
    (request) =>
      withSelection(request, services, (layer, selection) => {
        const most = services.config.statisticsGroups;
        const query = parseGroupQuery(request.body, { layer, selection, most });
        return groupStatistics(
          services.db.for(request.owner).heavy,
          { layer, selection },
          query,
          request.gone,
        );
      }),
  );
}

/** Runs work with the layer of the request, which the caller may view, and the objects that its body chooses. */
const withSelection = <T>(
  request: LayerRequest & { query: { lng?: string } },
  services: ObjectServices,
  work: (layer: Layer, selection: Selection) => Promise<T>,
): Promise<T> =>
  withLayerOf(request, { services, level: 'view' }, async (layer) => {
    await yieldForLargeBody(request);
    const { lng } = request.query;
    if (lng !== undefined) checkLanguage(lng);
    const parameters = { ...(request.body as object), lng };
    return work(layer, parseSelection(parameters, layer, mainLanguage(request.caller), services.config));
  });
