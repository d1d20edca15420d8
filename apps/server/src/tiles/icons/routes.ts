import type { Database } from '@cartulary/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import type { App } from '../../http/app-type.js';
import { isOn, ofContent, Path } from '../../http/params.js';
import { asBuffer, cacheControl, etagOf, sentUnchanged } from '../../http/reply.js';
import type { IconFiles } from '../../icons/icons.js';
import { withDraft } from '../../layers/drafts/store.js';
import { changedMeanwhile, demandRunning, type Layer } from '../../layers/layers.js';
import { findFreshLayer } from '../../layers/visual/visual.js';
import type { FileStorage } from '../../storage/storage.js';
import { DraftFlag, pngAnswer, sendDrawn } from '../png-answer.js';
import type { RendererPool } from '../render/pool.js';
import { type IconParts, type LayerIcon, layerIcon } from './layer-icon.js';
import { legendSwatch } from './legend-icon.js';
import { createSwatchDrawer, swatchKey } from './swatch.js';

/** The services of these routes. */
export interface LayerIconServices {
  readonly db: Database;
  readonly storage: FileStorage;
  readonly icons: IconFiles;
  readonly renderers: RendererPool;
}

const tags = ['tiles'];

const Size = (least: number) =>
  Type.Optional(
    Type.Integer({ minimum: least, maximum: 512, default: 32, description: 'Width and height, pixels' }),
  );

/** Registers the icons of layers and of legend entries. */
export function iconRoutes(app: App, services: LayerIconServices): void {
  const { db, renderers } = services;
  const parts = { db, renderers, drawSwatch: createSwatchDrawer(renderers) };
  layerIconRoute(app, services, parts);
  legendIconRoute(app, services, parts);
}

function layerIconRoute(app: App, { db, storage, icons }: LayerIconServices, parts: IconParts): void {
  app.get(
    '/:map/layers/:layer/icon',
    {
      schema: {
        tags,
        summary: 'An icon of a layer, drawn with its own style',
        params: Path('map', 'layer'),
        querystring: Type.Object({ size: Size(8), draft: DraftFlag, ...ofContent }),
        response: pngAnswer,
      },
    },
    async (request, reply) => {
      const { caller, params, query, gone } = request;
      const saved = await findFreshLayer(db, caller, params, 'view');
      const isDraft = isOn(query.draft);
      const layer = isDraft ? await withDraft(db, caller, saved) : saved;
      demandRunning(layer);
      const main = mainLanguage(caller);
      const icon = {
        layer,
        storage,
        icons: await icons.of(caller.project.id),
        size: query.size ?? 32,
        lng: query.lng ?? main,
        main,
      };
      const found = await layerIcon(parts, icon, gone).catch((error) =>
        Promise.reject(changedMeanwhile(error)),
      );
      return sendIcon(request, reply, { ...found, layer, size: icon.size, isDraft });
    },
  );
}

function legendIconRoute(app: App, { db, icons }: LayerIconServices, parts: IconParts): void {
  app.get(
    '/:map/layers/:layer/legend/:class/icon',
    {
      schema: {
        tags,
        summary: 'The picture of an entry of a legend, as its objects are drawn on the map',
        description:
          'In the scale of the map at a width of `swatchSize` of the legend, the same for all of its entries. Labels are left out.',
        params: Type.Intersect([
          Path('map', 'layer'),
          Type.Object({
            class: Type.Integer({
              minimum: 0,
              description: 'Place of the entry in `classificators`, from 0',
              examples: [0],
            }),
          }),
        ]),
        querystring: Type.Object({ size: Size(16), draft: DraftFlag, ...ofContent }),
        response: pngAnswer,
      },
    },
    async (request, reply) => {
      const { caller, params, query, gone } = request;
      const { class: entry, ...place } = params;
      const saved = await findFreshLayer(db, caller, place, 'view');
      const isDraft = isOn(query.draft);
      const layer = isDraft ? await withDraft(db, caller, saved) : saved;
      const wanted = { layer, entry, icons: await icons.of(caller.project.id) };
      const swatch = await legendSwatch(db, wanted, gone).catch((error) =>
        Promise.reject(changedMeanwhile(error)),
      );
      const size = query.size ?? 32;
      const draw = (signal: AbortSignal): Promise<Uint8Array> => parts.drawSwatch(swatch, size, signal);
      return sendIcon(request, reply, { key: swatchKey(swatch), draw, layer, size, isDraft });
    },
  );
}

/** Sends a picture, or 304 when the client has it. */
async function sendIcon(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, draw, layer, size, isDraft }: LayerIcon & { layer: Layer; size: number; isDraft: boolean },
): Promise<FastifyReply> {
  if (isDraft) return sendDrawn(reply, await draw(request.gone));
  reply.header('cache-control', cacheControl(request, layer.map.has_publication));
  if (sentUnchanged(request, reply, etagOf(key, size))) return reply;
  return reply.type('image/png').send(asBuffer(await draw(request.gone)));
}
