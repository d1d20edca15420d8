import { cpus } from 'node:os';

/** Period over which idle cores are counted, ms. */
const idlePeriodMs = 500;

/** Counts the cores of the machine that were idle in the last period. */
export class IdleCores {
  #at = performance.now();
  #idleMs = this.#read();
  #count = 0;

  count(): number {
    const now = performance.now();
    if (now - this.#at < idlePeriodMs) return this.#count;
    const idleMs = this.#read();
    this.#count = (idleMs - this.#idleMs) / (now - this.#at);
    this.#at = now;
    this.#idleMs = idleMs;
    return this.#count;
  }

  /** Time for which cores have been idle since the machine started, ms, of all together. */
  #read(): number {
    return cpus().reduce((sum, { times }) => sum + times.idle, 0);
  }
}
