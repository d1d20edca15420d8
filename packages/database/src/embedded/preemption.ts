import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@cartulary/errors';

/** A heavy statement was stopped because it kept others waiting; it runs again later. */
class Preempted extends Error {}

/** A statement while it runs. */
export interface RegisteredStatement {
  /** Aborted when the statement must stop; undefined for light statements. */
  readonly signal: AbortSignal | undefined;
  /** A heavy statement holds the session from now on. */
  begin(): void;
  end(): void;
}

/** Shortest time for which a heavy statement may keep others waiting, ms: most end within it. */
const minGrantMs = 100;
/** Credit per time that passes. */
const refillRate = 0.005;
/** Time without light statements after which the database counts as idle, ms. */
const idleMs = 50;
/** Period of checks whether a preempted statement may run again, ms. */
const pollMs = 25;

/**
 * Scheduling for a database with one session, in which each statement waits for the one before. Heavy statements share a
 * credit of time for which they may keep others waiting; it refills slowly. Without credit, a heavy statement for which others wait
 * is stopped after 100 ms. It runs again when enough credit has refilled, or when no others run.
 */
export class Preemption {
  readonly #maxCreditMs: number;
  readonly #heavy = new Set<HeavyStatement>();
  #lightCount = 0;
  #lastLight = 0;
  #creditMs: number;
  #creditedAt = performance.now();

  constructor(maxCreditMs: number) {
    this.#maxCreditMs = maxCreditMs;
    this.#creditMs = maxCreditMs;
  }

  /** Registers a statement until its `end`. */
  register(isHeavy: boolean): RegisteredStatement {
    return isHeavy ? this.#registerHeavy() : this.#registerLight();
  }

  /** Runs work with heavy statements, and again after each preemption. Throws `busy` when it could not run again within the limit (0: none). */
  async run<T>(work: () => Promise<T>, limitMs: number, signal?: AbortSignal): Promise<T> {
    const end = limitMs > 0 ? performance.now() + limitMs : Number.POSITIVE_INFINITY;
    for (let neededMs = 2 * minGrantMs; ; neededMs = Math.min(2 * neededMs, this.#maxCreditMs)) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Preempted)) throw error;
      }
      while (!this.#mayRun(neededMs)) {
        if (performance.now() > end) throw inUse();
        await sleep(pollMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  }

  #refill(): number {
    const now = performance.now();
    const refilled = this.#creditMs + refillRate * (now - this.#creditedAt);
    this.#creditMs = Math.min(this.#maxCreditMs, refilled);
    this.#creditedAt = now;
    return this.#creditMs;
  }

  #mayRun(neededMs: number): boolean {
    const isIdle = !this.#lightCount && performance.now() - this.#lastLight >= idleMs;
    return isIdle || this.#refill() >= neededMs;
  }

  #registerLight(): RegisteredStatement {
    this.#lightCount += 1;
    if (this.#lightCount === 1) for (const one of this.#heavy) one.setBlocking(true);
    return {
      signal: undefined,
      begin() {},
      end: () => {
        this.#lightCount -= 1;
        this.#lastLight = performance.now();
        if (!this.#lightCount) for (const one of this.#heavy) one.setBlocking(false);
      },
    };
  }

  #registerHeavy(): RegisteredStatement {
    const one = new HeavyStatement(Math.max(minGrantMs, this.#refill()));
    return {
      signal: one.signal,
      begin: () => {
        this.#heavy.add(one);
        one.setBlocking(this.#lightCount > 0);
      },
      end: () => {
        this.#heavy.delete(one);
        one.setBlocking(false);
        this.#creditMs = Math.max(0, this.#refill() - one.blockedMs);
      },
    };
  }
}

/** A heavy statement, which is stopped when it has kept others waiting for longer than it was granted. */
class HeavyStatement {
  readonly #grantedMs: number;
  readonly #stop = new AbortController();
  #blockingSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #blockedMs = 0;

  constructor(grantedMs: number) {
    this.#grantedMs = grantedMs;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Time for which it has kept others waiting, ms. */
  get blockedMs(): number {
    return this.#blockedMs;
  }

  /** Whether others wait for it from now on. */
  setBlocking(isBlocking: boolean): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    if (this.#blockingSince !== undefined) this.#blockedMs += now - this.#blockingSince;
    this.#blockingSince = isBlocking ? now : undefined;
    if (!isBlocking) return;
    const leftMs = Math.max(0, this.#grantedMs - this.#blockedMs);
    this.#timer = setTimeout(() => this.#stop.abort(new Preempted()), leftMs);
  }
}

const inUse = (): ServiceError =>
  new ServiceError('busy', 'This takes long, and others use the database: try again later', {
    retry_after: 10,
  });
