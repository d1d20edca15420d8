import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import { badRequest } from '../errors.js';
import { flipRow, isInMatrix, maxZoom } from '../geo/tile.js';
import { common, Path } from '../http/params.js';
import { etagOf, isFresh } from '../http/reply.js';
import type { App, Services } from '../http/service.js';
import { findLayer } from '../layers/layers.js';
import { createTileCache } from './cache.js';
import { createTileDrawer } from './draw.js';
import { iconJob } from './icon.js';
import { planTile, type TileRequest } from './plan.js';
import { mapContent, mapState } from './sources.js';

/** Answers are pictures, which the types of JSON answers do not know. */
const Png: Record<string, unknown> = {
  200: {
    description: 'A PNG picture',
    content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
  },
};

const TileQuery = Type.Object({
  z: Type.Integer({ description: `Zoom level, 0 to ${maxZoom}` }),
  x: Type.Integer({ description: 'Column, from the west' }),
  y: Type.Integer({ description: 'Row, from the south (TMS)' }),
  base: Type.Optional(
    Type.Enum(['0', '1', 'true', 'false'], {
      default: '1',
      description: "Whether the map's background is painted",
    }),
  ),
  layers: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description:
        'Ids of layers or publication items in drawing order, with commas; the selected ones when absent',
    }),
  ),
  retina: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 4, default: 1, description: '2 gives 512 × 512 pixels' }),
  ),
  q: Type.Optional(
    Type.Enum(['0', '1'], { default: '0', description: '0 = full-colour PNG, 1 = limited palette (PNG8)' }),
  ),
  lng: common.lng,
  token: common.token,
});

/** The tiles of a map: under `/tms/<project>/<map>/`, in a scope of its own. */
export function tileRoutes(app: App, { db, config, renderers }: Services): void {
  const drawTile = createTileDrawer(
    renderers,
    createTileCache(config.tileCache * 1024 * 1024),
    config.tileCache > 0,
  );

  app.get(
    '/:map',
    {
      schema: {
        tags: ['tiles'],
        summary: 'A raster tile of a map',
        description:
          'Never older than the last acknowledged write. Answers 304 where the client has the picture.',
        params: Path('map'),
        querystring: TileQuery,
        response: Png,
      },
    },
    async (request, reply) => {
      const { caller, params, query, gone } = request;
      const { z, x, y, retina: scale = 1 } = query;
      if (!isInMatrix(z, x, y))
        throw badRequest(`There is no tile z=${z}, x=${x}, y=${y}`, { parameters: ['z', 'x', 'y'] });
      const main = mainLanguage(caller);
      const tile: TileRequest = {
        z,
        x,
        y: flipRow(y, z),
        base: query.base === undefined || query.base === '1' || query.base === 'true',
        layers: query.layers === undefined ? undefined : parseIds(query.layers),
        scale,
        palette: query.q === '1',
        lng: query.lng ?? main,
        main,
      };
      const state = await mapState(db, caller, params.map, gone);
      const plan = planTile(tile, state, await mapContent(db, state, gone), db.connection);
      reply.header('cache-control', `${state.has_publication ? 'public' : 'private'}, no-cache`);
      if (isFresh(request, reply, etagOf(plan.key, z, x, y))) return reply.code(304).send();
      const picture = await drawTile(tile, plan, gone);
      return reply.type('image/png').send(Buffer.from(picture));
    },
  );
}

/** `layers`: ids with commas; an empty text draws none. */
function parseIds(text: string): number[] {
  if (text.trim() === '') return [];
  return text.split(',').map((part) => {
    const id = Number(part);
    if (!/^\s*\d{1,15}\s*$/.test(part))
      throw badRequest('layers: ids separated by commas', { parameters: ['layers'] });
    return id;
  });
}

/** The icon of a layer. */
export function iconRoutes(app: App, { db, renderers }: Services): void {
  app.get(
    '/:map/layers/:layer/icon',
    {
      schema: {
        tags: ['tiles'],
        summary: 'An icon of a layer, drawn with its own style',
        params: Path('map', 'layer'),
        querystring: Type.Object({
          size: Type.Optional(
            Type.Integer({ minimum: 8, maximum: 512, default: 32, description: 'Width and height, pixels' }),
          ),
          lng: common.lng,
          token: common.token,
        }),
        response: Png,
      },
    },
    async (request, reply) => {
      const { caller, params, query, gone } = request;
      const layer = await findLayer(db, caller, params, 'view');
      const job = await iconJob(db, layer, query.size ?? 32, gone);
      reply.header('cache-control', 'no-cache');
      if (isFresh(request, reply, etagOf(job.xmlKey, job.size))) return reply.code(304).send();
      const [picture] = await renderers.render(job, gone);
      return reply.type('image/png').send(Buffer.from(picture!));
    },
  );
}
