import type { ServiceCalls } from './calls.js';
import { unreachableError } from './errors.js';

/** A file to send. A stream is sent as it comes in Node, and collected first in browsers. */
export type UploadSource = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface UploadOptions {
  signal?: AbortSignal;
  /** Called while it is sent, with bytes; the total is unknown of a stream. */
  onProgress?: (sent: number, total: number | undefined) => void;
}

/** A request with a large body. */
interface Upload {
  address: string;
  method?: 'POST' | 'PATCH';
  headers: Record<string, string>;
  source: UploadSource;
}

/**
 * Sends a body and reports progress. XMLHttpRequest alone reports it in every browser: `fetch` sends streams in some
 * only, and there over HTTP/2 alone. Elsewhere `fetch` reads the body as a stream, which is counted. An upload is not
 * repeated: the service may have carried it out.
 */
export async function sendUpload(
  calls: ServiceCalls,
  { address, method = 'POST', headers, source }: Upload,
  options: UploadOptions,
): Promise<Response> {
  const { signal, onProgress } = options;
  const isBrowser = typeof XMLHttpRequest === 'function';
  signal?.throwIfAborted();
  if (isBrowser) {
    const body = await asBlob(source);
    const sent = { ...calls.headersFor(address, method), ...headers };
    return calls.sendWith(() => sendWithXhr({ address, method, headers: sent, source: body }, options), {
      signal,
      isRead: false,
    });
  }
  const size = source instanceof ReadableStream ? undefined : sizeOf(source);
  const ended = new AbortController();
  const isStreamed = onProgress || source instanceof ReadableStream;
  const body = isStreamed
    ? counted(streamOf(source), ended.signal, (sent) => onProgress?.(sent, size))
    : source;
  const init = {
    method,
    // The service refuses a file that is too large before it is sent.
    headers: size === undefined ? headers : { ...headers, 'content-length': String(size) },
    body: body as BodyInit,
    duplex: 'half',
  };
  // A source would be read on after a request that was aborted or refused.
  return calls.open(address, init, { signal, isRead: false }).finally(() => ended.abort());
}

const sizeOf = (source: Blob | Uint8Array): number =>
  source instanceof Blob ? source.size : source.byteLength;

/** Bytes that are read at a time: the steps of the progress. */
const partBytes = 64 * 1024;

/** A blob gives its content in steps as it is sent, not all at once as `stream()` may. */
function streamOf(source: UploadSource): ReadableStream<Uint8Array> {
  if (source instanceof ReadableStream) return source;
  const blob = source instanceof Blob ? source : new Blob([source]);
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= blob.size) return controller.close();
      const part = await blob.slice(at, at + partBytes).arrayBuffer();
      at += part.byteLength;
      controller.enqueue(new Uint8Array(part));
    },
  });
}

/** The whole source. A blob can be cut. */
export const asBlob = async (source: UploadSource): Promise<Blob> => {
  if (source instanceof Blob) return source;
  return source instanceof ReadableStream ? new Response(source).blob() : new Blob([source]);
};

/** The stream; tells the bytes that were read. The signal cancels it. */
function counted(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onBytes: (sent: number) => void,
): ReadableStream<Uint8Array> {
  let sent = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength;
      controller.enqueue(chunk);
      onBytes(sent);
    },
  });
  return stream.pipeThrough(counter, { signal });
}

function sendWithXhr(
  { address, method, headers, source: body }: Required<Upload> & { source: Blob },
  { signal, onProgress }: UploadOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    request.open(method, address);
    request.responseType = 'blob';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total);
    request.onload = () => resolve(responseOf(request));
    request.onerror = () => reject(unreachableError(undefined));
    request.onabort = () => reject(signal?.reason);
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort, { once: true });
    request.send(body);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/).filter(Boolean);
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trim()];
  });
  // A response without content cannot have a body, not even an empty one.
  const body = request.status === 204 ? null : (request.response as Blob);
  return new Response(body, { status: request.status, headers });
}

/** A form with one file: its bytes as they are sent, and their media type. */
export async function formWithFile(
  source: UploadSource,
  name: string,
): Promise<{ source: Blob; type: string }> {
  const form = new FormData();
  form.set('file', await asBlob(source), name);
  const whole = new Response(form);
  return { type: whole.headers.get('content-type')!, source: await whole.blob() };
}
