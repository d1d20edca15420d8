import type { Database } from '@cartulary/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Config, longStatements } from '../../config.js';
import { tellTruncated } from '../../http/headers/truncated.js';
import { asBuffer, cacheControl, etagOf, sentUnchanged } from '../../http/reply.js';
import { changedMeanwhile } from '../../layers/layers.js';
import { filterFailure } from '../../objects/find/find.js';
import type { BytesCache } from '../cache/memory-cache.js';
import type { ReadContent } from '../plan/map-content.js';
import { demandInMatrix } from '../tile-parameters.js';
import type { VectorPlace } from './features.js';
import { planVectors, type VectorRequest, VectorTileMaker } from './tile.js';

/** The services of vector tiles. */
export interface VectorServices {
  readonly db: Database;
  readonly readContent: ReadContent;
  readonly config: Config;
}

/** A vector tile of a map, whatever the form of its address. */
export interface AddressedVectorTile {
  map: string;
  /** One in degrees is in its matrix. */
  place: VectorPlace;
  content: VectorRequest;
}

/** Answers requests for vector tiles: all forms of addresses share it. */
export interface VectorServing {
  send(request: FastifyRequest, reply: FastifyReply, wanted: AddressedVectorTile): Promise<FastifyReply>;
}

const vectorType = 'application/vnd.mapbox-vector-tile';

/** Creates the one answer to requests for vector tiles. */
export function createVectorServing(
  { db, readContent, config }: VectorServices,
  cache: BytesCache,
): VectorServing {
  const tiles = new VectorTileMaker(db, cache, {
    features: config.vectorTileFeatures,
    bytes: config.vectorTileBytes,
    atOnce: longStatements(config),
    maxWaiting: config.databaseQueue,
    maxWaitMs: config.databaseWaitMs,
    isEncodedByDatabase: config.fastVectorEncoding,
    isBatched: config.fastVectorTiles,
  });

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { map, place, content }: AddressedVectorTile,
  ): Promise<FastifyReply> {
    const { caller, gone } = request;
    const { z, x, y, isInDegrees } = place;
    if (!isInDegrees) demandInMatrix(place);
    const plan = await planVectors({ db, readContent }, { caller, map, request: content }, gone);
    reply.header('cache-control', cacheControl(request, plan.state.has_publication));
    reply.header('vary', 'accept-encoding');
    if (sentUnchanged(request, reply, etagOf(plan.key, z, x, y, ...(isInDegrees ? ['degrees'] : []))))
      return reply;
    const isPacked = acceptsGzip(request);
    const tile = await tiles.tile(plan, { request: content, place, isPacked }).catch((error) => {
      throw (content.filter !== undefined && filterFailure(error)) || changedMeanwhile(error);
    });
    reply.type(vectorType);
    if (isPacked) reply.header('content-encoding', 'gzip');
    tellTruncated(reply, tile.truncated);
    return reply.send(asBuffer(tile.bytes));
  }
  return { send };
}

const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  /(?:^|,)\s*(?:x-)?gzip\s*(?:,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|$)/i.test(headers['accept-encoding'] ?? '');
