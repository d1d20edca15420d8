/** Lets `limit` pieces of work run at once; more wait in the order in which they came. */
export type Turns = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Work whose signal is aborted while it waits is never begun: its promise rejects with the signal's reason. */
export function createTurns(limit: number): Turns {
  let running = 0;
  const waiting = new Set<() => void>();

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        waiting.delete(begin);
        signal.removeEventListener('abort', leave);
        running++;
        resolve();
      };
      const leave = (): void => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      if (signal.aborted) return leave();
      if (running < limit) return begin();
      waiting.add(begin);
      signal.addEventListener('abort', leave, { once: true });
    });

  return async (work, signal) => {
    await turn(signal);
    try {
      return await work();
    } finally {
      running--;
      const [next] = waiting;
      next?.();
    }
  };
}

const queues = new WeakMap<object, Map<string, Turns>>();

/** The turns of one kind of work for all who share `owner`, however many versions of the interface ask for them. */
export function sharedTurns(owner: object, work: string, limit: number): Turns {
  const ofOwner = queues.get(owner) ?? new Map<string, Turns>();
  queues.set(owner, ofOwner);
  const turns = ofOwner.get(work) ?? createTurns(limit);
  ofOwner.set(work, turns);
  return turns;
}
