import type { Database, Snapshot } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountOf, type Caller, mainLanguage } from '../access/caller.js';
import { publicCaller } from '../access/public-caller.js';
import type { Config } from '../config.js';
import type { ExternalPictures } from '../external/pictures.js';
import { asBuffer, cacheControl, etagOf, sentUnchanged } from '../http/reply.js';
import type { IsStill, ResponseCache } from '../http/response-cache.js';
import { draftsIn } from '../layers/drafts/store.js';
import type { Indexer } from '../layers/indexes/indexer.js';
import type { FileStorage } from '../storage/storage.js';
import type { TileCaches } from './cache/tile-caches.js';
import { type EncodedFormat, encodedTypes, type PictureEncoder } from './pictures/picture-formats.js';
import type { ReadContent } from './plan/map-content.js';
import { createPlanner, type DraftsOf, type PlanTile, type TilePlan } from './plan/plan.js';
import type { TileRequest } from './plan/tile-request.js';
import { sendDrawn } from './png-answer.js';
import type { RendererPool } from './render/pool.js';
import { TileBatcher } from './render/tile-batcher.js';
import type { ShapePyramids } from './shape-pieces/shape-pyramids.js';
import type { FeatureChunks } from './small-features/chunks.js';
import { SmallFeatureLayers } from './small-features/layers.js';

/** The services of raster tiles. */
export interface TileServices {
  readonly db: Database;
  readonly config: Config;
  readonly storage: FileStorage;
  readonly readContent: ReadContent;
  readonly renderers: RendererPool;
  readonly indexer: Indexer;
  readonly shapePyramids: ShapePyramids;
  readonly externalPictures: ExternalPictures;
}

/** A raster tile of a map, whatever the form of its address. */
export interface AddressedTile {
  map: string;
  tile: TileRequest;
  format: EncodedFormat;
  /** Whether the caller's drafts of styles are drawn. */
  hasDrafts: boolean;
  /** Whether the address names layers by their codes, which a change of the map may give to others. */
  hasCodes?: boolean;
}

/** Answers a request with a raster tile. */
export type SendTile = (
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: AddressedTile,
) => Promise<FastifyReply>;

/** Creates the planner of tiles and pictures. */
export const createTilePlanner = ({
  db,
  storage,
  readContent,
  indexer,
  shapePyramids,
  config,
  externalPictures: pictures,
}: Omit<TileServices, 'renderers'>): PlanTile =>
  createPlanner({
    db,
    storage,
    readContent,
    pictures,
    smallFeatures: new SmallFeatureLayers({ db, indexer, config }),
    shapePyramids,
    fastLabels: config.fastLabels,
  });

/** Creates the one answer to requests for raster tiles: all forms of addresses share its planner, batches and cache. */
export function createTileSender(
  { db, renderers, config }: Pick<TileServices, 'db' | 'renderers' | 'config'>,
  {
    caches,
    responses,
    smallFeatures,
    planTile,
    encoder,
  }: {
    caches: TileCaches;
    responses: Pick<ResponseCache, 'keep'>;
    smallFeatures: FeatureChunks;
    planTile: PlanTile;
    encoder: PictureEncoder;
  },
): SendTile {
  const batcher = new TileBatcher({ renderers, caches, config, smallFeatures });
  /** Created here, outside of the handler: a closure in it would keep the whole request in memory. */
  const isStill = stillValid({ db, planTile, batcher });

  return async (request, reply, { map, tile, format, hasDrafts, hasCodes }) => {
    const { caller, gone } = request;
    const drafts = hasDrafts ? draftsOf(db, caller) : undefined;
    const plan = (at?: Snapshot): Promise<TilePlan> =>
      planTile(caller, map, tile, { signal: gone, at, drafts });
    let planned = await plan(caller.at);
    const { bytes, tag } = await batcher.draw(tile, planned, gone).catch(async (error) => {
      planned = await planOfChange(error, planned, plan);
      return batcher.draw(tile, planned, gone);
    });
    if (drafts) return sendDrawn(reply, await encoder.encoded({ bytes, tag }, format), encodedTypes[format]);
    reply.header('cache-control', cacheControl(request, planned.isPublic));
    const etag = etagOf(planned.key, tile.z, tile.x, tile.y, tag, ...(format === 'png' ? [] : [format]));
    if (sentUnchanged(request, reply, etag)) return reply;
    const picture = asBuffer(await encoder.encoded({ bytes, tag }, format));
    reply.type(encodedTypes[format]);
    if (planned.isPublic && planned.isKept && !hasCodes) {
      const shown = { project: caller.project.code, map, tile, key: planned.key, tag };
      responses.keep(request, reply, picture, isStill(shown));
    }
    return reply.send(picture);
  };
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
