/** Half-life of an owner's usage, ms. */
const halfLifeMs = 5_000;
/** Usage up to which all owners count as equal, ms. */
const littleMs = 50;
/** Number of owners above which those with little usage are forgotten. */
const manyOwners = 1_000;

/** Longest time for which `activity` is not computed again, ms. */
const activityPeriodMs = 250;

/** Owners with more than a little usage. */
interface Activity {
  readonly count: number;
  /** Mean of their usage, ms. */
  readonly meanMs: number;
}

/** Time for which owners have lately held slots. */
export class OwnerUsage {
  readonly #owners = new Map<string, { ms: number; at: number }>();
  #activity: Activity & { at: number } = { count: 0, meanMs: 0, at: Number.NEGATIVE_INFINITY };

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

  /** Owners that have lately been active; up to 250 ms old. */
  activity(): Activity {
    const now = performance.now();
    if (now - this.#activity.at < activityPeriodMs) return this.#activity;
    const all = [...this.#owners.keys()]
      .map((owner) => this.#recentMs(owner, now))
      .filter((ms) => ms > littleMs);
    const count = all.length;
    this.#activity = { count, meanMs: count ? all.reduce((sum, ms) => sum + ms, 0) / count : 0, at: now };
    return this.#activity;
  }

  #recentMs(owner: string, now: number): number {
    const used = this.#owners.get(owner);
    return used ? used.ms * 2 ** ((used.at - now) / halfLifeMs) : 0;
  }
}
