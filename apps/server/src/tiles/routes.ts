import type { Database, Snapshot } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { flipRow, isInMatrix, maxZoom } from '@cartulary/geo';
import { type Static, Type } from 'typebox';
import { accountOf, type Caller, mainLanguage } from '../access/caller.js';
import { publicCaller } from '../access/public-caller.js';
import type { Config } from '../config.js';
import type { ExternalPictures } from '../external/pictures.js';
import type { App } from '../http/app-type.js';
import { isOn, ofContent, Path } from '../http/params.js';
import { asBuffer, cacheControl, etagOf, isFresh } from '../http/reply.js';
import type { IsStill, ResponseCache } from '../http/response-cache.js';
import type { IconFiles } from '../icons/icons.js';
import { draftsIn } from '../layers/drafts/store.js';
import type { Indexer } from '../layers/indexes/indexer.js';
import type { FileStorage } from '../storage/storage.js';
import type { TileStore } from './cache/open.js';
import { LayersParameter, parseIds } from './plan/layers-parameter.js';
import { createPlanner, type DraftsOf, type PlanTile, type TilePlan } from './plan/plan.js';
import type { TileRequest } from './plan/tile-request.js';
import { DraftFlag, pngAnswer, sendDrawn } from './png-answer.js';
import type { RendererPool } from './render/pool.js';
import { TileBatcher } from './render/tile-batcher.js';
import { SmallFeatureChunks } from './small-features/chunks.js';
import { SmallFeatureLayers } from './small-features/layers.js';

/** The services of these routes. */
export interface TileServices {
  readonly db: Database;
  readonly config: Config;
  readonly storage: FileStorage;
  readonly icons: IconFiles;
  readonly renderers: RendererPool;
  readonly indexer: Indexer;
  readonly externalPictures: ExternalPictures;
}

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
  draft: DraftFlag,
  ...ofContent,
});

const tileSchema = {
  tags: ['tiles'],
  summary: 'A raster tile of a map',
  description: 'Never older than the last acknowledged write. Answers 304 where the client has the picture.',
  params: Path('map'),
  querystring: TileQuery,
  response: pngAnswer,
};

/** Registers the raster tiles of maps under `/tms/<project>/<map>/`, in a scope of their own. */
export function tileRoutes(
  app: App,
  { db, config, storage, icons, renderers, indexer, externalPictures: pictures }: TileServices,
  store: TileStore,
  responses: Pick<ResponseCache, 'keep'>,
): void {
  const planTile = createPlanner({
    db,
    storage,
    icons,
    pictures,
    smallFeatures: new SmallFeatureLayers({ db, indexer, config }),
    fastLabels: config.fastLabels,
  });
  const smallFeatures = new SmallFeatureChunks({ db, store, log: app.log });
  const batcher = new TileBatcher({ renderers, store, config, smallFeatures });
  /** Created here, outside of the handler: a closure in it would keep the whole request in memory. */
  const isStill = stillValid({ db, planTile, batcher });

  app.get('/:map', { config: { work: 'tiles' }, schema: tileSchema }, async (request, reply) => {
    const { caller, params, query, gone } = request;
    const tile = tileRequest(query, mainLanguage(caller));
    const drafts = isOn(query.draft) ? draftsOf(db, caller) : undefined;
    const plan = (at?: Snapshot): Promise<TilePlan> =>
      planTile(caller, params.map, tile, { signal: gone, at, drafts });
    let planned = await plan(caller.at);
    const { bytes, tag } = await batcher.draw(tile, planned, gone).catch(async (error) => {
      planned = await planOfChange(error, planned, plan);
      return batcher.draw(tile, planned, gone);
    });
    if (drafts) return sendDrawn(reply, bytes);
    reply.header('cache-control', cacheControl(request, planned.isPublic));
    const etag = etagOf(planned.key, tile.z, tile.x, tile.y, tag);
    if (isFresh(request, reply, etag)) return reply.code(304).send();
    const picture = asBuffer(bytes);
    reply.type('image/png');
    if (planned.isPublic && planned.isKept) {
      const shown = { project: caller.project.code, map: params.map, tile, key: planned.key, tag };
      responses.keep(request, reply, picture, isStill(shown));
    }
    return reply.send(picture);
  });
}

/** The drafts of a caller. Throws 401 for the public. */
const draftsOf = (db: Database, caller: Caller): DraftsOf => ({
  accountId: accountOf(caller).id,
  read: (mapId) => draftsIn(db, caller, mapId),
});

/** Returns whether a tile that the public got is still the present one. */
const stillValid =
  ({ db, planTile, batcher }: { db: Database; planTile: PlanTile; batcher: TileBatcher }) =>
  ({ project, map, tile, key, tag }: ShownTile): IsStill =>
  async (at) => {
    const anybody = await publicCaller(db, project, at);
    const now = await planTile(anybody, map, tile, { at });
    if (mainLanguage(anybody) !== tile.main || !now.isPublic || !now.isKept || now.key !== key) return false;
    return (await batcher.find(tile, now))?.tag === tag;
  };

/** A tile that the public got. */
interface ShownTile {
  project: string;
  map: string;
  tile: TileRequest;
  /** Keys of the plan and of the bytes. */
  key: string;
  tag: string;
}

/**
 * The present plan, for a picture that failed because its data were changed or deleted after its plan. Throws the error
 * again when nothing changed.
 */
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

/** The parsed query. Throws 400 for a tile outside of the matrix. */
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
