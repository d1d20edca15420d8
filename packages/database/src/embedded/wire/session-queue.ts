import { setImmediate as nextRound } from 'node:timers/promises';

/** A connection as the queue sees it. */
export interface QueuedConnection {
  /** Its statements begin when no others wait. */
  readonly isHeavy: boolean;
  /** Ends it: its transaction was silent for too long while others waited. */
  endSilent(): void;
}

/** Work that runs without interruption: messages up to a Query, Sync or Flush. Units of two connections never mix. */
export interface Unit {
  readonly connection: QueuedConnection | undefined;
  run(): void | Promise<void>;
}

/** Time for which a heavy unit waits after a light one, ms: the next statement of a request mostly comes within it. */
const heavyPauseMs = 5;
/** Light units that may run before a heavy one that waits. */
const maxLightBeforeHeavy = 5;

/**
 * Units that wait for the one session of the embedded database. The connection that owns the session, because it is inside a transaction
 * or in the middle of a request, runs alone. Otherwise the oldest light unit is next, and a heavy one after a pause or after 5 light ones.
 */
export class SessionQueue {
  readonly #silenceLimitMs: number;
  readonly #waiting: Unit[] = [];
  #owner: QueuedConnection | undefined;
  #isRunning = false;
  #lastEnd = performance.now();
  #lastLight = 0;
  #lightBeforeHeavy = 0;
  #silenceTimer: NodeJS.Timeout | undefined;

  /** `silenceLimitMs`: longest silence of the owner while others wait. */
  constructor(silenceLimitMs: number) {
    this.#silenceLimitMs = silenceLimitMs;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Connection that owns the session between units. */
  get owner(): QueuedConnection | undefined {
    return this.#owner;
  }

  set owner(owner: QueuedConnection | undefined) {
    this.#owner = owner;
  }

  /** Time since the end of the last unit of a connection, ms; 0 while some wait. */
  idleMs(): number {
    return this.#owner || this.#waiting.length ? 0 : performance.now() - this.#lastEnd;
  }

  add(unit: Unit): void {
    this.#waiting.push(unit);
    void this.#runWaiting();
  }

  /** Removes the units of a connection. */
  drop(connection: QueuedConnection): void {
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      if (this.#waiting[i]!.connection === connection) this.#waiting.splice(i, 1);
    }
  }

  /** The owner is heard of. */
  endSilence(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = undefined;
  }

  async #runWaiting(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let unit = this.#next(); unit; unit = this.#next()) {
      await unit.run();
      this.#count(unit);
      await nextRound();
    }
    this.#isRunning = false;
    const owner = this.#owner;
    if (owner && this.#waiting.length)
      this.#silenceTimer ??= setTimeout(() => owner.endSilent(), this.#silenceLimitMs);
  }

  #count({ connection }: Unit): void {
    const now = performance.now();
    if (connection) this.#lastEnd = now;
    if (!connection?.isHeavy) this.#lastLight = now;
    const isAhead = !connection?.isHeavy && this.#waiting.some((unit) => unit.connection?.isHeavy);
    this.#lightBeforeHeavy = isAhead ? this.#lightBeforeHeavy + 1 : 0;
  }

  #next(): Unit | undefined {
    const waiting = this.#waiting;
    const isHeavyDue = this.#lightBeforeHeavy >= maxLightBeforeHeavy;
    const place = waiting.findIndex(({ connection }) =>
      this.#owner ? connection === this.#owner : isHeavyDue || !connection?.isHeavy,
    );
    if (place >= 0) return waiting.splice(place, 1)[0];
    if (this.#owner || !waiting.length) return undefined;
    const pauseMs = this.#lastLight + heavyPauseMs - performance.now();
    // Several heavy units wait for the pause, since they could delay a light one for long; a single one may begin.
    if (pauseMs <= 0 || waiting.length === 1) return waiting.shift();
    setTimeout(() => this.#runWaiting(), pauseMs);
    return undefined;
  }
}
