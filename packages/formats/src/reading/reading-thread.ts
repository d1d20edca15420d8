import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@cartulary/errors';
import { abortable, createThreads } from '@cartulary/runtime';
import type { ReadingAnswer, ReadingOptions, ReadingOrder, ReadingRequest } from './reading-messages.js';

/** A thread that reads one file. */
export interface ReadingThread {
  /** Sends a request and returns the answer. Throws the errors of the file. */
  ask(request: ReadingRequest): Promise<Exclude<ReadingAnswer, { kind: 'error' }>>;
  /** Resolves when the thread is free for another file, or has ended. Later requests are never answered. */
  stop(): Promise<void>;
}

/** Heap limit of the thread: enough for the largest feature, and a bound for a heap that would grow forever. */
const heapMb = 2_048;

/**
 * Size of the young generation in that heap. A batch outlives the default of 16 MiB, and moving it to the old generation
 * takes half of the time.
 */
const youngHeapMb = 96;

/** How long `stop` waits for the answer to the last request before it ends the thread. */
const stopTimeoutMs = 1_000;

const takeThread = createThreads<ReadingOrder, ReadingAnswer>(
  new URL('./reading-worker.js', import.meta.url),
  { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb },
);

/** Assigns a thread to a file. After `signal` requests throw its reason, even one that the thread still works on. */
export const startReading = (options: ReadingOptions, signal?: AbortSignal): ReadingThread =>
  new FileThread(options, signal);

class FileThread implements ReadingThread {
  readonly #thread: ReturnType<typeof takeThread>;
  #pending: { resolve(answer: ReadingAnswer): void; reject(error: Error): void } | undefined;
  #failure: Error | undefined;
  #isStopped = false;
  readonly #signal: AbortSignal | undefined;
  /** Settles with the answer to the last request. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ReadingOptions, signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#thread = takeThread({
      answer: (answer) => this.#pending?.resolve(answer),
      failed: (error) => this.#fail(error),
    });
    this.#thread.post({ kind: 'file', options });
  }

  async ask(request: ReadingRequest): Promise<Exclude<ReadingAnswer, { kind: 'error' }>> {
    const asked = this.#send(request);
    if (!this.#isStopped) this.#last = asked;
    const answer = await abortable(asked, this.#signal);
    if (answer.kind !== 'error') return answer;
    throw new ServiceError(answer.code, answer.message, answer.data, answer.status);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const settled = this.#last.then(
      () => true,
      () => true,
    );
    const isFree = await Promise.race([settled, sleep(stopTimeoutMs, false, { ref: false })]);
    if (isFree) this.#thread.release();
    else await this.#thread.leave();
  }

  #send(request: ReadingRequest): Promise<ReadingAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      if (this.#isStopped) return;
      this.#pending = { resolve, reject };
      this.#thread.post(request);
    });
  }

  #fail(error: Error & { code?: string }): void {
    this.#failure =
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ServiceError('too_large', 'A feature is too large to be read')
        : error;
    this.#pending?.reject(this.#failure);
  }
}
