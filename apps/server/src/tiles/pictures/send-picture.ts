import { badRequest } from '@cartulary/errors';
import { digestOf } from '@cartulary/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mainLanguage } from '../../access/caller.js';
import { asBuffer, cacheControl, etagOf, sentUnchanged } from '../../http/reply.js';
import type { BytesCache } from '../cache/memory-cache.js';
import type { SendTile } from '../serve-tile.js';
import type { PictureContent, PlanPicture } from './draw.js';
import { type PictureFrame, tileIn } from './frame.js';
import { type EncodedFormat, encodedTypes, type PictureEncoder } from './picture-formats.js';

/** A picture of a map, whatever the form of its address. */
export interface AddressedPicture {
  map: string;
  content: PictureContent;
  frame: PictureFrame;
  format: EncodedFormat;
}

/** Answers a request with a picture of a map. */
export type SendPicture = (
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: AddressedPicture,
) => Promise<FastifyReply>;

interface PictureParts {
  planPicture: PlanPicture;
  sendTile: SendTile;
  encoder: Pick<PictureEncoder, 'encoded'>;
  bytes: BytesCache;
  largestSide: number;
}

/** Largest picture that is kept in memory, bytes. */
const largestKept = 512 * 1024;

/** Throws 400 for a picture that is too large, or whose box is empty. */
export function demandFrame({ box, width, height }: PictureFrame, largestSide: number): void {
  for (const [name, side] of Object.entries({ width, height }))
    if (!Number.isInteger(side) || side < 1 || side > largestSide)
      throw badRequest(`${name} is 1 to ${largestSide} pixels`, { parameters: [name] });
  if (!box.every((edge) => Number.isFinite(edge) && Math.abs(edge) < 1e12))
    throw badRequest('bbox: four numbers are expected', { parameters: ['bbox'] });
  if (!(box[0] < box[2] && box[1] < box[3]))
    throw badRequest('bbox: the box is empty: its first corner is the lower one', { parameters: ['bbox'] });
}

/**
 * Creates the one answer to requests for pictures of any box. A picture that is a tile is the tile of the cache. Others are kept
 * in memory under everything on which they depend, the versions of their layers included.
 */
export function createPictureSender({
  planPicture,
  sendTile,
  encoder,
  bytes: cache,
  largestSide,
}: PictureParts): SendPicture {
  return async (request, reply, { map, content, frame, format }) => {
    demandFrame(frame, largestSide);
    const place = tileIn(frame);
    if (place) {
      const main = mainLanguage(request.caller);
      const tile = { ...place, ...content, scale: frame.scale, palette: undefined, main };
      return sendTile(request, reply, { map, tile, format, hasDrafts: false, hasCodes: true });
    }
    const { caller, gone } = request;
    const { plan, draw } = await planPicture({ caller, map, content, frame }, gone);
    reply.header('cache-control', cacheControl(request, plan.isPublic));
    const versions = plan.sources.map(({ id, version }) => [id, version]);
    const key = `picture/${digestOf(JSON.stringify([plan.key, versions, frame]))}`;
    if (plan.isKept && sentUnchanged(request, reply, etagOf(key, format))) return reply;
    const known = plan.isKept ? cache.get(key) : undefined;
    const picture = known ?? (await draw());
    if (!known && plan.isKept && picture.length <= largestKept) cache.set(key, picture);
    const tag = digestOf(picture);
    return reply
      .type(encodedTypes[format])
      .send(asBuffer(await encoder.encoded({ bytes: picture, tag }, format)));
  };
}
