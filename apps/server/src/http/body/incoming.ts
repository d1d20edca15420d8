import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ServiceError } from '@cartulary/errors';
import type { FastifyRequest } from 'fastify';

const streamed = new WeakSet<IncomingMessage>();

/** Notes that a body goes to a file as it comes: it takes no memory while it is incomplete. */
export const noteStreamed = ({ raw }: FastifyRequest): void => void streamed.add(raw);

/** Whether a body goes to a file as it comes. */
export const isStreamed = (request: IncomingMessage): boolean => streamed.has(request);

/**
 * Reads and discards the rest of a body after a failure. So the client receives the response instead of a
 * broken connection, and the next request on it gets through. A reader that stopped in the middle is detached
 * first, since it would block the stream.
 */
export function discardRest({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.removeAllListeners('readable');
  // Without a listener the stream would pause again when the reader is removed later.
  raw.on('data', () => {});
  raw.resume();
}

/** 413 for more than `limit` bytes. */
export const tooLarge = (limit: number): ServiceError =>
  new ServiceError('too_large', `The file is larger than ${limit} bytes`, { limit, unit: 'bytes' });

/**
 * The chunks of an upload. Throws when the upload is cut off. The stream stays open when reading ends early,
 * since the response uses its connection.
 */
export async function* readUpload(stream: Readable): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = stream.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = await chunks.next().catch((error) => {
      throw error instanceof ServiceError ? error : new ServiceError('bad_request', 'The upload was cut off');
    });
    if (next.done) return;
    yield next.value;
  }
}

/** Passes chunks on up to `limit` bytes. Throws 413 beyond that. */
export async function* limitBytes(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > limit) throw tooLarge(limit);
    yield chunk;
  }
}
