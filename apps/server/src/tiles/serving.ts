import type { Log } from '@cartulary/runtime';
import type { ResponseCache } from '../http/response-cache.js';
import type { TileCaches } from './cache/tile-caches.js';
import { aroundWorld } from './pictures/around-world.js';
import { createPicturePlanner } from './pictures/draw.js';
import { PictureEncoder } from './pictures/picture-formats.js';
import { createPictureSender, type SendPicture } from './pictures/send-picture.js';
import { createTilePlanner, createTileSender, type SendTile, type TileServices } from './serve-tile.js';
import { FeatureChunks } from './small-features/chunks.js';
import { createVectorServing, type VectorServing } from './vector/serve-vectors.js';

/** The answers that all doors to tiles and pictures share. */
export interface TileServing {
  sendTile: SendTile;
  sendPicture: SendPicture;
  vectors: VectorServing;
}

/** Creates the answers: they share planner, cache and encoder. */
export function createTileServing(
  services: TileServices,
  { caches, responses, log }: { caches: TileCaches; responses: Pick<ResponseCache, 'keep'>; log: Log },
): TileServing {
  const { db, renderers, config } = services;
  const planTile = createTilePlanner(services);
  const encoder = new PictureEncoder(caches.bytes);
  const smallFeatures = new FeatureChunks({ db, caches, log });
  const sendTile = createTileSender(services, { caches, responses, smallFeatures, planTile, encoder });
  const largestSide = config.pictureSidePixels;
  const planPicture = aroundWorld(
    createPicturePlanner({ db, renderers, planTile, smallFeatures, largestSide }),
  );
  return {
    sendTile,
    sendPicture: createPictureSender({ planPicture, sendTile, encoder, bytes: caches.bytes, largestSide }),
    vectors: createVectorServing(services, caches.bytes),
  };
}
