import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import type { CardContent } from './content.js';
import type { Limits } from './layout.js';

export interface Making {
  /** The PDF, from when its first bytes are there: what fails before rejects. */
  pdf: Promise<Readable>;
  /** Settles when the thread has ended. */
  ended: Promise<void>;
}

/** Memory of the thread's objects, MiB. */
const memory = 512;

/** Makes the PDF of a card in a thread of its own, which is ended when the signal is aborted. */
export function makePdf(content: CardContent, limits: Limits, signal: AbortSignal): Making {
  const thread = new Worker(new URL('./card-thread.js', import.meta.url), {
    workerData: { content, limits },
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  const stop = (): void => void thread.terminate();
  // The whole PDF is small (a few MB at most, by the limits), so the thread is not slowed down to its reader's pace.
  const pdf = new Readable({
    read() {},
    destroy(error, done) {
      stop();
      done(error);
    },
  });
  const left = (): void => void pdf.destroy(signal.reason as Error);
  const first = new Promise<Readable>((resolve, reject) => {
    thread.once('message', () => resolve(pdf));
    pdf.once('error', reject);
    pdf.once('close', () => reject(new ServiceError('internal')));
  });
  thread.on('message', (chunk: Uint8Array) => void pdf.push(chunk));
  thread.once('error', (error: NodeJS.ErrnoException) =>
    pdf.destroy(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ServiceError('too_large', 'The object is too large for a card')
        : error,
    ),
  );
  const ended = new Promise<void>((resolve) => {
    thread.once('exit', () => {
      signal.removeEventListener('abort', left);
      if (!pdf.destroyed) pdf.push(null);
      resolve();
    });
  });
  if (signal.aborted) left();
  else signal.addEventListener('abort', left, { once: true });
  return { pdf: first, ended };
}
