import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  findMap,
  limitStyle,
  lockTree,
  type MapContainer,
  withinMapLimits,
} from '../../containers/containers.js';
import { containerTag } from '../../containers/etags.js';
import { changeMap, mapView } from '../../containers/maps.js';
import type { App } from '../../http/app-type.js';
import { bodyLimits } from '../../http/body/body-limits.js';
import { demandTag, IfMatch, ifMatchOf, withPresent } from '../../http/headers/precondition.js';
import { answers, Path, Query } from '../../http/params.js';
import { changeLayer } from '../edit.js';
import { findLayer, type Layer, lockLayer } from '../layers.js';
import type { LayerServices } from '../routes.js';
import { LayerAnswer, LayerBody } from '../schemas.js';
import { layerAnswer } from '../view.js';
import { type Draft, draftOfLayer, draftOfMap, dropDraft, findDraft, saveDraft } from './store.js';

const config = { token: 'required' } as const;
const extension = 'An extension of the interface.';

const { css_style, simpleStyle, visualSettings, visualCustomSettings } = LayerBody.properties;
const LayerDraft = Type.Object({ css_style, simpleStyle, visualSettings, visualCustomSettings });
const MapDraft = Type.Object({ css_style: Type.String({ description: 'CartoCSS with Map { … }' }) });

const DraftAnswer = Type.Object({
  css_style: Type.String(),
  style_mode: Type.Optional(Type.Integer()),
  simpleStyle: Type.Optional(Type.Unknown({ description: 'Where the draft has one' })),
  visualSettings: Type.Optional(Type.Unknown({ description: 'Where the draft has one' })),
  visualCustomSettings: Type.Optional(Type.Unknown({ description: 'Where the draft has one' })),
  base: Type.String({ description: 'ETag of the saved version that the draft was made from' }),
  changed_at: Type.String({ description: 'ISO 8601' }),
});

const draftView = ({ fields, base, changed_at }: Draft): Record<string, unknown> => ({
  css_style: fields.css_style,
  ...(fields.style_mode === undefined ? {} : { style_mode: fields.style_mode }),
  ...(fields.simple_style ? { simpleStyle: fields.simple_style } : {}),
  ...(fields.visual_settings ? { visualSettings: fields.visual_settings } : {}),
  ...(fields.visual_custom_settings ? { visualCustomSettings: fields.visual_custom_settings } : {}),
  base,
  changed_at,
});

type At = { map: string; layer?: string };
type InMap = FastifyRequest<{ Params: At }>;

/** The layer or map that a path names, which the caller may edit. */
const findAt = (db: Database, { caller, params }: FastifyRequest): Promise<Layer | MapContainer> => {
  const { map, layer } = params as At;
  return layer === undefined
    ? findMap(db, caller, map, 'edit')
    : findLayer(db, caller, { map, layer }, 'edit');
};

/** The routes of drafts of layers and of maps. */
export function draftRoutes(app: App, services: LayerServices): void {
  saveRoutes(app, services); // PUT /:map/draft, /:map/layers/:layer/draft
  for (const place of places) {
    readRoutes(app, services, place); // GET, DELETE
    publishRoute(app, services, place); // POST …/draft/publish
  }
}

const places = [
  { url: '/:map/draft', params: Path('map'), tags: ['maps'], what: 'a map', answer: Type.Unknown() },
  {
    url: '/:map/layers/:layer/draft',
    params: Path('map', 'layer'),
    tags: ['layers'],
    what: 'a layer',
    answer: LayerAnswer,
  },
] as const;

