/** Limits of the processes that a style may end at one zoom level, and at all levels. */
const maxKillsAtZoom = 2;
const maxKillsInAll = 6;
const quarantineMs = 60_000;
/** Limit of remembered styles. */
const maxStyles = 1000;

/** The style and the zoom level of a job. */
export interface Suspect {
  xmlKey: string;
  extent: readonly [number, number, number, number];
  columns: number;
}

interface Kills {
  count: number;
  until: number;
}

/** Remembers styles that ended renderer processes, and refuses them for a while. */
export class Quarantine {
  readonly #now: () => number;
  readonly #kills = new Map<string, Kills>();

  /** `now` gives milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Records that a job ended a process. */
  condemn(suspect: Suspect): void {
    for (const [key] of keysOf(suspect)) {
      const { count } = this.#recent(key);
      this.#kills.delete(key);
      this.#kills.set(key, { count: count + 1, until: this.#now() + quarantineMs });
    }
    for (const key of this.#kills.keys()) {
      if (this.#kills.size <= maxStyles) break;
      this.#kills.delete(key);
    }
  }

  /** Milliseconds until the job may be drawn; 0: now. */
  remainingMs(suspect: Suspect): number {
    const waits = keysOf(suspect).map(([key, limit]) => {
      const { count, until } = this.#recent(key);
      return count >= limit ? until - this.#now() : 0;
    });
    return Math.max(...waits);
  }

  #recent(key: string): Kills {
    const known = this.#kills.get(key);
    if (known && known.until > this.#now()) return known;
    this.#kills.delete(key);
    return { count: 0, until: 0 };
  }
}

const keysOf = ({ xmlKey, extent, columns }: Suspect): [key: string, limit: number][] => [
  [`${xmlKey}/${Math.round(Math.log2((extent[2] - extent[0]) / columns))}`, maxKillsAtZoom],
  [xmlKey, maxKillsInAll],
];
