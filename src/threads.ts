import { setTimeout as sleep } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';

/** A thread while it works for somebody. */
export interface Thread<Request> {
  post(request: Request): void;
  /** It has done its work: the next to ask may have it. */
  release(): void;
  /** It is left in the middle of its work, and ends soon; resolves then. Who bounds how many work at once waits for it. */
  leave(): Promise<void>;
}

/** What is heard of a thread until it is released or left. */
export interface ThreadEvents<Answer> {
  answer(answer: Answer): void;
  /** It has ended by itself. */
  failed(error: NodeJS.ErrnoException): void;
}

/** How long a thread waits for further work, ms. */
const idleTime = 10_000;
/** How long a thread that was left may go on, ms, and after which its code is no longer being compiled. */
const quietTime = 1_000;

/** When the threads that nobody has were given back or left, ms. */
const unused = new Map<Worker, number>();

/** When the process may end: no thread has just been given back or left. Nobody may ask for one any more. */
export async function quiet(): Promise<void> {
  const last = Math.max(0, ...unused.values());
  await sleep(Math.max(0, last + quietTime - Date.now()));
}

/**
 * Threads that run one program, started when they are asked for and used again: to start one takes a tenth of a second.
 * None is ended at once. Node 20 ends the whole process where it takes away a thread whose code is being compiled
 * (`ForIsolate … Assertion failed`): its compilers, threads of their own, are done when it was quiet for a while.
 */
export function createThreads<Request, Answer>(
  program: URL,
  resourceLimits: ResourceLimits,
): (events: ThreadEvents<Answer>) => Thread<Request> {
  const idle = new Set<Kept<Answer>>();

  const start = (): Kept<Answer> => {
    const worker = new Worker(program, { resourceLimits });
    const kept: Kept<Answer> = { worker };
    const ended = (error: Error): void => {
      idle.delete(kept);
      unused.delete(worker);
      const { events } = kept;
      delete kept.events;
      events?.failed(error);
    };
    worker.on('message', (answer: Answer) => kept.events?.answer(answer));
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('The thread has ended')));
    return kept;
  };

  return (events) => {
    const [kept = start()] = idle;
    idle.delete(kept);
    clearTimeout(kept.end);
    kept.events = events;
    unused.delete(kept.worker);
    kept.worker.ref();
    /** Nobody has it any more; it ends after a time, ms, unless it is taken again. */
    const endAfter = (time: number): NodeJS.Timeout => {
      delete kept.events;
      unused.set(kept.worker, Date.now());
      kept.end = setTimeout(() => {
        idle.delete(kept);
        void kept.worker.terminate();
      }, time);
      return kept.end;
    };
    const isOver = (): boolean => kept.events !== events;
    return {
      post: (request) => kept.worker.postMessage(request),
      release() {
        if (isOver()) return;
        idle.add(kept);
        kept.worker.unref();
        endAfter(idleTime).unref();
      },
      async leave() {
        if (isOver()) return;
        endAfter(quietTime);
        // Not `once` of node:events, which fails where it ends by an error.
        await new Promise((resolve) => kept.worker.once('exit', resolve));
      },
    };
  };
}

interface Kept<Answer> {
  worker: Worker;
  /** Of who has it. */
  events?: ThreadEvents<Answer>;
  /** While nobody has it. */
  end?: NodeJS.Timeout;
}
