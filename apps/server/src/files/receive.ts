import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { requiredMissing } from '../errors.js';
import type { Upload } from '../http/body.js';
import { cleanName } from '../http/file-names.js';
import { heard, limited, tooLarge } from '../http/incoming.js';
import type { FileStorage } from '../storage/storage.js';
import { headSize, mediaType } from './mime.js';
import type { StoredFile } from './store.js';

/** Most bytes of a form around its file: the other variables and the boundaries. */
const formSize = 2 * 1024 * 1024;

/** The file of a form, its variable `file`. Throws `required_missing`; 413 at once when the form must be too large. */
export function uploadOf(request: FastifyRequest, limit: number): Upload {
  const { upload } = request;
  if (upload?.field !== 'file') throw requiredMissing('file');
  if (Number(request.headers['content-length'] ?? 0) > limit + formSize) throw tooLarge(limit);
  return upload;
}

/** Stores the bytes of an upload. Throws 413 above `limit` bytes, 400 when it is cut off; nothing is left then. */
export async function receive(
  storage: FileStorage,
  upload: Upload,
  limit: number,
): Promise<Omit<StoredFile, 'id' | 'uuid'>> {
  const content = randomUUID();
  const name = cleanName(upload.filename);
  const seen = { size: 0, head: [] as Buffer[] };
  await storage.put(content, noticed(limited(heard(upload.stream), limit), seen));
  const head = Buffer.concat(seen.head).subarray(0, headSize);
  return { content, name, mime: mediaType(head, name), size: seen.size };
}

/** Passes chunks on, counts their bytes and keeps the first. */
async function* noticed(
  chunks: AsyncIterable<Buffer>,
  seen: { size: number; head: Buffer[] },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (seen.size < headSize) seen.head.push(chunk);
    seen.size += chunk.length;
    yield chunk;
  }
}
