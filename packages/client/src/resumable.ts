import type { ServiceCalls } from './calls.js';
import { isClientError } from './errors.js';
import { pause } from './sending.js';
import { asBlob, sendUpload, type UploadOptions, type UploadSource } from './uploads.js';

/** Times that a broken connection is taken up again without any progress; the wait before each, seconds. */
const waits = [0.5, 1, 2, 4, 8];

const tus = { 'tus-resumable': '1.0.0' };

/**
 * Sends a file as an upload that can be resumed (tus 1.0), and gives its id. After a broken connection it goes on where the
 * service has come. An upload that is given up, that the service refuses, or whose file cannot be read is removed.
 */
export async function sendResumable(
  calls: ServiceCalls,
  file: { name: string; source: UploadSource },
  options: UploadOptions,
): Promise<string> {
  const { signal } = options;
  const source = await asBlob(file.source);
  const base = calls.address('/api/2.8/{project}/files/uploads/', {});
  const name = btoa(String.fromCharCode(...new TextEncoder().encode(file.name)));
  const headers = { ...tus, 'upload-length': String(source.size), 'upload-metadata': `filename ${name}` };
  const made = await calls.open(base, { method: 'POST', headers }, { signal, isRead: false });
  const { id } = (await made.json()) as { id: string };
  const address = `${base}${id}/`;
  try {
    await sendParts(calls, { address, source }, options);
    return id;
  } catch (error) {
    calls.open(address, { method: 'DELETE', headers: tus }, { isRead: false }).catch(() => {});
    throw error;
  }
}

interface Resumed {
  address: string;
  source: Blob;
}

async function sendParts(
  calls: ServiceCalls,
  { address, source }: Resumed,
  { signal, onProgress }: UploadOptions,
): Promise<void> {
  let [offset, failures] = [0, 0];
  while (offset < source.size || source.size === 0) {
    const from = offset;
    const headers = {
      ...tus,
      'upload-offset': String(from),
      'content-type': 'application/offset+octet-stream',
    };
    const part = { address, method: 'PATCH', headers, source: source.slice(from) } as const;
    try {
      await sendUpload(calls, part, {
        ...(signal ? { signal } : {}),
        onProgress: (sent) => onProgress?.(from + sent, source.size),
      });
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isInterruption(error) || failures === waits.length) throw error;
      // A file that was moved or changed meanwhile fails as a connection does. Reading it tells.
      await part.source.slice(0, 1).arrayBuffer();
      await pause(waits[failures]!, signal);
      const state = await calls.read<{ offset: number }>(address, { signal });
      failures = state.offset > offset ? 0 : failures + 1;
      offset = state.offset;
    }
  }
}

/**
 * Whether the part may be sent again: no answer came, the service is busy, it has come further than was known, or the session
 * has ended. Asking how far it is then tells whether there is a new session.
 */
const isInterruption = (error: unknown): boolean =>
  isClientError(error) && [0, 401, 403, 409, 429, 502, 503, 504].includes(error.status);
