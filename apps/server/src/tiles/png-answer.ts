import type { FastifyReply } from 'fastify';
import { Flag } from '../http/params.js';
import { asBuffer } from '../http/reply.js';
/** Schema of a binary answer, which JSON schema types cannot describe. */
export const pngAnswer: Record<string, unknown> = {
  200: {
    description: 'A PNG picture',
    content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
  },
};

export const DraftFlag = Flag(
  "1: with the caller's own drafts in place of the saved styles. Needs a token; the answer is not cached",
);

/** Sends a picture that nobody else may see and no cache may keep. */
export const sendDrawn = (reply: FastifyReply, picture: Uint8Array, type = 'image/png'): FastifyReply =>
  reply.header('cache-control', 'private, no-store').type(type).send(asBuffer(picture));
