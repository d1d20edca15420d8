/** One that waits for a place. */
export interface Waiting {
  readonly owner: string;
  /** Whether it goes on with what was begun: it is never refused, and does not count. */
  readonly isFurther: boolean;
  /** When it came, or what it goes on with was begun, ms. */
  readonly since: number;
  begin(): void;
  refuse(): void;
}

/** Those of one owner, in the order in which they came. */
interface OwnersLine {
  readonly all: Set<Waiting>;
  /** Those of them that may be refused. */
  readonly refusable: Set<Waiting>;
}

/** What waits for places, by owner, each of whom is served in turn. `most`: that may be refused and wait at once. */
export class WaitingLine {
  /** The owner that was served last is the last. */
  readonly #owners = new Map<string, OwnersLine>();
  #count = 0;

  constructor(readonly most: number) {}

  /** Whether one more may wait: when the line is full, in the place of one of an owner that has more of them. */
  admits({ owner, isFurther }: Pick<Waiting, 'owner' | 'isFurther'>): boolean {
    if (isFurther || this.#count < this.most) return true;
    const own = this.#owners.get(owner)?.refusable.size ?? 0;
    return (this.#longest()?.refusable.size ?? 0) > own + 1;
  }

  /** Adds one that is admitted; the newest of the owner with the most leaves a line that was full. */
  add(one: Waiting): void {
    if (!one.isFurther && this.#count >= this.most) [...this.#longest()!.refusable].at(-1)!.refuse();
    const line = this.#owners.get(one.owner) ?? { all: new Set(), refusable: new Set() };
    this.#owners.set(one.owner, line);
    line.all.add(one);
    if (one.isFurther) return;
    line.refusable.add(one);
    this.#count += 1;
  }

  remove(one: Waiting): void {
    const line = this.#owners.get(one.owner);
    if (!line?.all.delete(one)) return;
    if (line.refusable.delete(one)) this.#count -= 1;
    if (!line.all.size) this.#owners.delete(one.owner);
  }

  /** The one whose turn it is: the oldest of one of the owners with fewer than `perOwner` running. It stays in the line until it is removed. */
  next(perOwner: number, runningOf: ReadonlyMap<string, number>): Waiting | undefined {
    let fewest = perOwner;
    let owner: string | undefined;
    for (const name of this.#owners.keys()) {
      const running = runningOf.get(name) ?? 0;
      if (running >= fewest) continue;
      fewest = running;
      owner = name;
      if (!running) break;
    }
    if (owner === undefined) return undefined;
    const line = this.#owners.get(owner)!;
    this.#owners.delete(owner);
    this.#owners.set(owner, line);
    let oldest: Waiting | undefined;
    for (const one of line.all) if (!oldest || one.since < oldest.since) oldest = one;
    return oldest;
  }

  #longest(): OwnersLine | undefined {
    let longest: OwnersLine | undefined;
    for (const line of this.#owners.values())
      if (line.refusable.size > (longest?.refusable.size ?? 0)) longest = line;
    return longest;
  }
}
