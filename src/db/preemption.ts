import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../errors.js';

/** A heavy statement was stopped since it kept others waiting: it is asked again when there is room. */
class Preempted extends Error {}

/** What is told of a statement while it is under way. */
export interface Running {
  /** Aborted when it has to stop; undefined for one that others wait for. */
  readonly signal: AbortSignal | undefined;
  /** A heavy statement has the session from now on. */
  begin(): void;
  end(): void;
}

/** Least time for which a heavy statement may keep others waiting, ms: most find what they look for within it. */
const least = 100;
/** Part of the time that passes which heavy statements are given back. */
const refill = 0.005;
/** Others have asked for nothing for so long: there is room, ms. */
const quiet = 50;
/** ms between two looks whether there is room. */
const period = 25;

/**
 * For a database with one session, in which every statement waits for the one before. Heavy statements may keep others waiting for a
 * time that all of them share and that comes back slowly. When it is used up, one for which others wait is stopped
 * after 100 ms, and asked again when enough time has come back, or nobody else asks for anything.
 */
export class Preemption {
  readonly #most: number;
  readonly #heavy = new Set<HeavyStatement>();
  #light = 0;
  #lastLight = 0;
  #left: number;
  #counted = performance.now();

  /** `most`: the time that heavy statements share, ms. */
  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** Notes that a statement is asked, until its `end`. */
  ask(isHeavy: boolean): Running {
    return isHeavy ? this.#askHeavy() : this.#askLight();
  }

  /** Does work with heavy statements, again after it was stopped. Throws `busy` when there was no room within `limit` ms. */
  async persist<T>(work: () => Promise<T>, limit: number, signal?: AbortSignal): Promise<T> {
    const end = limit > 0 ? performance.now() + limit : Number.POSITIVE_INFINITY;
    for (let needed = 2 * least; ; needed = Math.min(2 * needed, this.#most)) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Preempted)) throw error;
      }
      while (!this.#hasRoom(needed)) {
        if (performance.now() > end) throw inUse();
        await sleep(period, undefined, { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  }

  /** ms that are left. */
  #credit(): number {
    const now = performance.now();
    this.#left = Math.min(this.#most, this.#left + refill * (now - this.#counted));
    this.#counted = now;
    return this.#left;
  }

  #hasRoom(needed: number): boolean {
    const isQuiet = !this.#light && performance.now() - this.#lastLight >= quiet;
    return isQuiet || this.#credit() >= needed;
  }

  #askLight(): Running {
    this.#light += 1;
    if (this.#light === 1) for (const one of this.#heavy) one.others(true);
    return {
      signal: undefined,
      begin() {},
      end: () => {
        this.#light -= 1;
        this.#lastLight = performance.now();
        if (!this.#light) for (const one of this.#heavy) one.others(false);
      },
    };
  }

  #askHeavy(): Running {
    const one = new HeavyStatement(Math.max(least, this.#credit()));
    return {
      signal: one.signal,
      begin: () => {
        this.#heavy.add(one);
        one.others(this.#light > 0);
      },
      end: () => {
        this.#heavy.delete(one);
        one.others(false);
        this.#left = Math.max(0, this.#credit() - one.kept);
      },
    };
  }
}

/** One that has the session. */
class HeavyStatement {
  readonly #stop = new AbortController();
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** ms for which it has kept others waiting. */
  kept = 0;

  /** `allowed`: ms for which it may keep others waiting. */
  constructor(readonly allowed: number) {}

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whether others wait from now on. */
  others(wait: boolean): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    if (this.#since !== undefined) this.kept += now - this.#since;
    this.#since = wait ? now : undefined;
    if (wait)
      this.#timer = setTimeout(
        () => this.#stop.abort(new Preempted()),
        Math.max(0, this.allowed - this.kept),
      );
  }
}

const inUse = (): ServiceError =>
  new ServiceError('busy', 'This takes long, and others use the database: try again later', {
    retry_after: 10,
  });