function saveRoutes(app: App, { db, config: settings }: LayerServices): void {
  const bodyLimit = bodyLimits(settings).medium;
  const description = `Checked as the change itself. With \`draft=1\` tiles, legends and icons show it to the caller, and to nobody else. ${extension}`;
  const schema = { description, querystring: Query({}), response: answers(DraftAnswer) };
  app.put(
    '/:map/draft',
    {
      config,
      bodyLimit,
      schema: {
        ...schema,
        tags: ['maps'],
        summary: 'Save the own draft of a map',
        params: Path('map'),
        body: MapDraft,
      },
    },
    async ({ caller, params, body }, reply) => {
      const map = await findMap(db, caller, params.map, 'edit');
      limitStyle(body.css_style, settings.styleLimitBytes);
      await saveDraft(db, caller, map, { input: body, fields: draftOfMap(map, body) });
      return sendDraft(reply, await findDraft(db, caller, map.id));
    },
  );
  app.put(
    '/:map/layers/:layer/draft',
    {
      config,
      bodyLimit,
      schema: {
        ...schema,
        tags: ['layers'],
        summary: 'Save the own draft of a layer',
        params: Path('map', 'layer'),
        body: LayerDraft,
      },
    },
    async ({ caller, params, body }, reply) => {
      const layer = await findLayer(db, caller, params, 'edit');
      limitStyle(body.css_style, settings.styleLimitBytes);
      const fields = await draftOfLayer(db, caller, layer, body);
      await saveDraft(db, caller, layer, { input: body, fields });
      return sendDraft(reply, await findDraft(db, caller, layer.id));
    },
  );
}

function sendDraft(reply: FastifyReply, draft: Draft): Record<string, unknown> {
  reply.header('cache-control', 'private, no-store');
  return draftView(draft);
}

function readRoutes(
  app: App,
  { db }: LayerServices,
  { url, params, tags, what }: (typeof places)[number],
): void {
  const shared = { tags, params, querystring: Query({}), description: extension };
  app.get(
    url,
    { config, schema: { ...shared, summary: `The own draft of ${what}`, response: answers(DraftAnswer) } },
    async (request, reply) =>
      sendDraft(reply, await findDraft(db, request.caller, (await findAt(db, request)).id)),
  );
  app.delete(
    url,
    {
      config,
      schema: {
        ...shared,
        summary: `Discard the own draft of ${what}`,
        response: answers(Type.Literal(true)),
      },
    },
    async (request) => {
      const { id } = await findAt(db, request);
      if (!(await db.shortTransaction((tx) => dropDraft(tx, request.caller, id))))
        throw new ServiceError('container_not_found', 'There is no draft');
      return true;
    },
  );
}

function publishRoute(
  app: App,
  { db, config: limits }: LayerServices,
  { url, params, tags, what, answer }: (typeof places)[number],
): void {
  app.post(
    `${url}/publish`,
    {
      config,
      schema: {
        tags,
        summary: `Make the own draft of ${what} its style`,
        description: `If-Match names the saved version that it replaces; absent: the one that the draft was made from. ${extension}`,
        params,
        headers: IfMatch,
        querystring: Query({}),
        response: answers(answer),
      },
    },
    async (request, reply) => {
      const at = await findAt(db, request);
      const present = async (): Promise<unknown> => viewOf(db, request, await findAt(db, request));
      const published = await withPresent(publish({ db, limits }, request, at), present);
      reply.header('etag', containerTag(published));
      return viewOf(db, request, published);
    },
  );
}

/** Makes the change of the caller's draft, and removes the draft, in one transaction. Throws 404, 412, and what the change throws. */
const publish = <T extends Layer | MapContainer>(
  { db, limits }: { db: Database; limits: LayerServices['config'] },
  request: FastifyRequest,
  at: T,
): Promise<T> =>
  db.for(request.owner).transaction(async (tx) => {
    const { caller } = request;
    const now = 'columns' in at ? await lockLayer(tx, at) : await lockTree(tx, at.id);
    const { input, base } = await findDraft(tx, caller, at.id);
    demandTag(ifMatchOf(request as InMap) ?? base, containerTag(now));
    const changed = await withinMapLimits(tx, { mapId: at.map_id, limits }, () =>
      'columns' in at ? changeLayer(tx, caller, at, input) : changeMap(tx, caller, at as MapContainer, input),
    );
    await dropDraft(tx, caller, at.id);
    return { ...at, ...changed };
  });

const viewOf = (db: Database, { caller }: FastifyRequest, at: Layer | MapContainer): unknown =>
  'columns' in at ? layerAnswer(db, at, caller) : mapView(at, caller);
