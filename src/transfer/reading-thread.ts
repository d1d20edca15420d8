import { ServiceError } from '../errors.js';
import { createThreads } from '../threads.js';
import type { ReadingAnswer, ReadingOptions, ReadingOrder, ReadingRequest } from './reading.js';

/** A thread while it reads one file. */
export interface ReadingThread {
  /** Throws what reading finds wrong. */
  ask(request: ReadingRequest): Promise<Exclude<ReadingAnswer, { kind: 'error' }>>;
  stop(): void;
}

/** Memory of the thread's objects, MiB: room for the largest feature, an end for what grows without bound. */
const memory = 2_048;

/** Of it room for what is new: a batch lives longer than the usual 16 MiB take, and copying it about took half of the time. */
const youngMemory = 96;

const takeThread = createThreads<ReadingOrder, ReadingAnswer>(
  new URL('./reading-worker.js', import.meta.url),
  { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: youngMemory },
);

export function startReading(options: ReadingOptions): ReadingThread {
  let settle: { resolve(answer: ReadingAnswer): void; reject(error: Error): void } | undefined;
  let failure: Error | undefined;
  /** Only who has read a file to its end may read another. */
  let isDone = false;
  const thread = takeThread({
    answer: (answer) => settle?.resolve(answer),
    failed(error) {
      failure =
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new ServiceError('too_large', 'A feature is too large to be read')
          : error;
      settle?.reject(failure);
    },
  });
  thread.post({ kind: 'file', options });
  const answered = (request: ReadingRequest): Promise<ReadingAnswer> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure);
      settle = { resolve, reject };
      thread.post(request);
    });
  return {
    async ask(request) {
      const answer = await answered(request);
      isDone = answer.kind === 'summary';
      if (answer.kind !== 'error') return answer;
      throw new ServiceError(answer.code, answer.message, answer.data, answer.status);
    },
    stop() {
      if (isDone) thread.release();
      else thread.leave();
    },
  };
}
