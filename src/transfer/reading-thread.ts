import { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import type { ReadingAnswer, ReadingOptions, ReadingRequest } from './reading.js';

/** A thread that reads one file, and can be ended at any time. */
export interface ReadingThread {
  /** Throws what reading finds wrong. */
  ask(request: ReadingRequest): Promise<Exclude<ReadingAnswer, { kind: 'error' }>>;
  stop(): Promise<unknown>;
}

/** Memory of the thread's objects, MiB: room for the largest feature, an end for what grows without bound. */
const memory = 2_048;

/** Of it room for what is new: a batch lives longer than the usual 16 MiB take, and copying it about took half of the time. */
const youngMemory = 96;

export function startReading(options: ReadingOptions): ReadingThread {
  const worker = new Worker(new URL('./reading-worker.js', import.meta.url), {
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: youngMemory },
  });
  let settle: { resolve(answer: ReadingAnswer): void; reject(error: Error): void } | undefined;
  let failure: Error | undefined;
  worker.on('message', (answer: ReadingAnswer) => settle?.resolve(answer));
  worker.on('error', (error: NodeJS.ErrnoException) => {
    failure =
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ServiceError('too_large', 'A feature is too large to be read')
        : error;
    settle?.reject(failure);
  });
  const answered = (request: ReadingRequest): Promise<ReadingAnswer> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure);
      settle = { resolve, reject };
      worker.postMessage(request);
    });
  return {
    async ask(request) {
      const answer = await answered(request);
      if (answer.kind !== 'error') return answer;
      throw new ServiceError(answer.code, answer.message, answer.data, answer.status);
    },
    stop: () => worker.terminate(),
  };
}
