import { Readable } from 'node:stream';
import { ServiceError } from '../errors.js';
import { createThreads } from '../threads.js';
import type { CardOrder, CardPiece } from './card-thread.js';
import type { CardContent } from './content.js';
import type { Limits } from './layout.js';

export interface Making {
  /** The PDF, from when its first bytes are there: what fails before rejects. */
  pdf: Promise<Readable>;
  /** Settles when the thread is no longer at it. */
  ended: Promise<void>;
}

/** Memory of the thread's objects, MiB. */
const memory = 512;

const takeThread = createThreads<CardOrder, CardPiece>(new URL('./card-thread.js', import.meta.url), {
  maxOldGenerationSizeMb: memory,
});

/** Makes the PDF of a card in a thread, which is left when the signal is aborted. */
export function makePdf(content: CardContent, limits: Limits, signal: AbortSignal): Making {
  // The whole PDF is small (a few MB at most, by the limits), so the thread is not slowed down to its reader's pace.
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
  const begun = new Promise<Readable>((resolve, reject) => {
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
          ? new ServiceError('too_large', 'The object is too large for a card')
          : error,
      ),
  });
  thread.post({ content, limits });
  if (signal.aborted) left();
  else signal.addEventListener('abort', left, { once: true });
  return { pdf: begun, ended };
}
