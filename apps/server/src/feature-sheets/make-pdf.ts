import { Readable } from 'node:stream';
import { ServiceError } from '@cartulary/errors';
import { createThreads } from '@cartulary/runtime';
import type { SheetContent } from './content.js';
import type { SheetLimits } from './layout.js';
import type { FeatureSheetOrder, FeatureSheetPiece } from './pdf-thread.js';

export interface Making {
  /** The PDF, once its first bytes exist; rejects on an earlier failure. */
  pdf: Promise<Readable>;
  /** Resolves when the thread no longer works on it. */
  ended: Promise<void>;
}

/** Memory limit of the thread's heap, MiB. */
const heapLimitMiB = 512;

const takeThread = createThreads<FeatureSheetOrder, FeatureSheetPiece>(
  new URL('./pdf-thread.js', import.meta.url),
  {
    maxOldGenerationSizeMb: heapLimitMiB,
  },
);

/** Makes the PDF of a feature sheet in a thread; an aborted signal ends the thread. Throws `too_large` when the thread runs out of memory. */
export function makePdf(content: SheetContent, limits: SheetLimits, signal: AbortSignal): Making {
  // Without back pressure: the limits keep a PDF at a few MB.
  const pdf = new Readable({
    read() {},
    destroy(error, done) {
      void thread.leave().then(end);
      done(error);
    },
  });
  const left = (): void => void pdf.destroy(signal.reason as Error);
  let end: () => void;
  const ended = new Promise<void>((resolve) => {
    end = () => {
      signal.removeEventListener('abort', left);
      resolve();
    };
  });
  let begin: () => void;
  const output = new Promise<Readable>((resolve, reject) => {
    begin = () => resolve(pdf);
    pdf.once('error', reject);
    pdf.once('close', () => reject(new ServiceError('internal')));
  });
  const thread = takeThread({
    answer(piece) {
      begin();
      pdf.push(piece);
      if (piece) return;
      thread.release();
      end();
    },
    failed: (error) =>
      pdf.destroy(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new ServiceError('too_large', 'The object is too large for a feature sheet')
          : error,
      ),
  });
  thread.post({ content, limits });
  if (signal.aborted) left();
  else signal.addEventListener('abort', left, { once: true });
  return { pdf: output, ended };
}
