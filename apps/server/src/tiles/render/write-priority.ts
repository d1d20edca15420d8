/**
 * Lets writes go before other work, for a limited time. Each pause lasts at most `maxPauseMs`; after it the work runs
 * for as long as it was paused. So continuous writes leave at least half of the time.
 */
export class WritePriority {
  readonly #maxPauseMs: number;
  readonly #goOn: () => void;
  readonly #now: () => number;
  /** Running writes, by the timer of their limit. */
  readonly #writes = new Set<NodeJS.Timeout>();
  /** Paused time that the work has not made up for. */
  #pausedMs = 0;
  #isExhausted = false;
  #last: number;
  #isPlanned = false;

  /** `goOn` is called when a pause may have ended; `now` gives milliseconds. */
  constructor(maxPauseMs: number, goOn: () => void, now: () => number = performance.now.bind(performance)) {
    this.#maxPauseMs = maxPauseMs;
    this.#goOn = goOn;
    this.#now = now;
    this.#last = now();
  }

  /** Begins a write; it ends with the returned function or after `maxPauseMs`. */
  begin(): () => void {
    this.#update();
    const end = (): void => {
      clearTimeout(limit);
      this.#update();
      if (this.#writes.delete(limit) && !this.#writes.size) this.#goOn();
    };
    const limit = setTimeout(end, this.#maxPauseMs).unref();
    this.#writes.add(limit);
    return end;
  }

  /** Whether other work must wait now. */
  mustWait(): boolean {
    if (!this.#update()) return false;
    if (this.#isPlanned) return true;
    this.#isPlanned = true;
    setTimeout(() => {
      this.#isPlanned = false;
      this.#goOn();
    }, this.#maxPauseMs - this.#pausedMs).unref();
    return true;
  }

  /** Counts the time since the last call; returns whether a pause is on. */
  #update(): boolean {
    const passedMs = this.#now() - this.#last;
    this.#last += passedMs;
    const isPaused = this.#writes.size && !this.#isExhausted;
    this.#pausedMs = isPaused ? this.#pausedMs + passedMs : Math.max(0, this.#pausedMs - passedMs);
    if (this.#pausedMs >= this.#maxPauseMs) this.#isExhausted = true;
    else if (!this.#pausedMs) this.#isExhausted = false;
    return this.#writes.size > 0 && !this.#isExhausted;
  }
}
