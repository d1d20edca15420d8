import { ServiceError } from '../errors.js';
import { WaitingLine } from './waiting-line.js';

/**
 * Lets `limit` pieces of work run at once; more wait. Those of one owner go on in the order in which they came; between owners
 * the next place goes to the one that has the fewest running; equals take turns.
 */
export interface Turns {
  <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Waits for a place and takes it: the function that gives it back, once. */
  enter(signal?: AbortSignal): Promise<() => void>;
  /** The next piece of work that was begun at a time (`performance.now()`): it waits as long as it has to, but only behind what was begun before, and no limit of waiting refuses it. */
  further<T>(work: () => Promise<T>, begun: number, signal?: AbortSignal): Promise<T>;
  /** Throws `busy` when one more would not even wait. */
  admit(): void;
  /** The same places, taken in the name of an owner (`owner.ts`). Without one all callers are one owner. */
  for(owner: string): Turns;
}

export interface WaitingLimits {
  /** Most pieces of work that wait. A new one takes the place of the newest of the owner that has the most of them. */
  waiting?: number;
  /** Longest time that one waits, ms. */
  patience?: number;
}

export interface TurnLimits extends WaitingLimits {
  /** Most pieces of work of one owner that run at once. */
  perOwner?: number;
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
  { waiting = Number.POSITIVE_INFINITY, patience, perOwner = limit }: TurnLimits = {},
): Turns {
  const line = new WaitingLine(waiting);
  const runningOf = new Map<string, number>();
  let running = 0;

  const mayRun = (owner: string): boolean => running < limit && (runningOf.get(owner) ?? 0) < perOwner;

  /** Takes a place: the function that gives it back. */
  function take(owner: string): () => void {
    running += 1;
    runningOf.set(owner, (runningOf.get(owner) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      running -= 1;
      const rest = runningOf.get(owner)! - 1;
      if (rest) runningOf.set(owner, rest);
      else runningOf.delete(owner);
      line.next(perOwner, runningOf)?.begin();
    };
  }

  const enter = (owner: string, begun: number | undefined, signal?: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (): void => {
        line.remove(one);
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      };
      const giveUp = (reason: unknown): void => {
        settle();
        reject(reason);
      };
      const leave = (): void => giveUp(signal?.reason);
      const begin = (): void => {
        settle();
        resolve(take(owner));
      };
      const isFurther = begun !== undefined;
      const one = {
        owner,
        isFurther,
        since: begun ?? performance.now(),
        begin,
        refuse: () => giveUp(busy()),
      };
      if (signal?.aborted) return reject(signal.reason);
      if (mayRun(owner)) return resolve(take(owner));
      if (!line.admits(one)) return reject(busy());
      line.add(one);
      signal?.addEventListener('abort', leave, { once: true });
      if (patience !== undefined && !isFurther) timer = setTimeout(one.refuse, patience);
    });

  function turnsOf(owner: string): Turns {
    const run = async <T>(
      work: () => Promise<T>,
      begun: number | undefined,
      signal?: AbortSignal,
    ): Promise<T> => {
      const leave = await enter(owner, begun, signal);
      try {
        return await work();
      } finally {
        leave();
      }
    };
    const inTurn = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
      run(work, undefined, signal);
    return Object.assign(inTurn, {
      enter: (signal?: AbortSignal) => enter(owner, undefined, signal),
      further: run,
      admit() {
        if (!mayRun(owner) && !line.admits({ owner, isFurther: false })) throw busy();
      },
      for: turnsOf,
    });
  }
  return turnsOf('');
}
