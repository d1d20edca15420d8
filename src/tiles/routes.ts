import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import { publicCaller } from '../access/public-caller.js';
import type { Snapshot } from '../db/pool.js';
import { badRequest, ServiceError } from '../errors.js';
import { flipRow, isInMatrix, maxZoom } from '../geo/tile.js';
import type { IsStill, KnownAnswers } from '../http/known-answers.js';
import { isOn, ofContent, Path } from '../http/params.js';
import { asBuffer, cacheControl, etagOf, isFresh } from '../http/reply.js';
import type { App, Services } from '../http/service.js';
import { changedMeanwhile, demandRunning, type Layer } from '../layers/layers.js';
import { findFreshLayer } from '../layers/visual/visual.js';
import type { TileStore } from './cache/open.js';
import { createTileDrawer } from './draw.js';
import { type LayerIcon, layerIcon } from './icon.js';
import { LayersParameter, parseIds } from './layers-parameter.js';
import { legendSwatch } from './legend-icon.js';
import { createPlanner, type TilePlan, type TileRequest } from './plan.js';
import { createSpeckChunks } from './specks/speck-chunks.js';
import { createSpeckLayers } from './specks/speck-layers.js';
import { createSwatchDrawer, swatchKey } from './swatch.js';

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
      description: "Whether the map's background is painted, and its base layer drawn",
    }),
  ),
  layers: LayersParameter,
  retina: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 4, default: 1, description: '2 gives 512 × 512 pixels' }),
  ),
  q: Type.Optional(
    Type.Enum(['0', '1'], {
      description:
        '0 = full-colour PNG, 1 = limited palette (PNG8); when absent 0, or 1 where all that is drawn lies in folders of tiles_quality 1',
    }),
  ),
  ...ofContent,
});

/** The tiles of a map: under `/tms/<project>/<map>/`, in a scope of its own. */
export function tileRoutes(
  app: App,
  { db, config, storage, icons, renderers, indexer, externalPictures: pictures }: Services,
  store: TileStore,
  known: Pick<KnownAnswers, 'keep'>,
): void {
  const layers = createSpeckLayers({ db, indexer, config });
  const planTile = createPlanner({ db, storage, icons, pictures, specks: layers });
  const specks = createSpeckChunks({ db, store, log: app.log });
  const drawer = createTileDrawer({ renderers, store, config, specks });

  /** Not made where it is kept: there it would hold all of the request. */
  const isStill =
    ({ project, map, tile, key, tag }: ShownTile): IsStill =>
    async (at) => {
      const anybody = await publicCaller(db, project, at);
      const now = await planTile(anybody, map, tile, { at });
      if (mainLanguage(anybody) !== tile.main || !now.isPublic || !now.isKept || now.key !== key)
        return false;
      return (await drawer.find(tile, now))?.tag === tag;
    };

  app.get(
    '/:map',
    {
      config: { work: 'tiles' },
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
      const tile = tileRequest(query, mainLanguage(caller));
      const plan = (at?: Snapshot): Promise<TilePlan> =>
        planTile(caller, params.map, tile, { signal: gone, at });
      let planned = await plan(caller.at);
      const { bytes, tag } = await drawer.draw(tile, planned, gone).catch(async (error) => {
        planned = await planOfChange(error, planned, plan);
        return drawer.draw(tile, planned, gone);
      });
      reply.header('cache-control', cacheControl(request, planned.isPublic));
      const etag = etagOf(planned.key, tile.z, tile.x, tile.y, tag);
      if (isFresh(request, reply, etag)) return reply.code(304).send();
      const picture = asBuffer(bytes);
      reply.type('image/png');
      if (planned.isPublic && planned.isKept) {
        const shown = { project: caller.project.code, map: params.map, tile, key: planned.key, tag };
        known.keep(request, reply, picture, isStill(shown));
      }
      return reply.send(picture);
    },
  );
}

/** What anybody was shown. */
interface ShownTile {
  project: string;
  map: string;
  tile: TileRequest;
  /** Of the plan, and of the bytes. */
  key: string;
  tag: string;
}

/** A picture may fail because what it reads was changed or deleted meanwhile: the plan as it is now. Throws the error when it is the same. */
async function planOfChange(
  error: unknown,
  planned: TilePlan,
  plan: () => Promise<TilePlan>,
): Promise<TilePlan> {
  if (!(error instanceof ServiceError && error.code === 'internal')) throw error;
  const now = await plan();
  if (stateOf(now) === stateOf(planned)) throw error;
  return now;
}

const stateOf = ({ key, sources }: TilePlan): string =>
  [key, ...sources.map(({ version }) => version)].join(' ');

/** The query as it is understood. Throws 400 for a tile outside the matrix. */
function tileRequest(query: Static<typeof TileQuery>, main: string): TileRequest {
  const { z, x, y } = query;
  if (!isInMatrix(z, x, y))
    throw badRequest(`There is no tile z=${z}, x=${x}, y=${y}`, { parameters: ['z', 'x', 'y'] });
  return {
    z,
    x,
    y: flipRow(y, z),
    base: query.base === undefined || isOn(query.base),
    layers: query.layers === undefined ? undefined : parseIds(query.layers),
    scale: query.retina ?? 1,
    palette: query.q === undefined ? undefined : query.q === '1',
    lng: query.lng ?? main,
    main,
  };
}

const Size = (least: number) =>
  Type.Optional(
    Type.Integer({ minimum: least, maximum: 512, default: 32, description: 'Width and height, pixels' }),
  );

/** The icon of a layer, and those of the entries of its legend. */
export function iconRoutes(app: App, { db, storage, icons, renderers }: Services): void {
  const parts = { db, renderers, drawSwatch: createSwatchDrawer(renderers) };
  const tags = ['tiles'];

  app.get(
    '/:map/layers/:layer/icon',
    {
      schema: {
        tags,
        summary: 'An icon of a layer, drawn with its own style',
        params: Path('map', 'layer'),
        querystring: Type.Object({ size: Size(8), ...ofContent }),
        response: Png,
      },
    },
    async (request, reply) => {
      const { caller, params, query, gone } = request;
      const layer = await findFreshLayer(db, caller, params, 'view');
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
      return sendIcon(request, reply, { ...found, layer, size: icon.size });
    },
  );

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
        querystring: Type.Object({ size: Size(16), ...ofContent }),
        response: Png,
      },
    },
    async (request, reply) => {
      const { caller, params, query, gone } = request;
      const { class: entry, ...place } = params;
      const layer = await findFreshLayer(db, caller, place, 'view');
      const wanted = { layer, entry, icons: await icons.of(caller.project.id) };
      const swatch = await legendSwatch(db, wanted, gone).catch((error) =>
        Promise.reject(changedMeanwhile(error)),
      );
      const size = query.size ?? 32;
      const draw = (signal: AbortSignal): Promise<Uint8Array> => parts.drawSwatch(swatch, size, signal);
      return sendIcon(request, reply, { key: swatchKey(swatch), draw, layer, size });
    },
  );
}

/** Draws a picture unless the client has it. */
async function sendIcon(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, draw, layer, size }: LayerIcon & { layer: Layer; size: number },
): Promise<FastifyReply> {
  reply.header('cache-control', cacheControl(request, layer.map.has_publication));
  if (isFresh(request, reply, etagOf(key, size))) return reply.code(304).send();
  const picture = await draw(request.gone).catch((error) => {
    reply.removeHeader('etag');
    throw error;
  });
  return reply.type('image/png').send(asBuffer(picture));
}
