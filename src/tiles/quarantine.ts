/** A style that ended this many processes at one zoom level, or at all of them, is not drawn again for a while. */
const killsAtZoom = 2;
const killsInAll = 6;
const quarantineMs = 60_000;
/** Styles that are remembered. */
const most = 1000;

/** What is known of a job's style and zoom level. */
export interface Suspect {
  xmlKey: string;
  extent: readonly [number, number, number, number];
  columns: number;
}

export interface Quarantine {
  /** Notes that drawing it has ended a process. */
  condemn(suspect: Suspect): void;
  /** How long it is not to be drawn, ms; 0: it may be. */
  remaining(suspect: Suspect): number;
}

/** Remembers what has ended renderer processes. `now` in ms. */
export function createQuarantine(now: () => number = Date.now): Quarantine {
  const kills = new Map<string, { count: number; until: number }>();

  function recent(key: string): { count: number; until: number } {
    const known = kills.get(key);
    if (known && known.until > now()) return known;
    kills.delete(key);
    return { count: 0, until: 0 };
  }

  const keysOf = ({ xmlKey, extent, columns }: Suspect): [key: string, limit: number][] => [
    [`${xmlKey}/${Math.round(Math.log2((extent[2] - extent[0]) / columns))}`, killsAtZoom],
    [xmlKey, killsInAll],
  ];

  return {
    condemn(suspect) {
      for (const [key] of keysOf(suspect)) {
        const { count } = recent(key);
        kills.delete(key);
        kills.set(key, { count: count + 1, until: now() + quarantineMs });
      }
      for (const key of kills.keys()) {
        if (kills.size <= most) break;
        kills.delete(key);
      }
    },
    remaining(suspect) {
      const waits = keysOf(suspect).map(([key, limit]) => {
        const { count, until } = recent(key);
        return count >= limit ? until - now() : 0;
      });
      return Math.max(...waits);
    },
  };
}
