/** Work that waits for a slot. */
export interface QueuedWork {
  readonly owner: string;
  /** It continues work that began before: it is never refused, and does not count against the limit. */
  readonly isResumed: boolean;
  /** When it arrived, or when the work that it continues began, ms. */
  readonly since: number;
  begin(): void;
  refuse(): void;
}

/** Work of one owner, in its order. */
interface OwnedWork {
  readonly all: Set<QueuedWork>;
  readonly refusable: Set<QueuedWork>;
}

/** A queue that serves its owners in rotation. */
export class OwnerQueue {
  readonly #maxWaiting: number;
  /** The owner that was served last is the last. */
  readonly #owners = new Map<string, OwnedWork>();
  #refusableCount = 0;

  /** `maxWaiting`: limit of refusable work. */
  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** Whether work may wait. When the queue is full, it may if another owner has more of it. */
  admits({ owner, isResumed }: Pick<QueuedWork, 'owner' | 'isResumed'>): boolean {
    if (isResumed || this.#refusableCount < this.#maxWaiting) return true;
    const own = this.#owners.get(owner)?.refusable.size ?? 0;
    return (this.#longest()?.refusable.size ?? 0) > own + 1;
  }

  /** Adds work that is admitted. If the queue is full, it refuses the newest of the owner with the most. */
  add(work: QueuedWork): void {
    if (!work.isResumed && this.#refusableCount >= this.#maxWaiting)
      [...this.#longest()!.refusable].at(-1)!.refuse();
    const owned = this.#owners.get(work.owner) ?? { all: new Set(), refusable: new Set() };
    this.#owners.set(work.owner, owned);
    owned.all.add(work);
    if (work.isResumed) return;
    owned.refusable.add(work);
    this.#refusableCount += 1;
  }

  remove(work: QueuedWork): void {
    const owned = this.#owners.get(work.owner);
    if (!owned?.all.delete(work)) return;
    if (owned.refusable.delete(work)) this.#refusableCount -= 1;
    if (!owned.all.size) this.#owners.delete(work.owner);
  }

  /**
   * Next work: the oldest of the owner with the fewest running, which must be fewer than `perOwner`; among equals of the one with the lowest
   * usage (`levelOf`). It stays in the queue until it is removed.
   */
  next(
    perOwner: number,
    runningOf: ReadonlyMap<string, number>,
    levelOf: (owner: string) => number,
  ): QueuedWork | undefined {
    let fewest = perOwner;
    let lowest = Number.POSITIVE_INFINITY;
    let owner: string | undefined;
    for (const name of this.#owners.keys()) {
      const running = runningOf.get(name) ?? 0;
      if (running > fewest || running >= perOwner) continue;
      const level = levelOf(name);
      if (running === fewest && level >= lowest) continue;
      fewest = running;
      lowest = level;
      owner = name;
      if (!running && !level) break;
    }
    if (owner === undefined) return undefined;
    const owned = this.#owners.get(owner)!;
    this.#owners.delete(owner);
    this.#owners.set(owner, owned);
    let oldest: QueuedWork | undefined;
    for (const work of owned.all) if (!oldest || work.since < oldest.since) oldest = work;
    return oldest;
  }

  #longest(): OwnedWork | undefined {
    let longest: OwnedWork | undefined;
    for (const owned of this.#owners.values())
      if (owned.refusable.size > (longest?.refusable.size ?? 0)) longest = owned;
    return longest;
  }
}
