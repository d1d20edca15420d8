/** Longest slice of work, ms: then it yields to others. */
const sliceTimeMs = 5;

/** Time for which a short request counts, ms: one that takes longer waits for something other than the event loop. */
const shortRequestMs = 50;
/** Longest time for which short requests delay slices of work, ms: then one slice runs. */
const maxDelayMs = 10;

/** Short requests that are not answered yet. */
const short = new Set<{ readonly since: number }>();
const waiting: (() => void)[] = [];
/** When the last slice began that had been delayed for the longest time. */
let grantedAt = 0;
let isScheduled = false;
let isDelayed = false;

/** Registers a short request: slices of work wait, though not for long, until the returned function is called with its answer. */
export function beginShortRequest(): () => void {
  const one = { since: performance.now() };
  short.add(one);
  return () => {
    if (short.delete(one) && !short.size) runSoon();
  };
}

function runSoon(): void {
  if (isScheduled || !waiting.length) return;
  isScheduled = true;
  setImmediate(runNext);
}

function runNext(): void {
  isScheduled = false;
  const rest = delayOf(performance.now());
  if (rest > 0) {
    if (!isDelayed) setTimeout(endDelay, rest);
    isDelayed = true;
    return;
  }
  waiting.shift()?.();
  runSoon();
}

function endDelay(): void {
  isDelayed = false;
  runSoon();
}

/** Time for which slices still wait, ms. */
function delayOf(now: number): number {
  for (const one of short) {
    if (now - one.since < shortRequestMs) break;
    short.delete(one);
  }
  if (!short.size || now - grantedAt < sliceTimeMs) return 0;
  const rest = grantedAt + maxDelayMs - now;
  if (rest <= 0) grantedAt = now;
  return rest;
}

/**
 * Yields to all other work. One waiting caller continues per round of the event loop, in their order; while short requests are being
 * answered, only now and then. So other work waits for at most one slice, however many callers wait.
 */
export const yieldToOthers = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    runSoon();
  });

/** Owners whose work begins in one round of the event loop at most. */
const maxBeginningsPerRound = 4;

/** Beginnings of work that wait for a round, by owner. The owner that was served last is the last. */
const beginnings = new Map<string, (() => void)[]>();
/** Owners whose work has begun in this round. */
const startedInRound = new Set<string>();
let isRoundScheduled = false;

/**
 * Waits until work may begin: that of each owner once per round of the event loop, and of a few owners. So a flood of one owner hardly
 * delays the work of another.
 */
export function takeTurn(owner: string): Promise<void> {
  if (!startedInRound.has(owner) && startedInRound.size < maxBeginningsPerRound) {
    begin(owner);
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const own = beginnings.get(owner);
    if (own) own.push(resolve);
    else beginnings.set(owner, [resolve]);
  });
}

function begin(owner: string): void {
  startedInRound.add(owner);
  if (isRoundScheduled) return;
  isRoundScheduled = true;
  setImmediate(beginRound);
}

function beginRound(): void {
  isRoundScheduled = false;
  startedInRound.clear();
  for (const [owner, own] of [...beginnings].slice(0, maxBeginningsPerRound)) {
    begin(owner);
    beginnings.delete(owner);
    own.shift()!();
    if (own.length) beginnings.set(owner, own);
  }
}

/** Measures how long work has held the event loop. */
export interface Slices {
  /** Whether the work should yield. */
  isOver(): boolean;
  /** Yields, and begins the next slice. */
  next(): Promise<void>;
}

/** For work that is long and divided: `if (slices.isOver()) await slices.next();` between its parts. */
export function createSlices(): Slices {
  let startedAt = performance.now();
  return {
    isOver: () => performance.now() - startedAt > sliceTimeMs,
    async next() {
      await yieldToOthers();
      startedAt = performance.now();
    },
  };
}

/** Results of `work` for each item, computed in slices. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  work: (item: T, index: number, slices: Slices) => Promise<R> | R,
): Promise<R[]> {
  const slices = createSlices();
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (slices.isOver()) await slices.next();
    results.push(await work(item, index, slices));
  }
  return results;
}
