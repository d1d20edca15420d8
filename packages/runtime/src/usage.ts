/** Half-life of an owner's usage, ms. */
const halfLifeMs = 5_000;
/** Usage up to which all owners count as equal, ms. */
const littleMs = 50;
/** Time after its last work for which an owner counts as active, ms. */
const activeMs = 2_000;
/** Number of owners above which those with little usage are forgotten. */
const manyOwners = 1_000;

/** Longest time for which the usage of all owners is not computed again, ms. */
const snapshotPeriodMs = 250;

/** Time for which owners have lately held slots. */
export class OwnerUsage {
  readonly #owners = new Map<string, { ms: number; at: number }>();
  /** Usage of active owners with more than a little, and its sum, at a time. */
  #snapshot = { of: new Map<string, number>(), ms: 0, at: Number.NEGATIVE_INFINITY };

  add(owner: string, ms: number): void {
    const now = performance.now();
    this.#owners.set(owner, { ms: this.#recentMs(owner, now) + ms, at: now });
    if (this.#owners.size <= manyOwners) return;
    for (const name of this.#owners.keys())
      if (this.#recentMs(name, now) <= littleMs) this.#owners.delete(name);
  }

  /** 0 for an owner with little usage; each level above means twice as much. */
  levelOf(owner: string): number {
    const ms = this.recentMs(owner);
    return ms <= littleMs ? 0 : Math.ceil(Math.log2(ms / littleMs));
  }

  recentMs(owner: string): number {
    return this.#recentMs(owner, performance.now());
  }

  /** The other owners that are active, with more than a little usage, and the sum of it; up to 250 ms old. */
  othersOf(owner: string): { count: number; ms: number } {
    const now = performance.now();
    if (now - this.#snapshot.at > snapshotPeriodMs) this.#snapshot = this.#takeSnapshot(now);
    const { of, ms } = this.#snapshot;
    const own = of.get(owner);
    return own === undefined ? { count: of.size, ms } : { count: of.size - 1, ms: ms - own };
  }

  #takeSnapshot(now: number): { of: Map<string, number>; ms: number; at: number } {
    const of = new Map<string, number>();
    let sumMs = 0;
    for (const [owner, { at }] of this.#owners) {
      const ms = this.#recentMs(owner, now);
      if (ms <= littleMs || now - at > activeMs) continue;
      of.set(owner, ms);
      sumMs += ms;
    }
    return { of, ms: sumMs, at: now };
  }

  #recentMs(owner: string, now: number): number {
    const used = this.#owners.get(owner);
    return used ? used.ms * 2 ** ((used.at - now) / halfLifeMs) : 0;
  }
}
