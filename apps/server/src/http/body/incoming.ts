import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';

/**
 * Lets what is left of a body run out after a failure, so that the client reads the answer instead of a broken connection,
 * and the next request on it comes through. A reader that has stopped in the middle would hold it up: it no longer listens.
 */
export function discardRest({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.removeAllListeners('readable');
  // Without a listener the stream would stand still again when that reader leaves after this.
  raw.on('data', () => {});
  raw.resume();
}

/** 413 for more than `limit` bytes. */
export const tooLarge = (limit: number): ServiceError =>
  new ServiceError('too_large', `The file is larger than ${limit} bytes`);

/** The chunks of an upload, unless it is cut off. It is left open when reading ends early, for the answer goes over its connection. */
export async function* heard(stream: Readable): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = stream.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = await chunks.next().catch((error) => {
      throw error instanceof ServiceError ? error : new ServiceError('bad_request', 'The upload was cut off');
    });
    if (next.done) return;
    yield next.value;
  }
}

/** The chunks as long as they are not more than `limit` bytes. Throws 413. */
export async function* limited(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > limit) throw tooLarge(limit);
    yield chunk;
  }
}
