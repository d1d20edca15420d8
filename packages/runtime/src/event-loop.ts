/** How long a piece of work may hold the event loop before others have their turn, ms. */
const sliceTimeMs = 5;

/** How long a short request is thought to be short, ms: one that takes longer waits for something else. */
const shortRequestMs = 50;
/** Longest time for which short requests hold up slices of work, ms: then there is one slice. */
const maxHoldMs = 10;

/** When the short requests that are not answered yet came. */
const short = new Set<{ readonly since: number }>();
const waiting: (() => void)[] = [];
/** When the last slice began that short requests have not held up any longer. */
let grantedAt = 0;
let isDue = false;
let isHeld = false;

/** Tells of a request that takes little: slices of work wait until it is answered, as the function that comes back is called, though not for long. */
export function beginShort(): () => void {
  const one = { since: performance.now() };
  short.add(one);
  return () => {
    if (short.delete(one) && !short.size) runSoon();
  };
}

function runSoon(): void {
  if (isDue || !waiting.length) return;
  isDue = true;
  setImmediate(runNext);
}

function runNext(): void {
  isDue = false;
  const rest = holdOf(performance.now());
  if (rest > 0) {
    if (!isHeld) setTimeout(endHold, rest);
    isHeld = true;
    return;
  }
  waiting.shift()?.();
  runSoon();
}

function endHold(): void {
  isHeld = false;
  runSoon();
}

/** How long slices are still held up, ms. */
function holdOf(now: number): number {
  for (const one of short) {
    if (now - one.since < shortRequestMs) break;
    short.delete(one);
  }
  if (!short.size || now - grantedAt < sliceTimeMs) return 0;
  const rest = grantedAt + maxHoldMs - now;
  if (rest <= 0) grantedAt = now;
  return rest;
}

/**
 * Lets everybody else go on before the caller does. Of all that wait here one goes on in each round of the event loop, in the
 * order of their coming, and while short requests are being answered none but now and then: however many there are, others
 * wait for one slice of work at most.
 */
export const yieldToOthers = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    runSoon();
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
