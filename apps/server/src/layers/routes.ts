import type { Database } from '@cartulary/database';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../config.js';
import { findMap, limitStyle, withinMapLimits } from '../containers/containers.js';
import { containerTag } from '../containers/etags.js';
import type { App } from '../http/app-type.js';
import { bodyLimits } from '../http/body/body-limits.js';
import { IfMatch, withPresent } from '../http/headers/precondition.js';
import { answers, Flag, isOn, Path, Query, SpatialReference } from '../http/params.js';
import { layerBboxes } from './bbox.js';
import { changeLayer, createLayer, deleteLayer } from './edit.js';
import { lockLayerIfMatch } from './etags.js';
import { refresh, settleKind } from './kinds.js';
import { demandRunning, findLayer } from './layers.js';
import { Bbox, LayerAnswer, LayerBody } from './schemas.js';
import { layerAnswer } from './view.js';

/** The services that these routes use. */
export interface LayerServices {
  readonly db: Database;
  readonly config: Config;
}

export { LayerAnswer } from './schemas.js';

const withToken = { token: 'required' } as const;
const tags = ['layers'];

/** The routes of the layers of a map. */
export function layerRoutes(app: App, services: LayerServices): void {
  createLayerRoute(app, services); // POST /:map/layers
  readLayerRoute(app, services); // GET /:map/layers/:layer
  changeLayerRoute(app, services); // PUT, PATCH /:map/layers/:layer
  deleteLayerRoute(app, services); // DELETE /:map/layers/:layer
  layerBboxRoute(app, services); // GET /:map/layers/:layer/bbox
  refreshLayerRoute(app, services); // POST /:map/layers/:layer/refresh
}

/** A write that runs a query is cancelled when the client leaves: it may take long. Other writes are carried out. */
const stopOf = ({ json }: { json?: Record<string, unknown> }, gone: AbortSignal): AbortSignal | undefined =>
  json?.query === undefined ? undefined : gone;

function createLayerRoute(app: App, { db, config }: LayerServices): void {
  app.post(
    '/:map/layers',
    {
      config: withToken,
      bodyLimit: bodyLimits(config).medium,
      schema: {
        tags,
        summary: 'Make a layer',
        params: Path('map'),
        querystring: Query({}),
        body: LayerBody,
        response: answers(LayerAnswer),
      },
    },
    async ({ caller, owner, params, query, body, gone }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      limitStyle(body.css_style, config.styleLimitBytes);
      const layer = await db.for(owner).transaction(
        (tx) =>
          withinMapLimits(tx, { mapId: map.id, limits: config }, async () =>
            settleKind(tx, {
              caller,
              layer: await createLayer(tx, caller, map, body, query.lng),
              saysJson: true,
              config,
            }),
          ),
        stopOf(body, gone),
      );
      return layerAnswer(db, layer, caller, { lng: query.lng });
    },
  );
}

function readLayerRoute(app: App, { db }: LayerServices): void {
  app.get(
    '/:map/layers/:layer',
    {
      schema: {
        tags,
        summary: 'A layer',
        params: Path('map', 'layer'),
        querystring: Query({ returnBbox: Flag('Adds the extent in EPSG:4326') }),
        response: answers(LayerAnswer),
      },
    },
    async ({ caller, params, query, gone }, reply) => {
      const layer = await findLayer(db, caller, params, 'view');
      reply.header('etag', containerTag(layer));
      const boxes = isOn(query.returnBbox) ? await layerBboxes(db, [layer], '4326', gone) : undefined;
      return layerAnswer(db, layer, caller, { lng: query.lng, bbox: boxes?.get(layer.id) });
    },
  );
}

function changeLayerRoute(app: App, { db, config }: LayerServices): void {
  app.route({
    method: ['PUT', 'PATCH'],
    url: '/:map/layers/:layer',
    config: withToken,
    bodyLimit: bodyLimits(config).medium,
    schema: {
      tags,
      summary: 'Change a layer',
      description:
        'Absent fields keep their values. A new code also replaces the old one in the style of the layer.',
      params: Path('map', 'layer'),
      headers: IfMatch,
      querystring: Query({}),
      body: LayerBody,
      response: answers(LayerAnswer),
    },
    handler: async (request, reply) => {
      const { caller, params, query, body } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      limitStyle(body.css_style, config.styleLimitBytes);
      const work = db.for(request.owner).transaction(
        async (tx) => {
          await lockLayerIfMatch(tx, layer, request);
          return withinMapLimits(tx, { mapId: layer.map_id, limits: config }, async () =>
            settleKind(tx, {
              caller,
              layer: await changeLayer(tx, caller, layer, body, query.lng),
              before: layer,
              saysJson: body.json !== undefined,
              config,
            }),
          );
        },
        stopOf(body, request.gone),
      );
      const changed = await withPresent(work, () => presentLayer(db, request));
      reply.header('etag', containerTag(changed));
      return layerAnswer(db, changed, caller, { lng: query.lng });
    },
  });
}

function deleteLayerRoute(app: App, { db }: LayerServices): void {
  app.delete(
    '/:map/layers/:layer',
    {
      config: withToken,
      schema: {
        tags,
        summary: 'Delete a layer with its objects',
        params: Path('map', 'layer'),
        headers: IfMatch,
        querystring: Query({
          force: Flag('Delete it even if other layers read it or take their values from it'),
        }),
        response: answers(Type.Null()),
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      const work = db.for(request.owner).transaction(async (tx) => {
        await lockLayerIfMatch(tx, layer, request);
        await deleteLayer(tx, caller, layer, isOn(query.force));
      });
      await withPresent(work, () => presentLayer(db, request));
      return reply.type('application/json; charset=utf-8').send('null');
    },
  );
}

/** The layer as it is stored, for who wanted to change another version of it. */
async function presentLayer(db: Database, { caller, params, query }: FastifyRequest): Promise<unknown> {
  const layer = await findLayer(db, caller, params as { map: string; layer: string }, 'edit');
  return layerAnswer(db, layer, caller, { lng: (query as { lng?: string }).lng });
}

function layerBboxRoute(app: App, { db }: LayerServices): void {
  app.get(
    '/:map/layers/:layer/bbox',
    {
      schema: {
        tags,
        summary: 'The extent of a layer',
        params: Path('map', 'layer'),
        querystring: Query({ bboxSR: SpatialReference('Projection of the extent') }),
        response: answers(Bbox),
      },
    },
    async ({ caller, params, query, gone }, reply) => {
      const layer = await findLayer(db, caller, params, 'view');
      demandRunning(layer);
      const boxes = await layerBboxes(db, [layer], query.bboxSR === '3857' ? '3857' : '4326', gone);
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(boxes.get(layer.id) ?? null));
    },
  );
}

function refreshLayerRoute(app: App, { db, config }: LayerServices): void {
  app.post(
    '/:map/layers/:layer/refresh',
    {
      config: withToken,
      schema: {
        tags,
        summary: 'Run the query of a materialized layer again',
        description:
          'Only its owner, who made it, may do so. Readers see the old objects until the new ones are complete; `json.refreshed` tells when they were made, and how many there are.',
        params: Path('map', 'layer'),
        querystring: Query({}),
        response: answers(LayerAnswer),
      },
    },
    async ({ caller, owner, params, query, gone }) => {
      const layer = await findLayer(db, caller, params, 'view');
      const fresh = await db.for(owner).transaction((tx) => refresh(tx, { caller, layer, config }), gone);
      return layerAnswer(db, fresh, caller, { lng: query.lng });
    },
  );
}
