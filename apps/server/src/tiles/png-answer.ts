import type { FastifyReply } from 'fastify';
import { bytesAs, Flag } from '../http/params.js';
import { asBuffer } from '../http/reply.js';

export const pngAnswer = bytesAs('A PNG picture', 'image/png');

export const DraftFlag = Flag(
  "1: with the caller's own drafts in place of the saved styles. Needs a token; the answer is not cached",
);

/** Sends a picture that nobody else may see and no cache may keep. */
export const sendDrawn = (reply: FastifyReply, picture: Uint8Array, type = 'image/png'): FastifyReply =>
  reply.header('cache-control', 'private, no-store').type(type).send(asBuffer(picture));
