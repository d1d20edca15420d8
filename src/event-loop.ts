/** How long a piece of work may hold the event loop before others have their turn, ms. */
const sliceTimeMs = 5;

const waiting: (() => void)[] = [];

function runNext(): void {
  waiting.shift()?.();
  if (waiting.length) setImmediate(runNext);
}

/**
 * Lets everybody else go on before the caller does. Of all that wait here one goes on in each round of the event loop, in the
 * order of their coming: however many there are, others wait for one slice of work at most.
 */
export const yieldToOthers = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(runNext);
  });

/** Measures how long work has held the event loop. */
export interface Slices {
  /** Whether the work should yield. */
  isOver(): boolean;
  /** Yields, and begins the next slice. */
  next(): Promise<void>;
}

/** For work that is long and divided: `if (slices.isOver()) await slices.next();` between its parts. */
export function createSlices(): Slices {
  let begun = performance.now();
  return {
    isOver: () => performance.now() - begun > sliceTimeMs,
    async next() {
      await yieldToOthers();
      begun = performance.now();
    },
  };
}

/** What `work` makes of each of the items, in slices. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  work: (item: T, index: number, slices: Slices) => Promise<R>,
): Promise<R[]> {
  const slices = createSlices();
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (slices.isOver()) await slices.next();
    results.push(await work(item, index, slices));
  }
  return results;
}
