import { setTimeout as sleep } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';

/** A thread while it works for a caller. */
export interface Thread<Request> {
  post(request: Request): void;
  /** Returns the thread after its work, for the next caller. */
  release(): void;
  /** Abandons the thread in the middle of its work. It ends soon; resolves then, so that callers can bound the number of running threads. */
  leave(): Promise<void>;
}

/** Receives messages of a thread until it is released or left. */
export interface ThreadEvents<Answer> {
  answer(answer: Answer): void;
  /** The thread has ended by itself. */
  failed(error: NodeJS.ErrnoException): void;
}

/** Lifetime of an idle thread, ms. */
const idleTimeoutMs = 10_000;
/** Lifetime of a thread that was left, ms; after so long without messages its code is no longer being compiled. */
const settleTimeMs = 1_000;

/** When each unused thread was released or left, ms since 1970. */
const unusedSince = new Map<Worker, number>();

/** Resolves when the process may end: no thread has just been released or left. No thread may be requested any more. */
export async function threadsSettled(): Promise<void> {
  const last = Math.max(0, ...unusedSince.values());
  await sleep(Math.max(0, last + settleTimeMs - Date.now()));
}

/**
 * Threads that run one program. They start on demand and are reused, since a start takes a tenth of a second. No thread is ended at once:
 * Node 20 aborts the whole process when it ends a thread whose code is being compiled (`ForIsolate … Assertion failed`). The
 * compiler's own threads are done after a second without work.
 */
export function createThreads<Request, Answer>(
  program: URL,
  resourceLimits: ResourceLimits,
): (events: ThreadEvents<Answer>) => Thread<Request> {
  const pool = new ThreadPool<Answer>(program, resourceLimits);
  return (events) => pool.take<Request>(events);
}

interface PooledThread<Answer> {
  worker: Worker;
  /** Of the current caller. */
  events?: ThreadEvents<Answer>;
  /** Ends the unused thread. */
  endTimer?: NodeJS.Timeout;
}

class ThreadPool<Answer> {
  readonly #program: URL;
  readonly #resourceLimits: ResourceLimits;
  readonly #idle = new Set<PooledThread<Answer>>();

  constructor(program: URL, resourceLimits: ResourceLimits) {
    this.#program = program;
    this.#resourceLimits = resourceLimits;
  }

  take<Request>(events: ThreadEvents<Answer>): Thread<Request> {
    const [thread = this.#start()] = this.#idle;
    this.#idle.delete(thread);
    clearTimeout(thread.endTimer);
    thread.events = events;
    unusedSince.delete(thread.worker);
    thread.worker.ref();
    const isUsed = (): boolean => thread.events === events;
    return {
      post: (request) => thread.worker.postMessage(request),
      release: () => {
        if (isUsed()) this.#release(thread);
      },
      leave: async () => {
        if (isUsed()) await this.#leave(thread);
      },
    };
  }

  #start(): PooledThread<Answer> {
    const worker = new Worker(this.#program, { resourceLimits: this.#resourceLimits });
    const thread: PooledThread<Answer> = { worker };
    const ended = (error: Error): void => {
      this.#idle.delete(thread);
      unusedSince.delete(worker);
      const { events } = thread;
      delete thread.events;
      events?.failed(error);
    };
    worker.on('message', (answer: Answer) => thread.events?.answer(answer));
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('The thread has ended')));
    return thread;
  }

  #release(thread: PooledThread<Answer>): void {
    this.#idle.add(thread);
    thread.worker.unref();
    this.#endAfter(thread, idleTimeoutMs).unref();
  }

  async #leave(thread: PooledThread<Answer>): Promise<void> {
    this.#endAfter(thread, settleTimeMs);
    // `once` of node:events would reject when the thread ends by an error.
    await new Promise((resolve) => thread.worker.once('exit', resolve));
  }

  /** Ends a thread without a caller, unless it is taken again before. */
  #endAfter(thread: PooledThread<Answer>, delayMs: number): NodeJS.Timeout {
    delete thread.events;
    unusedSince.set(thread.worker, Date.now());
    thread.endTimer = setTimeout(() => {
      this.#idle.delete(thread);
      void thread.worker.terminate();
    }, delayMs);
    return thread.endTimer;
  }
}
