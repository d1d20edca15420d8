/** Which statements the embedded engine does not run for a while, since they have ended it. */

/** ms for which it is remembered of a statement that it has ended the engine, and that it is refused. */
const memoryMs = 600_000;
/** How many times a statement must have ended the engine before it is refused: once may be the work of one before it. */
const refusedAfter = 2;
const mostKinds = 100;

export interface Culprits {
  /** `text`: what was running when the engine ended. */
  note(text: string): void;
  /** Kinds of statements, and until when they are refused, ms since 1970. */
  refused(): [kind: string, until: number][];
}

/** The text without its values: a tile is asked with another box each time. */
export const kindOf = (text: string): string =>
  text.replace(/'(?:[^']|'')*'/g, '?').replace(/-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi, '?');

export function createCulprits(now: () => number = Date.now): Culprits {
  const times = new Map<string, number[]>();
  return {
    note(text) {
      const kind = kindOf(text);
      if (!kind) return;
      const before = (times.get(kind) ?? []).filter((time) => time > now() - memoryMs);
      times.delete(kind);
      times.set(kind, [...before.slice(1 - refusedAfter), now()]);
      if (times.size > mostKinds) times.delete(times.keys().next().value!);
    },
    refused: () =>
      [...times]
        .filter(([, found]) => found.length >= refusedAfter)
        .map(([kind, found]): [string, number] => [kind, found.at(-1)! + memoryMs])
        .filter(([, until]) => until > now()),
  };
}

/** For the engine. */
export function refuser(refused: readonly [kind: string, until: number][]): (text: string) => boolean {
  const ends = new Map(refused);
  return (text) => ends.size > 0 && text !== '' && (ends.get(kindOf(text)) ?? 0) > Date.now();
}
