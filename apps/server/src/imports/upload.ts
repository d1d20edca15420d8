import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { requiredMissing, ServiceError } from '@cartulary/errors';
import { isDecompressionBomb } from '@cartulary/formats';
import { readStream } from '@cartulary/runtime';
import type { FastifyRequest } from 'fastify';
import type { Upload } from '../http/app-type.js';
import { limitBytes, readUpload, tooLarge } from '../http/body/incoming.js';

/** A file on its way in, however it was sent. */
export interface IncomingFile {
  /** As the client named it; undefined for a bare body. */
  filename: string | undefined;
  /** Its bytes, unpacked where they are gzip. Reading rejects when they are too many, stop coming or are cut off. */
  bytes: AsyncIterable<Buffer>;
}

export interface UploadLimits {
  /** Of the file, as it comes and unpacked. */
  bytes: number;
  /** Most ratio of the unpacked to the received size, for large files. */
  ratio: number;
}

export const isForm = ({ headers }: FastifyRequest): boolean =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

/**
 * The file of an import: the multipart variable `file`, or the body as it is, named by `X-Filename`. Throws 413 at
 * once when its declared length is over the limit, `required_missing` for a form without the file.
 */
export function incomingFile(request: FastifyRequest, limits: UploadLimits): IncomingFile {
  const limit = limits.bytes;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (!/^(identity|gzip|x-gzip)$/i.test(encoding)) {
    throw new ServiceError('bad_request', 'The content encoding of an import is gzip or none', {}, 415);
  }
  const { upload } = request;
  const hasFields = isForm(request);
  if (hasFields && upload?.field !== 'file') throw requiredMissing('file');
  const stream = hasFields ? upload!.stream : (request.body as Readable | undefined);
  const bytes = stream ? unpacked(limitBytes(readUpload(stream), limit), limits) : none();
  if (!hasFields) return { filename: headerName(request), bytes };
  return { filename: upload!.filename, bytes: untilEndOfForm(bytes, upload!) };
}

/** Passes chunks on and ends with the form: by then its variables after the file are known. */
async function* untilEndOfForm(chunks: AsyncIterable<Buffer>, { fields }: Upload): AsyncGenerator<Buffer> {
  yield* chunks;
  await fields;
}

/** The file of an import that has come as a resumable upload. The upload stays. */
export function fileOfUpload(
  { path, name, size }: { path: string; name: string; size: number },
  limits: UploadLimits,
): IncomingFile {
  if (size > limits.bytes) throw tooLarge(limits.bytes);
  const bytes = (): AsyncGenerator<Buffer> =>
    unpacked(limitBytes(readUpload(readStream(path)), limits.bytes), limits);
  return { filename: name, bytes: opened(bytes) };
}

/** Opens the file when it is first read. */
async function* opened(open: () => AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* open();
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

/** Unpacks gzip, known by its first bytes (RFC 1952) whatever the headers say: GeoJSON never begins with them. */
async function* unpacked(chunks: AsyncIterable<Buffer>, limits: UploadLimits): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const all = rejoin(first.value, iterator);
  if (first.value[0] === 0x1f && first.value[1] !== 0x7b)
    yield* limitBytes(gunzip(all, limits), limits.bytes);
  else yield* all;
}

async function* rejoin(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* gunzip(chunks: AsyncIterable<Buffer>, { ratio }: UploadLimits): AsyncGenerator<Buffer> {
  const unzip = createGunzip();
  let packed = 0;
  let size = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      packed += chunk.length;
      yield chunk;
    }
  };
  const feeding = pipeline(counted(), unzip);
  feeding.catch(() => {}); // the same failure is met by reading
  try {
    for await (const chunk of unzip as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (isDecompressionBomb(size, packed, ratio))
        throw new ServiceError('too_large', 'The file unpacks to more than is allowed');
      yield chunk;
    }
    await feeding;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('import_failed', 'The file is not valid gzip');
  } finally {
    unzip.destroy();
  }
}
