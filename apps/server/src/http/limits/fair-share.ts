import { createSemaphore, OwnerUsage, type Semaphore, type WaitingLimits } from '@cartulary/runtime';

/** Longest time for which one request counts, ms: longer work has limits of its own, or waits for something other than a processor. */
const turnMs = 1_000;
/** Recent usage from which an owner can be heavy, ms. With the half-life of 5 s: one request at a time that fills a seventh of the time. */
const heavyMs = 1_000;
/** An owner is heavy from this multiple of the mean usage: with two owners, the one that takes three times as much as the other. */
const overMean = 1.5;

interface FairShareLimits extends WaitingLimits {
  /** Requests of heavy owners that run at once. */
  running: number;
}

/**
 * Lets all requests run at once, but for those of heavy owners: who takes far more of the service's time than the others who use it. These
 * take turns, and one of them has at most half of the turns. So whoever asks for much at once, of whatever kind, leaves the processors
 * to the others; and alone, or among equals, everyone has the whole service.
 */
export class FairShare {
  readonly #usage = new OwnerUsage();
  readonly #turns: Semaphore;

  constructor({ running, ...waiting }: FairShareLimits) {
    this.#turns = createSemaphore(running, { ...waiting, perOwner: Math.ceil(running / 2) });
  }

  /** Waits until a request may run. Gives the function that ends it. Throws `busy` beyond the limits of waiting. */
  async enter(owner: string, gone: AbortSignal): Promise<() => void> {
    const endTurn = this.#isHeavy(owner) ? await this.#turns.for(owner).enter(gone) : undefined;
    const since = performance.now();
    const timer = endTurn && setTimeout(endTurn, turnMs);
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      this.#usage.add(owner, Math.min(turnMs, performance.now() - since));
      clearTimeout(timer);
      endTurn?.();
    };
  }

  #isHeavy(owner: string): boolean {
    const ms = this.#usage.recentMs(owner);
    if (ms < heavyMs) return false;
    const { count, meanMs } = this.#usage.activity();
    return count > 1 && ms > overMean * meanMs;
  }
}
