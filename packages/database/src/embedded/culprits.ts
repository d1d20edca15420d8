/** Statements that the embedded engine refuses for a while, because they have ended it. */

/** Time for which a statement is remembered and refused, ms. */
const memoryMs = 600_000;
/** Failures after which a statement is refused: a single one may be caused by a statement before it. */
const refusedAfterFailures = 2;
const maxPatterns = 100;

/** Text without its values, since each tile is requested with another box. */
export const statementPattern = (text: string): string =>
  text.replace(/'(?:[^']|'')*'/g, '?').replace(/-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi, '?');

export class Culprits {
  readonly #now: () => number;
  /** Times of failures by pattern, ms since 1970; the least recent pattern comes first. */
  readonly #failures = new Map<string, number[]>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Notes that the engine ended while it ran a statement. */
  note(text: string): void {
    const pattern = statementPattern(text);
    if (!pattern) return;
    const recent = (this.#failures.get(pattern) ?? []).filter((time) => time > this.#now() - memoryMs);
    this.#failures.delete(pattern);
    this.#failures.set(pattern, [...recent.slice(1 - refusedAfterFailures), this.#now()]);
    if (this.#failures.size > maxPatterns) this.#failures.delete(this.#failures.keys().next().value!);
  }

  /** Patterns that are refused, and until when, ms since 1970. */
  refused(): [pattern: string, until: number][] {
    return [...this.#failures]
      .filter(([, times]) => times.length >= refusedAfterFailures)
      .map(([pattern, times]): [string, number] => [pattern, times.at(-1)! + memoryMs])
      .filter(([, until]) => until > this.#now());
  }
}

/** Whether the engine refuses a statement. */
export function refuser(refused: readonly [pattern: string, until: number][]): (text: string) => boolean {
  const ends = new Map(refused);
  return (text) => ends.size > 0 && text !== '' && (ends.get(statementPattern(text)) ?? 0) > Date.now();
}
