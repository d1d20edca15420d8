import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { spoolFile } from '@cartulary/formats';
import { cleanName, createJobFolder, readStream } from '@cartulary/runtime';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.js';
import type { JobQuota, Progress } from '../jobs/jobs.js';
import { adoptFile, type StoredUpload } from '../uploads/store.js';
import type { TransferServices } from './services.js';
import type { IncomingFile } from './upload.js';

/** Writes the whole file of an import to `path`; gives its size in bytes. Throws the errors of the upload, 429 above the quota. */
export async function receiveUpload(
  file: IncomingFile,
  path: string,
  { quota, signal }: { quota: JobQuota; signal: AbortSignal },
): Promise<number> {
  const seen = { size: 0 };
  await pipeline(counted(file.bytes, quota, seen), spoolFile(path), { signal }).catch((error) =>
    Promise.reject(signal.aborted ? signal.reason : error),
  );
  return seen.size;
}

/** A received file. */
export interface ReceivedFile {
  path: string;
  filename: string | undefined;
  /** Bytes. */
  size: number;
  /** Receives which part of it was read. */
  progress?: Progress | undefined;
  /** Called when all of it was read, so that it can be removed. */
  whenRead?: (() => Promise<void>) | undefined;
}

export function openReceived(received: ReceivedFile): IncomingFile & { close(): void } {
  const { path, filename, size, progress, whenRead } = received;
  const stream = readStream(path);
  async function* bytes(): AsyncGenerator<Buffer> {
    let read = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      read += chunk.length;
      progress?.({ phase: 'reading', percent: Math.floor((100 * read) / size) });
      yield chunk;
    }
    await whenRead?.();
  }
  return { filename, bytes: bytes(), close: () => stream.destroy() };
}

/**
 * Carries out an import within its request: receives the file, then runs `work` when the semaphore admits the owner. Throws `busy` before
 * anything is received if no more imports may wait.
 */
export async function importInRequest<T>(
  { config, jobs, imports }: TransferServices,
  { owner, gone }: Pick<FastifyRequest, 'owner' | 'gone'>,
  file: IncomingFile,
  work: (upload: IncomingFile) => Promise<T>,
): Promise<T> {
  const semaphore = imports.for(owner);
  semaphore.admit();
  const quota = jobs.allowance.openQuota(owner);
  return withReceived(file, { dataFolder: config.dataFolder, quota, signal: gone }, (upload) =>
    semaphore(() => work(upload), gone),
  );
}

/**
 * Receives a whole file before its work begins: until then it takes only a connection and disk space, no place in a queue.
 * Removes the file in any case.
 */
async function withReceived<T>(
  file: IncomingFile,
  { dataFolder, quota, signal }: { dataFolder: string; quota: JobQuota; signal: AbortSignal },
  work: (upload: IncomingFile) => Promise<T>,
): Promise<T> {
  const folder = await createJobFolder(dataFolder);
  try {
    const path = join(folder.path, 'file');
    const size = await receiveUpload(file, path, { quota, signal });
    const whenRead = async (): Promise<void> => {
      await rm(path, { force: true });
      quota.release();
    };
    const upload = openReceived({ path, filename: file.filename, size, whenRead });
    try {
      return await work(upload);
    } finally {
      upload.close();
    }
  } finally {
    quota.release();
    await folder.remove();
  }
}

/** Counts bytes in a quota and in `seen`, and passes them on. Throws 429 above the quota. */
export async function* counted(
  chunks: AsyncIterable<Buffer>,
  quota: JobQuota,
  seen: { size: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    quota.take(chunk.length);
    seen.size += chunk.length;
    yield chunk;
  }
}

/** Receives the file of a preview as an upload of the caller, which later imports take by its id. */
export async function keepAsUpload(
  { db, config }: Pick<TransferServices, 'db' | 'config'>,
  caller: Caller,
  file: IncomingFile,
  { quota, signal }: { quota: JobQuota; signal: AbortSignal },
): Promise<StoredUpload & { path: string }> {
  const folder = await createJobFolder(config.dataFolder);
  try {
    const path = join(folder.path, 'file');
    const size = await receiveUpload(file, path, { quota, signal });
    return await adoptFile(db, config, caller, { name: cleanName(file.filename ?? ''), size, path });
  } finally {
    quota.release();
    await folder.remove();
  }
}
