import type { Log } from '@cartulary/runtime';
import type { ResponseCache } from '../http/response-cache.js';
import type { TileStore } from './cache/open.js';
import { aroundWorld } from './pictures/around-world.js';
import { createPicturePlanner } from './pictures/draw.js';
import { createPictureSender, type SendPicture } from './pictures/send-picture.js';
import { createTilePlanner, createTileSender, type SendTile, type TileServices } from './serve-tile.js';
import { FeatureChunks } from './small-features/chunks.js';
import { createVectorServing, type VectorServing } from './vector/serve-vectors.js';
import { PictureEncoder } from './xyz/picture-formats.js';

/** The answers that all doors to tiles and pictures share. */
export interface TileServing {
  sendTile: SendTile;
  sendPicture: SendPicture;
  vectors: VectorServing;
}

/** Creates the answers: they share planner, cache and encoder. */
export function createTileServing(
  services: TileServices,
  { store, responses, log }: { store: TileStore; responses: Pick<ResponseCache, 'keep'>; log: Log },
): TileServing {
  const { db, renderers, config } = services;
  const planTile = createTilePlanner(services);
  const encoder = new PictureEncoder(store.bytes);
  const smallFeatures = new FeatureChunks({ db, store, log });
  const sendTile = createTileSender(services, { store, responses, smallFeatures, planTile, encoder });
  const largestSide = config.pictureSidePixels;
  const planPicture = aroundWorld(
    createPicturePlanner({ db, renderers, planTile, smallFeatures, largestSide }),
  );
  return {
    sendTile,
    sendPicture: createPictureSender({ planPicture, sendTile, encoder, bytes: store.bytes, largestSide }),
    vectors: createVectorServing(services, store.bytes),
  };
}
