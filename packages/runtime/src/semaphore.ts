import { ServiceError } from '@cartulary/errors';
import { OwnerQueue } from './owner-queue.js';
import { OwnerUsage } from './usage.js';

/**
 * Lets `limit` pieces of work run at once; others wait. Work of one owner runs in its order. A free slot goes to the owner with the fewest
 * running, among these to the one that has recently held slots for the least time; equal owners alternate. So a short answer precedes the
 * next part of each long one, however many owners have long ones.
 */
export interface Semaphore {
  <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Waits for a slot and takes it. Gives the function that frees it. */
  enter(signal?: AbortSignal): Promise<() => void>;
  /** Runs the next part of work that began at `startedAtMs` (`performance.now()`). It waits only behind older work, and is never refused. */
  resume<T>(work: () => Promise<T>, startedAtMs: number, signal?: AbortSignal): Promise<T>;
  /** Throws `busy` when no more work may wait. */
  admit(): void;
  /** The same slots, taken for an owner. Callers without an owner are one owner. */
  for(owner: string): Semaphore;
}

export interface WaitingLimits {
  /** Longest queue. When it is full, new work takes the place of the newest of the owner with the most waiting. */
  maxWaiting?: number;
  maxWaitMs?: number;
}

export interface SemaphoreLimits extends WaitingLimits {
  /** Limit of running work of one owner. */
  perOwner?: number;
}

/** `Retry-After` of a busy service where nothing better is known, s. */
export const busyRetryAfterS = 2;
/** The error of a full queue or an expired wait, with `retry_after`. */
export const busy = (): ServiceError => new ServiceError('busy', undefined, { retry_after: busyRetryAfterS });

/**
 * Work whose signal is aborted while it waits never starts: its promise rejects with the signal's reason. Beyond the limits of waiting
 * it rejects with `busy`.
 */
export const createSemaphore = (limit: number, limits: SemaphoreLimits = {}): Semaphore =>
  ownedBy(new Slots(limit, limits), '');

/** The interface to slots for one owner. */
function ownedBy(slots: Slots, owner: string): Semaphore {
  const run = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    slots.run(owner, work, { signal });
  return Object.assign(run, {
    enter: (signal?: AbortSignal) => slots.enter(owner, { signal }),
    resume: <T>(work: () => Promise<T>, startedAtMs: number, signal?: AbortSignal) =>
      slots.run(owner, work, { startedAtMs, signal }),
    admit: () => slots.admit(owner),
    for: (other: string) => ownedBy(slots, other),
  });
}

interface EnterOptions {
  /** Of work that is resumed. */
  startedAtMs?: number;
  signal?: AbortSignal | undefined;
}

/** Slots and the work that waits for them. */
class Slots {
  readonly #limit: number;
  readonly #perOwner: number;
  readonly #maxWaitMs: number | undefined;
  readonly #queue: OwnerQueue;
  readonly #runningOf = new Map<string, number>();
  readonly #usage = new OwnerUsage();
  #running = 0;

  constructor(
    limit: number,
    { maxWaiting = Number.POSITIVE_INFINITY, maxWaitMs, perOwner = limit }: SemaphoreLimits,
  ) {
    this.#limit = limit;
    this.#perOwner = perOwner;
    this.#maxWaitMs = maxWaitMs;
    this.#queue = new OwnerQueue(maxWaiting);
  }

  async run<T>(owner: string, work: () => Promise<T>, options: EnterOptions): Promise<T> {
    const leave = await this.enter(owner, options);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  enter(owner: string, { startedAtMs, signal }: EnterOptions): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#mayRun(owner)) return resolve(this.#take(owner));
      let timer: NodeJS.Timeout | undefined;
      const isResumed = startedAtMs !== undefined;
      const settle = (): void => {
        this.#queue.remove(entry);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const fail = (reason: unknown): void => {
        settle();
        reject(reason);
      };
      const onAbort = (): void => fail(signal?.reason);
      const entry = {
        owner,
        isResumed,
        since: startedAtMs ?? performance.now(),
        begin: () => {
          settle();
          resolve(this.#take(owner));
        },
        refuse: () => fail(busy()),
      };
      if (!this.#queue.admits(entry)) return reject(busy());
      this.#queue.add(entry);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (this.#maxWaitMs !== undefined && !isResumed) timer = setTimeout(entry.refuse, this.#maxWaitMs);
    });
  }

  admit(owner: string): void {
    if (!this.#mayRun(owner) && !this.#queue.admits({ owner, isResumed: false })) throw busy();
  }

  #mayRun(owner: string): boolean {
    return this.#running < this.#limit && (this.#runningOf.get(owner) ?? 0) < this.#perOwner;
  }

  /** Takes a slot. Gives the function that frees it, once. */
  #take(owner: string): () => void {
    this.#running += 1;
    this.#runningOf.set(owner, (this.#runningOf.get(owner) ?? 0) + 1);
    const since = performance.now();
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#free(owner, performance.now() - since);
    };
  }

  #free(owner: string, heldMs: number): void {
    this.#usage.add(owner, heldMs);
    this.#running -= 1;
    const rest = this.#runningOf.get(owner)! - 1;
    if (rest) this.#runningOf.set(owner, rest);
    else this.#runningOf.delete(owner);
    this.#queue.next(this.#perOwner, this.#runningOf, (name) => this.#usage.levelOf(name))?.begin();
  }
}
