import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { requiredMissing, ServiceError } from '../errors.js';

/** A file on its way in, however it was sent. */
export interface IncomingFile {
  /** As the client named it; undefined for a bare body. */
  filename: string | undefined;
  /** Its bytes, unpacked where they are gzip. Reading rejects when they are too many, stop coming or are cut off. */
  bytes: AsyncIterable<Buffer>;
}

/** Longest silence of a client in the middle of an upload, ms: it holds one of the few turns. */
const longestSilence = 60_000;

/**
 * The file of an import: the multipart variable `file`, or the body as it is, named by `X-Filename`. Throws 413 at
 * once when its declared length is over `limit` (bytes), `required_missing` for a form without the file.
 */
export function incomingFile(request: FastifyRequest, limit: number): IncomingFile {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (!/^(identity|gzip|x-gzip)$/i.test(encoding)) {
    throw new ServiceError('bad_request', 'The content encoding of an import is gzip or none', {}, 415);
  }
  const { upload } = request;
  const isForm = /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
  if (isForm && upload?.field !== 'file') throw requiredMissing('file');
  const stream = isForm ? upload!.stream : (request.body as Readable | undefined);
  const bytes = stream ? unpacked(limited(heard(stream), limit), limit) : none();
  return { filename: isForm ? upload!.filename : headerName(request), bytes };
}

/** Lets what is left of a body run out after a failure, so that the client reads the answer instead of a broken connection. */
export function discardRest(request: FastifyRequest): void {
  request.raw.unpipe();
  request.raw.resume();
}

async function* none(): AsyncGenerator<Buffer> {}

/** `X-Filename` may be percent-encoded, as HTTP headers hold ASCII alone. */
function headerName(request: FastifyRequest): string | undefined {
  const name = request.headers['x-filename'];
  if (typeof name !== 'string' || name === '') return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const tooLarge = (limit: number): ServiceError =>
  new ServiceError('too_large', `The file is larger than ${limit} bytes`);

/**
 * The chunks of a stream. It is left open when reading ends early, for the answer goes over its connection.
 */
async function* heard(stream: Readable): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = stream.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = await withinSilence(chunks.next());
    if (next.done) return;
    yield next.value;
  }
}

/** What the stream gives next, unless it takes longer than `longestSilence` or breaks off. */
async function withinSilence<T>(next: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ServiceError('timeout', 'The upload stood still')), longestSilence);
  });
  try {
    return await Promise.race([next, silence]);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('bad_request', 'The upload was cut off');
  } finally {
    clearTimeout(timer);
  }
}

async function* limited(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > limit) throw tooLarge(limit);
    yield chunk;
  }
}

/** Unpacks gzip, known by its first bytes (RFC 1952) whatever the headers say: GeoJSON never begins with them. */
async function* unpacked(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const all = rejoin(first.value, iterator);
  if (first.value[0] === 0x1f && first.value[1] !== 0x7b) yield* limited(gunzip(all), limit);
  else yield* all;
}

async function* rejoin(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* gunzip(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unzip = createGunzip();
  const feeding = pipeline(chunks, unzip);
  feeding.catch(() => {}); // the same failure is met by reading
  try {
    yield* unzip;
    await feeding;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('import_failed', 'The file is not valid gzip');
  } finally {
    unzip.destroy();
  }
}
