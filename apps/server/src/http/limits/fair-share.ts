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
/** Longest time after which running requests are counted again, ms. */
const countPeriodMs = 100;

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
  readonly #running = new Set<RunningRequest>();
  readonly #turns: Semaphore;
  readonly #idleCores: () => number;
  #countedAt = 0;

  constructor({ running, idleCores, ...waiting }: FairShareLimits) {
    const idle = new IdleCores();
    this.#idleCores = idleCores ?? (() => idle.count());
    this.#turns = createSemaphore(running, { ...waiting, perOwner: Math.ceil(running / 2) });
  }

  /** Waits until a request may run. Gives the function that ends it. Throws `busy` beyond the limits of waiting. */
  async enter(owner: string, gone: AbortSignal): Promise<() => void> {
    const endTurn = this.#isHeavy(owner) ? await this.#turns.for(owner).enter(gone) : undefined;
    const now = performance.now();
    const request = { owner, countedUntil: now, turnEnd: now + turnMs };
    this.#running.add(request);
    const timer = endTurn && setTimeout(endTurn, turnMs);
    return () => {
      if (!this.#running.delete(request)) return;
      this.#count(request, performance.now());
      clearTimeout(timer);
      endTurn?.();
    };
  }

  #isHeavy(owner: string): boolean {
    this.#countRunning();
    const ms = this.#usage.recentMs(owner);
    if (ms < heavyMs) return false;
    const others = this.#usage.othersOf(owner);
    if (others.ms < othersMs || ms < (overOthers * others.ms) / others.count) return false;
    return this.#idleCores() < freeCores;
  }

  /** Adds the time of running requests to the usage of their owners, so that long ones count before they end. */
  #countRunning(): void {
    const now = performance.now();
    if (now - this.#countedAt < countPeriodMs) return;
    this.#countedAt = now;
    for (const request of this.#running) this.#count(request, now);
  }

  #count(request: RunningRequest, now: number): void {
    const until = Math.min(now, request.turnEnd);
    if (until <= request.countedUntil) return;
    this.#usage.add(request.owner, until - request.countedUntil);
    request.countedUntil = until;
  }
}

interface RunningRequest {
  owner: string;
  /** Its time before this is in the usage of its owner, ms. */
  countedUntil: number;
  /** Its time after this is not counted, ms. */
  turnEnd: number;
}
