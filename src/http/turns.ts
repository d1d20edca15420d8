import { ServiceError } from '../errors.js';

/** Lets `limit` pieces of work run at once; more wait in the order in which they came. */
export interface Turns {
  <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Throws `busy` when one more would not even wait. */
  admit(): void;
}

export interface WaitingLimits {
  /** Most pieces of work that wait. */
  waiting?: number;
  /** Longest time that one waits, ms. */
  patience?: number;
}

/** s after which a busy service may be asked again, where nothing else is known. */
export const retryAfter = 2;
export const busy = (): ServiceError => new ServiceError('busy', undefined, { retry_after: retryAfter });

/**
 * Work whose signal is aborted while it waits is never begun: its promise rejects with the signal's reason. Beyond the
 * limits of waiting it rejects with `busy`.
 */
export function createTurns(
  limit: number,
  { waiting: most = Number.POSITIVE_INFINITY, patience }: WaitingLimits = {},
): Turns {
  let running = 0;
  const waiting = new Set<() => void>();

  const isFull = (): boolean => running >= limit && waiting.size >= most;

  const turn = (signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (): void => {
        waiting.delete(begin);
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      };
      const begin = (): void => {
        settle();
        running++;
        resolve();
      };
      const giveUp = (reason: unknown): void => {
        settle();
        reject(reason);
      };
      const leave = (): void => giveUp(signal?.reason);
      if (signal?.aborted) return leave();
      if (running < limit) return begin();
      if (isFull()) return giveUp(busy());
      waiting.add(begin);
      signal?.addEventListener('abort', leave, { once: true });
      if (patience !== undefined) timer = setTimeout(() => giveUp(busy()), patience);
    });

  const inTurn = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    await turn(signal);
    try {
      return await work();
    } finally {
      running--;
      const [next] = waiting;
      next?.();
    }
  };
  const admit = (): void => {
    if (isFull()) throw busy();
  };
  return Object.assign(inTurn, { admit });
}
