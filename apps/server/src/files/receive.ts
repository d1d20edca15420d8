import { randomUUID } from 'node:crypto';
import { requiredMissing } from '@cartulary/errors';
import { cleanName, readStream } from '@cartulary/runtime';
import type { FastifyRequest } from 'fastify';
import type { Upload } from '../http/app-type.js';
import { limitBytes, readUpload, tooLarge } from '../http/body/incoming.js';
import type { FileStorage } from '../storage/storage.js';
import { mediaType, mimeHeadBytes } from './mime.js';
import type { StoredFile } from './store.js';

/** Most bytes of a form beside its file: other fields and boundaries. */
const formSize = 2 * 1024 * 1024;

/**
 * The file of a form, in its field `file`. Throws `required_missing`, and 413 at once when the declared size
 * is too large.
 */
export function uploadOf(request: FastifyRequest, limit: number): Upload {
  const { upload } = request;
  if (upload?.field !== 'file') throw requiredMissing('file');
  if (Number(request.headers['content-length'] ?? 0) > limit + formSize) throw tooLarge(limit);
  return upload;
}

/**
 * Stores the bytes of an upload. Throws 413 above `limit` bytes, and 400 when it is cut off; then nothing is
 * stored.
 */
export async function receiveFile(
  storage: FileStorage,
  upload: Pick<Upload, 'filename' | 'stream'>,
  limit: number,
): Promise<Omit<StoredFile, 'id' | 'uuid'>> {
  const content = randomUUID();
  const name = cleanName(upload.filename);
  const seen = { size: 0, head: [] as Buffer[] };
  await storage.put(content, noticed(limitBytes(readUpload(upload.stream), limit), seen));
  const head = Buffer.concat(seen.head).subarray(0, mimeHeadBytes);
  return { content, name, mime: mediaType(head, name), size: seen.size };
}

/** The bytes of a resumable upload as a file to store. Throws 413 above `limit` bytes. */
export function uploadedFile(
  { path, name, size }: { path: string; name: string; size: number },
  limit: number,
): Pick<Upload, 'filename' | 'stream'> {
  if (size > limit) throw tooLarge(limit);
  return { filename: name, stream: readStream(path) };
}

/** Passes chunks on, counts their bytes and keeps the first ones. */
async function* noticed(
  chunks: AsyncIterable<Buffer>,
  seen: { size: number; head: Buffer[] },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (seen.size < mimeHeadBytes) seen.head.push(chunk);
    seen.size += chunk.length;
    yield chunk;
  }
}
