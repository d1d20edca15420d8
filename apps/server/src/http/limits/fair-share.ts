import { createSemaphore, OwnerUsage, type Semaphore, type WaitingLimits } from '@cartulary/runtime';
import { IdleCores } from './idle-cores.js';

/** Longest time for which one request counts, ms: longer work has limits of its own, or waits for something other than a processor. */
const turnMs = 1_000;
/** Recent usage from which an owner can be heavy, ms. With the half-life of 5 s: one request at a time that fills a seventh of the time. */
const heavyMs = 1_000;
/** An owner is heavy from this multiple of the mean usage of the others. */
const overOthers = 2;
/** Usage of all others from which on they are taken into account, ms: they fill a fourteenth of the time. */
const othersMs = 500;

/** Cores that are idle from which on nobody waits: one core that has little to do. */
const freeCores = 0.75;

interface FairShareLimits extends WaitingLimits {
  /** Requests of heavy owners that run at once. */
  running: number;
  /** Cores that are idle at present. */
  idleCores?: () => number;
}

/**
 * Lets all requests run at once, but for those of heavy owners: who takes far more of the service's time than the others who use it. These
 * take turns while the machine is busy, and one of them has at most half of the turns. So whoever asks for much at once, of whatever kind,
 * leaves the processors to the others; and alone, or among equals, everyone has the whole service.
 */
export class FairShare {
  readonly #usage = new OwnerUsage();
  /** When the running requests of each owner began, ms. */
  readonly #running = new Map<string, Set<{ since: number }>>();
  readonly #turns: Semaphore;
  readonly #idleCores: () => number;

  constructor({ running, idleCores, ...waiting }: FairShareLimits) {
    const idle = new IdleCores();
    this.#idleCores = idleCores ?? (() => idle.count());
    this.#turns = createSemaphore(running, { ...waiting, perOwner: Math.ceil(running / 2) });
  }

  /** Waits until a request may run. Gives the function that ends it. Throws `busy` beyond the limits of waiting. */
  async enter(owner: string, gone: AbortSignal): Promise<() => void> {
    const endTurn = this.#isHeavy(owner) ? await this.#turns.for(owner).enter(gone) : undefined;
    const request = { since: performance.now() };
    const running = this.#running.get(owner) ?? new Set();
    this.#running.set(owner, running.add(request));
    const timer = endTurn && setTimeout(endTurn, turnMs);
    return () => {
      if (!running.delete(request)) return;
      if (!running.size) this.#running.delete(owner);
      this.#usage.add(owner, usageOf(request.since));
      clearTimeout(timer);
      endTurn?.();
    };
  }

  #isHeavy(owner: string): boolean {
    let ms = this.#usage.recentMs(owner);
    for (const { since } of this.#running.get(owner) ?? []) ms += usageOf(since);
    if (ms < heavyMs) return false;
    const others = this.#usage.othersOf(owner);
    if (others.ms < othersMs || ms < (overOthers * others.ms) / others.count) return false;
    return this.#idleCores() < freeCores;
  }
}

/** Usage by a request that began at `since`, ms. */
const usageOf = (since: number): number => Math.min(turnMs, performance.now() - since);
