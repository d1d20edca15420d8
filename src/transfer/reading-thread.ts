import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../errors.js';
import { createThreads } from '../threads.js';
import type { ReadingAnswer, ReadingOptions, ReadingOrder, ReadingRequest } from './reading.js';

/** A thread while it reads one file. */
export interface ReadingThread {
  /** Throws what reading finds wrong. */
  ask(request: ReadingRequest): Promise<Exclude<ReadingAnswer, { kind: 'error' }>>;
  /** When others may take its place: it reads no more, or has ended. What is asked later is never answered. */
  stop(): Promise<void>;
}

/** Memory of the thread's objects, MiB: room for the largest feature, an end for what grows without bound. */
const memory = 2_048;

/** Of it room for what is new: a batch lives longer than the usual 16 MiB take, and copying it about took half of the time. */
const youngMemory = 96;

/** How long it may take to answer what was asked when it is stopped, ms; then it is ended. */
const patience = 1_000;

const takeThread = createThreads<ReadingOrder, ReadingAnswer>(
  new URL('./reading-worker.js', import.meta.url),
  { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: youngMemory },
);

export function startReading(options: ReadingOptions): ReadingThread {
  let settle: { resolve(answer: ReadingAnswer): void; reject(error: Error): void } | undefined;
  let failure: Error | undefined;
  let isStopped = false;
  /** The last answer, or the wait for it. */
  let last: Promise<unknown> = Promise.resolve();
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
      if (isStopped) return;
      settle = { resolve, reject };
      thread.post(request);
    });
  return {
    async ask(request) {
      const asked = answered(request);
      if (!isStopped) last = asked;
      const answer = await asked;
      if (answer.kind !== 'error') return answer;
      throw new ServiceError(answer.code, answer.message, answer.data, answer.status);
    },
    async stop() {
      isStopped = true;
      const settled = last.then(
        () => true,
        () => true,
      );
      const isFree = await Promise.race([settled, sleep(patience, false, { ref: false })]);
      if (isFree) thread.release();
      else await thread.leave();
    },
  };
}
